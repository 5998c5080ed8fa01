"""First in, first out: the oldest claim goes."""

from __future__ import annotations

from memspan.policies.kept import Entry, Kept
from memspan.policies.likeness import Likeness


def fifo(likeness: Likeness, capacity: int | None = None) -> Kept:
    """Return a memory of the claims observed last.

    >>> memory = fifo(Likeness(), 1)
    >>> memory.name
    'fifo'
    """
    return Kept("fifo", _rank, likeness, capacity)


def _rank(entry: Entry) -> tuple[int]:
    return (entry.written,)
