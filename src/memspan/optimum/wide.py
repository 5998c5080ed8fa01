"""Parts too wide for elimination: bounds from every side, closed where time allows.

One support per query: the envelope by minimum cuts, and between its breakpoints exact solutions of
the few items that change. Several supports: the relaxation at open capacities, rounded. Then at each
open capacity: fix what the bound decides and solve the rest exactly, else branch and bound.
"""

from __future__ import annotations

import time

import numpy as np

from memspan.optimum.bounds import Bounds, Searched, Within
from memspan.optimum.branching import branch
from memspan.optimum.certificates import Fixing, restrict
from memspan.optimum.closure import Envelope, envelope
from memspan.optimum.curves import Curve
from memspan.optimum.defeated import defeated, without_defeaters
from memspan.optimum.elimination import eliminate_part
from memspan.optimum.exact import solve_exactly
from memspan.optimum.problem import Part
from memspan.optimum.reduction import reduce_block
from memspan.optimum.relaxation import Relaxation
from memspan.optimum.rounding import grow, round_off

NEAR = 4  # capacities this close are reduced together
WINDOW_OPERATIONS = 1e8
LOOK = 12  # how far past its capacity a rounding is grown
NODES = (20, 200, 2000, 1_000_000)


def search_part(part: Part, deadline: float) -> Curve:
    """Bound *part* until *deadline*."""
    if part.monotone:
        return _search(part, deadline)
    simpler, free = without_defeaters(part)
    if not simpler.supports:  # nothing is worth holding: a star of selectors, trivial to eliminate
        exact = eliminate_part(part)
        assert exact is not None  # noqa: S101 - its width is one
        return exact
    return defeated(part, _search(simpler, deadline), free)


def _search(part: Part, deadline: float) -> Searched:
    found = Bounds(part)
    if part.single and time.perf_counter() < deadline:
        lines = envelope(part)
        found.bound(lines.shares, "cut")
        _fill(found, lines, deadline)
        _reduce(found, deadline)
    if len(found.open):
        grow(found, deadline)
    if len(found.open) and time.perf_counter() < deadline:
        model = Relaxation(part)
        _relax(found, model, deadline)
        _close(found, model, deadline)
    return Searched(found)


def _fill(found: Bounds, lines: Envelope, deadline: float) -> None:
    """Between breakpoints, choose exactly among the items that change; then over wider windows."""
    segments = lines.segments
    ends = np.cumsum([0] + [segment.cost for segment in segments])
    for width in (1, 2, 4, 8, 16, 32):
        for first in range(0, len(segments), max(1, width // 2)):
            last = min(first + width, len(segments))
            inside = found.open[(found.open > ends[first]) & (found.open < ends[last])]
            if time.perf_counter() > deadline:
                return
            if width > 1 and not len(inside):
                continue
            _choose(found, lines, first, last)


def _choose(found: Bounds, lines: Envelope, first: int, last: int) -> None:
    """Offer the best memories between two closures, where that is narrow enough to solve."""
    before = [int(item) for segment in lines.segments[:first] for item in segment.items]
    after = [int(item) for segment in lines.segments[last:] for item in segment.items]
    fixed = dict.fromkeys(before, True) | dict.fromkeys(after, False)
    problem, names = restrict(found.part, fixed)
    solution = solve_exactly(problem, 3, WINDOW_OPERATIONS)
    if solution is not None:
        curve, cost = solution.curve, sum(found.part.costs[item] for item in before)
        at = np.arange(len(curve.lower))
        found.offer(Within(frozenset(before), names, curve), at, at + cost, curve.lower)


def _reduce(found: Bounds, deadline: float) -> dict[int, Fixing]:
    """Reduce runs of neighbouring open capacities; return what stayed too wide."""
    left: dict[int, Fixing] = {}
    still = found.open
    for block in np.split(still, np.flatnonzero(np.diff(still) > NEAR) + 1):
        left |= reduce_block(found, block.tolist(), deadline)
    return left


def _relax(found: Bounds, model: Relaxation, deadline: float) -> None:
    """Solve the relaxation at open capacities, coarse steps first: its shares bound the others too."""
    step = 1 << max(0, len(found.lower).bit_length() - 2)
    solved: set[int] = set()
    while step:
        for capacity in range(0, len(found.lower), step):
            left = deadline - time.perf_counter()
            if capacity in solved or found.lower[capacity] == found.upper[capacity] or left < 0:
                continue
            relaxed = model.solve(capacity, left)
            solved.add(capacity)
            found.bound(relaxed.shares)
            round_off(found, relaxed.items, capacity, LOOK)
        step //= 2


def _close(found: Bounds, model: Relaxation, deadline: float) -> None:
    """Reduce, then branch with a growing number of nodes."""
    fixings = _reduce(found, deadline)
    for nodes in NODES:
        for capacity in _narrowest(found):
            if time.perf_counter() > deadline:
                return
            fixing = fixings.get(capacity)
            if fixing is not None and found.lower[capacity] < found.upper[capacity]:
                branch(found, model, fixing, nodes, deadline)


def _narrowest(found: Bounds) -> list[int]:
    """Return open capacities, narrowest interval first."""
    still = found.open
    order = np.argsort((found.upper - found.lower)[still], kind="stable")
    return [int(capacity) for capacity in still[order]]
