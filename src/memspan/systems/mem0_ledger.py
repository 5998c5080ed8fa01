"""The memories that Mem0 holds, and what each rests on."""

from __future__ import annotations

from memspan.material import Claim, Note
from memspan.policies import Holding, Likeness
from memspan.systems.said import said


class Ledger:
    """The memories, in the order they were added, and which of them were updated last.

    >>> ledger = Ledger(Likeness())
    >>> name = ledger.add("Ana lives", Claim("c1"))
    >>> ledger.update(name, "Ana lives in Porto", Claim("c2"))
    >>> ledger.holding.note(name).claims
    ('c1', 'c2')
    """

    def __init__(self, likeness: Likeness) -> None:
        """Start empty."""
        self.holding = Holding(likeness)
        self._fresh: dict[str, None] = {}
        self._told: dict[str, dict[str, frozenset[str]]] = {}

    @property
    def newest(self) -> tuple[Note, ...]:
        """The memories, the one written last first."""
        return tuple(self.holding.note(name) for name in reversed(self._fresh))

    def add(self, text: str, claim: Claim) -> str:
        """Hold *text* from *claim* as a new memory and return its id."""
        name, times = claim.id, 1
        while name in self.holding:
            times += 1
            name = f"{claim.id}+{times}"
        self._told[name] = {claim.id: said(text)}
        self.holding.add(Note(name, text, (claim.id,), "fact", claim.time, {"created": claim.time}))
        self._fresh[name] = None
        return name

    def update(self, name: str, text: str, claim: Claim) -> None:
        """Put *text* from *claim* into the memory *name*: its id, place and time of creation stay.

        It then rests on *claim*, and on those claims before it of which *text* keeps every word.
        """
        old, new = self.holding.note(name), said(text)
        kept = {one: words for one, words in self._told[name].items() if words and words <= new}
        self._told[name] = kept | {claim.id: new.difference(*kept.values()) or new}
        self.holding.add(Note(name, text, tuple(self._told[name]), old.kind, claim.time, old.extra))
        del self._fresh[name]
        self._fresh[name] = None

    def delete(self, name: str) -> None:
        """Let go of the memory *name*."""
        self.holding.drop(name)
        del self._fresh[name], self._told[name]
