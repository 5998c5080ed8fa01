"""What a report is about: a material with its solved frontiers, and the landmarks read off them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from memspan.material import Material
from memspan.optimum import Frontier, Size

TARGETS = (0.5, 0.8, 0.95)
Masses = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Study:
    """One material and what was computed for it.

    Attributes:
        material: claims, queries and their supports.
        frontier: its coverage frontier.
        precision: its precision frontier, where the truth of some claim is known.
    """

    material: Material
    frontier: Frontier
    precision: Frontier | None = None

    @property
    def empty(self) -> bool:
        """No question can be answered, whatever is held."""
        return not self.frontier.baseline_weight

    @property
    def whole(self) -> int:
        """What holding every claim takes, in the frontier's unit."""
        return int(self.frontier.costs.sum())


@dataclass(frozen=True)
class Landmark:
    """The capacity at which a share of the questions is answered.

    Attributes:
        target: mass in [0, 1]; None stands for all that the full material can answer.
        size: the smallest capacity known to reach it, and what no smaller one can.
        reached: mass answered at that size.
    """

    target: float | None
    size: Size
    reached: float


def landmarks(frontier: Frontier, targets: Sequence[float] = TARGETS) -> tuple[Landmark, ...]:
    """Return the landmarks of *frontier* at *targets* and at saturation, those surely reached only.

    >>> import memspan as ms
    >>> [mark.size.size for mark in landmarks(ms.frontier(ms.bundled("odyssey")))]
    [2, 3, 5, 6]
    """
    if not frontier.baseline_weight:
        return ()
    sizes = [(target, frontier.size_for(target)) for target in sorted(targets)]
    found = [_landmark(frontier, target, size) for target, size in sizes if size.size is not None]
    if frontier.saturation is not None:
        found.append(_landmark(frontier, None, _saturation(frontier)))
    return tuple(found)


def _landmark(frontier: Frontier, target: float | None, size: Size) -> Landmark:
    return Landmark(target, size, frontier.at(size.size or 0).lower)


def _saturation(frontier: Frontier) -> Size:
    possible = int(frontier.capacities[int(np.argmax(frontier.upper_weight >= frontier.baseline_weight))])
    return Size(frontier.saturation, possible, frontier.saturation == possible)


@dataclass(frozen=True)
class Mean:
    """The mean frontier of several materials, each given the same capacity.

    Attributes:
        capacities: ascending.
        lower, upper: mean mass at each capacity; a material keeps its last value beyond its own end.
    """

    capacities: npt.NDArray[np.int64]
    lower: Masses
    upper: Masses


def mean_frontier(frontiers: Sequence[Frontier]) -> Mean:
    """Return the mean of *frontiers* over all capacities that any of them has."""
    capacities = np.unique(np.concatenate([frontier.capacities for frontier in frontiers]))
    lower = np.mean([held(f.capacities, f.lower, capacities) for f in frontiers], axis=0)
    upper = np.mean([held(f.capacities, f.upper, capacities) for f in frontiers], axis=0)
    return Mean(capacities, lower, upper)


def comparable(frontiers: Sequence[Frontier]) -> bool:
    """Return whether *frontiers* have a mean: one unit, and no capacity that only some were solved at."""
    first = frontiers[0]
    counted = all(f.unit == "claims" and len(f.capacities) == len(f.costs) + 1 for f in frontiers)
    return counted or all(
        f.unit == first.unit and np.array_equal(f.capacities, first.capacities) for f in frontiers
    )


def held(known: npt.NDArray[np.int64], values: Masses, wanted: npt.NDArray[np.int64]) -> Masses:
    """Return *values* at the *wanted* capacities, each taken from the largest known one not above it."""
    position = np.searchsorted(known, wanted, side="right") - 1
    return np.where(position >= 0, values[np.maximum(position, 0)], 0.0)
