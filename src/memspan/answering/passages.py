"""Items prepared for many questions: words, neighbours, speakers, dates."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from memspan.answering.lexical import Lexicon, entries
from memspan.answering.moments import Calendar, Moment, day_of, meant
from memspan.language.words import STOPWORDS, folded, stemmed, words
from memspan.material import Claim

Floats = npt.NDArray[np.float64]

_COUNTS = "one two three four five six seven eight nine ten twelve twenty hundred once twice"
_NUMBER = re.compile(rf"\d|\b(?:{'|'.join(_COUNTS.split())})\b")
_TIMES = """
    yesterday today tonight tomorrow ago last next week weekend month year day morning evening night
    monday tuesday wednesday thursday friday saturday sunday january february march april may june july
    august september october november december recently since spring summer autumn fall winter
"""
_WHEN = re.compile(rf"\d{{4}}|\b(?:{'|'.join(_TIMES.split())})s?\b")
_PIECE = 4  # letters


@dataclass(frozen=True)
class Passages:
    """Items as the features see them.

    Attributes:
        claims: the items, in order.
        words: the words of each item, without its speaker's name.
        groups: which session, page or document each belongs to, as a number from 0; items that do
            not say form one.
    """

    claims: tuple[Claim, ...]
    words: tuple[tuple[str, ...], ...]
    groups: npt.NDArray[np.int64]

    @classmethod
    def of(cls, claims: Sequence[Claim]) -> Passages:
        """Prepare *claims*."""
        names: dict[str | None, int] = {}
        groups = [names.setdefault(claim.source, len(names)) for claim in claims]
        said = tuple(tuple(words(spoken(claim))) for claim in claims)
        return cls(tuple(claims), said, np.array(groups, np.int64))

    @cached_property
    def lexicon(self) -> Lexicon:
        """One document for each item."""
        return Lexicon.of_stems([stemmed(said) for said in self.words])

    @cached_property
    def together(self) -> Lexicon:
        """One document for each group: all words that stand in it."""
        groups = int(self.groups.max(initial=-1)) + 1
        return self.lexicon.gathered(_members(self.groups, np.arange(len(self.claims)), groups))

    @cached_property
    def windows(self) -> Lexicon:
        """One document for each item: its words with those of its neighbours in the same group."""
        n = len(self.claims)
        left = np.flatnonzero(self.groups[1:] == self.groups[:-1])
        of = np.concatenate([np.arange(n), left, left + 1])
        return self.lexicon.gathered(_members(of, np.concatenate([np.arange(n), left + 1, left]), n))

    @cached_property
    def pairs(self) -> Lexicon:
        """One document for each item: its neighbouring words, a blank between."""
        return Lexicon.of_stems([[f"{a} {b}" for a, b in pairwise(said)] for said in self.words])

    @cached_property
    def pieces(self) -> Lexicon:
        """One document for each item: pieces of its words."""
        return Lexicon.of_stems([pieces(said) for said in self.words])

    def likeness(self, places: npt.NDArray[np.int64]) -> Floats:
        """Return the cosine of the items at *places* to one another by their rarest words, shape (k, k)."""
        rows, k = self._unit, len(places)
        at, row = entries(rows.indptr, places)
        order = np.argsort(rows.indices[at], kind="stable")
        row, weight = row[order], rows.data[at][order]
        _, starts, stem = np.unique(rows.indices[at][order], return_index=True, return_inverse=True)
        other, one = entries(np.append(starts, len(order)), stem)  # all pairs that share a stem
        alike = np.bincount(row[one] * k + row[other], weight[one] * weight[other], k * k)
        return alike.astype(np.float64, copy=False).reshape(k, k)

    @cached_property
    def _unit(self) -> Any:
        """The items as rows of unit length, each stem weighted by its rarity."""
        rows = self.lexicon.counts.copy()
        rows.data = np.repeat(self.lexicon.idf, np.diff(rows.indptr))
        lengths = np.sqrt(np.bincount(rows.indices, rows.data**2, len(self.claims)))
        rows.data = rows.data / lengths[rows.indices]
        return rows.tocsr()

    @cached_property
    def plain(self) -> tuple[str, ...]:
        """The words of each item in order, one blank between, one at each end."""
        return tuple(f" {' '.join(said)} " for said in self.words)

    def saying(self, phrase: Sequence[str]) -> Floats:
        """Return 1 where the words of *phrase*, at least one, stand in the item side by side."""
        text, starts = self._running
        wanted = f" {' '.join(phrase)} "
        said = np.zeros(len(starts))
        at = text.find(wanted)
        while at >= 0:
            item = int(starts.searchsorted(at, side="right")) - 1
            said[item] = 1.0
            at = text.find(wanted, int(starts[item + 1])) if item + 1 < len(starts) else -1
        return said

    @cached_property
    def _running(self) -> tuple[str, npt.NDArray[np.int64]]:
        """All items in one text, so that looking for a phrase is one search, and where each begins."""
        starts = np.cumsum([0, *(len(text) + 1 for text in self.plain)])[:-1]
        return "\n".join(self.plain), starts

    @cached_property
    def speakers(self) -> tuple[str, ...]:
        """The speaker of each item, folded; empty where there is none."""
        folds = {claim.speaker: folded(claim.speaker or "") for claim in self.claims}
        return tuple(folds[claim.speaker] for claim in self.claims)

    @cached_property
    def people(self) -> Mapping[str, frozenset[str]]:
        """The words of each speaker's name, by that name."""
        return {name: frozenset(words(name)) for name in dict.fromkeys(self.speakers) if name}

    @cached_property
    def names(self) -> frozenset[str]:
        """The words of all speakers' names."""
        return frozenset(part for parts in self.people.values() for part in parts)

    @cached_property
    def _voices(self) -> npt.NDArray[np.int64]:
        """Which of `people` speaks each item, by position; -1 where nobody does."""
        at = {name: i for i, name in enumerate(self.people)}
        return np.array([at.get(name, -1) for name in self.speakers], np.int64)

    def spoken_by(self, names: Container[str]) -> Floats:
        """Return 1 where one of the speakers *names* speaks, -1 where another; 0 where nobody does."""
        return np.array([*(1.0 if name in names else -1.0 for name in self.people), 0.0])[self._voices]

    @cached_property
    def asks(self) -> Floats:
        """1 where the item asks something."""
        return np.array(["?" in claim.text for claim in self.claims], np.float64)

    @cached_property
    def counting(self) -> Floats:
        """1 where a number stands in the item."""
        return np.array([bool(_NUMBER.search(text)) for text in self.plain], np.float64)

    @cached_property
    def timed(self) -> Floats:
        """1 where words of time stand in the item."""
        return np.array([bool(_WHEN.search(text)) for text in self.plain], np.float64)

    @cached_property
    def meant(self) -> Calendar:
        """The dates that the items name or mean."""
        return Calendar.of([list(meant(claim)) for claim in self.claims])

    @cached_property
    def said(self) -> Calendar:
        """The day on which each item was said."""
        days = [day_of(claim.time) for claim in self.claims]
        return Calendar.of([[Moment(day, 1)] if day else [] for day in days])

    def before(self, values: Floats) -> Floats:
        """Return the value of the item before each, in the same group; 0 where there is none."""
        moved = np.zeros_like(values)
        moved[1:] = np.where(self.groups[1:] == self.groups[:-1], values[:-1], 0)
        return moved

    def after(self, values: Floats) -> Floats:
        """Return the value of the item after each, in the same group; 0 where there is none."""
        moved = np.zeros_like(values)
        moved[:-1] = np.where(self.groups[1:] == self.groups[:-1], values[1:], 0)
        return moved


def spoken(claim: Claim) -> str:
    """Return the text of *claim* without its speaker's name before it.

    >>> spoken(Claim("c", "Ana: I moved.", speaker="Ana"))
    'I moved.'
    """
    return claim.text.removeprefix(f"{claim.speaker}: ") if claim.speaker else claim.text


def pieces(said: Iterable[str]) -> list[str]:
    """Return the pieces of those words that mean something: they survive a slip or a compound.

    >>> pieces(["the", "icecream"])
    ['<ice', 'icec', 'cecr', 'ecre', 'crea', 'ream', 'eam>']
    """
    told = [f"<{word}>" for word in said if word not in STOPWORDS]
    return [word[i : i + _PIECE] for word in told for i in range(max(len(word) - _PIECE + 1, 1))]


def _members(documents: Any, items: Any, n: int) -> Any:
    """Return which of *items* is in which of n *documents*, a sparse matrix of ones."""
    from scipy.sparse import coo_matrix

    return coo_matrix((np.ones(len(items)), (documents, items)), (n, int(items.max(initial=-1)) + 1)).tocsr()
