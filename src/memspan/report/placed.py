"""A memory that someone holds, set against the best of its own size."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from memspan.coverage import Harm, harm, u_cov, u_prec
from memspan.optimum import Frontier, Loss, Point


@dataclass(frozen=True)
class Placed:
    """A memory under the frontier.

    Attributes:
        size: what it holds, in the frontier's unit.
        covers: mass that it covers.
        precise: mass that it covers with true claims alone; None where no truth is known.
        best: the frontier at that size.
        loss: how far *covers* lies below it.
        harm: what it answers rightly, wrongly and not at all; None where nothing is known to mislead.
    """

    size: int
    covers: float
    precise: float | None
    best: Point
    loss: Loss
    harm: Harm | None = None

    @property
    def water(self) -> float:
        """Mass that only false claims seem to cover; 0 where no truth is known."""
        return 0.0 if self.precise is None else self.covers - self.precise


def place(frontier: Frontier, names: Iterable[str]) -> Placed:
    """Place the memory that holds the claims *names* under *frontier*.

    Raises:
        ShapeError: an id is not a claim of this material.

    >>> import memspan as ms
    >>> found = place(ms.frontier(ms.bundled("odyssey")), ["e1", "e2"])
    >>> found.size, found.covers, round(found.loss.upper, 12)
    (2, 0.55, 0.05)
    """
    coverage = frontier.coverage
    memory = coverage.memory(names)
    size, covers = int(frontier.costs[memory].sum()), u_cov(coverage, memory)
    known = not bool(np.isnan(coverage.truth).all())
    return Placed(
        size=size,
        covers=covers,
        precise=u_prec(coverage, memory) if known else None,
        best=frontier.at(size),
        loss=frontier.loss(size=size, utility=covers),
        harm=harm(coverage, memory) if coverage.wrong is not None else None,
    )
