"""Logistic regression as every learner here uses it: scaled features in, weights of plain ones out."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from memspan.answering.linear import Linear
from memspan.errors import MissingExtra

Floats = npt.NDArray[np.float64]
Truths = npt.NDArray[np.bool_]

_TOLERANCE = 1e-8  # of the mean loss's slope: the end is the same wherever the steps begin
_SPREAD = 1e-9  # of a feature that is the same for all rows, rounding aside


@dataclass(frozen=True)
class Examples:
    """Rows of features called *names*, which of them are true, and what each weighs."""

    names: Sequence[str]
    rows: Floats
    truths: Truths
    weights: Floats


def regression(purpose: str) -> Any:
    """Return scikit-learn's logistic regression.

    Raises:
        MissingExtra: it is not installed; *purpose* says what needs it.
    """
    try:
        from sklearn.linear_model import LogisticRegression
    except ImportError as error:
        raise MissingExtra(
            f"{purpose} needs scikit-learn; install it with: pip install 'memspan[text]'"
        ) from error
    return LogisticRegression


def logistic(
    examples: Examples, penalty: float, start: Linear | None = None, spread: float = _SPREAD
) -> Linear:
    """Fit a logistic regression on scaled features and return it on the features as they are.

    Where every row is alike, or all are true, there is nothing to weigh but how many are. The
    *start* saves steps and does not move the end. *penalty* is scikit-learn's C; features whose
    deviation is not above *spread* are left out.
    """
    begin = start or Linear(0.0, {})
    scale = examples.rows.std(axis=0)
    used = np.flatnonzero(scale > spread)
    if examples.truths.all() or not examples.truths.any() or not len(used):
        true, false = (examples.weights[which].sum() for which in (examples.truths, ~examples.truths))
        return Linear(float(np.log((true + 0.5) / (false + 0.5))), {})
    names, scale = [examples.names[i] for i in used.tolist()], scale[used]
    model = regression("fitting")(C=penalty, solver="newton-cholesky", tol=_TOLERANCE, warm_start=True)
    model.coef_ = (np.array([begin.weights.get(name, 0.0) for name in names]) * scale)[None]
    model.intercept_ = np.array([begin.bias])
    with _single_thread():
        model.fit(examples.rows[:, used] / scale, examples.truths, sample_weight=examples.weights)
    values = (model.coef_[0] / scale).tolist()
    return Linear(float(model.intercept_[0]), dict(zip(names, values, strict=True)))


def _single_thread() -> AbstractContextManager[Any]:
    """Keep linear algebra in one thread: the same sums on every machine, and no waiting on a busy one."""
    from threadpoolctl import threadpool_limits  # scikit-learn brings it

    limits: AbstractContextManager[Any] = threadpool_limits(1, "blas")
    return limits
