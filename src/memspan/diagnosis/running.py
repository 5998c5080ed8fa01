"""A system on a material: what it holds at each capacity, and what it reads for each question."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from hashlib import blake2b

import numpy as np

from memspan.diagnosis.ground import Ground
from memspan.diagnosis.stored import Record, Resting, Stored
from memspan.errors import ShapeError
from memspan.language.tokens import count_tokens
from memspan.material import Material, Note
from memspan.policies import Chosen, Likeness
from memspan.ports import AnswerJudge, Author, MemorySystem, Reasoner, Shrinks
from memspan.systems.cut import Cut
from memspan.systems.kind import Setting, SystemKind
from memspan.trust import believed

OPTIMUM = SystemKind("optimum", "", lambda setting: Chosen("optimum", (), setting.likeness), 10, bounded=True)
"""The best known memory of each capacity; it is chosen knowing the questions, so nothing is above it."""

BELIEVED = SystemKind(
    "believed", "", lambda setting: Chosen("believed", (), setting.likeness), 10, bounded=True
)
"""The memory chosen knowing the questions and what is believed about the claims, but not what is true."""


@dataclass(frozen=True)
class Asked:
    """How systems are run.

    Attributes:
        capacities: claims held at most, in the order asked for; some may be alike.
        k: notes read for a question; each system's own number where None.
        author: what writes the model-made parts.
        reasoner, judge: what answers and who judges; None where nobody answers.
        seed: of all chance.
    """

    capacities: tuple[int, ...]
    k: int | None
    author: Author
    reasoner: Reasoner | None
    judge: AnswerJudge | None
    seed: int


@dataclass(frozen=True)
class Run:
    """One system at one capacity, filled and asked.

    Attributes:
        kind: which system.
        capacity: claims it may hold; None where it has no bound.
        held: its notes.
        read: the notes read for each query.
        right: how right the answers were; None where nobody answered.
        k: notes read for a question; None for all.
        drawn: claims that the notes may rest on, where that is not sure.
        place: the how-manieth of the capacities asked for this is; None at its own size.
    """

    kind: SystemKind
    capacity: int | None
    held: tuple[Note, ...]
    read: tuple[tuple[Note, ...], ...]
    right: tuple[float, ...] | None
    k: int | None
    drawn: tuple[Resting, ...] = ()
    place: int | None = None

    @property
    def tokens_held(self) -> int:
        """Words and punctuation marks of all notes."""
        return sum(map(_tokens, self.held))

    def tokens_read(self, material: Material) -> float:
        """Return the tokens read for a question, on average by weight."""
        weights = [query.weight for query in material.queries]
        read = [sum(map(_tokens, notes)) for notes in self.read]
        total = sum(weights)
        return sum(w * n for w, n in zip(weights, read, strict=True)) / total if total else 0.0


def _tokens(note: Note) -> int:
    return _counted(note.text)


@lru_cache(maxsize=1 << 16)
def _counted(text: str) -> int:
    """Count the tokens of a text that many systems hold and read many times."""
    return count_tokens(text)


def runs_of(kind: SystemKind, ground: Ground, likeness: Likeness, asked: Asked) -> Iterator[Run]:
    """Yield *kind* at each capacity, the largest first, and at its own size where it has one."""
    for capacity, system in _filled(kind, ground, likeness, asked):
        run = _run(kind, capacity, system, ground.material, asked)
        places = [i for i, each in enumerate(asked.capacities) if each == capacity]
        yield from (replace(run, place=place) for place in places) if places else (run,)


def _filled(
    kind: SystemKind, ground: Ground, likeness: Likeness, asked: Asked
) -> Iterator[tuple[int | None, MemorySystem]]:
    capacities = sorted(set(asked.capacities), reverse=True)
    if kind is OPTIMUM:
        for capacity, memory in zip(capacities, ground.frontier.memories(capacities), strict=True):
            yield capacity, _observed(Chosen(kind.name, memory, likeness), ground.material)
        return
    if kind is BELIEVED:
        for capacity in capacities:
            chosen = Chosen(kind.name, _most_believed(ground, capacity), likeness)
            yield capacity, _observed(chosen, ground.material)
        return
    if kind.bounded:
        for capacity in capacities:
            setting = replace(_setting(kind, ground.material, likeness, asked), capacity=capacity)
            with _open(kind.make(setting)) as system:
                yield capacity, _observed(system, ground.material)
        return
    with _open(kind.make(_setting(kind, ground.material, likeness, asked))) as system:
        _observed(system, ground.material)
        if not kind.needs_capacity:
            yield None, system
        for capacity in [] if kind.fixed else capacities:
            yield capacity, _cut(system, capacity)


def _most_believed(ground: Ground, capacity: int) -> tuple[str, ...]:
    """Return the claims of the memory expected to answer most by true claims."""
    world = ground.worlds[0]
    if world.beliefs is None:
        raise ShapeError(
            f"nothing is believed about {ground.material.id!r}: 'believed' needs trust= (--trust)"
        )
    memory = believed(world.coverage, world.beliefs, capacity).memory
    return tuple(world.coverage.claims[i] for i in np.flatnonzero(memory).tolist())


def _cut(system: MemorySystem, capacity: int) -> MemorySystem:
    if not isinstance(system, Shrinks):
        return Cut(system, capacity)
    system.shrink(capacity)
    return system


@contextmanager
def _open(system: MemorySystem) -> Iterator[MemorySystem]:
    """Give *system*, and close it where it can be closed: a package may hold files and connections."""
    try:
        yield system
    finally:
        close = getattr(system, "close", None)
        if callable(close):
            close()


def _setting(kind: SystemKind, material: Material, likeness: Likeness, asked: Asked) -> Setting:
    """Return a setting whose chance depends on nothing but the seed, the material and the system."""
    name = f"{asked.seed}/{material.id}/{kind.label}".encode()
    drawn = int.from_bytes(blake2b(name, digest_size=8).digest(), "big")
    return Setting(None, likeness, asked.author, np.random.default_rng(drawn))


def _observed(system: MemorySystem, material: Material) -> MemorySystem:
    for claim in material.claims:
        system.observe(claim)
    return system


def _run(
    kind: SystemKind, capacity: int | None, system: MemorySystem, material: Material, asked: Asked
) -> Run:
    held = system.held()
    k = kind.k if asked.k is None or kind.k is None else asked.k
    count = len(held) if k is None else k
    read = tuple(system.read(query, count) for query in material.queries)
    if not isinstance(system, Stored):
        return Run(kind, capacity, held, read, _judged(material, read, asked), k)
    right = system.right(material) or _judged(material, read, asked)
    return Run(kind, capacity, held, read, right, k, system.record.drawn)


def _judged(material: Material, read: tuple[tuple[Note, ...], ...], asked: Asked) -> tuple[float, ...] | None:
    """Return how right the answers are that a reasoner gives from what was read, and from nothing else."""
    if asked.reasoner is None or asked.judge is None:
        return None
    return tuple(
        asked.judge.judge(query, asked.reasoner.reason(query, notes))
        for query, notes in zip(material.queries, read, strict=True)
    )


AS_IT_IS = "as it is"
"""Variant of a store that is placed as it is."""


def recorded_kind(record: Record, variant: str = "") -> SystemKind:
    """Return a memory made elsewhere as a system; it reads ten notes where nothing else is known."""
    return SystemKind(record.name, variant, partial(_stored, record), 10, fixed=True)


def _stored(record: Record, setting: Setting) -> MemorySystem:
    return Stored(record, setting.likeness)


def memory_given(claims: Sequence[str]) -> SystemKind:
    """Return the memory that holds *claims*, ids, as a system of its own size.

    >>> memory_given(["e1", "e3"]).label
    'the memory given'
    """
    return SystemKind("the memory given", "", partial(_given, tuple(claims)), 10, fixed=True)


def _given(claims: tuple[str, ...], setting: Setting) -> MemorySystem:
    return Chosen("the memory given", claims, setting.likeness)
