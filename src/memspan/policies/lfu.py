"""Least frequently used: the claim goes that the fewest settled queries read."""

from __future__ import annotations

from memspan.policies.kept import Entry, Kept
from memspan.policies.likeness import Likeness


def lfu(likeness: Likeness, capacity: int | None = None) -> Kept:
    """Return a memory of the claims used most; of equal ones the last used stays.

    Before any query is settled this is `fifo`.

    >>> lfu(Likeness(), 1).name
    'lfu'
    """
    return Kept("lfu", _rank, likeness, capacity)


def _rank(entry: Entry) -> tuple[int, int, int]:
    return (entry.uses, entry.used, entry.written)
