"""What the user asked for, read from options: which materials, which capacities, how long."""

from __future__ import annotations

import difflib
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Literal

import typer

from memspan.errors import UnknownName
from memspan.material import Material

Over = Literal["answerable", "all"]


@dataclass(frozen=True)
class Finding:
    """How a material without questions or supports gets them.

    Attributes:
        find: find supports also where other questions have them.
        questions: a log of asked questions; without one, questions are made where there are none.
        reader: a file with a reading rule; the shipped one without it.
        embedder: what `memspan.models.embedder_named` takes.
        operator: generation operator whose items are judged; without one, claims are.
        draws: how many times found supports are drawn.
        seed: of the draws.
    """

    find: bool = False
    questions: str | None = None
    reader: str | None = None
    embedder: str | None = None
    operator: str | None = None
    draws: int = 20
    seed: int = 0


@dataclass(frozen=True)
class Task:
    """A frontier to compute.

    Attributes:
        path: a file, or the name of a bundled material.
        cost: what capacity counts.
        capacities: capacities to list; None for the usual ones.
        seconds: time for the whole command.
        over: what utilities are divided by.
        claims: what stands as a claim, where the format leaves a choice.
        union: merge all materials into one.
        materials: ids of the materials wanted; empty for all.
        targets: shares of the questions whose size is told, in (0, 1].
        memory: ids of a memory to place, with commas between, or a file of them.
        finding: how questions and supports are found where there are none.
    """

    path: str
    cost: str = "claims"
    capacities: tuple[int, ...] | None = None
    seconds: float = 60.0
    over: Over = "answerable"
    claims: str | None = None
    union: bool = False
    materials: tuple[str, ...] = ()
    targets: tuple[float, ...] = (0.5, 0.8, 0.95)
    memory: str | None = None
    finding: Finding = Finding()

    @property
    def words(self) -> list[str]:
        """What to type behind the program's name for this task; options at their usual value left out."""
        from memspan.datasets.stores.address import shown_address

        usual = _valued(Task(self.path))
        given = {name: value for name, value in _valued(self).items() if value != usual[name]}
        options = [part for name, value in given.items() for part in (f"--{name}", value)]
        switch = [*(["--union"] if self.union else []), *(["--find"] if self.finding.find else [])]
        several = [part for name in self.materials for part in ("--material", name)]
        return ["frontier", shown_address(self.path), *options, *switch, *several]


def _valued(task: Task) -> dict[str, str]:
    return {
        "cost": task.cost,
        "capacities": ",".join(map(str, task.capacities or ())),
        "seconds": f"{task.seconds:g}",
        "over": task.over,
        "claims": task.claims or "",
        "target": ",".join(f"{100 * target:g}%" for target in task.targets),
        "memory": task.memory or "",
        **{
            name: "" if value is None else str(value)
            for name, value in asdict(task.finding).items()
            if name != "find"
        },
    }


def capacities_of(text: str | None) -> tuple[int, ...] | None:
    """Return the capacities written in *text*, e.g. ``100,200``.

    >>> capacities_of("100, 200")
    (100, 200)
    """
    if text is None:
        return None
    try:
        capacities = tuple(int(part) for part in text.split(",") if part.strip())
    except ValueError:
        capacities = ()
    if not capacities or min(capacities) < 0 or max(capacities) >= 1 << 53:
        raise typer.BadParameter(
            f"{text!r}; give whole numbers >= 0 with commas between, e.g. --capacities 100,200"
        )
    return capacities


def targets_of(text: str) -> tuple[float, ...]:
    """Return the shares written in *text*: ``95``, ``95%`` and ``0.95`` mean the same, ``1`` all.

    >>> targets_of("50, 95%, 0.8")
    (0.5, 0.8, 0.95)
    """
    try:
        targets = sorted({_share(part) for part in text.split(",") if part.strip()})
    except ValueError:
        targets = []
    if not targets or not all(0 < target <= 1 for target in targets):
        raise typer.BadParameter(
            f"{text!r}; give shares above 0 and up to all with commas between, e.g. --target 50,95%,0.99"
        )
    return tuple(targets)


def _share(text: str) -> float:
    number = float(text.strip().removesuffix("%"))
    if not math.isfinite(number):
        raise ValueError(text)
    return number / 100 if number > 1 or text.strip().endswith("%") else number


def chosen(materials: Sequence[Material], wanted: Sequence[str]) -> list[Material]:
    """Return the *wanted* materials in the order of the file, all where none is named.

    Raises:
        UnknownName: one of them is not there.
    """
    known = [material.id for material in materials]
    for name in wanted:
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(known[:10])}"
            raise UnknownName(f"no material {name!r} in this file; {hint}")
    return [material for material in materials if not wanted or material.id in wanted]
