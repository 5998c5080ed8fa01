"""Lower bounds: greedy runs from a relaxation's point or from scratch, every stage a witness."""

from __future__ import annotations

import time
from collections import defaultdict

import numpy as np
import numpy.typing as npt

from memspan.optimum.bounds import Bounds, Trail
from memspan.optimum.problem import Part

PLAIN_ENTRIES = 60  # smaller parts are not worth waiting for a compiler
NEAR = 1e-6
STRETCHES = 32  # the first stretch of growth, as a share of everything


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


def grow(found: Bounds, deadline: float) -> None:
    """Grow from the best bundle of each size, and from nothing to everything, in steps until *deadline*."""
    part, nothing = found.part, np.zeros(len(found.part.costs), np.bool_)
    _grow_on(found, nothing, 0, deadline)
    for cost, bundle in _best_bundles(part).items():
        if time.perf_counter() > deadline:
            return
        start = nothing.copy()
        start[list(bundle)] = True
        run(found, start, cost, min(4 * cost, part.capacity))


def _grow_on(found: Bounds, start: npt.NDArray[np.bool_], reached: int, deadline: float) -> None:
    """Grow by doubling distances, so that running out of time loses only the last stretch."""
    run(found, start, reached, reached)  # items that cost nothing
    stretch = max(1, found.part.capacity // STRETCHES)
    while reached < found.part.capacity:
        cap = min(reached + stretch, found.part.capacity)
        run(found, start, reached, cap)
        if time.perf_counter() > deadline:
            return
        start = np.zeros(len(start), np.bool_)
        start[list(found.items_at(cap))] = True
        reached, stretch = cap, 2 * stretch


def _best_bundles(part: Part) -> dict[int, frozenset[int]]:
    """Return the bundle of most weight for each cost."""
    values: dict[frozenset[int], int] = defaultdict(int)
    for bundle, q in zip(part.supports, part.owner, strict=True):
        values[bundle] += part.weights[q]
    best: dict[int, frozenset[int]] = {}
    for bundle, value in values.items():
        cost = part.cost(bundle)
        if cost not in best or value > values[best[cost]]:
            best[cost] = bundle
    return best
