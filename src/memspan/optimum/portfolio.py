"""The portfolio: presolve, then the cheapest method that proves each part, all under one time budget."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from memspan.optimum.curves import Curve
from memspan.optimum.exact import RESTARTS, Solution, assemble, solve_part
from memspan.optimum.presolve import presolve
from memspan.optimum.problem import Problem
from memspan.optimum.wide import search_part

PRESOLVE = 0.3  # of the time, at most


@dataclass(frozen=True)
class Progress:
    """How far a frontier is: parts solved of all parts, and what is being done."""

    stage: str
    done: int
    of: int


Report = Callable[[Progress], None]


def solve(problem: Problem, seconds: float, report: Report | None = None) -> Solution:
    """Bound *problem* at every capacity; exact parts first, the rest shares what is left of *seconds*."""
    deadline = time.perf_counter() + seconds
    presolved = presolve(problem, deadline - (1 - PRESOLVE) * seconds)
    parts = presolved.parts
    curves: dict[int, Curve] = {}
    wide = []
    for i, part in enumerate(parts):
        _tell(report, "exact parts", i, len(parts))
        exact = solve_part(part, RESTARTS if time.perf_counter() < deadline else 0)
        if exact is None:
            wide.append(i)
        else:
            curves[i] = exact
    for rank, i in enumerate(wide):
        _tell(report, "wide parts", rank, len(wide))
        share = (deadline - time.perf_counter()) / (len(wide) - rank)
        curves[i] = search_part(parts[i], time.perf_counter() + max(share, 0.0))
    _tell(report, "merging", len(parts), len(parts))
    return assemble(problem, presolved, [curves[i] for i in range(len(parts))])


def _tell(report: Report | None, stage: str, done: int, of: int) -> None:
    if report is not None:
        report(Progress(stage, done, of))
