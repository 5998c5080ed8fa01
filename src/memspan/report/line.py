"""A frontier as a step function over every capacity, kept as the few places where it changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from memspan.optimum import ExactSize, Frontier
from memspan.span.estimating import Estimate

Ints = npt.NDArray[np.int64]
Masses = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Line:
    """Bounds at every capacity: each value holds from its capacity up to the next one.

    Attributes:
        capacities: where a bound changes, ascending, 0 first; int64.
        lower, upper: masses in [0, 1] from there on.
    """

    capacities: Ints
    lower: Masses
    upper: Masses

    def sure(self, capacities: npt.ArrayLike) -> Masses:
        """Return the lower bound at each of *capacities*, any number >= 0."""
        return self.lower[self._places(capacities)]

    def possible(self, capacities: npt.ArrayLike) -> Masses:
        """Return the upper bound at each of *capacities*, any number >= 0."""
        return self.upper[self._places(capacities)]

    def _places(self, capacities: npt.ArrayLike) -> npt.NDArray[np.intp]:
        return np.searchsorted(self.capacities, np.asarray(capacities), side="right") - 1


def line_of(frontier: Frontier) -> Line:
    """Return the whole curve of *frontier*, whatever capacities it lists.

    >>> import memspan as ms
    >>> line_of(ms.frontier(ms.bundled("odyssey"), capacities=[2])).sure([0, 2, 6, 99]).tolist()
    [0.0, 0.6, 1.0, 1.0]
    """
    curve = frontier.solution.curve
    return _line(curve.lower, curve.upper, frontier.coverage.total)


def line_of_estimate(estimate: Estimate) -> Line:
    """Return the interval of *estimate* at every capacity."""
    moved = np.flatnonzero((np.diff(estimate.low) != 0) | (np.diff(estimate.high) != 0)) + 1
    capacities = np.concatenate([np.zeros(1, np.int64), moved]).astype(np.int64)
    return Line(capacities, estimate.low[capacities], estimate.high[capacities])


def line_of_sizes(exact: ExactSize) -> Line:
    """Return the whole curve of *exact*, which may fall."""
    return _line(exact.lower_weight, exact.upper_weight, exact.coverage.total)


def _line(lower: Ints, upper: Ints, total: int) -> Line:
    changed = np.flatnonzero((np.diff(lower) != 0) | (np.diff(upper) != 0)) + 1
    capacities = np.concatenate([np.zeros(1, np.int64), changed]).astype(np.int64)
    return Line(capacities, lower[capacities] / max(total, 1), upper[capacities] / max(total, 1))


def mean_line(lines: Sequence[Line]) -> Line:
    """Return the mean of *lines* at one capacity for all; each keeps its last value beyond its end."""
    capacities = np.unique(np.concatenate([line.capacities for line in lines]))
    lower = np.mean([line.sure(capacities) for line in lines], axis=0)
    upper = np.mean([line.possible(capacities) for line in lines], axis=0)
    return Line(capacities, lower, upper)


def rises(frontier: Frontier) -> Ints:
    """Return the capacities at which more is surely reached than at any smaller one, ascending."""
    found: Ints = (np.flatnonzero(np.diff(frontier.solution.curve.lower) > 0) + 1).astype(np.int64)
    return found


def weights_at(frontier: Frontier, capacities: npt.ArrayLike) -> tuple[Ints, Ints]:
    """Return the exact integer bounds of *frontier* at each of *capacities*, listed or not."""
    curve = frontier.solution.curve
    places = np.minimum(np.asarray(capacities, np.int64), len(curve.lower) - 1)
    return curve.lower[places], curve.upper[places]


def same(one: Frontier, other: Frontier) -> bool:
    """Return whether two frontiers surely reach the same at every capacity."""
    every = np.arange(max(len(one.solution.curve.lower), len(other.solution.curve.lower)))
    return np.array_equal(weights_at(one, every)[0], weights_at(other, every)[0])


def certified_count(frontier: Frontier) -> tuple[int, int]:
    """Return at how many capacities, up to that of the whole material, the bounds meet, and of how many."""
    curve, total = frontier.solution.curve, int(frontier.costs.sum()) + 1
    closed = curve.lower == curve.upper
    beyond = max(total - len(closed), 0)
    return min(int(closed.sum()) + beyond * int(closed[-1]), total), total
