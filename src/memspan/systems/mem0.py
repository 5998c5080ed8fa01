"""Mem0: facts that a model extracts, and adds, merges or deletes."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from memspan.material import Claim, Note, Query
from memspan.policies import Likeness
from memspan.ports import Author, Verdict
from memspan.systems.kind import Setting, SystemKind
from memspan.systems.mem0_ledger import Ledger
from memspan.systems.mem0_search import Search

# mem0ai/mem0 tag v1.0.0, mem0/memory/main.py, _add_to_vector_store
OLD_PER_FACT = 5  # memories that the model is shown for each fact; the paper says 10
# evaluation/run_experiments.py: top_k of the paper's runs on LoCoMo
READ_PAPER = 30
# mem0ai/mem0 @8d5b7865 (mem0ai 2.2.1), mem0/memory/main.py, _add_to_vector_store and search
OLD_PER_MESSAGE = 10  # memories that the model is shown, and that a new text is checked against
RECENT = 10  # messages before this one that the model is shown
READ_RELEASED = 20


@dataclass(frozen=True, slots=True)
class Operation:
    """What the model says is to be done.

    Attributes:
        event: what to do.
        text: the new text; what has none is passed over, whatever the event.
        old: which of the memories shown it is about; None for ``add``.
    """

    event: Verdict
    text: str
    old: int | None = None


Facts = Callable[[Claim, Sequence[str], Sequence[str]], Sequence[str]]
"""The first call to a model: a message, the memories and the earlier messages shown, to facts."""
Decide = Callable[[Sequence[str], Sequence[str]], Sequence[Operation]]
"""The second call to a model, in the paper's variant: the facts and the memories shown, to operations."""


def as_told(claim: Claim, old: Sequence[str], recent: Sequence[str]) -> tuple[str, ...]:  # noqa: ARG001
    """Return the text of *claim* as the one fact in it: what claims are, facts are here."""
    return (claim.text,)


@dataclass(frozen=True)
class ByAuthor:
    """Decides about each fact by `Author.compare`; the new text of an update is the fact itself.

    >>> from memspan.systems.author import PlainAuthor
    >>> ByAuthor(PlainAuthor())(["Ana lives in Porto"], ["Rui cooks", "Ana lives"])
    (Operation(event='update', text='Ana lives in Porto', old=1),)
    """

    author: Author

    def __call__(self, facts: Sequence[str], old: Sequence[str]) -> tuple[Operation, ...]:
        """Return one operation for each of *facts*."""
        verdicts = [self.author.compare(fact, old) for fact in facts]
        return tuple(Operation(event, fact, at) for fact, (event, at) in zip(facts, verdicts, strict=True))


class Way(Protocol):
    """How a version of Mem0 writes and searches."""

    ledger: Ledger

    def write(self, claim: Claim) -> None:
        """Take one message."""
        ...

    def forget(self, name: str) -> None:
        """Let go of one memory."""
        ...

    def find(self, text: str, k: int) -> Sequence[Note]:
        """Return at most *k* memories for *text*, best first."""
        ...


class Mem0:
    """Holds facts, each message being one claim; a `MemorySystem` with `Shrinks`.

    It has no bound. Its own ranking is by last writing, the newest first.

    >>> from memspan.systems.author import PlainAuthor
    >>> memory = Mem0(Merging(Likeness(), ByAuthor(PlainAuthor())))
    >>> for name, text in (("a", "Ana lives."), ("b", "Rui cooks."), ("c", "Ana lives in Porto.")):
    ...     memory.observe(Claim(name, text))
    >>> [(note.text, note.claims) for note in memory.held()]
    [('Ana lives in Porto.', ('a', 'c')), ('Rui cooks.', ('b',))]
    """

    name = "mem0"

    def __init__(self, way: Way, capacity: int | None = None) -> None:
        """Start with nothing held; *way* is `Merging`, as in the paper, or `Adding`, as released."""
        self._way, self._capacity = way, capacity

    def observe(self, claim: Claim) -> None:
        """Write what the models make of *claim*, then let go of the oldest where there is too much."""
        self._way.write(claim)
        if self._capacity is not None:
            self.shrink(self._capacity)

    def shrink(self, capacity: int) -> None:
        """Let go of what was written longest ago until the rest rests on at most *capacity* claims."""
        ledger = self._way.ledger
        for note in reversed(ledger.newest):
            if ledger.holding.size <= capacity:
                return
            self._way.forget(note.id)

    def held(self) -> tuple[Note, ...]:
        """Return the memories, the one written last first."""
        return self._way.ledger.newest

    def read(self, query: Query, k: int) -> tuple[Note, ...]:
        """Return at most *k* memories for the question."""
        return tuple(self._way.find(query.text, k))


