"""What systems are held against: a material, its frontier, and its questions as arrays.

Where supports were found and are not sure, there are several worlds, each with supports drawn by
their probability; what is measured in each makes an interval.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from memspan.coverage import Coverage, compile_material, covered, exact_weights
from memspan.coverage.arrays import Over
from memspan.material import Material
from memspan.optimum import Frontier, frontier
from memspan.span import draw, is_uncertain

Flags = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class World:
    """A material whose supports are settled.

    Attributes:
        material: claims, questions, supports.
        coverage: the same compiled, for utilities.
        frontier: its coverage frontier.
        precision: its precision frontier; the same one where no claim is known to be false.
        beliefs: probability of each support of `coverage` that all its claims are true; None where nothing
            is believed.
    """

    material: Material
    coverage: Coverage
    frontier: Frontier
    precision: Frontier
    beliefs: Floats | None = field(default=None, repr=False, compare=False)

    @cached_property
    def place(self) -> Ints:
        """Position among the material's queries of each query that has a support."""
        position = {query.id: i for i, query in enumerate(self.material.queries)}
        return np.array([position[name] for name in self.coverage.queries], np.int64)

    @cached_property
    def weights(self) -> Ints:
        """Exact integer weight of every query, answerable or not; proportional to those of `coverage`."""
        return exact_weights([query.weight for query in self.material.queries]).values

    @cached_property
    def supported(self) -> Flags:
        """Which queries have a support."""
        return self.spread(np.ones(len(self.coverage.queries), np.bool_))

    @cached_property
    def spanned(self) -> Flags:
        """Which queries the full material answers: where claims defeat supports, fewer than have one."""
        return self.spread(covered(self.coverage, np.ones(self.coverage.n_claims, np.bool_)))

    @cached_property
    def answerable(self) -> Flags:
        """Which queries have an answer at all."""
        return np.array([query.answerable for query in self.material.queries], np.bool_)

    @property
    def whole(self) -> int:
        """Weight of all queries together."""
        return int(self.weights.sum())

    def spread(self, flags: Flags) -> Flags:
        """Return *flags* of the queries that have a support as flags of all queries."""
        full = np.zeros(len(self.material.queries), np.bool_)
        full[self.place] = flags
        return full


@dataclass(frozen=True)
class Ground:
    """What the systems on one material are held against.

    Attributes:
        material: as it was given.
        worlds: one, or as many as were drawn where supports are not sure.
    """

    material: Material
    worlds: tuple[World, ...]

    @property
    def certain(self) -> bool:
        """Whether the supports are sure."""
        return len(self.worlds) == 1

    @property
    def frontier(self) -> Frontier:
        """The coverage frontier of the first world."""
        return self.worlds[0].frontier


def ground_of(
    material: Material, *, over: Over = "answerable", seconds: float = 60.0, draws: int = 20, seed: int = 0
) -> Ground:
    """Solve *material*, once for each draw of its supports where they are not sure.

    Args:
        material: claims, queries and supports.
        over: utilities are shares of the answerable queries, or of all.
        seconds: time for all frontiers together.
        draws: how many worlds are drawn.
        seed: of the draws.

    >>> import memspan as ms
    >>> ground_of(ms.bundled("odyssey")).frontier.at(1).lower
    0.35
    """
    if not is_uncertain(material):
        return Ground(material, (_world(material, over, seconds),))
    rng = np.random.default_rng(seed)
    drawn = [draw(material, rng) for _ in range(draws)]
    return Ground(material, tuple(_world(each, over, seconds / draws) for each in drawn))


def _world(material: Material, over: Over, seconds: float) -> World:
    coverage = compile_material(material, over=over)
    false = bool((coverage.truth < 0.5).any())
    share = seconds / 2 if false else seconds
    best = frontier(material, over=over, seconds=share)
    precise = frontier(material, utility="precision", over=over, seconds=share) if false else best
    return World(material, coverage, best, precise if false else replace(best, utility="precision"))
