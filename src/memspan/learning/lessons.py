"""Annotated questions as the learner of a reading rule sees them: a table of features for each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from memspan.answering.features import features_for, matrix
from memspan.answering.hybrid import Reading
from memspan.answering.meeting import Meeting
from memspan.answering.passages import Passages
from memspan.answering.rule import shipped
from memspan.material import Material, Query, Support

if TYPE_CHECKING:
    from memspan.ports import Embedder

Floats = npt.NDArray[np.float64]
Truths = npt.NDArray[np.bool_]
Row = tuple[Query, npt.NDArray[np.float32], Truths]

EVERY = 6
"""Of the pairs that are no evidence, one in so many is looked at."""
_FOLDS, _PARTS = 10, 5  # at most so many groups of materials; so many parts of a single one


@dataclass(frozen=True)
class Lesson:
    """Questions of one material: the features of every item, and which items are evidence.

    Attributes:
        passages: the items.
        queries: the questions, without the answer where it is not to be seen.
        names: of the features.
        table: float32, shape (questions, n items, features).
        truth: shape (questions, n items).
    """

    passages: Passages
    queries: tuple[Query, ...]
    names: tuple[str, ...]
    table: npt.NDArray[np.float32]
    truth: Truths

    def questions(self) -> Iterator[tuple[Meeting, Floats, Truths]]:
        """Yield each question before the items, its table and its evidence."""
        for meeting, table, truth in zip(self._meetings, self.table, self.truth, strict=True):
            yield meeting, table.astype(np.float64), truth

    @cached_property
    def _meetings(self) -> tuple[Meeting, ...]:
        """The questions before the items: they keep the words that they found from one fold to the next."""
        return tuple(Meeting(self.passages, query) for query in self.queries)

    @cached_property
    def thinned(self) -> tuple[npt.NDArray[np.float32], Truths]:
        """All pairs that are evidence and one in six of the others, as rows, and which are which.

        Each question looks at other items than the one before it, so that none is passed over.
        """
        questions, items = self.truth.shape
        looked_at = (np.arange(questions)[:, None] + np.arange(items)) % EVERY == 0
        kept = self.truth | looked_at
        return self.table[kept], self.truth[kept]


def annotated(material: Material) -> dict[str, Support]:
    """Return the first annotated support of each question that has one of at least one claim.

    Supports that were found carry a probability, and nothing is learned from them.
    """
    supports = {query.id: material.supports_of(query) for query in material.queries}
    known = {
        name: [s for s in several if s.claims and s.probability is None] for name, several in supports.items()
    }
    return {name: several[0] for name, several in known.items() if several}


@dataclass(frozen=True)
class Lessons:
    """What materials teach: questions with their answer where it is known, and all questions alone."""

    answered: tuple[Lesson, ...]
    asked: tuple[Lesson, ...]


def lessons_of(materials: Sequence[Material], embedder: Embedder | None) -> Lessons:
    """Compare the annotated questions of *materials* with their claims, once for both sides."""
    pairs = [_compared(material, embedder) for material in materials if annotated(material)]
    return Lessons(
        tuple(answered for answered, _ in pairs if len(answered.truth)), tuple(asked for _, asked in pairs)
    )


def _compared(material: Material, embedder: Embedder | None) -> tuple[Lesson, Lesson]:
    evidence = annotated(material)
    queries = [query for query in material.queries if query.id in evidence]
    reading = Reading(shipped(), embedder, Passages.of(material.claims))
    every, alone = (features_for(answered=known, embedded=embedder is not None) for known in (True, False))
    shared = [every.index(name) for name in alone]
    answered: list[Row] = []
    asked: list[Row] = []
    for query in queries:
        table = matrix(reading.meet(query), every if query.answer else alone).astype(np.float32)
        truth = np.zeros(len(material.claims), np.bool_)
        truth[[material.claim_position[name] for name in evidence[query.id].claims]] = True
        asked.append((replace(query, answer=None), table[:, shared] if query.answer else table, truth))
        if query.answer:
            answered.append((query, table, truth))
    return _lesson(reading.passages, every, answered), _lesson(reading.passages, alone, asked)


def _lesson(passages: Passages, names: tuple[str, ...], rows: Sequence[Row]) -> Lesson:
    shape = (len(rows), len(passages.claims), len(names))
    table = np.array([table for _, table, _ in rows], np.float32).reshape(shape)
    truth = np.array([truth for _, _, truth in rows], np.bool_).reshape(shape[:2])
    return Lesson(passages, tuple(query for query, _, _ in rows), names, table, truth)


def folds(lessons: Sequence[Lesson]) -> list[list[Lesson]]:
    """Return the lessons in groups that are left out in turn: each material, or parts of a single one.

    More than ten materials make ten groups; the questions of a single one make five.
    """
    if len(lessons) > 1:
        return [list(lessons[i::_FOLDS]) for i in range(min(_FOLDS, len(lessons)))]
    only = lessons[0]
    parts = range(min(_PARTS, len(only.truth)))
    return [[_part(only, slice(i, None, _PARTS))] for i in parts]


def _part(lesson: Lesson, rows: slice) -> Lesson:
    return replace(lesson, queries=lesson.queries[rows], table=lesson.table[rows], truth=lesson.truth[rows])
