"""Least recently used: the claim goes whose last use, or writing, is longest ago."""

from __future__ import annotations

from memspan.policies.kept import Entry, Kept
from memspan.policies.likeness import Likeness


def lru(likeness: Likeness, capacity: int | None = None) -> Kept:
    """Return a memory of the claims used last; before any query is settled the same as `fifo`.

    >>> lru(Likeness(), 1).name
    'lru'
    """
    return Kept("lru", _rank, likeness, capacity)


def _rank(entry: Entry) -> tuple[int, int]:
    return (entry.used, entry.written)
