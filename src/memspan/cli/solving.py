"""From materials to studies: solve one after the other, tell how far it is."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from memspan.cli.meter import Meter
from memspan.cli.task import Task
from memspan.material import Material
from memspan.optimum import Frontier, Progress, exact_size, frontier
from memspan.optimum.frontier import Utility
from memspan.report.placed import place
from memspan.report.study import Study
from memspan.span import Estimate, estimate, is_uncertain


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
    """Solve *material*, and whatever else it has an answer to.

    For true claims alone, where the truth of a claim is known; at exact sizes, where claims defeat
    answers and capacity counts claims; over drawn supports, where they are not sure.
    """
    deadline = time.monotonic() + seconds
    known = any(claim.truth is not None for claim in material.claims)
    defeats = task.cost == "claims" and any(
        support.unless for query in material.queries for support in material.supports_of(query)
    )
    unsure = is_uncertain(material)
    waiting = 1 + known + defeats + unsure

    def share() -> float:
        nonlocal waiting
        waiting -= 1
        return max(deadline - time.monotonic(), 0.0) / (waiting + 1)

    return Study(
        material,
        _solved(task, material, "coverage", share(), meter),
        _solved(task, material, "precision", share(), meter) if known else None,
        exact=exact_size(material, over=task.over, seconds=share()) if defeats else None,
        estimate=_estimated(task, material, share(), meter) if unsure else None,
    )


def _estimated(task: Task, material: Material, seconds: float, meter: Meter) -> Estimate:
    return estimate(
        material,
        np.random.default_rng(task.finding.seed),
        draws=task.finding.draws,
        over=task.over,
        cost=task.cost,
        seconds=seconds,
        report=lambda done, of: meter.tell(Progress("drawing", done, of)),
    )


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
