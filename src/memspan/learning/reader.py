"""Fitting a reading rule to annotated supports: `memspan train reader`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from memspan.answering.again import LOOKS, look_again
from memspan.answering.features import features_for, matrix
from memspan.answering.hybrid import Features, Hybrid, second_look
from memspan.answering.passages import Passages
from memspan.answering.reliability import reliability, set_agreement
from memspan.answering.rule import Linear, ReaderRule, Side, shipped
from memspan.answering.sets import likeliest, mask
from memspan.errors import Fault, MaterialError, MissingExtra
from memspan.material import Material, Query

if TYPE_CHECKING:
    from memspan.ports import Embedder

Floats = npt.NDArray[np.float64]
Truths = npt.NDArray[np.bool_]
Told = Callable[[str], None]
_Judged = tuple[Floats, Truths]

_FIRST_PENALTY, _AGAIN_PENALTY = 0.3, 0.1  # scikit-learn's C; chosen on LoCoMo, leave one conversation out
_EVERY = 6  # of the pairs that are no evidence, one in so many is looked at
_THRESHOLDS = (0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7)
LEAST_QUESTIONS = 20


@dataclass(frozen=True)
class _Lesson:
    """One material as the learner sees it: features of every pair, and which pairs are evidence."""

    passages: Passages
    table: npt.NDArray[np.float32]  # (questions, items, features)
    truth: Truths  # (questions, items)


def train_reader(
    materials: Sequence[Material],
    embedder: Embedder | None = None,
    name: str = "fitted",
    told: Told = lambda _: None,
) -> ReaderRule:
    """Fit a rule to the annotated supports of *materials*, and measure it on what it was not fitted on.

    With several materials each is left out once; with one, its questions are split into five parts.
    A question with several supports counts with the first. Questions are read by both sides: with
    their answer where it is known, and without.

    Raises:
        MaterialError: fewer than 20 questions with a support.
        MissingExtra: scikit-learn is not installed.
    """
    asked = [(material, _questions(material)) for material in materials]
    count = sum(len(questions) for _, questions in asked)
    if count < LEAST_QUESTIONS:
        raise MaterialError(
            [
                Fault(
                    "queries",
                    "supports",
                    f"{count} questions have a support; fitting needs {LEAST_QUESTIONS}",
                )
            ]
        )
    answered = _learned(asked, "answered", embedder, told)
    alone = _learned(asked, "asked", embedder, told)
    return ReaderRule(
        name,
        answered[0],
        alone[0],
        embedder.name if embedder else None,
        f"{count:,} questions of {', '.join(m.id for m in materials[:10])}",
        {"answered": answered[1], "asked": alone[1]},
    )


def _learned(
    asked: Sequence[tuple[Material, Sequence[Query]]], side: str, embedder: Embedder | None, told: Told
) -> tuple[Side, Mapping[str, float]]:
    """Fit one side; where hardly any question fits it, the shipped one stands, unmeasured."""
    pairs = [(material, _side_questions(questions, side)) for material, questions in asked]
    if sum(len(questions) for _, questions in pairs) < LEAST_QUESTIONS:
        return getattr(shipped(), side), {}
    told(f"{side}: comparing questions and items")
    lessons = [_lesson(material, questions, side, embedder) for material, questions in pairs if questions]
    names = features_for(answered=side == "answered", embedded=embedder is not None)
    return _fitted(lessons, names, lambda done: told(f"{side}: {done}"))


def _questions(material: Material) -> list[Query]:
    return [query for query in material.queries if any(s.claims for s in material.supports_of(query))]


def _side_questions(questions: Sequence[Query], side: str) -> list[Query]:
    if side == "answered":
        return [query for query in questions if query.answer]
    return [replace(query, answer=None) for query in questions]


def _lesson(material: Material, questions: Sequence[Query], side: str, embedder: Embedder | None) -> _Lesson:
    rule = replace(shipped(), embedder=embedder.name if embedder else None)
    reading = Hybrid(rule, embedder).reading(material.claims)
    names = features_for(answered=side == "answered", embedded=embedder is not None)
    table = np.stack([matrix(reading.meet(query), names).astype(np.float32) for query in questions])
    truth = np.zeros(table.shape[:2], np.bool_)
    for row, query in enumerate(questions):
        evidence = next(s.claims for s in material.supports_of(query) if s.claims)
        truth[row, [material.claim_position[name] for name in evidence]] = True
    return _Lesson(reading.passages, table, truth)


def _fitted(lessons: Sequence[_Lesson], names: Sequence[str], told: Told) -> tuple[Side, Mapping[str, float]]:
    """Fit all lessons; measure each by what the others taught, its threshold included."""
    parts = list(lessons) if len(lessons) > 1 else _split(lessons[0])
    judged: list[list[_Judged]] = []
    for i, part in enumerate(parts):
        told(f"fold {i + 1} of {len(parts)}")
        side = _fit([*parts[:i], *parts[i + 1 :]], names)
        judged.append(list(zip(_chances(side, part, names), part.truth, strict=True)))
    found = []
    for i, own in enumerate(judged):
        threshold = _threshold([each for j, others in enumerate(judged) if j != i for each in others])
        found += [mask(likeliest(chances), len(chances)) for chances, _ in own]
    told("all together")
    every = [each for own in judged for each in own]
    figures = reliability([chances for chances, _ in every], [truth for _, truth in every], found).figures()
    return replace(_fit(parts, names), threshold=_threshold(every)), figures


def _split(lesson: _Lesson, parts: int = 5) -> list[_Lesson]:
    """Split the questions of one material into parts, every fifth into one."""
    return [_Lesson(lesson.passages, lesson.table[i::parts], lesson.truth[i::parts]) for i in range(parts)]


def _fit(lessons: Sequence[_Lesson], names: Sequence[str]) -> Side:
    rows, truths, weights = _thinned(lessons)
    first = _logistic(rows, truths, weights, names, _FIRST_PENALTY)
    seen, again_truths = _seconds(lessons, first)
    again = _logistic(seen, again_truths, np.ones(len(seen)), (*names, *LOOKS), _AGAIN_PENALTY)
    return Side(first, again)


def _thinned(lessons: Sequence[_Lesson]) -> tuple[Floats, Truths, Floats]:
    """Return all pairs that are evidence and one in six of the others, which then weigh six times."""
    rows, truths = [], []
    for lesson in lessons:
        flat = lesson.truth.ravel()
        kept = np.flatnonzero(flat | (np.arange(len(flat)) % _EVERY == 0))
        rows.append(lesson.table.reshape(len(flat), -1)[kept])
        truths.append(flat[kept])
    truth = np.concatenate(truths)
    return np.concatenate(rows).astype(np.float64), truth, np.where(truth, 1.0, float(_EVERY))


def _seconds(lessons: Sequence[_Lesson], first: Linear) -> tuple[Floats, Truths]:
    """Return what the second look sees of the candidates of every question, and which are evidence."""
    rows, truths = [], []
    for lesson in lessons:
        for table, truth in zip(lesson.table, lesson.truth, strict=True):
            look = look_again(lesson.passages, first.logits(table))
            rows.append(np.concatenate([table[look.places], look.features], axis=1))
            truths.append(truth[look.places])
    return np.concatenate(rows).astype(np.float64), np.concatenate(truths)


def _logistic(rows: Floats, truths: Truths, weights: Floats, names: Sequence[str], penalty: float) -> Linear:
    """Fit a logistic regression on scaled features and return it on the features as they are."""
    try:
        from sklearn.linear_model import LogisticRegression
    except ImportError as error:
        raise MissingExtra(
            "fitting a reader needs scikit-learn; install it with: pip install 'memspan[text]'"
        ) from error
    scale = rows.std(axis=0)
    used = np.flatnonzero(scale > 1e-9)
    model = LogisticRegression(C=penalty, solver="newton-cholesky")  # few features, many rows
    model.fit(rows[:, used] / scale[used], truths, sample_weight=weights)
    values = (model.coef_[0] / scale[used]).tolist()
    return Linear(
        float(model.intercept_[0]), {names[i]: value for i, value in zip(used.tolist(), values, strict=True)}
    )


def _chances(side: Side, lesson: _Lesson, names: Sequence[str]) -> list[Floats]:
    """Return the probability of each item, question by question."""
    at = {name: i for i, name in enumerate(names)}
    columns = [at[name] for name in side.first.names]
    found = []
    for table in lesson.table.astype(np.float64):
        first = side.first.logits(table[:, columns])
        logits = second_look(side, lesson.passages, first, _cells(table, at))
        found.append(1 / (1 + np.exp(-logits)))
    return found


def _cells(table: Floats, at: Mapping[str, int]) -> Features:
    return lambda names, places: table[places][:, [at[name] for name in names]]


def _threshold(judged: Sequence[_Judged]) -> float:
    """Return the threshold whose supports agree best with the annotated ones by F1."""

    def agreement(threshold: float) -> float:
        return sum(set_agreement(truth, mask(likeliest(chances), len(truth))).f1 for chances, truth in judged)

    return max(_THRESHOLDS, key=agreement)
