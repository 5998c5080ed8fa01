"""The checker's second half: every upper bound is recomputed from its certificate.

Plain Python integers and dictionaries; the search's own arithmetic is not used.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from memspan.optimum.bounds import Searched
from memspan.optimum.check_presolve import presolve_faults
from memspan.optimum.check_proofs import searched_faults
from memspan.optimum.curves import Curve
from memspan.optimum.defeated import Defeated
from memspan.optimum.elimination import Eliminated
from memspan.optimum.enumeration import Enumerated
from memspan.optimum.exact import Solution
from memspan.optimum.problem import Part, Problem

Ints = npt.NDArray[np.int64]
Table = tuple[tuple[int, ...], Ints]
NEVER = -(1 << 60)
MOST_CELLS = 1 << 28


def solution_faults(problem: Problem, solution: Solution) -> Iterator[str]:
    """Yield what is wrong with a solution of *problem*: its reduction, its parts, their merge."""
    yield from presolve_faults(problem, solution.presolved)
    if len(solution.parts) != len(solution.presolved.parts):
        yield "some part has no curve"
        return
    uppers = []
    for number, (part, curve) in enumerate(zip(solution.presolved.parts, solution.parts, strict=True)):
        yield from (f"part {number}: {fault}" for fault in curve_faults(part, curve))
        uppers.append(curve.upper)
    merged = merged_upper(uppers, solution.presolved.base)
    if len(merged) != len(solution.curve.upper) or (solution.curve.upper < merged).any():
        yield "the merged upper bound is smaller than its parts allow"


def merged_upper(uppers: Sequence[Ints], base: int) -> Ints:
    """Return the (max,+) sum of the parts' bounds, one part after the other."""
    total = np.array([base], np.int64)
    for upper in uppers:
        grown = np.full(len(total) + len(upper) - 1, NEVER, np.int64)
        for spent, value in enumerate(upper.tolist()):
            grown[spent : spent + len(total)] = np.maximum(grown[spent : spent + len(total)], total + value)
        total = grown
    return total


def curve_faults(part: Part, curve: Curve) -> Iterator[str]:
    """Yield what is wrong with the upper bounds of one part."""
    if len(curve.upper) != sum(part.costs) + 1:
        yield "the curve does not span the part's capacities"
        return
    if isinstance(curve, Searched):
        yield from searched_faults(part, curve.upper.tolist(), curve.bounds.proofs, solution_faults)
        return
    if isinstance(curve, Defeated):
        yield from _defeated_faults(part, curve)
        return
    if isinstance(curve, Enumerated):
        proven = _best_by_trial(part)
    elif isinstance(curve, Eliminated):
        proven = _best_by_order(part, [v for v, _ in curve.order.steps])
    else:
        yield f"a curve of unknown kind {type(curve).__name__}"
        return
    if (curve.upper < proven).any():
        yield f"{type(curve).__name__.lower()} gives a higher optimum than the bound"


def _defeated_faults(part: Part, curve: Defeated) -> Iterator[str]:
    """The simpler part must be the part with nothing defeated, and its bound must hold."""
    free = {q for needed, q in zip(part.supports, part.owner, strict=True) if not needed}
    rows = [
        (needed, part.weights[q])
        for needed, q in zip(part.supports, part.owner, strict=True)
        if q not in free
    ]
    simpler = curve.simpler.part
    theirs = [(needed, simpler.weights[q]) for needed, q in zip(simpler.supports, simpler.owner, strict=True)]
    if theirs != rows or not simpler.monotone or sum(simpler.weights) < _weight_of(part, free):
        yield "the simpler part is not the part with nothing defeated"
    yield from curve_faults(simpler, curve.simpler)
    if (curve.upper < curve.simpler.upper + sum(part.weights[q] for q in free)).any():
        yield "the bound is smaller than that of the simpler part"


