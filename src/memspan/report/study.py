"""What a report is about: a material with its solved frontiers, and the landmarks read off them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from memspan.material import Material
from memspan.optimum import ExactSize, Frontier, Size
from memspan.report.placed import Placed
from memspan.span.drawing import chances_of
from memspan.span.estimating import Estimate
from memspan.span.expected import Expectation

TARGETS = (0.5, 0.8, 0.95)


@dataclass(frozen=True)
class Study:
    """One material and what was computed for it.

    Attributes:
        material: claims, queries and their supports.
        frontier: its coverage frontier.
        precision: its precision frontier, where the truth of some claim is known.
        placed: a memory to hold against the frontier.
        exact: the value of exactly S claims, where claims can defeat answers.
        estimate: the frontier over drawn supports, where they were found and are not sure; `frontier`
            is then that of the likeliest ones.
    """

    material: Material
    frontier: Frontier
    precision: Frontier | None = None
    placed: Placed | None = None
    exact: ExactSize | None = None
    estimate: Estimate | None = None

    @property
    def empty(self) -> bool:
        """No question counts, or no claim costs anything: there is no frontier to show."""
        return not self.whole or not bool(self.frontier.coverage.weights.any())

    def memories(self, capacities: Sequence[int]) -> list[tuple[str, ...]]:
        """Return a memory for each of *capacities*: the best known; by expected coverage in an estimate."""
        chosen = self.estimate is not None and self.frontier.unit == "claims"
        if not chosen or not all(
            chances_of(q) for q in self.material.queries if self.material.supports_of(q)
        ):
            return self.frontier.memories(capacities)
        expected = Expectation.of(self.material)
        return [expected.memory(capacity) for capacity in capacities]

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


def landmarks(
    frontier: Frontier, targets: Sequence[float] = TARGETS, estimate: Estimate | None = None
) -> tuple[Landmark, ...]:
    """Return the landmarks of *frontier* at *targets* and at saturation, those surely reached only.

    With an *estimate* they are its intervals.

    >>> import memspan as ms
    >>> [mark.size.size for mark in landmarks(ms.frontier(ms.bundled("odyssey")))]
    [2, 3, 5, 6]
    """
    if not frontier.coverage.weights.any():
        return ()
    wanted: list[float | None] = [*sorted(targets), *([None] if frontier.baseline_weight else [])]
    sizes = [(target, size_for(frontier, target, estimate)) for target in wanted]
    reached = frontier.at if estimate is None else estimate.at
    return tuple(
        Landmark(target, size, reached(size.size).lower) for target, size in sizes if size.size is not None
    )


def size_for(frontier: Frontier, target: float | None, estimate: Estimate | None = None) -> Size:
    """Return what *target* takes; None as a target stands for all that the full material answers."""
    if estimate is not None:
        return estimate.saturation if target is None else estimate.size_for(target)
    if target is not None:
        return frontier.size_for(target)
    enough = np.flatnonzero(frontier.solution.curve.upper >= frontier.baseline_weight)
    least = int(enough[0]) if len(enough) else None
    return Size(frontier.saturation, least, least is not None and frontier.saturation == least)


def size_in_all(studies: Sequence[Study], target: float | None) -> Size:
    """Return what reaching *target* takes in each of *studies*, added up; empty ones are passed over."""
    sizes = [size_for(study.frontier, target, study.estimate) for study in studies if not study.empty]
    size, least = _sum([each.size for each in sizes]), _sum([each.at_least for each in sizes])
    return Size(size, least, bool(sizes) and all(each.certified for each in sizes))


def _sum(numbers: Sequence[int | None]) -> int | None:
    known = [number for number in numbers if number is not None]
    return sum(known) if known and len(known) == len(numbers) else None
