"""What a memory covers and what is read of it, question by question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from memspan.coverage import Memory, covered
from memspan.coverage.utilities import holding
from memspan.diagnosis.ground import World
from memspan.diagnosis.trusted import believed

Flags = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]
Read = frozenset[int]
"""Positions of the claims that were read for a question."""


@dataclass(frozen=True)
class Measured:
    """One memory in one world; arrays hold one entry for each query of the material.

    Attributes:
        world: where it was measured.
        memory: the claims held.
        covered: some support is held.
        precise: some support of true claims alone is held.
        read: some such support was read.
        right: 1 where the answer was right, 0 where wrong, anything between where a judge is not
            sure; corrected for the judge's noise it may lie outside. None where nobody answered.
    """

    world: World
    memory: Memory
    covered: Flags
    precise: Flags
    read: Flags
    right: Floats | None = None

    @cached_property
    def size(self) -> int:
        """How many claims are held."""
        return int(self.memory.sum())

    @cached_property
    def expected(self) -> float | None:
        """The mass that is expected to be covered by true claims; None where nothing is believed."""
        world = self.world
        if world.beliefs is None:
            return None
        chances = believed(world.coverage, self.memory, world.beliefs)
        return float((world.weights[world.place] * chances).sum()) / max(self._total, 1)

    def weight(self, flags: Flags) -> int:
        """Return the exact weight of the flagged queries."""
        return int(self.world.weights[flags].sum())

    def share(self, flags: Flags) -> float:
        """Return the mass of the flagged queries, of all or the answerable ones as the world counts."""
        return self.weight(flags) / max(self._total, 1)

    @property
    def right_share(self) -> float | None:
        """The mass answered rightly: u_e2e. Where utilities are over answerable queries, only those count."""
        if self.right is None:
            return None
        counts = self.world.supported if self.world.frontier.over == "answerable" else np.ones_like(self.read)
        return float((self.world.weights * self.right)[counts].sum()) / max(self._total, 1)

    @property
    def _total(self) -> int:
        over = self.world.frontier.over
        return self.weight(self.world.supported) if over == "answerable" else self.world.whole


def measure(world: World, memory: Memory, reads: Sequence[Read], right: Floats | None = None) -> Measured:
    """Measure what *memory* covers in *world*, and what of that was read.

    A query counts as read where all claims of a support were read that holds under the whole memory
    and rests on true claims alone.

    Args:
        world: settled supports.
        memory: boolean array, shape (n_claims,).
        reads: the claims read for each query of the material.
        right: how right the answer to each query was, shape (queries,); None where nobody answered.
    """
    coverage = world.coverage
    holds = holding(coverage, memory)
    false = coverage.truth < 0.5
    read = np.zeros(len(coverage.queries), np.bool_)
    for s in np.flatnonzero(holds).tolist():
        query = coverage.owner[s]
        if not read[query]:
            needed = coverage.members[coverage.ptr[s] : coverage.ptr[s + 1]]
            read[query] = not false[needed].any() and reads[world.place[query]].issuperset(needed.tolist())
    return Measured(
        world=world,
        memory=memory,
        covered=world.spread(covered(coverage, memory)),
        precise=world.spread(covered(coverage, memory, true_only=True)),
        read=world.spread(read),
        right=right,
    )
