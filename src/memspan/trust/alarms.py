"""Outcomes that are all alike say that reasoner or judge is broken, not what is true."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from memspan.trust.ledger import Ledger

ALL_WRONG, ALL_RIGHT = 30, 200
"""Outcomes alike in a row, up to the last one, from which it is told: being right is the usual thing."""


@dataclass(frozen=True, slots=True)
class Alarm:
    """Outcomes of which nothing should be learned before somebody has looked.

    Attributes:
        kind: what they all are.
        settler: whose outcomes; None for the owner's.
        everyone: whether they are those of all settlers together.
        count: how many in a row, up to the last one.
    """

    kind: Literal["all wrong", "all right"]
    settler: str | None
    everyone: bool
    count: int

    def __str__(self) -> str:
        """Say what was seen and what to do."""
        who = "of all settlers" if self.everyone else f"of {self.settler or 'the owner'}"
        return (
            f"the last {self.count:,} outcomes {who} are {self.kind}: check reasoner and judge, "
            "and revoke these outcomes if either is broken"
        )


def alarms_of(ledger: Ledger, settlers: Sequence[str | None]) -> tuple[Alarm, ...]:
    """Return the alarms about *ledger*, whose settlers have these names; all together first."""
    return tuple(_alarms(ledger, settlers))


def _alarms(ledger: Ledger, settlers: Sequence[str | None]) -> Iterator[Alarm]:
    columns = ledger.columns
    counts = (columns["revoked"].used == 0) & (columns["weight"].used > 0)
    correct, by = columns["correct"].used[counts], columns["settler"].used[counts]
    present = np.unique(by).tolist()
    if len(present) > 1:
        yield from _alarm(correct, None, everyone=True)
    for settler in present:
        yield from _alarm(correct[by == settler], settlers[settler], everyone=False)


def _alarm(correct: npt.NDArray[Any], settler: str | None, *, everyone: bool) -> Iterator[Alarm]:
    if not len(correct):
        return
    right = bool(correct[-1] > 0.5)
    other = np.flatnonzero((correct > 0.5) != right)
    count = len(correct) - (int(other[-1]) + 1 if len(other) else 0)
    if count >= (ALL_RIGHT if right else ALL_WRONG):
        yield Alarm("all right" if right else "all wrong", settler, everyone, count)
