"""Curves: bounds of a part at every capacity, and their (max,+) merge with the split remembered.

A curve answers three questions for each capacity S: what is surely reached (`lower`), what can
surely not be exceeded (`upper`), and which items reach the lower value (`items`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Kinds = npt.NDArray[np.uint8]
KINDS = ("enumeration", "elimination", "cut", "multipliers", "reduction", "branch and bound")


def kinds_like(curve: Ints, kind: str) -> Kinds:
    """Return kinds of certificate for a curve that one kind proves at every capacity."""
    return np.full(len(curve), 1 << KINDS.index(kind), np.uint8)


def kind_names(kinds: int) -> str:
    """Spell out a set of kinds, given as bits in the order of `KINDS`.

    >>> kind_names(0b10010)
    'elimination + reduction'
    """
    return " + ".join(k for i, k in enumerate(KINDS) if kinds >> i & 1) or "nothing to choose"


class Curve(Protocol):
    """Bounds over capacities 0..C, int64 arrays of shape (C + 1,); they never fall, but at exact sizes."""

    @property
    def kinds(self) -> Kinds:
        """What proves `upper` at each capacity, as bits in the order of `KINDS`."""
        ...

    @property
    def lower(self) -> Ints:
        """Value that is surely reached."""
        ...

    @property
    def upper(self) -> Ints:
        """Value that is surely not exceeded."""
        ...

    def claims_at(self, capacities: Ints) -> list[list[int]]:
        """Return, for each capacity asked for, the claim positions that reach `lower` there."""
        ...


@dataclass(frozen=True)
class Merge:
    """Two curves sharing one capacity; `left_share` is what the left one gets at each capacity."""

    left: Curve
    right: Curve
    lower: Ints
    upper: Ints
    left_share: npt.NDArray[np.int32]

    @cached_property
    def kinds(self) -> Kinds:
        """The kinds of both sides at the split of the witness."""
        share = self.left_share.astype(np.int64)
        joined: Kinds = self.left.kinds[share] | self.right.kinds[np.arange(len(share)) - share]
        return joined

    def claims_at(self, capacities: Ints) -> list[list[int]]:
        """Split each capacity between the two sides and join what they hold."""
        share = self.left_share[capacities].astype(np.int64)
        held_left, held_right = _distinct(self.left, share), _distinct(self.right, capacities - share)
        return [a + b for a, b in zip(held_left, held_right, strict=True)]


def _distinct(curve: Curve, capacities: Ints) -> list[list[int]]:
    """Ask *curve* once for each different capacity."""
    different, where = np.unique(capacities, return_inverse=True)
    held = curve.claims_at(different)
    return [held[i] for i in where.tolist()]


def merge(left: Curve, right: Curve) -> Merge:
    """Share capacity between two independent curves; ties give the left one as much as possible."""
    lower, share = _maxplus(left.lower, right.lower)
    same = left.lower is left.upper and right.lower is right.upper
    upper = lower if same else _maxplus(left.upper, right.upper)[0]
    return Merge(left, right, lower, upper, share)


def _maxplus(left: Ints, right: Ints) -> tuple[Ints, npt.NDArray[np.int32]]:
    """Return (max,+) convolution of two curves of values >= 0 and the left share that attains it."""
    size = len(left) + len(right) - 1
    best = np.full(size, -1, np.int64)
    share = np.zeros(size, np.int32)
    shorter_left = len(left) <= len(right)
    short, long = (left, right) if shorter_left else (right, left)
    steps = range(len(short) - 1, -1, -1) if shorter_left else range(len(short))
    for i in steps:
        window = slice(i, i + len(long))
        trial = long + short[i]
        better = trial > best[window]
        best[window][better] = trial[better]
        spent = np.int32(i) if shorter_left else np.arange(len(long), dtype=np.int32)[better]
        share[window][better] = spent
    return best, share


@dataclass(frozen=True)
class Constant:
    """A curve of one capacity: a value that needs no claims."""

    lower: Ints
    upper: Ints

    @property
    def kinds(self) -> Kinds:
        """Nothing is chosen."""
        return np.zeros(len(self.lower), np.uint8)

    def claims_at(self, capacities: Ints) -> list[list[int]]:
        """Hold nothing."""
        return [[] for _ in capacities]


def merge_all(curves: Sequence[Curve], base: int) -> Curve:
    """Merge *curves* pairwise as a balanced tree, in order, on top of *base*."""
    if not curves:
        value = np.array([base], np.int64)
        return Constant(value, value)
    level: list[Curve] = list(curves)
    while len(level) > 1:
        pairs = [merge(level[i], level[i + 1]) for i in range(0, len(level) - 1, 2)]
        level = [*pairs, *level[len(pairs) * 2 :]]
    if base:
        value = np.array([base], np.int64)
        return merge(Constant(value, value), level[0])
    return level[0]
