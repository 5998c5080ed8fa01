"""Full context: everything is held and everything is read."""

from __future__ import annotations

from memspan.material import Claim, Note, Query
from memspan.policies.holding import note_of


class Everything:
    """Holds every claim and reads in the order of the source, whatever is asked; a `MemorySystem`.

    It has no bound; read whole, it reaches the baseline: what it costs are tokens.

    >>> memory = Everything()
    >>> memory.observe(Claim("a"))
    >>> [note.id for note in memory.read(Query("q"), 9)]
    ['a']
    """

    name = "full context"

    def __init__(self) -> None:
        """Start with nothing held."""
        self._notes: dict[str, Note] = {}

    def observe(self, claim: Claim) -> None:
        """Hold *claim*."""
        self._notes[claim.id] = note_of(claim)

    def read(self, query: Query, k: int) -> tuple[Note, ...]:  # noqa: ARG002 - the same for all
        """Return the first *k* claims; give as many as there are."""
        return self.held()[: max(k, 0)]

    def held(self) -> tuple[Note, ...]:
        """Return everything, in the order of the source."""
        return tuple(self._notes.values())
