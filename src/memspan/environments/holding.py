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
    place = len(scores) - most
    if most <= 0:
        return np.zeros(len(scores), np.bool_)
    edge = float(np.partition(scores, place)[place]) if place > 0 else -np.inf
    held: Bools = scores > edge
    if edge == -np.inf:
        return held
    equal = (scores == edge).nonzero()[0]
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
