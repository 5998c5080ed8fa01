"""A frontier over claims or over their share, between its bounds: of one material or of several."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from memspan.diagnosis.ground import Ground, World
from memspan.optimum import Frontier
from memspan.report.line import line_of
from memspan.span.estimating import HIGH, LOW

Floats = npt.NDArray[np.float64]
GRID = 400
"""Steps of a mean over shares of the claims."""
Which = Callable[[World], Frontier]


@dataclass(frozen=True)
class Curve:
    """A step function: each value holds from its place up to the next one.

    Attributes:
        places: claims, or shares of them, ascending, 0 first.
        value: mass surely reached; the mean where supports were drawn.
        low, high: what it lies between: bounds of a search, or 90 % of the draws.
    """

    places: Floats
    value: Floats
    low: Floats
    high: Floats

    def at(self, places: npt.ArrayLike) -> tuple[Floats, Floats, Floats]:
        """Return value, low and high at each of *places*."""
        found = np.searchsorted(self.places, np.asarray(places, np.float64), side="right") - 1
        return self.value[found], self.low[found], self.high[found]

    @property
    def banded(self) -> bool:
        """Whether it is not sure."""
        return bool((self.high > self.low).any())


def coverage_of(world: World) -> Frontier:
    """Return the coverage frontier of *world*."""
    return world.frontier


def precision_of(world: World) -> Frontier:
    """Return the precision frontier of *world*."""
    return world.precision


def curve_of(ground: Ground, which: Which = coverage_of) -> Curve:
    """Return the frontier of *ground* over claims.

    >>> import memspan as ms
    >>> from memspan.diagnosis.ground import ground_of
    >>> curve_of(ground_of(ms.bundled("odyssey"))).at([0, 1, 6])[0].tolist()
    [0.0, 0.35, 1.0]
    """
    lines = [line_of(which(world)) for world in ground.worlds]
    if len(lines) == 1:
        (line,) = lines
        return Curve(line.capacities.astype(np.float64), line.lower, line.lower, line.upper)
    places = np.unique(np.concatenate([line.capacities for line in lines]))
    lower = np.array([line.sure(places) for line in lines])
    upper = np.array([line.possible(places) for line in lines])
    low, high = np.quantile(lower, LOW, axis=0), np.quantile(upper, HIGH, axis=0)
    middle = lower.mean(axis=0)
    return Curve(places.astype(np.float64), middle, np.minimum(low, middle), np.maximum(high, middle))


def mean_curve(
    curves: Sequence[Curve], wholes: Sequence[int], knots: Sequence[tuple[float, float]] = ()
) -> Curve:
    """Return the mean of *curves* over shares of the claims.

    Args:
        curves: one for each material, over claims.
        wholes: how many claims each has.
        knots: shares at which the mean is known exactly, with it: a capacity is a whole number, so that
            the same share is not the same place in each.
    """
    places = np.unique(np.concatenate([np.linspace(0, 1, GRID + 1), [share for share, _ in knots]]))
    rows = np.array([curve.at(np.round(places * whole)) for curve, whole in zip(curves, wholes, strict=True)])
    value, low, high = rows.mean(axis=0)
    known = np.zeros_like(places)
    for share, mass in knots:
        known[np.searchsorted(places, share)] = mass
    value = np.maximum.accumulate(np.maximum(value, known))
    return Curve(places, value, np.minimum(low, value), np.maximum(high, value))
