"""A checker apart from the solver: it recomputes every witness and every bound of a frontier.

What it shares with the solver is the result it is handed. It trusts the compiled material, or
recompiles it where the material is given.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields

import numpy as np

from memspan.coverage.arrays import Coverage, compile_material
from memspan.coverage.utilities import covered_weight
from memspan.errors import MemspanError
from memspan.material import Material
from memspan.optimum.check_bounds import solution_faults
from memspan.optimum.check_ranking import ranking_faults
from memspan.optimum.costs import claim_costs
from memspan.optimum.frontier import Frontier
from memspan.optimum.problem import Problem
from memspan.optimum.ranking import Ranking


@dataclass(frozen=True)
class Verification:
    """What the checker found.

    Attributes:
        capacities: how many capacities were checked.
        faults: everything wrong; empty where the frontier stands.
    """

    capacities: int
    faults: tuple[str, ...]

    @property
    def ok(self) -> bool:
        """Every witness reaches its value and every bound follows from its certificate."""
        return not self.faults

    def require(self) -> None:
        """Raise MemspanError with all faults unless the frontier stands."""
        if self.faults:
            raise MemspanError("the frontier does not verify:\n  " + "\n  ".join(self.faults))


def verify(frontier: Frontier, material: Material | None = None) -> Verification:
    """Recompute every witness and every bound of *frontier*.

    Args:
        frontier: the result to check.
        material: where given, the compiled arrays are recompiled from it and compared, too.

    >>> import memspan as ms
    >>> odyssey = ms.bundled("odyssey")
    >>> ms.verify(ms.frontier(odyssey), odyssey).ok
    True
    """
    found = list(_shape_faults(frontier))
    if not found:
        try:
            found = [*_material_faults(frontier, material), *_faults(frontier)]
        except (ArithmeticError, LookupError, TypeError, ValueError, RecursionError) as error:
            found = [f"a certificate is malformed: {type(error).__name__} {error}"]
    return Verification(len(frontier.capacities), tuple(found))


def _faults(frontier: Frontier) -> Iterator[str]:
    """Check values and bounds against the compiled material."""
    if isinstance(frontier.solution, Ranking):
        yield from ranking_faults(frontier, frontier.solution)
        return
    problem = _problem(frontier)
    yield from _witness_faults(frontier, problem)
    yield from solution_faults(problem, frontier.solution)
    yield from _bound_faults(frontier, problem)


def _shape_faults(frontier: Frontier) -> Iterator[str]:
    """The listed arrays must be integers, one entry per capacity, within what there is to cover."""
    arrays = (frontier.capacities, frontier.lower_weight, frontier.upper_weight)
    if any(array.dtype != np.int64 or array.ndim != 1 for array in arrays):
        yield "capacities and bounds are not arrays of int64"
    elif len({len(array) for array in arrays}) != 1 or not len(frontier.capacities):
        yield "capacities and bounds are not of one length, at least 1"
    elif (frontier.capacities < 0).any() or (np.diff(frontier.capacities) <= 0).any():
        yield "capacities do not rise from 0"
    elif (frontier.upper_weight > frontier.coverage.weights.sum()).any():
        yield "an upper bound is larger than all there is to cover"


def _problem(frontier: Frontier) -> Problem:
    """State the problem again from the compiled material: one set of claims per support."""
    coverage = frontier.coverage
    rows = []
    for s, q in enumerate(coverage.owner.tolist()):
        needed = frozenset(coverage.members[coverage.ptr[s] : coverage.ptr[s + 1]].tolist())
        unless = frozenset(coverage.unless[coverage.unless_ptr[s] : coverage.unless_ptr[s + 1]].tolist())
        if frontier.utility == "coverage" or not any(coverage.truth[claim] < 0.5 for claim in needed):
            rows.append((needed, unless, q))
    supports, unlesses, owner = zip(*rows, strict=True) if rows else ((), (), ())
    costs = tuple(frontier.costs.tolist())
    return Problem(costs, supports, unlesses, owner, tuple(coverage.weights.tolist()))


def _material_faults(frontier: Frontier, material: Material | None) -> Iterator[str]:
    answerable = int(frontier.coverage.weights.sum())
    total = frontier.coverage.total
    if total < answerable or (frontier.over == "answerable" and total > answerable):
        yield f"masses are divided by {total}; the {frontier.over} queries weigh {answerable}"
    if material is None:
        return
    if (frontier.material, frontier.support_source) != (material.id, material.certainty):
        yield "the material's id or the source of its supports is another"
    if not np.array_equal(frontier.costs, claim_costs(material, frontier.unit)):
        yield f"the costs are not the material's {frontier.unit}"
    fresh = compile_material(material, over=frontier.over)
    for name in _differences(fresh, frontier.coverage):
        yield f"the compiled {name} differ from the material's"


def _differences(ours: Coverage, theirs: Coverage) -> Iterator[str]:
    """Name the arrays in which two compiled materials differ, those of wrong answers included."""
    for name in (item.name for item in fields(Coverage) if item.name not in {"dropped", "wrong"}):
        one, other = getattr(ours, name), getattr(theirs, name)
        if not np.array_equal(one, other, equal_nan=name == "truth"):
            yield name
    if ours.wrong is None or theirs.wrong is None:
        if ours.wrong is not theirs.wrong:
            yield "wrong supports"
    elif any(_differences(ours.wrong, theirs.wrong)):
        yield "wrong supports"


def _witness_faults(frontier: Frontier, problem: Problem) -> Iterator[str]:
    """Every memory named must fit its capacity and reach its lower bound."""
    place = {name: i for i, name in enumerate(frontier.coverage.claims)}
    curve = frontier.solution.curve
    rises = np.flatnonzero(np.diff(curve.lower)) + 1
    asked = np.unique(np.concatenate([[0], rises, np.minimum(frontier.capacities, len(curve.lower) - 1)]))
    true_only = frontier.utility == "precision"
    known: dict[frozenset[int], tuple[int, int]] = {}
    bounds = list(zip(curve.lower[asked].tolist(), curve.upper[asked].tolist(), strict=True))
    rows = zip(asked.tolist(), frontier.memories(asked.tolist()), bounds, strict=True)
    for capacity, memory, (lower, upper) in rows:
        held = frozenset(place[name] for name in memory)
        if held not in known:
            value = covered_weight(frontier.coverage, frontier.coverage.memory(memory), true_only=true_only)
            known[held] = (problem.cost(held), value)
        cost, value = known[held]
        if cost > capacity:
            yield f"capacity {capacity}: the memory costs {cost}"
        if value < lower:
            yield f"capacity {capacity}: the memory reaches {value}, not {lower}"
        if value > upper:
            yield f"capacity {capacity}: the memory reaches {value}, above the bound {upper}"


def _bound_faults(frontier: Frontier, problem: Problem) -> Iterator[str]:
    """The bounds shown must be those of the merged curve, and never cross."""
    curve = frontier.solution.curve
    at = np.minimum(frontier.capacities, len(curve.upper) - 1)
    if (frontier.lower_weight != curve.lower[at]).any():
        yield "a lower bound is not the merged curve's"
    if (frontier.upper_weight < curve.upper[at]).any():
        yield "an upper bound is smaller than the merged curve's"
    if (frontier.upper_weight < frontier.lower_weight).any():
        yield "an upper bound lies below its lower bound"
    if (np.diff(curve.lower) < 0).any():
        yield "lower bounds do not rise"
    if frontier.baseline_weight != problem.value(frozenset(range(len(problem.costs)))):
        yield "the baseline is not what the full material covers"
