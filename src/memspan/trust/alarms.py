"""Outcomes that are all alike say that reasoner or judge is broken, not what is true."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from memspan.trust.ledger import Ledger

Array = npt.NDArray[Any]
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
    by, query = columns["settler"].used[counts], columns["query"].used[counts]
    said = np.sign(columns["correct"].used[counts] - 0.5)
    said[(said < 0) & _answered(by, query, said)] = 0
    present = np.unique(by).tolist()
    if len(present) > 1:
        yield from _alarm(said, None, everyone=True)
    for settler in present:
        yield from _alarm(said[by == settler], settlers[settler], everyone=False)


def _answered(by: Array, query: Array, said: Array) -> Array:
    """Return which outcomes are of a query that their settler has called right as well.

    Who votes for one value of an object speaks against all others: that is no stream of failures.
    """
    pair = by.astype(np.int64) * (int(query.max(initial=0)) + 1) + query
    return np.isin(pair, pair[said > 0])


def _alarm(said: Array, settler: str | None, *, everyone: bool) -> Iterator[Alarm]:
    if not len(said) or not said[-1]:
        return
    other = np.flatnonzero(said != said[-1])
    count = len(said) - (int(other[-1]) + 1 if len(other) else 0)
    right = bool(said[-1] > 0)
    if count >= (ALL_RIGHT if right else ALL_WRONG):
        yield Alarm("all right" if right else "all wrong", settler, everyone, count)
