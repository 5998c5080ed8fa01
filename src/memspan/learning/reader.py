"""Fitting a reading rule to annotated supports: `memspan train reader`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from memspan.answering.again import LOOKS, look_again
from memspan.answering.hybrid import read
from memspan.answering.linear import Linear, probability
from memspan.answering.meeting import answer_parts
from memspan.answering.reliability import reliability
from memspan.answering.rule import ReaderRule, Side, shipped
from memspan.answering.sets import likeliest, mask
from memspan.errors import Fault, MaterialError, MissingExtra
from memspan.learning.lessons import EVERY, Lesson, annotated, folds, lessons_of
from memspan.material import Material

if TYPE_CHECKING:
    from memspan.ports import Embedder

Floats = npt.NDArray[np.float64]
Truths = npt.NDArray[np.bool_]
Told = Callable[[str], None]
_Measured = tuple[Side, Mapping[str, float]]
_Judged = tuple[Floats, Truths, Truths]

_FIRST_PENALTY, _AGAIN_PENALTY = 0.3, 0.1  # scikit-learn's C; chosen on LoCoMo, leave one conversation out
_TOLERANCE = 1e-8  # of the mean loss's slope: the end is the same wherever the steps begin
_SPREAD = 1e-9  # of a feature that is the same for all pairs, rounding aside
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
    _regression()
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
        f"{count:,} questions of {_listed([m.id for m in materials if annotated(m)])}",
        "each material, or part of one, by the rule of the others",
        {"answered": answered_figures, "asked": asked_figures},
    )


def _regression() -> Any:
    """Return scikit-learn's logistic regression."""
    try:
        from sklearn.linear_model import LogisticRegression
    except ImportError as error:
        raise MissingExtra(
            "fitting a reader needs scikit-learn; install it with: pip install 'memspan[text]'"
        ) from error
    return LogisticRegression


def _single_thread() -> AbstractContextManager[Any]:
    """Keep linear algebra in one thread: the same sums on every machine, and no waiting on a busy one."""
    from threadpoolctl import threadpool_limits  # scikit-learn brings it

    limits: AbstractContextManager[Any] = threadpool_limits(1, "blas")
    return limits


def _listed(names: Sequence[str]) -> str:
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
    first = _logistic(_Pairs(names, rows, truths, float(EVERY)), _FIRST_PENALTY, before.first)
    seen, found = _seconds(lessons, first)
    if found.all() or not found.any():
        return Side(first)
    pairs = _Pairs((*names, *LOOKS), seen, found, 1.0)
    return Side(first, _logistic(pairs, _AGAIN_PENALTY, before.again or Linear(0.0, {})))


def _seconds(lessons: Sequence[Lesson], first: Linear) -> tuple[Floats, Truths]:
    """Return what the second look sees of the candidates of every question, and which are evidence."""
    rows, truths = [], []
    for lesson in lessons:
        for meeting, table, truth in lesson.questions():
            look = look_again(meeting, first.logits(lesson.names, table))
            rows.append(np.concatenate([table[look.places], look.features], axis=1))
            truths.append(truth[look.places])
    return np.concatenate(rows), np.concatenate(truths)


@dataclass(frozen=True)
class _Pairs:
    """Rows of features called *names*, which of them are evidence, and what each of the others weighs."""

    names: Sequence[str]
    rows: Floats
    truths: Truths
    others: float


def _logistic(pairs: _Pairs, penalty: float, start: Linear) -> Linear:
    """Fit a logistic regression on scaled features and return it on the features as they are.

    Where every pair is alike, or all are evidence, there is nothing to weigh but how many are. The
    *start* saves steps and does not move the end.
    """
    weights = np.where(pairs.truths, 1.0, pairs.others)
    scale = pairs.rows.std(axis=0)
    used = np.flatnonzero(scale > _SPREAD)
    if pairs.truths.all() or not len(used):
        odds = (weights[pairs.truths].sum() + 0.5) / (weights[~pairs.truths].sum() + 0.5)
        return Linear(float(np.log(odds)), {})
    names, scale = [pairs.names[i] for i in used.tolist()], scale[used]
    model = _regression()(C=penalty, solver="newton-cholesky", tol=_TOLERANCE, warm_start=True)
    model.coef_ = (np.array([start.weights.get(name, 0.0) for name in names]) * scale)[None]
    model.intercept_ = np.array([start.bias])
    with _single_thread():
        model.fit(pairs.rows[:, used] / scale, pairs.truths, sample_weight=weights)
    values = (model.coef_[0] / scale).tolist()
    return Linear(float(model.intercept_[0]), dict(zip(names, values, strict=True)))
