"""The working state of a search: best value, witness, upper bound and its proof at every capacity."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
import numpy.typing as npt

from memspan.optimum.certificates import Proof, Sharing
from memspan.optimum.curves import KINDS, Curve, Kinds
from memspan.optimum.problem import Part
from memspan.optimum.shares import Shares, bounds

Ints = npt.NDArray[np.int64]


class Source(Protocol):
    """Where witnesses come from: a number in, the items held out."""

    def items(self, at: int) -> frozenset[int]:
        """Return the items of the witness numbered *at*."""
        ...


@dataclass(frozen=True)
class Trail:
    """Witnesses on the way of a greedy run: the first *at* flips, each adding or removing an item."""

    flips: Ints

    def items(self, at: int) -> frozenset[int]:
        """Replay the flips."""
        items, times = np.unique(self.flips[:at], return_counts=True)
        return frozenset(items[times % 2 == 1].tolist())


@dataclass(frozen=True)
class Within:
    """Witnesses of a smaller problem: items always held, and a curve over the items left to choose."""

    held: frozenset[int]
    names: tuple[int, ...]
    curve: Curve

    def items(self, at: int) -> frozenset[int]:
        """Join what is always held with the curve's choice at capacity *at*."""
        chosen = self.curve.claims_at(np.array([at]))[0]
        return self.held | {self.names[i] for i in chosen}


@dataclass
class Bounds:
    """Bounds of one part at capacities 0..C while it is searched; anytime valid."""

    part: Part
    lower: Ints = field(init=False)
    upper: Ints = field(init=False)
    sources: list[Source] = field(default_factory=list)
    proofs: list[Proof] = field(default_factory=list)
    _source: Ints = field(init=False)
    _at: Ints = field(init=False)
    proof: Ints = field(init=False)

    def __post_init__(self) -> None:
        """Start from nothing held; each query's weight lies with the first item of each of its supports."""
        size = self.part.capacity + 1
        self.lower, self._at = np.zeros(size, np.int64), np.zeros(size, np.int64)
        self.upper = np.full(size, np.iinfo(np.int64).max)
        self._source, self.proof = np.full(size, -1, np.int64), np.full(size, -1, np.int64)
        arrays = self.part.arrays
        values = np.zeros(len(arrays.members), np.int64)
        self.bound(Shares(1, values))
        values = values.copy()
        values[arrays.ptr[:-1]] = arrays.weights[arrays.owner]
        self.bound(Shares(1, values))

    @property
    def open(self) -> Ints:
        """Capacities whose interval is not closed."""
        return np.flatnonzero(self.lower < self.upper)

    def offer(self, source: Source, at: Ints, costs: Ints, values: Ints) -> None:
        """Take witnesses numbered *at* with these costs and values where they improve."""
        self.sources.append(source)
        improved = False
        for number, cost, value in zip(at.tolist(), costs.tolist(), values.tolist(), strict=True):
            if cost < len(self.lower) and value > self.lower[cost]:
                self.lower[cost], self._source[cost], self._at[cost] = value, len(self.sources) - 1, number
                improved = True
        if not improved:
            self.sources.pop()
            return
        best = np.maximum.accumulate(self.lower)
        leader = np.maximum.accumulate(np.where(self.lower == best, np.arange(len(best)), 0))
        self.lower, self._source, self._at = best, self._source[leader], self._at[leader]

    def bound(self, shares: Shares, kind: str = "multipliers") -> bool:
        """Lower the upper bound with *shares*; tell whether anything improved."""
        return self.cap(bounds(self.part, shares, self.part.capacity), Sharing(shares, kind))

    def cap(self, upper: Ints, proof: Proof) -> bool:
        """Lower the upper bound to *upper* where it is smaller, on the strength of *proof*."""
        better = upper < self.upper
        if not better.any():
            return False
        self.proofs.append(proof)
        self.upper = np.where(better, upper, self.upper)
        self.proof[better] = len(self.proofs) - 1
        self._descend()
        return True

    def cap_at(self, capacity: int, upper: int, proof: Proof) -> None:
        """Lower the upper bound at one capacity (and below it, since the optimum never falls)."""
        everywhere = np.full(len(self.upper), np.iinfo(np.int64).max)
        everywhere[capacity] = upper
        self.cap(everywhere, proof)

    def _descend(self) -> None:
        """A bound at S also holds at every smaller capacity."""
        least = np.minimum.accumulate(self.upper[::-1])[::-1]
        own = np.where(self.upper == least, np.arange(len(least)), len(least))
        leader = np.minimum.accumulate(own[::-1])[::-1]
        self.upper, self.proof = least, self.proof[leader]

    def shares_at(self, capacity: int) -> Shares | None:
        """Return the shares that bound *capacity*, where shares do."""
        proof = self.proofs[int(self.proof[capacity])]
        return proof.shares if isinstance(proof, Sharing) else None

    def items_at(self, capacity: int) -> frozenset[int]:
        """Return the items of the witness at *capacity*."""
        source = int(self._source[capacity])
        return self.sources[source].items(int(self._at[capacity])) if source >= 0 else frozenset()


@dataclass(frozen=True)
class Searched:
    """The finished curve of a searched part; `proofs[proof[S]]` proves the upper bound at S."""

    bounds: Bounds

    @property
    def part(self) -> Part:
        """The part that was searched."""
        return self.bounds.part

    @property
    def kinds(self) -> Kinds:
        """The kind of the proof that bounds each capacity."""
        each = np.array([1 << KINDS.index(proof.kind) for proof in self.bounds.proofs], np.uint8)
        return each[self.bounds.proof]

    @property
    def lower(self) -> Ints:
        """Value that is surely reached."""
        return self.bounds.lower

    @property
    def upper(self) -> Ints:
        """Value that is surely not exceeded."""
        return self.bounds.upper

    def claims_at(self, capacities: Ints) -> list[list[int]]:
        """Expand the witnesses to claims."""
        return [self.part.expand(self.bounds.items_at(int(capacity))) for capacity in capacities]
