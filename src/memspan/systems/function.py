"""A plain function is a memory system: it says which claims to hold."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from memspan.errors import ContractError
from memspan.material import Claim, Note, Query
from memspan.policies import Holding, Likeness, note_of
from memspan.systems.kind import Setting, SystemKind
from memspan.systems.picking import Offer

Keep = Callable[[Sequence[Claim], int], Any]
"""From the claims observed so far and the capacity to what to hold of them."""
Read = Callable[[Query, Sequence[Claim], int], Any]
"""From a question, the claims that are held and k to what to read of them."""

READ = 10
"""Notes that a function's system reads for a question."""


class FunctionSystem:
    """Holds what a function says, asked anew when claims have come; implements `memspan.ports.MemorySystem`.

    The function sees all claims observed so far, each id once as it came last, in the order of the
    source. It is asked when somebody looks, not for each claim. A rule that must do with what it
    holds is a class of its own.

    Args:
        name: as outputs name it.
        keep: says which claims to hold, see `function_system`.
        read: says which of them to read; None reads those most like the question.
        capacity: claims held at most; with None the function is asked with as many as there are.
        likeness: how alike texts are.

    >>> def newest(claims, capacity):
    ...     return claims[-capacity:]
    >>> memory = FunctionSystem("newest", newest, None, 2, Likeness())
    >>> for name in ("a", "b", "c"):
    ...     memory.observe(Claim(name))
    >>> [note.id for note in memory.held()]
    ['b', 'c']
    """

    def __init__(
        self, name: str, keep: Keep, read: Read | None, capacity: int | None, likeness: Likeness
    ) -> None:
        """Start with nothing held."""
        self._name, self._keep, self._read, self._capacity = name, keep, read, capacity
        self._observed: dict[str, Claim] = {}
        self._likeness = likeness
        self._holding: Holding | None = Holding(likeness)

    @property
    def name(self) -> str:
        """As it was given."""
        return self._name

    def observe(self, claim: Claim) -> None:
        """Take *claim*; the function is asked later."""
        self._observed[claim.id] = claim
        self._holding = None

    def held(self) -> tuple[Note, ...]:
        """Return the claims that the function picked, in its order; of scores the highest first.

        Raises:
            MemspanError: what the function returned cannot be used.
        """
        return self._kept().notes

    def read(self, query: Query, k: int) -> tuple[Note, ...]:
        """Return at most *k* notes: those that the reading function picks, or most like the question.

        Raises:
            MemspanError: what a function returned cannot be used.
        """
        holding = self._kept()
        if self._read is None or k < 1 or not len(holding):
            return tuple(note for note, _ in holding.nearest(query.text, k))
        ids = [note.id for note in holding.notes]
        answer = self._read(query, [self._observed[name] for name in ids], k)
        return tuple(
            holding.note(name) for name in Offer(f"read of {self._name}", ids, k, "k").picked(answer)
        )

    def _kept(self) -> Holding:
        if self._holding is None:
            holding = Holding(self._likeness)
            for name in self._picked():
                holding.add(note_of(self._observed[name]))
            self._holding = holding
        return self._holding

    def _picked(self) -> tuple[str, ...]:
        most = len(self._observed) if self._capacity is None else self._capacity
        if most < 1:
            return ()  # an everyday slip, claims[-0:], would pick them all
        answer = self._keep(list(self._observed.values()), most)
        return Offer(f"keep of {self._name}", tuple(self._observed), most, "capacity").picked(answer)


@dataclass(frozen=True)
class _FromFunction:
    """Makes the systems of a function; can be pickled where the functions can."""

    name: str
    keep: Keep
    read: Read | None

    def __call__(self, setting: Setting) -> FunctionSystem:
        return FunctionSystem(self.name, self.keep, self.read, setting.capacity, setting.likeness)


def function_system(keep: Keep, read: Read | None = None, name: str | None = None) -> SystemKind:
    """Return a function as a kind of memory system.

    Args:
        keep: called as ``keep(claims, capacity)``; returns which claims to hold: their ids or the claims
            themselves, at most *capacity*; or a score for each claim as a list, or a dict of id to
            score, of which the highest stay and those without a score go.
        read: called as ``read(query, held_claims, k)``; returns which to read, in any of these forms, at
            most k, best first. By default those most like the question.
        name: as outputs name it; by default the name of the function.

    Returns:
        A kind; it can be pickled where the functions can, that is where they have a name in a module.

    Raises:
        ContractError: *keep* or *read* cannot be called.

    >>> def longest(claims, capacity):
    ...     return [len(claim.text) for claim in claims]
    >>> kind = function_system(longest)
    >>> memory = kind.make(Setting(capacity=1))
    >>> for name, text in (("a", "Rui."), ("b", "Rui cooks."), ("c", "Ana.")):
    ...     memory.observe(Claim(name, text))
    >>> kind.label, [note.id for note in memory.held()]
    ('longest', ['b'])
    """
    for given, called in ((keep, "keep(claims, capacity)"), (read, "read(query, held_claims, k)")):
        if given is not None and not callable(given):
            raise ContractError(f"{given!r} is no function; give one that is called as {called}")
    own = getattr(keep, "__name__", type(keep).__name__)
    name = name or ("function" if own == "<lambda>" else own)
    return SystemKind(name, "", _FromFunction(name, keep, read), READ, bounded=True)
