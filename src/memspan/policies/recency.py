"""Recency: the claims of the latest time stay, whatever order they were observed in."""

from __future__ import annotations

from functools import lru_cache

from memspan.language.dates import iso_time
from memspan.material import Claim, Note, Query
from memspan.policies.kept import Entry, Kept
from memspan.policies.likeness import Likeness


class Recency:
    """Holds the claims of the latest time and reads the latest, whatever is asked; a `MemorySystem`.

    >>> memory = Recency(Likeness(), 1)
    >>> for claim in (Claim("late", time="2026-03-02"), Claim("early", time="2025-01-01")):
    ...     memory.observe(claim)
    >>> [note.id for note in memory.held()]
    ['late']
    """

    def __init__(self, likeness: Likeness, capacity: int | None = None) -> None:
        """Start with nothing held."""
        self._kept = Kept("recency", _rank, likeness, capacity)

    @property
    def name(self) -> str:
        """Always ``recency``."""
        return self._kept.name

    def observe(self, claim: Claim) -> None:
        """Hold *claim*, then let go of the earliest where there are too many."""
        self._kept.observe(claim)

    def shrink(self, capacity: int) -> None:
        """Let go of the earliest until at most *capacity* claims are held."""
        self._kept.shrink(capacity)

    def held(self) -> tuple[Note, ...]:
        """Return the notes, the latest first."""
        return self._kept.held()

    def read(self, query: Query, k: int) -> tuple[Note, ...]:  # noqa: ARG002 - the same for all
        """Return the *k* latest notes."""
        return self.held()[: max(k, 0)]


def recency(likeness: Likeness, capacity: int | None = None) -> Recency:
    """Return a memory of the claims of the latest time.

    >>> recency(Likeness(), 1).name
    'recency'
    """
    return Recency(likeness, capacity)


def _rank(entry: Entry) -> tuple[str, int]:
    return (_moment(entry.claim.time), entry.written)


@lru_cache(maxsize=1 << 16)
def _moment(time: str | None) -> str:
    """Return *time* in ISO 8601, read once however often claims are ranked; empty where there is none."""
    return iso_time(time) or ""
