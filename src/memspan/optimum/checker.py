"""A checker apart from the solver: it recomputes every witness and every bound of a frontier.

What it shares with the solver is the result it is handed. It trusts the compiled material, or
recompiles it where the material is given.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields

import numpy as np

from memspan.coverage.arrays import Coverage, compile_material
from memspan.errors import MemspanError
from memspan.material import Material
from memspan.optimum.check_bounds import solution_faults
from memspan.optimum.check_ranking import ranking_faults
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
    if isinstance(frontier.solution, Ranking):
        found = [*_material_faults(frontier, material), *ranking_faults(frontier, frontier.solution)]
        return Verification(len(frontier.capacities), tuple(found))
    problem = _problem(frontier)
    faults = [
        *_material_faults(frontier, material),
        *_witness_faults(frontier, problem),
        *solution_faults(problem, frontier.solution),
        *_bound_faults(frontier, problem),
    ]
    return Verification(len(frontier.capacities), tuple(faults))


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
    fresh = compile_material(material, over=frontier.over)
    for item in fields(Coverage):
        ours, theirs = getattr(fresh, item.name), getattr(frontier.coverage, item.name)
        same = (
            np.array_equal(ours, theirs, equal_nan=True)
            if item.name == "truth"
            else np.array_equal(ours, theirs)
        )
        if item.name != "dropped" and not same:
            yield f"the compiled {item.name} differ from the material's"


def _witness_faults(frontier: Frontier, problem: Problem) -> Iterator[str]:
    """Every memory named must fit its capacity and reach its lower bound."""
    place = {name: i for i, name in enumerate(frontier.coverage.claims)}
    curve = frontier.solution.curve
    rises = np.flatnonzero(np.diff(curve.lower)) + 1
    asked = np.unique(np.concatenate([[0], rises, np.minimum(frontier.capacities, len(curve.lower) - 1)]))
    known: dict[frozenset[int], tuple[int, int]] = {}
    rows = zip(asked.tolist(), frontier.memories(asked.tolist()), curve.lower[asked].tolist(), strict=True)
    for capacity, memory, lower in rows:
        held = frozenset(place[name] for name in memory)
        if held not in known:
            known[held] = (problem.cost(held), problem.value(held))
        cost, value = known[held]
        if cost > capacity:
            yield f"capacity {capacity}: the memory costs {cost}"
        if value != lower:
            yield f"capacity {capacity}: the memory reaches {value}, not {lower}"


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
    if (np.diff(frontier.capacities) <= 0).any() or (np.diff(curve.lower) < 0).any():
        yield "capacities or lower bounds do not rise"
    if frontier.baseline_weight != problem.value(frozenset(range(len(problem.costs)))):
        yield "the baseline is not what the full material covers"
