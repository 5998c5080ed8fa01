"""One memory system tried on one list of claims: guarded calls, and what they show."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Self, TypeVar, cast

import numpy as np

from memspan.material import Claim, Note, Query, Settlement
from memspan.ports import MemorySystem, Settles, Shrinks
from memspan.testing.trial import Breach, Misbehaved

Make = Callable[[int | None, np.random.Generator], MemorySystem]
Reopen = Callable[[MemorySystem], MemorySystem]
Notes = tuple[Note, ...]
Reads = dict[tuple[str, int], Notes]
"""What was read, by the text of the question and k."""
Answer = TypeVar("Answer")

_ASKED = 4  # texts of claims that are asked for
_STEPS = 16  # times that a long list is looked at on the way
KS = (0, 1, 2, 3)
"""How many notes are asked for."""
_SMALL = (1, 2, 3)  # capacities: some slips show at one of them only


@dataclass(frozen=True)
class Way:
    """How the systems of one check are made and saved.

    Attributes:
        make: builds an empty one.
        capacity: claims it may hold; None for no bound.
        late: it is made without a bound and cut to one afterwards, where it can be.
        seed: of its chance.
        reopen: saves a system and returns it as it is loaded.
    """

    make: Make
    capacity: int | None
    late: bool
    seed: int
    reopen: Reopen


@dataclass(frozen=True)
class Run:
    """A system that has observed all claims, and what it held on the way."""

    system: Guarded
    steps: tuple[Notes, ...]

    @property
    def held(self) -> Notes:
        """What it held at the end."""
        return self.steps[-1]


class Guarded:
    """A system whose every answer is looked at; what it may not do is raised as `Misbehaved`."""

    def __init__(self, system: MemorySystem, law: str) -> None:
        """Take the blame for failures to *law*."""
        self.system, self._law = system, law

    def observe(self, claim: Claim) -> None:
        """Let it observe a copy of *claim*, and see that it stays as it was."""
        copy = replace(claim, costs=dict(claim.costs), extra=dict(claim.extra))
        before = repr(copy)
        self._asked("observe", lambda: self.system.observe(copy))
        if repr(copy) != before:
            raise Misbehaved(
                "leaves claims alone", Breach("claims are left as they were", f"{claim.id} was changed")
            )

    def held(self) -> Notes:
        """Return what it holds."""
        return self._notes("held()", self.system.held)

    def read(self, text: str, k: int) -> Notes:
        """Return what it reads for a question of that *text*."""
        return self._notes(f"read({text[:40]!r}, {k})", lambda: self.system.read(Query("q", text), k))

    def settle(self, settlement: Settlement) -> None:
        """Tell it an outcome, if it learns from any."""
        system = self.system
        if isinstance(system, Settles):
            self._asked("settle", lambda: system.settle(settlement))

    def shrink(self, capacity: int) -> None:
        """Cut it to *capacity*, if it can be."""
        system = self.system
        if isinstance(system, Shrinks):
            self._asked(f"shrink({capacity})", lambda: system.shrink(capacity))

    def _notes(self, asked: str, call: Callable[[], Any]) -> Notes:
        answer = self._asked(asked, call)
        for expected, seen in _misfits(answer):
            raise Misbehaved(self._law, Breach(f"{asked} gives {expected}", seen))
        return cast("Notes", answer)

    def _asked(self, asked: str, call: Callable[[], Answer]) -> Answer:
        try:
            return call()
        except Exception as error:
            seen = f"{type(error).__name__}: {error}"
            raise Misbehaved(self._law, Breach(f"{asked} does its work", seen)) from error


class SystemTrial:
    """Systems on one list of claims, each made anew and closed at the end.

    Args:
        way: how they are made.
        claims: what they observe.
        oddity: what is odd about the claims; empty for everyday ones.
    """

    def __init__(self, way: Way, claims: Sequence[Claim], oddity: str = "") -> None:
        """Make nothing yet."""
        self.way, self.claims, self.oddity = way, tuple(claims), oddity
        self.law = "odd claims" if oddity else "answers"
        self._runs: dict[int | None, Run] = {}
        self._reads: dict[int | None, Reads] = {}
        self._made: list[MemorySystem] = []

    def __enter__(self) -> Self:
        """Return this trial."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the systems that can be closed."""
        for system in self._made:
            with suppress(Exception):
                getattr(system, "close", lambda: None)()

    @property
    def names(self) -> set[str]:
        """The ids of the claims."""
        return {claim.id for claim in self.claims}

    def new(self, capacity: int | None) -> Guarded:
        """Return a system that has observed nothing."""
        bound = None if self.way.late else capacity
        try:
            system = self.way.make(bound, np.random.default_rng(self.way.seed))
        except Exception as error:
            seen = f"{type(error).__name__}: {error}"
            raise Misbehaved(self.law, Breach(f"a system of capacity {bound} is made", seen)) from error
        self._made.append(system)
        return Guarded(system, self.law)

    def reopened(self, system: Guarded) -> Guarded:
        """Return *system* saved and loaded."""
        again = self.way.reopen(system.system)
        self._made.append(again)
        return Guarded(again, self.law)

    def run(self, capacity: int | None) -> Run:
        """Return what a system of *capacity* did, run once."""
        if capacity not in self._runs:
            self._runs[capacity] = self.run_anew(capacity, self.claims)
        return self._runs[capacity]

    def run_anew(self, capacity: int | None, claims: Sequence[Claim]) -> Run:
        """Let a new system observe *claims*; one that is bounded late is cut at the end."""
        system, stride = self.new(capacity), max(len(claims) // _STEPS, 1)
        steps = []
        for i, claim in enumerate(claims):
            system.observe(claim)
            if i % stride == 0:
                steps.append(system.held())
        if self.way.late and capacity is not None:
            system.shrink(capacity)
        return Run(system, (*steps, system.held()))

    def reads(self, capacity: int | None) -> Reads:
        """Return what the system of `run` reads for all questions, read once."""
        if capacity not in self._reads:
            self._reads[capacity] = self.reads_of(self.run(capacity).system)
        return self._reads[capacity]

    def reads_of(self, system: Guarded) -> Reads:
        """Return what *system* reads for all questions."""
        return {(text, k): system.read(text, k) for text in self.questions() for k in KS}

    def capacities(self) -> tuple[int | None, ...]:
        """Return the capacities that are tried: the one that was given, and 1 for its edge."""
        return (None,) if self.way.capacity is None else tuple(dict.fromkeys((self.way.capacity, 1)))

    def every_capacity(self) -> tuple[int | None, ...]:
        """Return the one that was given and all small ones, for laws that look at one run of each."""
        if self.way.capacity is None or self.way.late:
            return self.capacities()
        sizes = tuple(dict.fromkeys((self.way.capacity, *_SMALL)))
        try:
            self.new(0)
        except Misbehaved:
            return sizes  # it may refuse to be made so small
        return (*sizes, 0)

    def questions(self) -> list[str]:
        """Return what is asked: texts of some claims, nothing, and something never heard of."""
        return [*(claim.text for claim in self.claims[:_ASKED]), "", "Who painted the lighthouse?"]


def pickled(system: MemorySystem) -> MemorySystem:
    """Return *system* written to bytes and read again."""
    return cast("MemorySystem", pickle.loads(pickle.dumps(system)))  # noqa: S301 - it was written a moment ago


def resting(notes: Sequence[Note]) -> set[str]:
    """Return the ids of the claims that *notes* rest on: the memory."""
    return {name for note in notes for name in note.claims}


def _misfits(answer: Any) -> Iterator[tuple[str, str]]:
    """Yield what in *answer* the protocol does not allow: expected, seen."""
    if not isinstance(answer, tuple):
        yield "a tuple of notes", f"{type(answer).__name__} {str(answer)[:80]}"
        return
    for note in answer:
        if not isinstance(note, Note):
            yield "notes of type memspan.material.Note", repr(note)[:80]
        elif not _are_names((note.id, note.text)) or not _are_names(note.claims):
            yield "notes whose id and text are text and whose claims are a tuple of ids", repr(note)[:200]
        elif len(set(note.claims)) < len(note.claims):
            yield "notes that name each claim once", repr(note)[:200]


def _are_names(names: Any) -> bool:
    return isinstance(names, tuple) and all(isinstance(name, str) for name in names)