class Merging:
    """Version 1, of the paper: a model adds, updates, deletes or does nothing.

    For each fact the five most similar memories are collected, each once; then one call decides about
    all facts, and its operations are carried out in order. An operation on a memory that is gone, or
    without a text, does nothing. Search is by likeness alone.
    """

    def __init__(self, likeness: Likeness, decide: Decide, facts: Facts = as_told) -> None:
        """Start with nothing held; *facts* and *decide* are the two calls to a model."""
        self.ledger = Ledger(likeness)
        self._facts, self._decide = facts, decide

    def write(self, claim: Claim) -> None:
        """Extract facts, look for what is held of them, decide, and do it."""
        facts = self._facts(claim, (), ())
        holding = self.ledger.holding
        shown = {note.id: note.text for fact in facts for note, _ in holding.nearest(fact, OLD_PER_FACT)}
        names = tuple(shown)
        for operation in self._decide(facts, tuple(shown.values())) if facts else ():
            self._do(operation, names, claim)

    def _do(self, operation: Operation, shown: Sequence[str], claim: Claim) -> None:
        if not operation.text or operation.event == "none":
            return
        if operation.event == "add":
            self.ledger.add(operation.text, claim)
        elif operation.old is None or not 0 <= operation.old < len(shown):
            return  # the model names a memory that it was not shown: logged and passed over in the code
        elif shown[operation.old] not in self.ledger.holding:
            return
        elif operation.event == "update":
            self.ledger.update(shown[operation.old], operation.text, claim)
        else:
            self.ledger.delete(shown[operation.old])

    def forget(self, name: str) -> None:
        """Let go of the memory *name*."""
        self.ledger.delete(name)

    def find(self, text: str, k: int) -> tuple[Note, ...]:
        """Return the *k* memories most like *text*."""
        return tuple(note for note, _ in self.ledger.holding.nearest(text, k))


class Adding:
    """Version 2, as released: one call extracts what is new, and all of it is added.

    The model is shown the ten memories most like the message and the ten messages before it. A text
    that one of those ten memories has word for word, or that was extracted twice, is left out (the
    code compares MD5 sums); what other memories hold is not looked at. Nothing is updated or deleted.
    """

    def __init__(self, likeness: Likeness, facts: Facts = as_told) -> None:
        """Start with nothing held; *facts* is the call to a model."""
        self.ledger = Ledger(likeness)
        self._facts = facts
        self._search = Search(self.ledger.holding, likeness.apart("entities"))
        self._recent: deque[str] = deque(maxlen=RECENT)

    def write(self, claim: Claim) -> None:
        """Extract facts and add those that are not among the memories shown."""
        near = self.ledger.holding.nearest(claim.text, OLD_PER_MESSAGE)
        shown = tuple(note.text for note, _ in near)
        facts = self._facts(claim, shown, tuple(self._recent))
        new = [text for text in dict.fromkeys(facts) if text and text not in shown]
        self._search.added([(self.ledger.add(text, claim), text) for text in new])
        self._recent.append(claim.text)

    def forget(self, name: str) -> None:
        """Let go of the memory *name*."""
        self.ledger.delete(name)
        self._search.dropped(name)

    def find(self, text: str, k: int) -> Sequence[Note]:
        """Return at most *k* memories by likeness, words and names."""
        return self._search.find(text, k)


def paper(setting: Setting) -> Mem0:
    """Return Mem0 as it was published."""
    return Mem0(Merging(setting.likeness, ByAuthor(setting.author)), setting.capacity)


def released(setting: Setting) -> Mem0:
    """Return Mem0 as it is today."""
    return Mem0(Adding(setting.likeness), setting.capacity)


KINDS = (
    SystemKind(
        "mem0",
        "released",
        released,
        READ_RELEASED,
        source="mem0ai/mem0@8d5b7865 mem0/memory/main.py, mem0/utils/scoring.py",
    ),
    SystemKind(
        "mem0",
        "paper",
        paper,
        READ_PAPER,
        source="mem0ai/mem0@v1.0.0 mem0/memory/main.py; arXiv 2504.19413",
    ),
)
