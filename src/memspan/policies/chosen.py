"""A memory chosen beforehand: the optimum of a capacity, or one given by hand."""

from __future__ import annotations

from collections.abc import Sequence

from memspan.material import Claim, Note, Query
from memspan.policies.holding import Holding, note_of
from memspan.policies.likeness import Likeness


class Chosen:
    """Holds just the claims it was told to hold, and reads by similarity; a `MemorySystem`.

    >>> memory = Chosen("optimum", ["e1", "e3"], Likeness())
    >>> for name in ("e1", "e2", "e3"):
    ...     memory.observe(Claim(name))
    >>> [note.id for note in memory.held()]
    ['e1', 'e3']
    """

    def __init__(self, name: str, claims: Sequence[str], likeness: Likeness) -> None:
        """Choose *claims*, by id."""
        self._name, self._chosen = name, frozenset(claims)
        self._holding = Holding(likeness)

    @property
    def name(self) -> str:
        """As it was given."""
        return self._name

    def observe(self, claim: Claim) -> None:
        """Hold *claim* if it was chosen."""
        if claim.id in self._chosen:
            self._holding.add(note_of(claim))

    def read(self, query: Query, k: int) -> tuple[Note, ...]:
        """Return the *k* notes most like the question."""
        return tuple(note for note, _ in self._holding.nearest(query.text, k))

    def held(self) -> tuple[Note, ...]:
        """Return the notes in the order of the source."""
        return self._holding.notes