def _weight_of(part: Part, free: set[int]) -> int:
    return sum(weight for q, weight in enumerate(part.weights) if q not in free)


def _best_by_trial(part: Part) -> Ints:
    """Try every subset of the items."""
    best = [0] * (sum(part.costs) + 1)
    for mask in range(1 << len(part.costs)):
        held = frozenset(i for i in range(len(part.costs)) if mask >> i & 1)
        cost = part.cost(held)
        best[cost] = max(best[cost], part.value(held))
    return np.maximum.accumulate(np.array(best, np.int64))


def _best_by_order(part: Part, order: Sequence[int]) -> Ints:
    """Eliminate variables along *order*: join the tables of each, keep the best of its values.

    Variables are the items, then a selector for each query in turn. A table has one axis per
    variable, ascending, and a last axis for the capacity spent.
    """
    tables = _tables(part)
    if sorted(order) != sorted({v for own, _ in tables for v in own}):
        raise ValueError("the elimination order does not name every variable once")
    for variable in order:
        touching = [table for table in tables if variable in table[0]]
        tables = [table for table in tables if variable not in table[0]]
        scope = sorted({v for own, _ in touching for v in own})
        domains = {v: table.shape[own.index(v)] for own, table in touching for v in own}
        if math.prod(domains.values()) * sum(table.shape[-1] for _, table in touching) > MOST_CELLS:
            raise ValueError("the elimination order is too wide to be the one that was used")
        joined = np.zeros((1,) * (len(scope) + 1), np.int64)
        for own, table in sorted(touching, key=lambda pair: pair[1].shape[-1]):
            axes = [table.shape[own.index(v)] if v in own else 1 for v in scope]
            joined = _join(joined, table.reshape(*axes, table.shape[-1]))
        left = tuple(v for v in scope if v != variable)
        tables.append((left, joined.max(axis=scope.index(variable))))
    total = np.zeros(1, np.int64)
    for _, table in tables:
        total = _join(total, table)
    return np.maximum.accumulate(total)


def _tables(part: Part) -> list[Table]:
    """State the part as tables over its variables; what cannot be is NEVER."""
    rows: dict[int, list[tuple[frozenset[int], frozenset[int]]]] = defaultdict(list)
    for needed, unless, q in zip(part.supports, part.unless, part.owner, strict=True):
        rows[q].append((needed, unless))
    tables: list[Table] = []
    for item, cost in enumerate(part.costs):
        table = np.full((2, cost + 1), NEVER, np.int64)
        table[0, 0] = table[1, cost] = 0
        tables.append(((item,), table))
    selector = len(part.costs)
    for q in sorted(rows):
        first, defeaters = rows[q][0]
        if len(rows[q]) == 1 and len(first) == 1 and not defeaters:
            tables.append(((min(first),), np.array([[0], [part.weights[q]]], np.int64)))
            continue
        gains = [[0]] + [[part.weights[q]]] * len(rows[q])
        tables.append(((selector,), np.array(gains, np.int64)))
        for e in sorted({e for needed, unless in rows[q] for e in needed | unless}):
            lacking = [[0] + [NEVER if e in needed else 0 for needed, _ in rows[q]]]
            defeated = [[0] + [NEVER if e in unless else 0 for _, unless in rows[q]]]
            tables.append(((e, selector), np.array(lacking + defeated, np.int64)[:, :, None]))
        selector += 1
    return tables


def _join(a: Ints, b: Ints) -> Ints:
    """(max,+) convolution along the last axis, the other axes broadcast."""
    if b.shape[-1] > a.shape[-1]:
        a, b = b, a
    shape = (*np.broadcast_shapes(a.shape[:-1], b.shape[:-1]), a.shape[-1] + b.shape[-1] - 1)
    out = np.full(shape, NEVER, np.int64)
    for spent in range(b.shape[-1]):
        part = out[..., spent : spent + a.shape[-1]]
        np.maximum(part, a + b[..., spent, None], out=part)
    return out
