"""Every subset of a few items: exact for tiny parts, and the oracle for everything else."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from memspan.optimum.curves import Kinds, kinds_like
from memspan.optimum.problem import Part, Problem

MOST_ITEMS = 8  # solved this way; the oracle goes further
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Enumerated:
    """Exact curve of a tiny part: `best` holds the chosen subset at each capacity as a bit mask.

    Bit ``m - 1 - i`` stands for item i of m, so that of two equal subsets the larger mask holds the
    lower items.
    """

    part: Part
    lower: Ints
    best: Ints

    @property
    def kinds(self) -> Kinds:
        """Enumeration, at every capacity."""
        return kinds_like(self.lower, "enumeration")

    @property
    def upper(self) -> Ints:
        """Enumeration is exact."""
        return self.lower

    def claims_at(self, capacities: Ints) -> list[list[int]]:
        """Read the items off the masks."""
        return [self._held[mask] for mask in self.best[capacities].tolist()]

    @cached_property
    def _held(self) -> dict[int, list[int]]:
        top = len(self.part.costs) - 1
        return {
            mask: self.part.expand(frozenset(i for i in range(top + 1) if mask >> (top - i) & 1))
            for mask in set(self.best.tolist())
        }


def enumerate_part(part: Part) -> Enumerated:
    """Solve *part* by trying all subsets of its items."""
    lower, best = enumerate_problem(part)
    return Enumerated(part, lower, best)


def enumerate_sizes(part: Part) -> Enumerated:
    """Return the best subset of every exact cost, where each cost up to that of all items is some subset's.

    Unlike the curve of `enumerate_part` this one may fall. Of equal values the lower items win.
    """
    costs, values = subsets(part)
    order = np.lexsort((-np.arange(len(costs)), -values, costs))
    best = order[np.unique(costs[order], return_index=True)[1]].astype(np.int64)
    return Enumerated(part, values[best], best)


def enumerate_problem(problem: Problem) -> tuple[Ints, Ints]:
    """Return the best value and the subset that reaches it at every capacity, by trying all 2**m subsets.

    Of equal values the cheaper subset wins, then the one with the lower items.
    """
    costs, values = subsets(problem)
    order = np.lexsort((-np.arange(len(costs)), -values, costs))
    lower = np.zeros(problem.capacity + 1, np.int64)
    best = np.zeros(problem.capacity + 1, np.int64)
    reached = -1
    for mask in order.tolist():
        if values[mask] > reached:
            reached = int(values[mask])
            lower[costs[mask] :] = reached
            best[costs[mask] :] = mask
    return lower, best


def subsets(problem: Problem) -> tuple[Ints, Ints]:
    """Return cost and value of each of the 2**m subsets of items, by mask (see `Enumerated`)."""
    m = len(problem.costs)
    masks = np.arange(1 << m, dtype=np.int64)
    costs = np.zeros(1 << m, np.int64)
    for item, cost in enumerate(problem.costs):
        costs += cost * (masks >> (m - 1 - item) & 1)
    answered = np.zeros((len(problem.weights), 1 << m), np.bool_)
    for needed, unless, q in zip(problem.supports, problem.unless, problem.owner, strict=True):
        need, defeat = (sum(1 << (m - 1 - i) for i in items) for items in (needed, unless))
        answered[q] |= ((masks & need) == need) & ((masks & defeat) == 0)
    values = np.zeros(1 << m, np.int64)
    for weight, hit in zip(problem.weights, answered, strict=True):
        values += weight * hit
    return costs, values
