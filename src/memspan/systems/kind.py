"""What a registered memory system is made from, and what outputs tell of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from memspan.material import Material
from memspan.policies import Likeness
from memspan.ports import Author, MemorySystem
from memspan.systems.author import PlainAuthor


def _seeded() -> np.random.Generator:
    return np.random.default_rng(0)


@dataclass(frozen=True)
class Setting:
    """What a system is made with.

    Attributes:
        capacity: claims that its notes may rest on; None for no bound.
        likeness: how alike texts are; systems on one material share it.
        author: what writes the parts that a language model writes in the original.
        rng: its own source of chance.
    """

    capacity: int | None = None
    likeness: Likeness = field(default_factory=Likeness)
    author: Author = field(default_factory=PlainAuthor)
    rng: np.random.Generator = field(default_factory=_seeded)


@dataclass(frozen=True)
class SystemKind:
    """A system that can be named.

    Attributes:
        name: e.g. ``memorybank``.
        variant: ``released`` as the code does it, ``paper`` as it was published, or another word
            for a way of use; empty where there is one way only.
        make: builds a new, empty one.
        k: notes that it reads for a question; None for all.
        bounded: its choice depends on the capacity, so that each capacity needs a run of its own;
            others are run once and cut by their own ranking.
        needs_capacity: without a capacity it is full context, so that it is shown at capacities only.
        fixed: what it holds is a record that no capacity can change.
        source: where its rules stand; of a write rule, its file.
        was_fitted_on: says whether it was fitted on a material, so that it is flattered there; None for
            what was fitted on none.
    """

    name: str
    variant: str
    make: Callable[[Setting], MemorySystem]
    k: int | None
    bounded: bool = False
    needs_capacity: bool = False
    fixed: bool = False
    source: str = ""
    was_fitted_on: Callable[[Material], bool] | None = field(default=None, compare=False)

    @property
    def label(self) -> str:
        """Name and variant, as it is written on the command line."""
        return f"{self.name}:{self.variant}" if self.variant else self.name
