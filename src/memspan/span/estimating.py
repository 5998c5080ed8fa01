"""A frontier over supports that are not sure: an interval over many draws of them, never a proof."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from memspan.coverage.arrays import Over
from memspan.material import Material
from memspan.optimum import Frontier, Point, Size, frontier
from memspan.span.drawing import draw

Floats = npt.NDArray[np.float64]
Report = Callable[[int, int], None]

DRAWS = 20
LEAST_DRAWS = 5
"""Draws that are solved whatever the time; fewer say nothing about an interval."""
LOW, HIGH = 0.05, 0.95
DRAWN = "drawn supports"
"""Stands where a certificate would: none is given."""


@dataclass(frozen=True)
class Estimate:
    """U* over drawn supports, at every capacity from 0 on.

    Attributes:
        mean: mean over the draws, a mass in [0, 1] for each capacity.
        low, high: 5 % of the draws lie below, 5 % above; where a draw was not solved to the end, its
            lower bound counts for the one and its upper bound for the other.
        lower, upper: bounds of each draw, shape (draws, capacities).
    """

    mean: Floats
    low: Floats
    high: Floats
    lower: Floats
    upper: Floats

    @property
    def draws(self) -> int:
        """How many times supports were drawn."""
        return len(self.lower)

    def at(self, capacity: int) -> Point:
        """Return the interval at any *capacity* >= 0 as a point that is never certified."""
        i = min(capacity, len(self.low) - 1)
        return Point(capacity, float(self.low[i]), float(self.high[i]), certified=False, certificate=DRAWN)

    @property
    def saturation(self) -> Size:
        """The capacity at which nothing more is gained, as an interval over the draws; never certified."""
        return self._reach(self.lower[:, -1:])

    def size_for(self, target: float) -> Size:
        """Return the capacity that *target* takes, as an interval over the draws; never certified."""
        return self._reach(np.full((self.draws, 1), target))

    def _reach(self, targets: Floats) -> Size:
        return Size(_first(self.lower, targets, HIGH), _first(self.upper, targets, LOW), certified=False)


def _first(bounds: Floats, targets: Floats, share: float) -> int | None:
    """Return the capacity at which that *share* of the draws has reached its target; None where never."""
    reached = bounds >= targets - 1e-12
    end = bounds.shape[1]
    first = np.where(reached.any(axis=1), reached.argmax(axis=1), end)
    at = int(np.sort(first)[round(share * (len(first) - 1))])
    return at if at < end else None


def estimate(  # noqa: PLR0913 - one call, every option named
    material: Material,
    rng: np.random.Generator,
    *,
    draws: int = DRAWS,
    over: Over = "answerable",
    cost: str = "claims",
    seconds: float = 60.0,
    report: Report | None = None,
) -> Estimate:
    """Return the frontier of *material* over supports drawn *draws* times by their probability.

    Args:
        material: its supports carry probabilities (see `memspan.span.find_supports`).
        rng: makes the draws; the same state gives the same estimate.
        draws: how many.
        over: as for `memspan.frontier`.
        cost: as for `memspan.frontier`.
        seconds: time for all draws together; once it is over, no more than five are drawn.
        report: told how many draws are solved, and of how many.

    Raises:
        ValueError: no draw is asked for.

    >>> from memspan.material import Claim, Query, Support
    >>> maybe = Support(("c1",), probability=0.5), Support(("c2",), probability=0.5)
    >>> m = Material("m", (Claim("c1"), Claim("c2")), queries=(Query("q", supports=maybe),),
    ...              support_source="found")
    >>> estimate(m, np.random.default_rng(0), draws=3).mean.tolist()
    [0.0, 1.0, 1.0]
    """
    if draws < 1:
        raise ValueError(f"{draws} draws are asked for; an interval takes at least 1")
    curves: list[Frontier] = []
    end = time.monotonic() + seconds
    for done in range(draws):
        if len(curves) >= LEAST_DRAWS and time.monotonic() > end:
            break
        if report:
            report(done, draws)
        drawn = draw(material, rng)
        curves.append(frontier(drawn, over=over, cost=cost, seconds=seconds / draws))
    return _summed(curves)


def _summed(curves: list[Frontier]) -> Estimate:
    end = max(len(each.solution.curve.lower) for each in curves)
    end = max(end, int(curves[0].costs.sum()) + 1 if curves[0].unit == "claims" else 0)
    lower = np.stack([_stretched(each.solution.curve.lower, each, end) for each in curves])
    upper = np.stack([_stretched(each.solution.curve.upper, each, end) for each in curves])
    mean = (lower.mean(axis=0) + upper.mean(axis=0)) / 2
    return Estimate(
        mean=np.clip(mean, lower.min(axis=0), upper.max(axis=0)),  # rounding leaves no draw behind
        low=np.quantile(lower, LOW, axis=0),
        high=np.quantile(upper, HIGH, axis=0),
        lower=lower,
        upper=upper,
    )


def _stretched(weights: npt.NDArray[np.int64], of: Frontier, end: int) -> Floats:
    """Return a curve as masses up to *end*; it keeps its last value."""
    full = np.concatenate([weights, np.full(end - len(weights), weights[-1])])
    return np.asarray(full, np.float64) / float(max(of.coverage.total, 1))
