"""Arrays that grow, and the index that finds a set of claims again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

FEW = 64
EMPTY = -1


def _cells(array: Any) -> Any:
    """Return the memory of *array* for one number at a time; the array itself where it has rows."""
    return memoryview(array) if array.ndim == 1 else array


class Column:
    """One column of a `Table`; what it holds beyond the size of the table means nothing.

    Attributes:
        data: the array.
        cells: the same memory, for one number at a time: a view gives and takes plain numbers twice as fast.
    """

    __slots__ = ("cells", "data", "fill", "table")

    def __init__(self, table: Table, dtype: npt.DTypeLike, fill: float, width: int | None) -> None:
        """Start with a little room; rows of *width* numbers where it is given, else single ones."""
        self.table = table
        self.fill = fill
        self.data: npt.NDArray[Any] = np.empty((FEW,) if width is None else (FEW, width), dtype)
        self.cells = _cells(self.data)

    def __getstate__(self) -> tuple[Table, npt.NDArray[Any], float]:
        """Return what is kept: a view of memory cannot be."""
        return self.table, self.data, self.fill

    def __setstate__(self, kept: tuple[Table, npt.NDArray[Any], float]) -> None:
        """Take what was kept."""
        self.table, self.data, self.fill = kept
        self.cells = _cells(self.data)

    @property
    def used(self) -> npt.NDArray[Any]:
        """The part that is used, as a view."""
        return self.data[: self.table.size]

    def grow(self, length: int) -> None:
        """Move to an array of that *length*: what is not used yet takes no memory."""
        grown = np.empty((length, *self.data.shape[1:]), self.data.dtype)
        grown[: self.table.size] = self.used
        self.data = grown
        self.cells = _cells(grown)


class Table:
    """Columns that grow together by their end.

    >>> table = Table(first=(np.int64, 0), second=(np.float64, -1))
    >>> table.append(7, 0.5), table.extend(2), table["second"].used.tolist()
    (0, 1, [0.5, -1.0, -1.0])
    """

    __slots__ = ("_columns", "_length", "columns", "size")

    def __init__(self, **kinds: tuple[Any, ...]) -> None:
        """Start empty; of each column the type, what fills it, and its width where it has rows."""
        self.columns = {
            name: Column(self, kind, fill, width[0] if width else None)
            for name, (kind, fill, *width) in kinds.items()
        }
        self._columns = tuple(self.columns.values())
        self._length = FEW
        self.size = 0

    def __getitem__(self, name: str) -> Column:
        """Return a column."""
        return self.columns[name]

    def append(self, *values: Any) -> int:
        """Add one row, of a value for each column, and return its position."""
        position = self.size
        if position == self._length:
            self._grow(1)
        for column, value in zip(self._columns, values, strict=True):
            column.cells[position] = value
        self.size = position + 1
        return position

    def extend(self, count: int, values: Any = None) -> int:
        """Add *count* rows, of *values* in the only column or of what fills each; return where they start."""
        start, end = self.size, self.size + count
        if end > self._length:
            self._grow(count)
        for column in self._columns:
            column.data[start:end] = column.fill if values is None else values
        self.size = end
        return start

    def hold(self, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        """Hold *arrays*, by column, in place of all that was there.

        Raises:
            KeyError: one is missing.
            ValueError: they are of another kind, shape or length.
        """
        sizes = set()
        for name, column in self.columns.items():
            given, held = arrays[name], column.data
            if not given.ndim or given.dtype != held.dtype or given.shape[1:] != held.shape[1:]:
                raise ValueError(f"{name} is of {given.dtype} and shape {given.shape}, not of {held.dtype}")
            sizes.add(len(given))
            column.data = np.ascontiguousarray(given)
            column.cells = _cells(column.data)
        if len(sizes) > 1:
            raise ValueError(
                f"columns {', '.join(self.columns)} have lengths {sorted(sizes)}; one is allowed"
            )
        self.size = self._length = sizes.pop()

    def _grow(self, count: int) -> None:
        """Make room for *count* rows more, and for half as many as there are."""
        self._length = self.size + max(count, self.size >> 1)
        for column in self._columns:
            column.grow(self._length)


class Index:
    """Finds the position of a key among those added: open addressing over 64-bit hashes.

    It takes about 8 bytes a key, where a dictionary of tuples takes two hundred.
    """

    __slots__ = ("_cells", "_marks", "_size", "slots")

    def __init__(self, marks: Callable[[], npt.NDArray[np.int64]]) -> None:
        """Start empty; *marks* tells the hashes of all keys that were added, in order."""
        self._marks = marks
        self._size = 0
        self.slots = np.full(2 * FEW, EMPTY, np.int32)
        self._cells = _cells(self.slots)

    def start(self, mark: int) -> tuple[Any, int]:
        """Return the slots, and the first of those where a key with that hash may lie."""
        slots = self._cells
        return slots, mark & (len(slots) - 1)

    def find(self, mark: int, same: Callable[[int], bool]) -> int:
        """Return the position of the key with that hash which is the *same*; EMPTY where there is none."""
        slots, place = self.start(mark)
        mask = len(slots) - 1
        position: int
        while (position := slots[place]) != EMPTY:
            if same(position):
                return position
            place = (place + 1) & mask
        return EMPTY

    def add(self, mark: int) -> int:
        """Add a key that is not there yet, by its hash; return its position."""
        if 2 * (self._size + 1) > len(self.slots):
            self._place(self._marks()[: self._size], 2 * len(self.slots))
        position, self._size = self._size, self._size + 1
        slots, mask = self._cells, len(self.slots) - 1
        place = mark & mask
        while slots[place] != EMPTY:
            place = (place + 1) & mask
        slots[place] = position
        return position

    def fill(self) -> None:
        """Take all keys anew."""
        marks = self._marks()
        self._size = len(marks)
        self._place(marks, max(2 * FEW, 1 << (2 * len(marks)).bit_length()))

    def _place(self, marks: npt.NDArray[np.int64], length: int) -> None:
        """Place keys in that many slots, many at a time."""
        slots = np.full(length, EMPTY, np.int32)
        places = marks & (length - 1)
        waiting = np.arange(len(places), dtype=np.int32)
        while len(waiting):
            free = slots[places[waiting]] == EMPTY
            slots[places[waiting[free]]] = waiting[free]  # of several for one slot the last one gets it
            waiting = waiting[slots[places[waiting]] != waiting]
            places[waiting] = (places[waiting] + 1) & (length - 1)
        self.slots, self._cells = slots, _cells(slots)


class Names:
    """Positions of names, in the order they were added."""

    __slots__ = ("_index", "names")

    def __init__(self) -> None:
        """Start empty."""
        self.names: list[str] = []
        self._index = Index(lambda: np.fromiter(map(hash, self.names), np.int64, len(self.names)))

    def __len__(self) -> int:
        """Return the number of names."""
        return len(self.names)

    def __contains__(self, name: str) -> bool:
        """Whether *name* was added."""
        return self.find(name) != EMPTY

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names in order."""
        return iter(self.names)

    def __getitem__(self, name: str) -> int:
        """Return the position of *name*, or raise KeyError."""
        position = self.find(name)
        if position == EMPTY:
            raise KeyError(name)
        return position

    def find(self, name: str) -> int:
        """Return the position of *name*; EMPTY where it was not added."""
        names, (slots, place) = self.names, self._index.start(hash(name))
        mask = len(slots) - 1
        position: int
        while (position := slots[place]) != EMPTY:
            if names[position] == name:
                return position
            place = (place + 1) & mask
        return EMPTY

    def put(self, name: str) -> int:
        """Return the position of *name*, added where it is not there."""
        position = self.find(name)
        return self.add(name) if position == EMPTY else position

    def add(self, name: str) -> int:
        """Add a *name* that is not there yet; return its position."""
        position = self._index.add(hash(name))
        self.names.append(name)
        return position
