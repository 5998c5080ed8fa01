"""What to do next: one command that works as it is typed."""

from __future__ import annotations

import shlex
import shutil
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from memspan.cli.task import Task
from memspan.material import Material

if TYPE_CHECKING:
    from memspan.report.study import Study


def typed(*words: str) -> str:
    """Return the command that calls this program with *words*: by its name where that is on the PATH."""
    called = sys.argv[0]
    by_path = Path(called).stem == "memspan" and shutil.which("memspan") is None
    return shlex.join([called if by_path else "memspan", *words])


def following(task: Task, studies: Sequence[Study], *, reported: bool) -> str:
    """Return the command that takes the reader of *task* further."""
    if all(study.empty for study in studies):
        return _out_of_nothing(task, studies)
    if not reported:
        return typed(*task.words, "--report", "report.html")
    units = _units([study.material for study in studies]) if task.cost == "claims" else []
    if not units:
        return typed(*task.words, "--json")
    return typed(*replace(task, cost=units[0], capacities=None).words)


def _out_of_nothing(task: Task, studies: Sequence[Study]) -> str:
    """Return a command that has something to show where *task* had nothing."""
    if any(study.frontier.coverage.weights.any() for study in studies):
        return typed(*replace(task, cost="claims", capacities=None).words)
    return typed("frontier", "odyssey")


def _units(materials: Sequence[Material]) -> list[str]:
    """Return what else than claims these materials can be counted in; what is alike for all is no choice."""
    claims = [claim for material in materials for claim in material.claims]
    text = ["tokens"] if any(claim.text for claim in claims) else []
    shared = set.intersection(*(set(claim.costs) for claim in claims)) if claims else set()
    return [*text, *(unit for unit in sorted(shared) if _counts({claim.costs[unit] for claim in claims}))]


def _counts(costs: set[float]) -> bool:
    """Tell whether these costs make a unit: whole numbers, and not the same for all."""
    return len(costs) > 1 and all(cost == int(cost) for cost in costs)
