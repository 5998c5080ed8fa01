"""From materials to studies: solve one after the other, tell how far it is."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace

from memspan.cli.meter import Meter
from memspan.cli.task import Task
from memspan.material import Material
from memspan.optimum import Frontier, frontier
from memspan.optimum.frontier import Utility
from memspan.report.placed import place
from memspan.report.study import Study


def solve(task: Task, materials: Sequence[Material], memory: Sequence[str] | None = None) -> list[Study]:
    """Return a study of each of *materials*; the seconds of *task* are shared among them.

    With *memory*, ids of claims that all of them have, that memory is placed under each frontier.
    """
    deadline = time.monotonic() + task.seconds
    with Meter() as meter:
        studies = list(_studies(task, materials, deadline, meter))
    if memory is None:
        return studies
    return [replace(study, placed=place(study.frontier, memory)) for study in studies]


def _studies(task: Task, materials: Sequence[Material], deadline: float, meter: Meter) -> Iterator[Study]:
    for i, material in enumerate(materials):
        meter.begin(material.id, i, len(materials))
        share = (deadline - time.monotonic()) / (len(materials) - i)
        yield study_of(task, material, max(share, 0.0), meter)


def study_of(task: Task, material: Material, seconds: float, meter: Meter) -> Study:
    """Solve *material*; where the truth of a claim is known, for true claims alone as well."""
    known = any(claim.truth is not None for claim in material.claims)
    started = time.monotonic()
    coverage = _solved(task, material, "coverage", seconds / (2 if known else 1), meter)
    if not known:
        return Study(material, coverage)
    rest = max(seconds - (time.monotonic() - started), 0.0)
    return Study(material, coverage, _solved(task, material, "precision", rest, meter))


def _solved(task: Task, material: Material, utility: Utility, seconds: float, meter: Meter) -> Frontier:
    return frontier(
        material,
        utility=utility,
        over=task.over,
        cost=task.cost,
        capacities=task.capacities,
        seconds=seconds,
        report=meter.tell,
    )
