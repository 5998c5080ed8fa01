"""Notes that are made of other notes, and capacities that are none."""

from __future__ import annotations

from collections.abc import Iterable

from memspan.errors import ShapeError
from memspan.material import Claim, Note
from memspan.ports import Written


def told(notes: Iterable[Note]) -> list[Claim]:
    """Return *notes* as an author takes them: claims with the notes' own ids."""
    return [Claim(note.id, note.text, time=note.time) for note in notes]


def derived(name: str, kind: str, written: Written, notes: Iterable[Note], time: str | None) -> Note | None:
    """Return what was *written* from *notes* as a note that rests on all that they rest on.

    Nothing where it keeps none of them: a note without claims would be an invention.

    >>> notes = [Note("n1", "Rui cooks.", ("c1",)), Note("n2", "Ana paints.", ("c2", "c1"))]
    >>> derived("s", "summary", Written("Both do.", ("n1", "n2")), notes, None).claims
    ('c1', 'c2')
    """
    known = {note.id: note.claims for note in notes}
    claims = dict.fromkeys(claim for name in written.claims for claim in known.get(name, ()))
    return Note(name, written.text, tuple(claims), kind, time) if claims else None


def allowed(capacity: int | None) -> int | None:
    """Return *capacity*, or raise ShapeError where it is negative."""
    if capacity is not None and capacity < 0:
        raise ShapeError(f"capacity is {capacity}; give a number of claims, 0 or more")
    return capacity
