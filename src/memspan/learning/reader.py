"""Fitting a reading rule to annotated supports: `memspan train reader`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Literal

import numpy as np
import numpy.typing as npt

from memspan.answering.again import LOOKS, look_again
from memspan.answering.hybrid import read
from memspan.answering.linear import Linear, probability
from memspan.answering.meeting import answer_parts
from memspan.answering.reliability import reliability
from memspan.answering.rule import ReaderRule, Side, shipped
from memspan.answering.sets import likeliest, mask
from memspan.errors import Fault, MaterialError
from memspan.learning.lessons import EVERY, Lesson, annotated, folds, lessons_of
from memspan.learning.logistic import Examples, logistic, regression
from memspan.material import Material

if TYPE_CHECKING:
    from memspan.ports import Embedder

Floats = npt.NDArray[np.float64]
Truths = npt.NDArray[np.bool_]
Told = Callable[[str], None]
_Measured = tuple[Side, Mapping[str, float]]
_Judged = tuple[Floats, Truths, Truths]

_FIRST_PENALTY, _AGAIN_PENALTY = 0.3, 0.1  # scikit-learn's C; chosen on LoCoMo, leave one conversation out
LEAST_QUESTIONS = 20
_NAMED = 10  # materials that a rule names


def train_reader(
    materials: Sequence[Material],
    embedder: Embedder | None = None,
    name: str = "fitted",
    told: Told = lambda _: None,
    *,
    measured: bool = True,
) -> ReaderRule:
    """Fit a rule to the annotated supports of *materials*, and measure it on what it was not fitted on.

    With several materials each is left out once, in at most ten groups; with one, its questions are
    split into five parts. A question with several supports counts with the first. Questions are read
    by both sides: with their answer where it is known, and without.

    Args:
        materials: with annotated supports; those that were found teach nothing and are passed over.
        embedder: whose cosines are to be weighed too.
        name: of the rule, as outputs will name it.
        told: told what is being done, in a few words.
        measured: whether to measure it, which means to fit it once for each group left out.

    Raises:
        MaterialError: fewer than 20 questions with an annotated support.
        MissingExtra: scikit-learn is not installed.
    """
    regression("fitting a reader")
    count = sum(len(annotated(material)) for material in materials)
    if count < LEAST_QUESTIONS:
        problem = f"{count} questions have an annotated support; fitting needs {LEAST_QUESTIONS}; give more"
        raise MaterialError([Fault("queries", "supports", problem)])
    told("comparing questions and items")
    lessons = lessons_of(materials, embedder)
    answered, answered_figures = _learned(lessons.answered, "answered", told, measured=measured)
    asked, asked_figures = _learned(lessons.asked, "asked", told, measured=measured)
    return ReaderRule(
        name,
        answered,
        asked,
        embedder.name if embedder is not None else None,
        f"{count:,} questions of {listed([m.id for m in materials if annotated(m)])}",
        "each material, or part of one, by the rule of the others",
        {"answered": answered_figures, "asked": asked_figures},
    )


def listed(names: Sequence[str]) -> str:
    """Return the first ten of *names*, and how many more there are."""
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more


def _learned(
    lessons: Sequence[Lesson], side: Literal["answered", "asked"], told: Told, *, measured: bool
) -> _Measured:
    """Fit one side; where hardly any question fits it, the shipped one stands, unmeasured."""
    if sum(len(lesson.truth) for lesson in lessons) < LEAST_QUESTIONS:
        return getattr(shipped(), side), {}
    told(f"{side}: all together")
    whole = _fit(lessons)
    if not measured:
        return whole, {}
    parts = folds(lessons)
    judged: list[_Judged] = []
    for i, part in enumerate(parts):
        told(f"{side}: fold {i + 1} of {len(parts)}")
        fitted = _fit([*chain(*parts[:i], *parts[i + 1 :])], whole)
        judged += [each for lesson in part for each in _judged(fitted, lesson)]
    figures = reliability(*([*column] for column in zip(*judged, strict=True))).figures()
    return whole, figures


def _judged(side: Side, lesson: Lesson) -> Iterator[_Judged]:
    """Yield for each question the chances, the evidence and the likeliest support."""
    for meeting, table, truth in lesson.questions():
        chances = probability(read(side, meeting, lesson.names, table))
        support = likeliest(chances, answer_parts(lesson.passages, meeting.query))
        yield chances, truth, mask(support, len(chances))


def _fit(lessons: Sequence[Lesson], start: Side | None = None) -> Side:
    """Fit the first look and, on the candidates that it finds, the second."""
    names = lessons[0].names
    rows = np.concatenate([lesson.thinned[0] for lesson in lessons]).astype(np.float64)
    truths = np.concatenate([lesson.thinned[1] for lesson in lessons])
    before = start or Side(Linear(0.0, {}))
    weights = np.where(truths, 1.0, float(EVERY))
    first = logistic(Examples(names, rows, truths, weights), _FIRST_PENALTY, before.first)
    seen, found = _seconds(lessons, first)
    if found.all() or not found.any():
        return Side(first)
    pairs = Examples((*names, *LOOKS), seen, found, np.ones(len(found)))
    return Side(first, logistic(pairs, _AGAIN_PENALTY, before.again))


def _seconds(lessons: Sequence[Lesson], first: Linear) -> tuple[Floats, Truths]:
    """Return what the second look sees of the candidates of every question, and which are evidence."""
    rows, truths = [], []
    for lesson in lessons:
        for meeting, table, truth in lesson.questions():
            look = look_again(meeting, first.logits(lesson.names, table))
            rows.append(np.concatenate([table[look.places], look.features], axis=1))
            truths.append(truth[look.places])
    return np.concatenate(rows), np.concatenate(truths)
