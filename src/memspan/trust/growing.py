"""Arrays that grow, and the index that finds a set of claims again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

FEW = 64
EMPTY = -1


class Column:
    """An array that grows by its end; `data` is longer than what is used of it.

    >>> column = Column(np.int64)
    >>> column.append(7), column.append(8), column.used.tolist()
    (0, 1, [7, 8])
    """

    __slots__ = ("data", "fill", "size")

    def __init__(self, dtype: npt.DTypeLike, fill: float = 0, width: int | None = None) -> None:
        """Start empty; rows of *width* numbers where it is given, else single ones."""
        self.fill = fill
        self.data: npt.NDArray[Any] = np.full((FEW,) if width is None else (FEW, width), fill, dtype)
        self.size = 0

    @property
    def used(self) -> npt.NDArray[Any]:
        """The part that is used, as a view."""
        return self.data[: self.size]

    def append(self, value: Any) -> int:
        """Add one entry and return its position."""
        self.room(1)
        self.data[self.size] = value
        self.size += 1
        return self.size - 1

    def extend(self, count: int, values: Any = None) -> int:
        """Add *count* entries, of *values* or of what the column is filled with; return where they start."""
        self.room(count)
        if values is not None:
            self.data[self.size : self.size + count] = values
        self.size += count
        return self.size - count

    def room(self, count: int) -> None:
        """Make room for *count* entries more."""
        needed = self.size + count
        if needed > len(self.data):
            grown = np.full(
                (max(needed, 2 * len(self.data)), *self.data.shape[1:]), self.fill, self.data.dtype
            )
            grown[: self.size] = self.used
            self.data = grown


class Index:
    """Finds the position of a key among those added: open addressing over 64-bit hashes.

    It takes 12 to 24 bytes a key, where a dictionary of tuples takes two hundred.
    """

    __slots__ = ("hashes", "slots")

    def __init__(self) -> None:
        """Start empty."""
        self.hashes = Column(np.int64)
        self.slots = np.full(2 * FEW, EMPTY, np.int32)

    def find(self, mark: int, same: Callable[[int], bool]) -> int:
        """Return the position whose hash is *mark* and which is the *same*; EMPTY where there is none."""
        slots, hashes, mask = self.slots, self.hashes.data, len(self.slots) - 1
        place = mark & mask
        while (position := int(slots[place])) != EMPTY:
            if hashes[position] == mark and same(position):
                return position
            place = (place + 1) & mask
        return EMPTY

    def add(self, mark: int) -> int:
        """Add a key that is not there yet, by its hash; return its position."""
        if 2 * (self.hashes.size + 1) > len(self.slots):
            self._grow()
        position = self.hashes.append(mark)
        mask = len(self.slots) - 1
        place = mark & mask
        while self.slots[place] != EMPTY:
            place = (place + 1) & mask
        self.slots[place] = position
        return position

    def _grow(self) -> None:
        """Double the slots and place all keys again, many at a time."""
        slots = np.full(2 * len(self.slots), EMPTY, np.int32)
        hashes = self.hashes.used
        places = hashes & (len(slots) - 1)
        waiting = np.arange(len(hashes), dtype=np.int32)
        while len(waiting):
            free = slots[places[waiting]] == EMPTY
            slots[places[waiting[free]]] = waiting[free]  # of several for one slot the last one gets it
            waiting = waiting[slots[places[waiting]] != waiting]
            places[waiting] = (places[waiting] + 1) & (len(slots) - 1)
        self.slots = slots
