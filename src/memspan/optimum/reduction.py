"""Fix what a bound decides at one capacity, and solve what is left exactly.

Source: reduced-cost fixing, as in every branch-and-cut code; here followed by elimination.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from memspan.optimum.bounds import Bounds, Within
from memspan.optimum.certificates import Fixing, Reduction, restrict
from memspan.optimum.exact import Solution, solve_exactly
from memspan.optimum.problem import Part
from memspan.optimum.shares import Shares, price_at, wealth

BLOCK_OPERATIONS = 3e7  # a block that costs more is halved
ALONE_OPERATIONS = 3e8
MOST_FREE = 0.7  # of the items; a fixing that leaves more is not worth an attempt


def fix(part: Part, shares: Shares, capacity: int, reached: int) -> Fixing:
    """Return the items that every memory better than *reached* at *capacity* must hold or lack."""
    found = wealth(part.arrays, shares)
    price = price_at(found, part.arrays.costs, capacity)
    slack = found.items - price * part.arrays.costs
    whole = found.rest + capacity * price + int(np.maximum(slack, 0).sum())
    decided = whole - np.abs(slack) < (reached + 1) * shares.scale
    held = slack > 0
    fixed = {item: bool(held[item]) for item in np.flatnonzero(decided).tolist()}
    return Fixing(capacity, shares, price, reached, fixed)


def reduce_block(found: Bounds, capacities: list[int], deadline: float) -> dict[int, Fixing]:
    """Try to close open *capacities* by fixing what all of them decide and solving the rest exactly.

    A block that stays too wide is halved. Returns the fixings of the capacities that could not be
    closed even alone.
    """
    still = [capacity for capacity in capacities if found.lower[capacity] < found.upper[capacity]]
    if time.perf_counter() > deadline:
        return {}
    fixings = {capacity: _fixing(found, capacity) for capacity in still}
    known = {capacity: fixing for capacity, fixing in fixings.items() if fixing is not None}
    if not known:
        return {}
    common = _common([fixing.fixed for fixing in known.values()])
    free = len(found.part.costs) - len(common)
    narrow = free <= MOST_FREE * len(found.part.costs)
    if narrow:
        problem, names = restrict(found.part, common)
        solution = solve_exactly(problem, 1, BLOCK_OPERATIONS if len(known) > 1 else ALONE_OPERATIONS)
        if solution is not None:
            _adopt(
                found, list(known.values()), common, Within(_held(common), names, solution.curve), solution
            )
            return {}
    if len(known) == 1:
        return known
    half = len(still) // 2
    return reduce_block(found, still[:half], deadline) | reduce_block(found, still[half:], deadline)


def _fixing(found: Bounds, capacity: int) -> Fixing | None:
    shares = found.shares_at(capacity)
    if shares is None:
        return None
    return fix(found.part, shares, capacity, int(found.lower[capacity]))


def _common(decisions: list[Mapping[int, bool]]) -> dict[int, bool]:
    """Return the decisions that all agree on."""
    first, *others = decisions
    return {item: held for item, held in first.items() if all(other.get(item) is held for other in others)}


def _held(fixed: Mapping[int, bool]) -> frozenset[int]:
    return frozenset(item for item, held in fixed.items() if held)


def _adopt(
    found: Bounds, fixings: list[Fixing], common: dict[int, bool], within: Within, solution: Solution
) -> None:
    """Take the smaller problem's memories as witnesses and its bound as proof at each capacity."""
    cost = found.part.cost(within.held)
    curve = solution.curve
    at = np.arange(len(curve.lower))
    found.offer(within, at, at + cost, curve.lower)
    for fixing in fixings:
        left = fixing.capacity - cost
        best = int(curve.upper[min(left, len(at) - 1)]) if left >= 0 else -1
        proof = Reduction(replace(fixing, fixed=common), solution)
        found.cap_at(fixing.capacity, max(best, fixing.reached), proof)
