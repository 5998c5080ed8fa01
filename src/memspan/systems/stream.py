"""A stream of notes with what is known of each, in arrays: scoring looks at all of them at once."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from memspan.material import Note
from memspan.policies import Holding, Likeness

Floats = npt.NDArray[np.float64]
Rows = npt.NDArray[np.int64]
FIRST = 64  # rows to start with


class Stream:
    """Notes in the order they were written, each with a row of its own that is never used again.

    Attributes:
        holding: the notes; a note that is written again moves to the end.
        accessed: by row, when it was last written or read, in hours.
        importance: by row, 1 to 10.
        thought: by row, whether it is an inference.
    """

    def __init__(self, likeness: Likeness) -> None:
        """Start with nothing held."""
        self.holding = Holding(likeness)
        self.accessed, self.importance = np.zeros(FIRST), np.zeros(FIRST)
        self.thought = np.zeros(FIRST, bool)
        self._held = np.zeros(FIRST, bool)
        self._row: dict[str, int] = {}
        self._written = 0

    @property
    def rows(self) -> Rows:
        """The row of each note, in the order of the notes."""
        found: Rows = np.flatnonzero(self._held)
        return found

    def write(self, note: Note, now: float, importance: int) -> None:
        """Hold *note* as the one written last."""
        if note.id in self._row:
            self.drop(note.id)
        row = self._written
        if row == len(self._held):
            self.accessed, self.importance = (
                np.resize(self.accessed, 2 * row),
                np.resize(self.importance, 2 * row),
            )
            self.thought = np.resize(self.thought, 2 * row)
            self._held = np.concatenate([self._held, np.zeros(row, bool)])
        self.accessed[row], self.importance[row] = now, importance
        self.thought[row], self._held[row] = note.kind == "thought", True
        self._row[note.id], self._written = row, row + 1
        self.holding.add(note)

    def access(self, name: str, now: float) -> None:
        """Note that the note with id *name* was read."""
        self.accessed[self._row[name]] = now

    def drop(self, name: str) -> None:
        """Let go of the note with id *name*."""
        self.holding.drop(name)
        self._held[self._row.pop(name)] = False
