"""How well found supports agree with annotated ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Truths = npt.NDArray[np.bool_]

_BINS = 10
_CONSIDERED = 0.01  # pairs that nobody would take are left out of the calibration


@dataclass(frozen=True)
class Reliability:
    """Agreement with annotated supports, means over questions unless said otherwise.

    Attributes:
        questions: how many were asked.
        recall_1, recall_5, recall_10: share of a support among the best 1, 5, 10 items.
        reciprocal_rank: one over the rank of the first item of the support.
        ece: expected calibration error over pairs with a probability of at least 0.01, ten equal bins.
        set_precision, set_recall, set_f1: of the likeliest support against the annotated one.
        set_exact: share of questions whose likeliest support is the annotated one.
    """

    questions: int
    recall_1: float
    recall_5: float
    recall_10: float
    reciprocal_rank: float
    ece: float
    set_precision: float
    set_recall: float
    set_f1: float
    set_exact: float

    def figures(self) -> dict[str, float]:
        """Return the figures by name, rounded to three decimals."""
        return {name: round(value, 3) for name, value in asdict(self).items()}


def reliability(
    chances: Sequence[Floats], annotated: Sequence[Truths], found: Sequence[Truths]
) -> Reliability:
    """Compare *chances* and the *found* sets with the *annotated* ones, one array of items per question.

    Raises:
        ValueError: no question, or one without an annotated item.
    """
    if not chances or not all(truth.any() for truth in annotated):
        raise ValueError("no question, or one without an annotated support; leave such out and keep one")
    ranks = [
        np.argsort(np.argsort(-chance, kind="stable"))[truth]
        for chance, truth in zip(chances, annotated, strict=True)
    ]
    sets = np.array([set_agreement(a, b) for a, b in zip(annotated, found, strict=True)])
    return Reliability(
        questions=len(chances),
        recall_1=_recall(ranks, 1),
        recall_5=_recall(ranks, 5),
        recall_10=_recall(ranks, 10),
        reciprocal_rank=float(np.mean([1 / (1 + rank.min()) for rank in ranks])),
        ece=calibration_error(np.concatenate(chances), np.concatenate(annotated)),
        set_precision=float(sets[:, 0].mean()),
        set_recall=float(sets[:, 1].mean()),
        set_f1=float(sets[:, 2].mean()),
        set_exact=float(sets[:, 3].mean()),
    )


def _recall(ranks: Sequence[npt.NDArray[np.int64]], k: int) -> float:
    return float(np.mean([(rank < k).mean() for rank in ranks]))


class Agreement(NamedTuple):
    """How a found set agrees with the annotated one, each in [0, 1]."""

    precision: float
    recall: float
    f1: float
    exact: float


def set_agreement(annotated: Truths, found: Truths) -> Agreement:
    """Compare a *found* set with the *annotated* one, both boolean over the items, the latter not empty."""
    both = int((annotated & found).sum())
    precision, recall = both / max(int(found.sum()), 1), both / int(annotated.sum())
    f1 = 2 * precision * recall / (precision + recall) if both else 0.0
    return Agreement(precision, recall, f1, float((annotated == found).all()))


def calibration_error(chances: Floats, truths: Truths) -> float:
    """Return the expected calibration error over *chances* of at least 0.01, in [0, 1].

    Source: Naeini, Cooper and Hauskrecht, *Obtaining Well Calibrated Probabilities Using
    Bayesian Binning*, AAAI 2015.

    >>> calibration_error(np.array([1.0, 0.0]), np.array([True, False]))
    0.0
    """
    considered = chances >= _CONSIDERED
    p, y = chances[considered], truths[considered].astype(np.float64)
    if not len(p):
        return 0.0
    bins = np.minimum((p * _BINS).astype(np.int64), _BINS - 1)
    count, told, seen = (np.bincount(bins, w, _BINS) for w in (np.ones_like(p), p, y))
    return float(np.abs(told - seen).sum() / count.sum())
