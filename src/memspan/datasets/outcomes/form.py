"""What the formats hand over before anything is matched."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from memspan.datasets.question_fields import Notes
from memspan.datasets.source import Source
from memspan.material import Extra


@dataclass(frozen=True)
class Recorded:
    """One outcome as a file gives it; see `memspan.material.Settlement`.

    Attributes:
        place: where it stands in the file, e.g. ``line 12``.
        correct: 1 right, 0 wrong, or between.
        material: id of the material; None where the file does not say.
        query: id of the query; None where the file gives its text only.
        text: the question; None where the file gives its id only.
        settler: who judged.
        claims: names of claims that were read; those that no claim has are reported.
        read: texts that were read.
        held: texts that the memory held.
        time: when it was settled.
        weight: how much it counts.
        extra: what else is known.
        id: the outcome's own name.
    """

    place: str
    correct: float
    material: str | None = None
    query: str | None = None
    text: str | None = None
    settler: str | None = None
    claims: tuple[str, ...] | None = None
    read: tuple[str, ...] | None = None
    held: tuple[str, ...] | None = None
    time: str | None = None
    weight: float = 1
    extra: Extra = field(default_factory=dict)
    id: str | None = None


@dataclass(frozen=True)
class RecordedHold:
    """One word on whether memories hold a claim, which is known by its text."""

    place: str
    material: str
    session: str
    text: str
    value: float
    texts: tuple[str, ...]
    kind: Literal["integrity", "update"]


@dataclass(frozen=True)
class Records:
    """All that a file gives."""

    outcomes: Sequence[Recorded]
    notes: Notes
    holds: Sequence[RecordedHold] = ()


@dataclass(frozen=True)
class Asking:
    """What the caller says about a file.

    Attributes:
        settler: name of the run, where the file gives none.
        votes: what the votes of several judges on one answer become.
        encoding: how the file was saved.
        named: the name that the caller gives; None where `settler` is only the file's stem.
    """

    settler: str
    votes: Literal["majority", "share"]
    encoding: str
    named: str | None = None


@dataclass(frozen=True)
class OutcomeFormat:
    """A format of outcomes: its name, how it is told by the content, how it is read."""

    name: str
    detect: Callable[[Source], bool]
    read: Callable[[Source, Asking], Records]


def verdict(votes: Sequence[float], kind: Literal["majority", "share"]) -> float:
    """Return what several votes on one answer say: the share that call it right, or whether most do.

    >>> verdict([1, 1, 0], "share") == 2 / 3, verdict([1, 1, 0], "majority"), verdict([1, 0], "majority")
    (True, 1.0, 0.5)
    """
    share = sum(votes) / len(votes)
    if kind == "share" or share == 0.5:
        return share
    return float(share > 0.5)


def votes_in(value: Any) -> list[float] | None:
    """Return *value* as votes of 0 or 1, or one of them alone; None where it is something else."""
    votes = value if isinstance(value, list) else [value]
    sound = [float(vote) for vote in votes if isinstance(vote, int | float) and vote in (0, 1)]
    return sound if votes and len(sound) == len(votes) else None
