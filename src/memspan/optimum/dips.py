"""Dips: sizes at which even the best memory answers less than one claim fewer would, and what causes them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from memspan.coverage.arrays import Coverage
from memspan.optimum.curves import Curve
from memspan.optimum.problem import Problem
from memspan.optimum.walk import Walk


@dataclass(frozen=True)
class Dip:
    """A size at which one claim more than before surely costs answers.

    Attributes:
        size: number of claims, at which less is answered than with one claim fewer.
        drop: mass that is lost at least; exactly that where *certified*.
        certified: the value is known exactly at both sizes.
        claims: those that have come in and defeat answers.
        queries: what they defeat.
    """

    size: int
    drop: float
    certified: bool
    claims: tuple[str, ...]
    queries: tuple[str, ...]


def dips_of(problem: Problem, coverage: Coverage, curve: Curve) -> Iterator[Dip]:
    """Yield every size at which *curve*, over exact sizes, surely falls, with the claims to blame.

    Two memories are compared: a best one of the size before, and a best one of this size; the latter
    is the former and one claim where that is as good. To blame are the claims that came in and
    defeat a support which held before. There always are some: if none of those that come in
    defeated anything, adding one of them would lose nothing, and the value would not fall.
    """
    sizes = np.flatnonzero(curve.lower[:-1] > curve.upper[1:]) + 1
    if not len(sizes):
        return
    walk, closed = Walk(problem), curve.lower == curve.upper
    pairs = zip(sizes.tolist(), curve.claims_at(sizes - 1), curve.claims_at(sizes), strict=True)
    for size, before, after in pairs:
        walk.go(before)
        claims, queries = _blame(walk, _nearest(walk, after, int(curve.lower[size])))
        yield Dip(
            size,
            coverage.mass(int(curve.lower[size - 1] - curve.upper[size])),
            bool(closed[size - 1] and closed[size]),
            tuple(coverage.claims[i] for i in sorted(claims)),
            tuple(coverage.queries[q] for q in sorted(queries)),
        )


def _nearest(walk: Walk, after: list[int], value: int) -> list[int]:
    """Return a memory worth *value*: that of *walk* and one claim more where that is enough, else *after*."""
    entering = walk.best(held=False)
    enough = walk.value + int(walk.gains[entering]) >= value
    return [*np.flatnonzero(walk.held).tolist(), entering] if enough else after


def _blame(walk: Walk, after: list[int]) -> tuple[set[int], set[int]]:
    """Go to *after*; return the claims that came in and defeat what held, and which queries: lost ones."""
    defeats = [(claim, q) for claim in after if not walk.held[claim] for q in walk.defeated_by(claim)]
    walk.go(after)
    told = [(claim, q) for claim, q in defeats if not walk.answers(q)] or defeats
    return {claim for claim, _ in told}, {q for _, q in told}
