"""A bounded memory that lets go of what ranks lowest: the frame of the plain policies."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import dataclass, replace

from memspan.errors import ShapeError
from memspan.material import Claim, Note, Query, Settlement
from memspan.policies.holding import Holding, note_of
from memspan.policies.likeness import Likeness

Rank = tuple[float | str, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """What is known of a claim that is held.

    Attributes:
        claim: the claim.
        written: how many claims had been observed before it.
        used: how many claims and settled queries had been seen when it was last used, or written.
        uses: settled queries that read it.
    """

    claim: Claim
    written: int
    used: int
    uses: int = 0


class Kept:
    """Holds the claims that rank highest, and reads by similarity; a `MemorySystem`.

    Args:
        name: as outputs name it.
        rank: the entry with the lowest rank goes first; a rank may change only when an entry is used.
        likeness: how alike texts are.
        capacity: claims held at most; None for no bound.

    Raises:
        ShapeError: *capacity* is negative.

    >>> two = Kept("newest", lambda entry: (entry.written,), Likeness(), capacity=2)
    >>> for name in ("a", "b", "c"):
    ...     two.observe(Claim(name))
    >>> [note.id for note in two.held()]
    ['c', 'b']
    """

    def __init__(
        self, name: str, rank: Callable[[Entry], Rank], likeness: Likeness, capacity: int | None = None
    ) -> None:
        """Start with nothing held."""
        if capacity is not None and capacity < 0:
            raise ShapeError(f"capacity is {capacity}; give a number of claims, 0 or more")
        self._name, self._rank, self._capacity = name, rank, capacity
        self._holding = Holding(likeness)
        self._entries: dict[str, Entry] = {}
        self._queue: list[tuple[Rank, str]] = []
        self._observed = self._seen = 0

    @property
    def name(self) -> str:
        """As it was given."""
        return self._name

    def observe(self, claim: Claim) -> None:
        """Hold *claim*, then let go of the lowest where there are too many."""
        self._holding.add(note_of(claim))
        self._enter(Entry(claim, self._observed, self._seen))
        self._observed += 1
        self._seen += 1
        if self._capacity is not None:
            self.shrink(self._capacity)

    def settle(self, settlement: Settlement) -> None:
        """Count the claims that were read as used."""
        for name in settlement.claims or ():
            if name in self._entries:
                entry = self._entries[name]
                self._enter(replace(entry, used=self._seen, uses=entry.uses + 1))
        self._seen += 1

    def _enter(self, entry: Entry) -> None:
        self._entries[entry.claim.id] = entry
        heapq.heappush(self._queue, (self._rank(entry), entry.claim.id))

    def shrink(self, capacity: int) -> None:
        """Let go of the lowest until at most *capacity* claims are held."""
        while len(self._entries) > capacity:
            rank, name = heapq.heappop(self._queue)
            entry = self._entries.get(name)
            if entry is not None and self._rank(entry) == rank:  # else it has been used since
                del self._entries[name]
                self._holding.drop(name)

    def read(self, query: Query, k: int) -> tuple[Note, ...]:
        """Return the *k* notes most like the question."""
        return tuple(note for note, _ in self._holding.nearest(query.text, k))

    def held(self) -> tuple[Note, ...]:
        """Return the notes, the highest rank first."""
        ordered = sorted(self._entries.values(), key=self._rank, reverse=True)
        return tuple(self._holding.note(entry.claim.id) for entry in ordered)
