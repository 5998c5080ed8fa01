"""What a memory holds of scored claims: the highest, as far as they fit, of equal ones the first."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Bools = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]


def highest(scores: Floats, most: int) -> Bools:
    """Return which *most* claims are held where each takes one place; -inf is never held.

    >>> highest(np.array([0.5, 0.9, 0.5, -np.inf]), 2).tolist()
    [True, True, False, False]
    """
    eligible = scores > -np.inf
    if np.count_nonzero(eligible) <= most:
        return eligible
    if most <= 0:
        return np.zeros(len(scores), np.bool_)
    place = len(scores) - most
    edge = np.partition(scores, place)[place]
    held: Bools = scores > edge
    equal = np.flatnonzero(scores == edge)
    held[equal[: most - np.count_nonzero(held)]] = True
    return held


def fitting(scores: Floats, costs: Floats, capacity: float) -> Bools:
    """Return which claims are held where they differ in cost: what does not fit is passed over.

    >>> fitting(np.array([3.0, 2.0, 1.0]), np.array([4.0, 9.0, 5.0]), 9).tolist()
    [True, False, True]
    """
    held = np.zeros(len(scores), np.bool_)
    order = np.argsort(-scores, kind="stable")
    order, left = order[scores[order] > -np.inf], float(capacity)
    while len(order := order[costs[order] <= left]):
        total = np.cumsum(costs[order])
        count = int(np.searchsorted(total, left, side="right"))
        held[order[:count]] = True
        left -= float(total[count - 1])
        order = order[count + 1 :]  # the next one is what does not fit
    return held
