"""Lower bounds: greedy runs from a relaxation's point or from scratch, every stage a witness."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import numpy.typing as npt

from memspan.optimum.bounds import Bounds, Trail

PLAIN_ENTRIES = 60  # smaller parts are not worth waiting for a compiler
NEAR = 1e-6


def run(found: Bounds, start: npt.NDArray[np.bool_], floor: int, cap: int) -> None:
    """Peel *start* to *floor*, grow it to *cap*, and offer every stage."""
    if len(found.part.arrays.members) < PLAIN_ENTRIES:
        from memspan.kernels.plain.polish import polish
    else:
        from memspan.kernels.fast.polish import polish
    arrays = found.part.arrays
    flips, at, costs, values = polish(
        start,
        floor,
        cap,
        arrays.ptr,
        arrays.item_ptr,
        arrays.item_supports,
        arrays.owner,
        arrays.weights,
        arrays.costs,
        arrays.bundle_ptr,
        arrays.bundle_members,
    )
    found.offer(Trail(flips), at, costs, values)


def round_off(found: Bounds, items: npt.NDArray[np.float64], capacity: int, look: int = 0) -> None:
    """Round a relaxation's point: grow from what it holds fully, peel from what it holds at all."""
    fully, at_all = items > 1 - NEAR, items > NEAR
    cap = min(capacity + look, found.part.capacity)
    run(found, fully, capacity, cap)
    if (fully != at_all).any():
        run(found, at_all, capacity, cap)


def grow(found: Bounds) -> None:
    """Grow from nothing, and from the best bundle of each size, to everything."""
    part, nothing = found.part, np.zeros(len(found.part.costs), np.bool_)
    run(found, nothing, 0, part.capacity)
    values: dict[frozenset[int], int] = defaultdict(int)
    for bundle, q in zip(part.supports, part.owner, strict=True):
        values[bundle] += part.weights[q]
    best: dict[int, tuple[int, frozenset[int]]] = {}
    for bundle, value in values.items():
        cost = part.cost(bundle)
        if value > best.get(cost, (0, bundle))[0]:
            best[cost] = (value, bundle)
    for cost, (_, bundle) in best.items():
        start = nothing.copy()
        start[list(bundle)] = True
        run(found, start, cost, min(4 * cost, part.capacity))
