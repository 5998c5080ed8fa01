"""A run that somebody else recorded: which claims were read for each question, and how it went."""

from __future__ import annotations

import math
from collections.abc import Sequence

from memspan.material import CONTEXT, Claim, Dropped, Material, Note, Query, Settlement
from memspan.policies import note_of


class Recorded:
    """Repeats what a recorded run read; a `MemorySystem` that holds what it was seen to read.

    Where its settlements say so (`memspan.material.CONTEXT`), it had the full material before it.

    Args:
        name: of the run.
        settlements: its outcomes; several for one query count by their weight.

    >>> run = Recorded("run", [Settlement("q1", 1, ("a",)), Settlement("q2", 0, ())])
    >>> for name in ("a", "b"):
    ...     run.observe(Claim(name))
    >>> [note.id for note in run.held()], [note.id for note in run.read(Query("q2"), 5)]
    (['a'], [])
    """

    def __init__(self, name: str, settlements: Sequence[Settlement]) -> None:
        """Take the outcomes of one run."""
        self._name = name
        self._read: dict[str, tuple[str, ...]] = {}
        self._outcomes: dict[str, list[Settlement]] = {}
        self._claims: dict[str, Claim] = {}
        for settlement in settlements:
            self._outcomes.setdefault(settlement.query, []).append(settlement)
            if settlement.claims is not None:
                known = self._read.get(settlement.query, ())
                self._read[settlement.query] = tuple(dict.fromkeys([*known, *settlement.claims]))
        self._whole = any(each.extra.get(CONTEXT) == "full" for each in settlements)

    @property
    def name(self) -> str:
        """As it was given."""
        return self._name

    def observe(self, claim: Claim) -> None:
        """Learn what the claim says; whether it is held was decided when the run was recorded."""
        self._claims[claim.id] = claim

    def read(self, query: Query, k: int) -> tuple[Note, ...]:  # noqa: ARG002 - a record reads what it read
        """Return what was read for *query*."""
        names = tuple(self._claims) if self._whole else self._read.get(query.id, ())
        return tuple(note_of(self._claims[name]) for name in names if name in self._claims)

    def held(self) -> tuple[Note, ...]:
        """Return all that was read for any query: the run held that at least."""
        read = {name for names in self._read.values() for name in names}
        return tuple(note_of(claim) for claim in self._claims.values() if self._whole or claim.id in read)

    def right(self, material: Material) -> tuple[float, ...]:
        """Return how right each query of *material* was answered; NaN where that was not recorded."""
        return tuple(_mean(self._outcomes.get(query.id, [])) for query in material.queries)


def _mean(settlements: Sequence[Settlement]) -> float:
    weight = sum(each.weight for each in settlements)
    return sum(each.weight * each.correct for each in settlements) / weight if weight else math.nan


def runs_recorded(material: Material) -> dict[str, list[Settlement]]:
    """Return the settlements of *material* by run: those alone that say what was read."""
    return {name: each for name, each in _runs(material).items() if any(map(_tells_reads, each))}


def runs_untold(material: Material) -> list[Dropped]:
    """Return the runs of *material* that cannot be placed, since nothing says what they read."""
    reason = "no settlement says which claims were read; such a run has no place in the plane"
    return [
        Dropped(f"run {name} of {material.id}", "claims", reason)
        for name, each in _runs(material).items()
        if not any(map(_tells_reads, each))
    ]


def _runs(material: Material) -> dict[str, list[Settlement]]:
    runs: dict[str, list[Settlement]] = {}
    for settlement in material.settlements:
        runs.setdefault(settlement.settler or "recorded", []).append(settlement)
    return runs


def _tells_reads(settlement: Settlement) -> bool:
    return settlement.claims is not None or settlement.extra.get(CONTEXT) == "full"
