"""What a system holds: notes in the order they came, and which of them are like a text."""

from __future__ import annotations

from collections import Counter
from itertools import islice

import numpy as np
import numpy.typing as npt

from memspan.errors import UnknownName
from memspan.material import Claim, Note
from memspan.policies.likeness import Likeness

Floats = npt.NDArray[np.float32]
_NONE = np.zeros(0, np.int64)


def note_of(claim: Claim) -> Note:
    """Return *claim* as a note: its text, resting on it alone.

    >>> note_of(Claim("c1", "Rui cooks.")).claims
    ('c1',)
    """
    return Note(claim.id, claim.text, (claim.id,), time=claim.time)


class Holding:
    """Notes, in the order they came.

    >>> holding = Holding(Likeness())
    >>> holding.add(note_of(Claim("c1", "Rui cooks.")))
    >>> holding.add(note_of(Claim("c2", "Ana moved to Porto.")))
    >>> [note.id for note, _ in holding.nearest("When did Ana move?", 1)]
    ['c2']
    """

    def __init__(self, likeness: Likeness) -> None:
        """Start with nothing held; *likeness* may be shared with other systems."""
        self.likeness = likeness
        self._notes: dict[str, Note] = {}
        self._resting: Counter[str] = Counter()
        self._places = _NONE  # of the first notes, as far as they are known to stand where they stood

    @property
    def notes(self) -> tuple[Note, ...]:
        """All notes, in the order they came."""
        return tuple(self._notes.values())

    @property
    def size(self) -> int:
        """How many claims the notes rest on."""
        return len(self._resting)

    def __len__(self) -> int:
        """How many notes there are."""
        return len(self._notes)

    def __contains__(self, name: str) -> bool:
        """Whether there is a note of that id."""
        return name in self._notes

    def note(self, name: str) -> Note:
        """Return the note with id *name*, or raise UnknownName."""
        if name not in self._notes:
            raise UnknownName(f"no note {name!r} is held")
        return self._notes[name]

    def add(self, note: Note) -> None:
        """Hold *note*: at the end, or in the place of the one with its id."""
        if note.id in self._notes:
            self._release(self._notes[note.id])
            self._places = _NONE
        self._notes[note.id] = note
        self._resting.update(note.claims)

    def drop(self, name: str) -> Note:
        """Let go of the note with id *name* and return it, or raise UnknownName."""
        note = self.note(name)
        del self._notes[name]
        self._release(note)
        self._places = _NONE
        return note

    def _release(self, note: Note) -> None:
        self._resting.subtract(note.claims)
        for claim in note.claims:
            if not self._resting[claim]:
                del self._resting[claim]

    def similarity(self, text: str) -> Floats:
        """Return the cosine of *text* with each note, in the order of `notes`."""
        if len(self._places) < len(self._notes):
            later = islice(self._notes.values(), len(self._places), None)
            places = self.likeness.places([note.text for note in later])
            self._places = np.concatenate([self._places, places])
        return self.likeness.to(text)[self._places]

    def nearest(self, text: str, k: int, least: float = -1.0) -> list[tuple[Note, float]]:
        """Return at most *k* notes most like *text* with their cosine, at least *least*; ties by age."""
        if not self._notes or k < 1:
            return []
        alike, notes = self.similarity(text), self.notes
        order = best(alike, k)
        return [(notes[i], float(alike[i])) for i in order if alike[i] >= least]


def best(scores: npt.NDArray[np.floating], k: int) -> list[int]:
    """Return the positions of the *k* highest scores, highest first; of equal ones the earlier first.

    >>> best(np.array([0.1, 0.5, 0.5]), 2)
    [1, 2]
    """
    count = len(scores)
    if not 0 < k < count:
        chosen = np.argsort(-scores, kind="stable")[: max(k, 0)]
    else:
        near = np.flatnonzero(scores >= np.partition(scores, count - k)[count - k])
        chosen = near[np.argsort(-scores[near], kind="stable")][:k]
    order: list[int] = chosen.tolist()
    return order
