"""A run that somebody else recorded: which claims were read for each question, and how it went."""

from __future__ import annotations

import math
from collections.abc import Sequence

from memspan.material import Claim, Material, Note, Query, Settlement
from memspan.policies import note_of


class Recorded:
    """Repeats what a recorded run read; a `MemorySystem` that holds what it was seen to read.

    Where the claims read are not known for any query, the run is taken to have had the full material
    before it: its settlements tell nothing of a memory.

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
        self._whole = not self._read

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
    """Return the settlements of *material* by who settled them."""
    runs: dict[str, list[Settlement]] = {}
    for settlement in material.settlements:
        runs.setdefault(settlement.settler or "recorded", []).append(settlement)
    return runs
