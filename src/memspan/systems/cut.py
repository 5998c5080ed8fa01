"""Any system cut to a capacity by the order in which it lists what it holds."""

from __future__ import annotations

from memspan.material import Claim, Note, Query
from memspan.ports import MemorySystem


class Cut:
    """A filled system of which only the first notes count; a `MemorySystem`.

    Notes count from the first on, as long as they rest on at most *capacity* claims together; what
    reading returns besides them is passed over. So a store without a bound of its own can be asked
    what it would be worth at any size.

    >>> from memspan.policies import Everything
    >>> whole = Everything()
    >>> for name in ("a", "b", "c"):
    ...     whole.observe(Claim(name))
    >>> [note.id for note in Cut(whole, 2).held()]
    ['a', 'b']
    """

    def __init__(self, system: MemorySystem, capacity: int) -> None:
        """Cut *system*, which holds all it will hold."""
        self._system = system
        self._kept = {note.id: note for note in within(system.held(), capacity)}

    @property
    def name(self) -> str:
        """The system's own."""
        return self._system.name

    def observe(self, claim: Claim) -> None:
        """Refuse: the system was filled before it was cut."""
        raise NotImplementedError(f"{self.name} was cut after {claim.id} could have been observed")

    def read(self, query: Query, k: int) -> tuple[Note, ...]:
        """Return the *k* best of the notes that count."""
        everything = self._system.read(query, max(len(self._system.held()), k))
        return tuple(note for note in everything if note.id in self._kept)[: max(k, 0)]

    def held(self) -> tuple[Note, ...]:
        """Return the notes that count."""
        return tuple(self._kept.values())


def within(notes: tuple[Note, ...], capacity: int) -> tuple[Note, ...]:
    """Return the first of *notes* that rest on at most *capacity* claims; one that would not fit is left out.

    >>> [note.id for note in within((Note("n", claims=("a", "b")), Note("m", claims=("c",))), 1)]
    ['m']
    """
    resting: set[str] = set()
    kept: list[Note] = []
    for note in notes:
        if len(resting | set(note.claims)) <= capacity:
            resting |= set(note.claims)
            kept.append(note)
    return tuple(kept)
