"""Wide parts in which claims can defeat supports: bounds from the part without its defeaters.

Ignoring defeaters only helps a memory, so the bound of the simpler part holds; its memories are
then valued as they really are.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from memspan.optimum.bounds import Searched
from memspan.optimum.curves import Kinds
from memspan.optimum.problem import Part

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Defeated:
    """Bounds of a part with defeaters: `simpler` is the curve without them, `free` what needs no claim then.

    `leader` names, for each capacity, the capacity whose memory of the simpler curve is worth most.
    """

    part: Part
    simpler: Searched
    free: int
    lower: Ints
    upper: Ints
    leader: Ints

    @property
    def kinds(self) -> Kinds:
        """What proves the simpler curve."""
        return self.simpler.kinds

    def claims_at(self, capacities: Ints) -> list[list[int]]:
        """Take the simpler curve's memories."""
        return self.simpler.claims_at(self.leader[capacities])


def without_defeaters(part: Part) -> tuple[Part, int]:
    """Return *part* with nothing defeated, and the weight of queries that then need no claim."""
    free = {q for needed, q in zip(part.supports, part.owner, strict=True) if not needed}
    kept = [q for q in range(len(part.weights)) if q not in free]
    number = {q: i for i, q in enumerate(kept)}
    rows = [(needed, number[q]) for needed, q in zip(part.supports, part.owner, strict=True) if q in number]
    simpler = replace(
        part,
        supports=tuple(needed for needed, _ in rows),
        unless=(frozenset(),) * len(rows),
        owner=tuple(q for _, q in rows),
        weights=tuple(part.weights[q] for q in kept),
        queries=tuple(part.queries[q] for q in kept),
    )
    return simpler, sum(part.weights[q] for q in free)


def defeated(part: Part, simpler: Searched, free: int) -> Defeated:
    """Value the simpler curve's memories with their defeaters."""
    held = [simpler.bounds.items_at(capacity) for capacity in range(len(simpler.upper))]
    known = {items: part.value(items) for items in set(held)}
    values = np.array([known[items] for items in held], np.int64)
    lower = np.maximum.accumulate(values)
    leader = np.maximum.accumulate(np.where(values == lower, np.arange(len(values)), 0))
    return Defeated(part, simpler, free, lower, simpler.upper + free, leader)
