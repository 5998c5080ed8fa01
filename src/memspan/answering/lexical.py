"""Stemmed BM25 over items, and how much of a text's meaning an item repeats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from memspan.language.words import stems

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

SATURATION = 1.2  # k1: how soon a repeated word stops counting
LENGTH = 0.75  # b: how much a long item is held back


@dataclass(frozen=True)
class Lexicon:
    """Items as stems, in compressed columns: one column for each stem.

    Attributes:
        terms: stem to column.
        counts: scipy CSC matrix of occurrences, shape (n items, n stems).
        lengths: number of stems of each item.

    >>> lexicon = Lexicon.of(["Ana moved to Porto", "Rui cooks", "Ana sings in Porto"])
    >>> lexicon.bm25(["ana", "move"]).argmax().item()
    0
    """

    terms: dict[str, int]
    counts: Any
    lengths: Floats

    @classmethod
    def of(cls, texts: Iterable[str]) -> Lexicon:
        """Read *texts* into a lexicon."""
        return cls.of_stems([stems(text) for text in texts])

    @classmethod
    def of_stems(cls, documents: Sequence[Sequence[str]]) -> Lexicon:
        """Read *documents*, each a list of stems, into a lexicon."""
        from scipy.sparse import coo_matrix

        terms: dict[str, int] = {}
        columns = [terms.setdefault(term, len(terms)) for document in documents for term in document]
        lengths = np.array([len(document) for document in documents], np.int64)
        rows = np.repeat(np.arange(len(documents), dtype=np.int32), lengths)
        places = (rows, np.array(columns, np.int32))
        counts = coo_matrix((np.ones(len(rows)), places), (len(documents), len(terms))).tocsc()
        return cls(terms, counts, lengths.astype(np.float64))

    def gathered(self, members: Any) -> Lexicon:
        """Return a lexicon of documents that hold several items: *members* says how often which.

        Args:
            members: scipy sparse matrix, shape (n documents, n items).
        """
        return Lexicon(self.terms, (members @ self.counts).tocsc(), members @ self.lengths)

    @cached_property
    def idf(self) -> Floats:
        """Rarity of each stem, > 0.

        Source: Robertson and Zaragoza, *The Probabilistic Relevance Framework*, 2009, with one
        added inside the logarithm so that no stem counts against an item.
        """
        found: Floats = np.diff(self.counts.indptr).astype(np.float64)
        rarity: Floats = np.log1p((len(self.lengths) - found + 0.5) / (found + 0.5))
        return rarity

    @cached_property
    def unseen(self) -> float:
        """Rarity of a stem that no item holds."""
        return float(np.log1p((len(self.lengths) + 0.5) / 0.5))

    @cached_property
    def _gains(self) -> Any:
        """BM25 weight of each occurrence, in the shape of `counts`."""
        mean = max(float(self.lengths.mean()), 1.0) if len(self.lengths) else 1.0
        held_back = SATURATION * (1 - LENGTH + LENGTH * self.lengths / mean)
        gains = self.counts.copy()
        columns = np.repeat(np.arange(gains.shape[1]), np.diff(gains.indptr))
        seen = gains.data
        gains.data = self.idf[columns] * seen * (SATURATION + 1) / (seen + held_back[gains.indices])
        return gains

    def bm25(self, terms: Iterable[str]) -> Floats:
        """Return the BM25 score of each item for *terms*, a stem each; repeated ones count once.

        Source: Robertson and Zaragoza, 2009, equation 3.15, k1 = 1.2, b = 0.75.
        """
        return self._summed(self._gains, {self.terms[t]: 1.0 for t in terms if t in self.terms})

    def share(self, terms: Iterable[str]) -> Floats:
        """Return how much of *terms* each item repeats, weighted by rarity, in [0, 1]."""
        asked = {term: self.rarity(term) for term in terms}
        held = self._summed(self._held, {self.terms[t]: r for t, r in asked.items() if t in self.terms})
        total = np.cumsum([*asked.values()])  # summed in the order of `held`: exactly 1 where all are held
        return held / total[-1] if asked else held

    def shares(self, terms: Sequence[str]) -> Floats:
        """Return for each of *terms*, none twice, its part in `share`, shape (n items, n terms).

        Where no term is asked for there is one column of nothing.
        """
        rarity = np.array([self.rarity(term) for term in terms])
        known = [i for i, term in enumerate(terms) if term in self.terms]
        at, owner = entries(self.counts.indptr, np.array([self.terms[terms[i]] for i in known], np.int64))
        column = np.array(known, np.int64)[owner]
        table = np.zeros((len(self.lengths), max(len(terms), 1)))
        table[self.counts.indices[at], column] = rarity[column] / rarity.sum()
        return table

    def held(self, terms: Iterable[str]) -> Floats:
        """Return how many of *terms* each item holds; a term asked twice counts twice."""
        return self._summed(self._held, Counter(self.terms[t] for t in terms if t in self.terms))

    def rarity(self, term: str) -> float:
        """Return the idf of *term*."""
        return float(self.idf[self.terms[term]]) if term in self.terms else self.unseen

    @cached_property
    def _held(self) -> Any:
        held = self.counts.copy()
        held.data = np.ones_like(held.data)
        return held

    def _summed(self, matrix: Any, weights: Mapping[int, float]) -> Floats:
        columns = np.array(list(weights), np.int64)
        at, owner = entries(matrix.indptr, columns)
        values = np.array(list(weights.values()), np.float64)[owner] * matrix.data[at]
        return np.bincount(matrix.indices[at], values, len(self.lengths)).astype(np.float64, copy=False)


def entries(ptr: npt.NDArray[np.integer], rows: npt.NDArray[np.int64]) -> tuple[Ints, Ints]:
    """Return where the entries of *rows* stand in compressed rows, row after row, and whose each is.

    >>> at, owner = entries(np.array([0, 2, 2, 5]), np.array([2, 0]))
    >>> at.tolist(), owner.tolist()
    ([2, 3, 4, 0, 1], [0, 0, 0, 1, 1])
    """
    lengths = ptr[rows + 1] - ptr[rows]
    owner = np.repeat(np.arange(len(rows)), lengths)
    before = np.cumsum(lengths) - lengths
    return np.arange(len(owner)) + (ptr[rows] - before)[owner], owner
