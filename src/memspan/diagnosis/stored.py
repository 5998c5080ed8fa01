"""A memory that was made elsewhere: notes as they are, and what was read of them where that is known."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from memspan.material import Claim, Material, Note, Query
from memspan.policies import Holding, Likeness

Resting = Mapping[str, tuple[str, ...]]
"""Note id to the claims that it rests on."""


@dataclass(frozen=True)
class Record:
    """What is known of a memory made elsewhere.

    Attributes:
        name: of the store or the run.
        notes: what it holds, each with the claims that it likeliest rests on.
        drawn: other claims they may rest on, drawn by their chance; empty where it is sure.
        reads: ids of the notes that were read, by query; None where that is not known.
        right: how right each query was answered; None where nobody did.
    """

    name: str
    notes: tuple[Note, ...]
    drawn: tuple[Resting, ...] = ()
    reads: Mapping[str, tuple[str, ...]] | None = None
    right: Mapping[str, float] | None = None


class Stored:
    """A record as a `MemorySystem`: it holds what it holds, whatever it observes.

    It reads what was read where that is known, else the notes most like the question.

    >>> store = Stored(Record("store", (Note("n1", "Ana moved to Porto.", ("c1",)),)), Likeness())
    >>> [note.id for note in store.read(Query("q", "When did Ana move?"), 5)]
    ['n1']
    """

    def __init__(self, record: Record, likeness: Likeness) -> None:
        """Take what is known."""
        self.record = record
        self._holding = Holding(likeness)
        for note in record.notes:
            self._holding.add(note)

    @property
    def name(self) -> str:
        """Of the store or the run."""
        return self.record.name

    def observe(self, claim: Claim) -> None:
        """Pass *claim* over: what is held was decided elsewhere."""

    def read(self, query: Query, k: int) -> tuple[Note, ...]:
        """Return what was read for *query*, or the *k* notes most like it."""
        if self.record.reads is None:
            return tuple(note for note, _ in self._holding.nearest(query.text, k))
        return tuple(self._holding.note(name) for name in self.record.reads.get(query.id, ()))

    def held(self) -> tuple[Note, ...]:
        """Return all notes."""
        return self._holding.notes

    def right(self, material: Material) -> tuple[float, ...] | None:
        """Return how right each query of *material* was answered; None where nobody did."""
        if self.record.right is None:
            return None
        return tuple(self.record.right.get(query.id, math.nan) for query in material.queries)


@dataclass(frozen=True)
class Texts:
    """Texts with what they rest on, matched to a material.

    Attributes:
        notes: one for each text, with the claims that it likeliest rests on.
        drawn: the same drawn by chance; empty where all is sure.
        unmatched: ids of the notes that rest on nothing known.
    """

    notes: tuple[Note, ...]
    drawn: tuple[Resting, ...] = field(default=())
    unmatched: tuple[str, ...] = ()


def matched(memories: Sequence[Claim], material: Material, draws: int, seed: int) -> Texts:
    """Match *memories* to the claims of *material*, and draw *draws* times where that is not sure."""
    from memspan.diagnosis.matching import match

    matching = match(memories, material)
    unsure = any(0 < chance < 1 for told in matching.chances.values() for chance in told.values())
    rng = np.random.default_rng(seed)
    drawn = [matching.draw(rng) for _ in range(draws)] if unsure else []
    resting = tuple({note.id: note.claims for note in notes} for notes in drawn)
    return Texts(matching.notes, resting, matching.unmatched)


def record_of_store(store: Material, material: Material, draws: int, seed: int) -> Record:
    """Return what the *store*, whose claims are its memories, holds of *material*.

    >>> from memspan.material import Material
    >>> trip = Material("trip", (Claim("c1", "Ana moved to Porto."), Claim("c2", "Rui cooks.")))
    >>> record_of_store(Material("mine", (Claim("m", "Ana moved to Porto"),)), trip, 20, 0).notes[0].claims
    ('c1',)
    """
    memories = [claim for claim in store.claims if claim.text.strip()]
    texts = matched(memories, material, draws, seed)
    return Record(store.id, texts.notes, texts.drawn)
