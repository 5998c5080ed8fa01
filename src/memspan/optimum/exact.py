"""Exact curves: enumeration for tiny parts, elimination where the width is affordable."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memspan.optimum.curves import Curve, merge_all
from memspan.optimum.elimination import MOST_OPERATIONS, eliminate_part
from memspan.optimum.enumeration import MOST_ITEMS, enumerate_part
from memspan.optimum.presolve import Presolved, presolve
from memspan.optimum.problem import Part, Problem

SMALL_PART = 30  # items up to which a few elimination orders suffice
RESTARTS = 12


@dataclass(frozen=True)
class Solution:
    """A solved problem: its parts, a curve for each, and their merge."""

    problem: Problem
    presolved: Presolved
    parts: tuple[Curve, ...]
    curve: Curve


def assemble(problem: Problem, presolved: Presolved, parts: Sequence[Curve]) -> Solution:
    """Merge the curves of all parts."""
    return Solution(problem, presolved, tuple(parts), merge_all(parts, presolved.base))


def solve_part(
    part: Part, restarts: int = RESTARTS, most_operations: float = MOST_OPERATIONS
) -> Curve | None:
    """Return the exact curve of *part*, or None where no exact method is affordable.

    With 0 restarts only tiny parts are solved.
    """
    if len(part.costs) <= MOST_ITEMS:
        return enumerate_part(part)
    if not restarts:
        return None
    return eliminate_part(
        part, min(3, restarts) if len(part.costs) <= SMALL_PART else restarts, most_operations
    )


def solve_exactly(problem: Problem, restarts: int, most_operations: float) -> Solution | None:
    """Solve *problem* at every capacity, or return None where some part is too wide."""
    presolved = presolve(problem)
    curves: dict[int, Curve] = {}
    for i in sorted(range(len(presolved.parts)), key=lambda i: -len(presolved.parts[i].costs)):
        curve = solve_part(presolved.parts[i], restarts, most_operations)
        if curve is None:
            return None
        curves[i] = curve
    return assemble(problem, presolved, [curves[i] for i in range(len(curves))])
