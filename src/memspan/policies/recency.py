"""Recency: the claims of the latest time stay, whatever order they were observed in."""

from __future__ import annotations

from memspan.material import Note, Query
from memspan.policies.likeness import Likeness
from memspan.policies.plain import plain
from memspan.policies.writing import Writing


class Recency(Writing):
    """Holds the claims of the latest time and reads the latest, whatever is asked; a `MemorySystem`.

    >>> from memspan.material import Claim
    >>> memory = Recency(Likeness(), 1)
    >>> for claim in (Claim("late", time="2026-03-02"), Claim("early", time="2025-01-01")):
    ...     memory.observe(claim)
    >>> [note.id for note in memory.held()]
    ['late']
    """

    def __init__(self, likeness: Likeness, capacity: int | None = None) -> None:
        """Start with nothing held."""
        super().__init__(plain("recency"), likeness, capacity)

    def read(self, query: Query, k: int) -> tuple[Note, ...]:  # noqa: ARG002 - the same for all
        """Return the *k* latest notes."""
        return self.held()[: max(k, 0)]
