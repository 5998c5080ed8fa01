"""One question before all items: what the features are computed from."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from memspan.answering.moments import Moment, moments
from memspan.answering.passages import Passages, pieces
from memspan.language.words import folded, stemmed, words
from memspan.material import Query

Floats = npt.NDArray[np.float64]

_GLUED = re.compile(r"(?<=\d)(?=[A-Za-z])|(?<=[A-Za-z])(?=\d)")  # as in 3June
_ANSWER_REACH = 10  # days after which nearness in time has fallen to 1/e
_LISTED = re.compile(r"[,;]| and ")


@dataclass(frozen=True)
class Meeting:
    """A question, with its answer where known, and the items it meets.

    Attributes:
        passages: the items.
        query: the question.
        closeness: cosine of each item to the question (``asked``), the answer (``answer``) and both
            (``both``), where an embedder was given.
    """

    passages: Passages
    query: Query
    closeness: Mapping[str, Floats] = field(default_factory=dict)

    @property
    def n(self) -> int:
        """Number of items."""
        return len(self.passages.claims)

    @cached_property
    def answer(self) -> str:
        """The right answer, empty where it is not known."""
        return self.query.answer or ""

    @cached_property
    def asked_terms(self) -> tuple[str, ...]:
        """Stems of the question, speakers' names left out."""
        return self.terms(self.query.text)

    @cached_property
    def answer_terms(self) -> tuple[str, ...]:
        """Stems of the answer, speakers' names left out."""
        return self.terms(self.answer)

    @cached_property
    def both_terms(self) -> tuple[str, ...]:
        """Stems of question and answer."""
        return tuple(dict.fromkeys((*self.asked_terms, *self.answer_terms)))

    @cached_property
    def new_terms(self) -> tuple[str, ...]:
        """Stems of the answer that the question does not hold."""
        return tuple(term for term in self.answer_terms if term not in set(self.asked_terms))

    @cached_property
    def parts(self) -> tuple[tuple[str, ...], ...]:
        """Stems of each part of an answer that is a list."""
        return tuple(filter(None, (self.terms(piece) for piece in _LISTED.split(self.answer))))

    def terms(self, text: str) -> tuple[str, ...]:
        """Return the stems of *text*, each once, speakers' names left out."""
        named = self.passages.names
        said = (word for word in words(_GLUED.sub(" ", text)) if word not in named)
        return tuple(dict.fromkeys(stemmed(said)))

    @cached_property
    def people(self) -> frozenset[str]:
        """Speakers that the question names."""
        said = set(words(self.query.text))
        return frozenset(name for name, parts in self.passages.people.items() if said & parts)

    @cached_property
    def asked_days(self) -> tuple[Moment, ...]:
        """Dates that the question names."""
        return tuple(moments(self.query.text))

    @cached_property
    def answer_days(self) -> tuple[Moment, ...]:
        """Dates that the answer names."""
        return tuple(moments(self.answer))

    @cached_property
    def folded(self) -> str:
        """The question without case and accents."""
        return folded(self.query.text)

    # --- scores that several features share -----------------------------------------------------

    @cached_property
    def asked_level(self) -> Floats:
        """BM25 of the question."""
        return self.passages.lexicon.bm25(self.asked_terms)

    @cached_property
    def answer_level(self) -> Floats:
        """BM25 of the answer."""
        return self.passages.lexicon.bm25(self.answer_terms)

    @cached_property
    def both_level(self) -> Floats:
        """BM25 of question and answer."""
        return self.passages.lexicon.bm25(self.both_terms)

    @cached_property
    def asked(self) -> Floats:
        """BM25 of the question against the best item's."""
        return against_best(self.asked_level)

    @cached_property
    def answered(self) -> Floats:
        """BM25 of the answer against the best item's."""
        return against_best(self.answer_level)

    @cached_property
    def both(self) -> Floats:
        """BM25 of question and answer against the best item's."""
        return against_best(self.both_level)

    @cached_property
    def asked_share(self) -> Floats:
        """How much of the question each item repeats."""
        return self.passages.lexicon.share(self.asked_terms)

    @cached_property
    def answer_share(self) -> Floats:
        """How much of the answer each item repeats."""
        return self.passages.lexicon.share(self.answer_terms)

    @cached_property
    def speaker(self) -> Floats:
        """1 where the question names the one who speaks, -1 where another; 0 where it names all or none."""
        if not self.people or len(self.people) == len(self.passages.people):
            return np.zeros(self.n)
        return self.passages.spoken_by(self.people)

    @cached_property
    def answer_near(self) -> Floats:
        """How near each item was said to a date in the answer."""
        return self.passages.said.nearness(self.answer_days, _ANSWER_REACH)

    @cached_property
    def answer_meant(self) -> Floats:
        """How well the dates that an item means agree with one in the answer."""
        return self.passages.meant.agreement(self.answer_days)

    @cached_property
    def asked_window(self) -> Floats:
        """BM25 of the question in an item and its neighbours, against the best."""
        return against_best(self.passages.windows.bm25(self.asked_terms))

    @cached_property
    def both_window(self) -> Floats:
        """BM25 of question and answer in an item and its neighbours, against the best."""
        return against_best(self.passages.windows.bm25(self.both_terms))

    @cached_property
    def both_group(self) -> Floats:
        """BM25 of question and answer in an item's group, against the best."""
        return against_best(self.passages.together.bm25(self.both_terms))[self.passages.groups]

    def piecewise(self, text: str) -> Floats:
        """Return the BM25 of the pieces of *text* against the best item's."""
        named = self.passages.names
        return against_best(self.passages.pieces.bm25(pieces(w for w in words(text) if w not in named)))

    @cached_property
    def asked_pieces(self) -> Floats:
        """BM25 of the question's pieces."""
        return self.piecewise(self.query.text)

    @cached_property
    def answer_pieces(self) -> Floats:
        """BM25 of the answer's pieces."""
        return self.piecewise(self.answer)

    @cached_property
    def both_pieces(self) -> Floats:
        """BM25 of the pieces of question and answer."""
        return self.piecewise(f"{self.query.text} {self.answer}")


def against_best(values: Floats) -> Floats:
    """Return *values* divided by the largest, in [0, 1]."""
    best = float(values.max(initial=0.0))
    return values / best if best > 0 else values


def ranked(values: Floats) -> Floats:
    """Return 1 for the largest, falling with the logarithm of the rank; 0 where the value is not above 0.

    >>> ranked(np.array([0.2, 0.9, 0.0])).round(2).tolist()
    [0.63, 1.0, 0.0]
    """
    order = np.empty(len(values))
    order[np.argsort(-values, kind="stable")] = np.arange(len(values))
    return np.where(values > 0, 1 / np.log2(2 + order), 0.0)


def answer_parts(passages: Passages, query: Query) -> list[Floats]:
    """Return for each part of the answer to *query* how much of it each item repeats, shape (n,) each."""
    return [passages.lexicon.share(part) for part in Meeting(passages, query).parts]
