"""Curves over memories of exactly S claims: what more claims must not hurt, they may.

Items here are single claims, each counts one, and a claim that no support names counts as well. Such
curves can fall; they are merged as all curves are, since a merge shares sizes exactly.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from memspan.optimum.curves import Curve, Kinds
from memspan.optimum.elimination import Eliminated, eliminate_part
from memspan.optimum.enumeration import MOST_ITEMS, enumerate_sizes
from memspan.optimum.exact import RESTARTS, SMALL_PART
from memspan.optimum.portfolio import solve
from memspan.optimum.problem import Part, Problem
from memspan.optimum.walk import Walk

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Padded:
    """A curve over capacities as one over exact sizes: what is not used is filled with harmless *claims*.

    Right where every claim of `claims` is harmless: no support is defeated by it.
    """

    curve: Curve
    claims: tuple[int, ...]
    lower: Ints
    upper: Ints

    @property
    def kinds(self) -> Kinds:
        """What proves the curve inside."""
        return self.curve.kinds[self._inside(np.arange(len(self.lower)))]

    def claims_at(self, capacities: Ints) -> list[list[int]]:
        """Fill each memory up, lowest claims first."""
        found = self.curve.claims_at(self._inside(capacities))
        return [self._filled(held, size) for held, size in zip(found, capacities.tolist(), strict=True)]

    def _inside(self, capacities: Ints) -> Ints:
        return np.minimum(capacities, len(self.curve.lower) - 1)

    def _filled(self, held: list[int], size: int) -> list[int]:
        there = set(held)
        spare = [claim for claim in self.claims if claim not in there]
        return held + spare[: size - len(held)]


def pad(curve: Curve, claims: tuple[int, ...]) -> Padded:
    """Return *curve*, over some of *claims*, at every exact number of them."""
    inside = np.minimum(np.arange(len(claims) + 1), len(curve.lower) - 1)
    lower = curve.lower[inside]
    return Padded(curve, claims, lower, lower if curve.lower is curve.upper else curve.upper[inside])


@dataclass(frozen=True)
class EliminatedSizes:
    """The table that elimination ends with: the best value at every exact size."""

    solved: Eliminated

    @property
    def kinds(self) -> Kinds:
        """Elimination, at every size."""
        return self.solved.kinds

    @property
    def lower(self) -> Ints:
        """The best value of each size."""
        return self.solved.exact

    @property
    def upper(self) -> Ints:
        """Elimination is exact."""
        return self.solved.exact

    def claims_at(self, capacities: Ints) -> list[list[int]]:
        """Trace a memory of each size."""
        return [self.solved.part.expand(self.solved.trace(size)) for size in capacities.tolist()]


@dataclass(frozen=True)
class BoundedSizes:
    """A part too wide to solve: bounds, and a memory of each size as a row of booleans."""

    part: Part
    kinds: Kinds
    lower: Ints
    upper: Ints
    held: npt.NDArray[np.bool_]

    def claims_at(self, capacities: Ints) -> list[list[int]]:
        """Read the rows."""
        rows = (frozenset(np.flatnonzero(self.held[size]).tolist()) for size in capacities.tolist())
        return [self.part.expand(row) for row in rows]


def solve_sizes(part: Part, deadline: float) -> Curve:
    """Return the curve of *part* over exact sizes: exact where that is affordable, else bounds."""
    if len(part.costs) <= MOST_ITEMS:
        return enumerate_sizes(part)
    if time.perf_counter() < deadline:
        solved = eliminate_part(part, 3 if len(part.costs) <= SMALL_PART else RESTARTS)
        if solved is not None:
            return EliminatedSizes(solved)
    return bound_sizes(part, deadline)


def bound_sizes(part: Part, deadline: float) -> BoundedSizes:
    """Bound *part* at every exact size.

    Two relaxations, both monotone and hence solved as usual: S claims answer no more than if nothing
    could defeat them; and with n - S of the n claims left out, no more than if only those that are
    left out mattered, each support needing its defeaters among them. The first is tight for small
    memories, the second for large ones.
    """
    n, left = len(part.costs), max(deadline - time.perf_counter(), 0.0) / 3
    rising = solve(replace(part, unless=(frozenset(),) * len(part.owner)), left).curve
    falling = solve(replace(part, supports=part.unless, unless=(frozenset(),) * len(part.owner)), left).curve
    sizes = np.arange(n + 1)
    small, large = (np.minimum(at, len(c.upper) - 1) for at, c in ((sizes, rising), (n - sizes, falling)))
    tight = rising.upper[small] <= falling.upper[large]
    upper = np.where(tight, rising.upper[small], falling.upper[large])
    held, lower = _climb(part, rising.claims_at(small), deadline)
    return BoundedSizes(part, np.where(tight, rising.kinds[small], falling.kinds[large]), lower, upper, held)


def _climb(problem: Problem, offered: list[list[int]], deadline: float) -> tuple[npt.NDArray[np.bool_], Ints]:
    """Return a memory of each exact size and its value, grown from those *offered*, nothing and everything.

    From each size the best one steps up to the next, then down again; past *deadline* the first
    item at hand does.
    """
    n, walk = len(problem.costs), Walk(problem)
    held, lower = np.zeros((n + 1, n), np.bool_), np.full(n + 1, -1, np.int64)

    def offer() -> None:
        size = int(walk.held.sum())
        if walk.value > lower[size]:
            lower[size], held[size] = walk.value, walk.held

    for items in [[], list(range(n)), *map(list, dict.fromkeys(map(tuple, offered)))]:
        if len(items) in {0, n} or time.perf_counter() < deadline:
            walk.go(items)
            offer()
    for sizes, up in ((range(n), True), (range(n, 0, -1), False)):
        for size in sizes:
            walk.go(np.flatnonzero(held[size]).tolist())
            late = time.perf_counter() > deadline
            walk.flip(int(np.argmin(walk.held == up)) if late else walk.best(held=not up))
            offer()
    return held, lower
