"""What an audit finds: frozen results, no computing beyond sums."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from memspan.material import Dropped, Material

Confidence = Literal["sure", "likely"]
Kind = Literal[
    "empty",
    "exact",
    "recalled",
    "version",
    "near",
    "noise",
    "boilerplate",
    "vague",
    "provenance",
    "scope",
]
REMOVABLE: tuple[Kind, ...] = ("empty", "exact", "recalled", "version", "near", "noise", "boilerplate")
"""Kinds whose memories can go, in the order in which one that fits several is counted."""
TITLES: Mapping[Kind, str] = {
    "empty": "empty or unreadable",
    "exact": "exact duplicates",
    "recalled": "recalled and stored again",
    "version": "superseded versions",
    "near": "near duplicates",
    "noise": "repeated machine notes",
    "boilerplate": "prompts and stock phrases",
    "vague": "too vague alone",
    "provenance": "without provenance",
    "scope": "without scope",
}
"""Kinds in words, in the plural."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Some memories and what is wrong with them together.

    Attributes:
        kind: what it is, one of `TITLES`.
        memories: ids, in the order of the store; `keep` is among them where there is one.
        reason: one plain sentence.
        confidence: ``sure`` is read off the text or told by the store, ``likely`` is a judgement.
        keep: the memory that says it all, where the others repeat or precede it.
    """

    kind: Kind
    memories: tuple[str, ...]
    reason: str
    confidence: Confidence
    keep: str | None = None

    @property
    def others(self) -> tuple[str, ...]:
        """The memories without the one to keep."""
        return tuple(name for name in self.memories if name != self.keep)


@dataclass(frozen=True, slots=True)
class Removal:
    """One memory that can go, each once, whatever else is wrong with it.

    Attributes:
        memory: its id.
        kind, reason, confidence: of the finding that counts for it.
        keep: a memory that stays and says what this one said; None where there was nothing to say.
        tokens: an estimate of what it takes.
    """

    memory: str
    kind: Kind
    reason: str
    confidence: Confidence
    keep: str | None
    tokens: int


@dataclass(frozen=True, slots=True)
class Period:
    """What was written in one day, week, month or year.

    Attributes:
        start: its first day, in ISO 8601.
        memories: how many were written.
        tokens: what they take, an estimate.
        repeats: how many of them said what was already there.
    """

    start: str
    memories: int
    tokens: int
    repeats: int


@dataclass(frozen=True, slots=True)
class Growth:
    """How a store grew.

    Attributes:
        unit: ``day``, ``week``, ``month`` or ``year``, whichever fits.
        periods: all from the first to the last in which something was written.
        undated: memories without a readable time.
    """

    unit: str
    periods: tuple[Period, ...] = ()
    undated: int = 0


@dataclass(frozen=True, slots=True)
class Heard:
    """What the memories were held against of a transcript.

    Attributes:
        turns: all of it.
        assistant: turns of an assistant, the only ones that hand memories out.
        repeats: memories that repeat what an assistant handed out from memory.
    """

    turns: int
    assistant: int
    repeats: int


@dataclass(frozen=True)
class Audit:
    """What a store of memories holds that it need not.

    No question was asked, so what is *useful* stays unknown: what is not listed here may still be
    of no use.

    Attributes:
        material: the store; its claims are the memories.
        findings: everything found, by kind.
        removals: the memories that can go, in the order of the store.
        growth: what was written when.
        tokens: of each memory in order, an estimate.
        limits: what was not looked at, and why; empty where all was.
        heard: what a transcript told; None without one.
    """

    material: Material
    findings: tuple[Finding, ...]
    removals: tuple[Removal, ...]
    growth: Growth
    tokens: tuple[int, ...]
    limits: tuple[str, ...] = ()
    heard: Heard | None = None

    @property
    def memories(self) -> int:
        """How many memories the store holds."""
        return len(self.material.claims)

    @property
    def unread(self) -> tuple[Dropped, ...]:
        """What the loader could not read as a memory."""
        return tuple(each for each in self.material.dropped if not each.kept)

    @cached_property
    def all_tokens(self) -> int:
        """What all memories take, an estimate."""
        return sum(self.tokens)

    def removable(self, confidence: Confidence | None = None) -> tuple[Removal, ...]:
        """Return the memories that can go: all, or those of one *confidence*."""
        return tuple(each for each in self.removals if confidence in (None, each.confidence))

    def share(self, removals: Collection[Removal]) -> float:
        """Return the share of all tokens that *removals* take, in [0, 1]."""
        return sum(each.tokens for each in removals) / self.all_tokens if self.all_tokens else 0.0

    def counts(self, confidence: Confidence | None = None) -> Mapping[Kind, int]:
        """Return how many memories can go by kind, those without any left out."""
        found = Counter(each.kind for each in self.removable(confidence))
        return {kind: found[kind] for kind in REMOVABLE if found[kind]}

    def flagged(self, kind: Kind) -> int:
        """Return how many memories the findings of *kind* name, the ones to keep left out."""
        return len({name for each in self.findings if each.kind == kind for name in each.others})

    def longest(self, most: int = 10) -> tuple[tuple[str, int], ...]:
        """Return ids and tokens of the longest memories, longest first."""
        rows = zip((claim.id for claim in self.material.claims), self.tokens, strict=True)
        return tuple(sorted(rows, key=lambda row: -row[1])[:most])
