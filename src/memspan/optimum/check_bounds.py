"""The checker's second half: every upper bound is recomputed from its certificate.

Plain Python integers and dictionaries; the search's own arithmetic is not used.
"""

from __future__ import annotations

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
Row = tuple[int, ...]
Table = tuple[Row, dict[Row, Ints]]
NEVER = -(1 << 60)


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
        yield f"{curve.kind} gives a higher optimum than the bound"


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
    """Eliminate variables along *order*, tables keyed by the values of their variables.

    Variables are the items, then a selector for each query in turn; a table maps a tuple of values to
    a vector over the capacity spent.
    """
    tables = _tables(part)
    for variable in order:
        touching = [table for table in tables if variable in table[0]]
        tables = [table for table in tables if variable not in table[0]]
        scope = tuple(sorted({v for own, _ in touching for v in own} - {variable}))
        tables.append((scope, _sum_out(touching, scope)))
    total = np.zeros(1, np.int64)
    for _, rows in tables:
        total = _join(total, rows[()])
    return np.maximum.accumulate(total)


def _tables(part: Part) -> list[Table]:
    """State the part as feasible value tuples only; an infeasible tuple has no row."""
    rows: dict[int, list[tuple[frozenset[int], frozenset[int]]]] = defaultdict(list)
    for needed, unless, q in zip(part.supports, part.unless, part.owner, strict=True):
        rows[q].append((needed, unless))
    spend = [np.array([NEVER] * cost + [0], np.int64) for cost in part.costs]
    none = np.zeros(1, np.int64)
    tables: list[Table] = [((e,), {(0,): none, (1,): vector}) for e, vector in enumerate(spend)]
    selector = len(part.costs)
    for q in sorted(rows):
        gain = np.array([part.weights[q]], np.int64)
        first, defeaters = rows[q][0]
        if len(rows[q]) == 1 and len(first) == 1 and not defeaters:
            tables.append(((min(first),), {(0,): none, (1,): gain}))
            continue
        chosen: dict[Row, Ints] = {(i + 1,): gain for i in range(len(rows[q]))}
        tables.append(((selector,), {(0,): none} | chosen))
        for e in sorted({e for needed, unless in rows[q] for e in needed | unless}):
            allowed: dict[Row, Ints] = {(0, 0): none, (1, 0): none}
            for i, (needed, unless) in enumerate(rows[q]):
                allowed |= {(0, i + 1): none} if e not in needed else {}
                allowed |= {(1, i + 1): none} if e not in unless else {}
            tables.append(((e, selector), allowed))
        selector += 1
    return tables


def _sum_out(tables: Sequence[Table], scope: Row) -> dict[Row, Ints]:
    """Join *tables* row by row and keep the best for each tuple over *scope*."""
    joined: dict[Row, Ints] = {(): np.zeros(1, np.int64)}
    bound: tuple[int, ...] = ()
    for own, rows in sorted(tables, key=lambda table: len(table[0])):
        fresh = tuple(v for v in own if v not in bound)
        index: dict[tuple[int, ...], list[tuple[tuple[int, ...], Ints]]] = defaultdict(list)
        for values, vector in rows.items():
            known = tuple(x for v, x in zip(own, values, strict=True) if v in bound)
            index[known].append((tuple(x for v, x in zip(own, values, strict=True) if v in fresh), vector))
        at = [bound.index(v) for v in own if v in bound]
        joined = {
            left + more: _join(vector, other)
            for left, vector in joined.items()
            for more, other in index[tuple(left[i] for i in at)]
        }
        bound += fresh
    place = [bound.index(v) for v in scope]
    best: dict[Row, Ints] = {}
    for values, vector in joined.items():
        key = tuple(values[i] for i in place)
        best[key] = _upper(best[key], vector) if key in best else vector
    return best


def _join(a: Ints, b: Ints) -> Ints:
    """(max,+) convolution of two vectors."""
    if len(b) > len(a):
        a, b = b, a
    out = np.full(len(a) + len(b) - 1, NEVER, np.int64)
    for spent, value in enumerate(b.tolist()):
        if value >= 0:
            np.maximum(out[spent : spent + len(a)], a + value, out=out[spent : spent + len(a)])
    return np.maximum(out, NEVER)


def _upper(a: Ints, b: Ints) -> Ints:
    """Elementwise maximum of two vectors of maybe different lengths."""
    if len(a) < len(b):
        a, b = b, a
    out = a.copy()
    out[: len(b)] = np.maximum(out[: len(b)], b)
    return out
