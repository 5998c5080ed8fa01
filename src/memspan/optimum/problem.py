"""The bare optimisation problem behind a material, and the independent parts it falls into."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from memspan.coverage.arrays import Coverage, offsets, transpose

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Problem:
    """Choose items within a capacity so that the weight of the answered queries is largest.

    Attributes:
        costs: integer cost of each item, >= 0.
        supports: item positions that must all be held.
        unless: items that defeat the support, one set per support.
        owner: query of each support.
        weights: integer weight of each query.
    """

    costs: tuple[int, ...]
    supports: tuple[frozenset[int], ...]
    unless: tuple[frozenset[int], ...]
    owner: tuple[int, ...]
    weights: tuple[int, ...]

    @property
    def monotone(self) -> bool:
        """No support can be defeated."""
        return not any(self.unless)

    @property
    def total(self) -> int:
        """Weight of all queries."""
        return sum(self.weights)

    @property
    def capacity(self) -> int:
        """Cost of holding every item."""
        return sum(self.costs)

    def value(self, held: frozenset[int]) -> int:
        """Return the weight of the queries that some support inside *held* answers."""
        rows = zip(self.supports, self.unless, self.owner, strict=True)
        answered = {q for needed, unless, q in rows if needed <= held and held.isdisjoint(unless)}
        return sum(self.weights[q] for q in answered)

    def cost(self, held: frozenset[int]) -> int:
        """Return the cost of holding these items."""
        return sum(self.costs[item] for item in held)


@dataclass(frozen=True)
class Part(Problem):
    """An independent part: its items are groups of claims that are only ever useful together.

    Attributes:
        claims: claim positions behind each item.
        queries: query positions behind each query; equal queries are merged.
    """

    claims: tuple[tuple[int, ...], ...] = ()
    queries: tuple[tuple[int, ...], ...] = ()

    def expand(self, items: frozenset[int]) -> list[int]:
        """Return the claim positions behind *items*, ascending."""
        return sorted(claim for item in items for claim in self.claims[item])

    @cached_property
    def single(self) -> bool:
        """Every query has one support: the best memories of a given price form a closure."""
        return len(set(self.owner)) == len(self.owner)

    @cached_property
    def arrays(self) -> PartArrays:
        """The same part as arrays for the kernels."""
        return PartArrays.of(self)


@dataclass(frozen=True)
class PartArrays:
    """A part as arrays: rows of items per support, their transpose, and the distinct bundles.

    Attributes:
        ptr, members: items of each support.
        item_ptr, item_supports: supports of each item.
        owner, weights, costs: int64.
        bundle_ptr, bundle_members: the distinct item sets among the supports.
    """

    ptr: Ints
    members: Ints
    item_ptr: Ints
    item_supports: Ints
    owner: Ints
    weights: Ints
    costs: Ints
    bundle_ptr: Ints = field(repr=False)
    bundle_members: Ints = field(repr=False)

    @classmethod
    def of(cls, part: Part) -> PartArrays:
        """Compile *part*."""
        ptr, members = rows_of([sorted(support) for support in part.supports])
        bundle_ptr, bundle_members = rows_of([sorted(bundle) for bundle in dict.fromkeys(part.supports)])
        item_ptr, item_supports = transpose(ptr, members, len(part.costs))
        return cls(
            ptr,
            members,
            item_ptr,
            item_supports.astype(np.int64),
            np.array(part.owner, np.int64),
            np.array(part.weights, np.int64),
            np.array(part.costs, np.int64),
            bundle_ptr,
            bundle_members,
        )


def rows_of(rows: Sequence[Sequence[int]]) -> tuple[Ints, Ints]:
    """Return *rows* in compressed form: offsets and members."""
    return offsets(len(row) for row in rows), np.array([i for row in rows for i in row], np.int64)


def problem_of(coverage: Coverage, costs: Ints, *, true_only: bool = False) -> Problem:
    """Read the problem off a compiled material, with *costs* per claim, shape (E,).

    With *true_only*, supports that rest on a false claim (truth below one half) are left out.
    """
    false = frozenset(np.flatnonzero(coverage.truth < 0.5).tolist()) if true_only else frozenset()
    rows = [
        (needed, unless, q)
        for needed, unless, q in zip(
            _sets(coverage.ptr, coverage.members),
            _sets(coverage.unless_ptr, coverage.unless),
            coverage.owner.tolist(),
            strict=True,
        )
        if not needed & false
    ]
    supports, unless, owner = zip(*rows, strict=True) if rows else ((), (), ())
    return Problem(tuple(costs.tolist()), supports, unless, owner, tuple(coverage.weights.tolist()))


def _sets(ptr: Ints, members: npt.NDArray[np.int32]) -> list[frozenset[int]]:
    flat = members.tolist()
    return [frozenset(flat[a:b]) for a, b in pairwise(ptr.tolist())]
