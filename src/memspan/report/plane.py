"""The size-utility plane as data: which lines, marks and zones a picture of a frontier shows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from memspan.optimum import Frontier
from memspan.report.study import TARGETS, Landmark, Mean, Study, landmarks, mean_frontier
from memspan.report.wording import percent

MOST_POINTS = 2_000
MOST_LINES = 60

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Line:
    """A frontier as drawn: capacities with the bounds of the mass answered there."""

    capacities: Array
    lower: Array
    upper: Array


@dataclass(frozen=True)
class Mark:
    """A labelled point on the line."""

    label: str
    capacity: int
    mass: float


@dataclass(frozen=True)
class Plane:
    """One picture.

    Attributes:
        unit: what capacity counts.
        line: the frontier itself.
        end: right end of the axis.
        whole: what holding every claim takes; the compression zone lies below it.
        baseline: mass that the full material answers.
        saturation: capacity that reaches the baseline; None where none is known to.
        marks: labelled points, ascending.
        precise: the precision frontier, where truth is known.
        crowd: lines in the background, of which the line is the mean.
        stepped: between the capacities shown nothing is known but that the line does not fall.
    """

    unit: str
    line: Line
    end: int
    whole: int
    baseline: float
    saturation: int | None
    marks: tuple[Mark, ...]
    precise: Line | None = None
    crowd: tuple[Line, ...] = ()
    stepped: bool = False


def plane_of(study: Study, targets: Sequence[float] = TARGETS) -> Plane:
    """Return the picture of one study."""
    frontier = study.frontier
    return Plane(
        unit=frontier.unit,
        line=line_of(frontier),
        end=view_end(study),
        whole=study.whole,
        baseline=frontier.baseline,
        saturation=frontier.saturation,
        marks=_marks(landmarks(frontier, targets)),
        precise=line_of(study.precision) if study.precision else None,
        stepped=is_stepped(frontier),
    )


def plane_of_mean(studies: Sequence[Study], targets: Sequence[float] = TARGETS) -> Plane:
    """Return the picture of several studies: the mean of their frontiers, and each one thin behind it."""
    frontiers = [study.frontier for study in studies]
    mean = mean_frontier(frontiers)
    stepped = any(is_stepped(frontier) for frontier in frontiers)
    return Plane(
        unit=frontiers[0].unit,
        line=_line(mean.capacities, mean.lower, mean.upper, stepped=stepped),
        end=max(view_end(study) for study in studies),
        whole=max(study.whole for study in studies),
        baseline=float(np.mean([frontier.baseline for frontier in frontiers])),
        saturation=max((frontier.saturation or 0 for frontier in frontiers), default=None),
        marks=tuple(_mean_marks(mean, targets)),
        crowd=tuple(line_of(frontier) for frontier in frontiers[:MOST_LINES]),
        stepped=stepped,
    )


def is_stepped(frontier: Frontier) -> bool:
    """Return whether some capacity between the first and the last was not computed."""
    return bool((np.diff(frontier.capacities) > 1).any())


def view_end(study: Study) -> int:
    """Return where the axis ends: at the whole material, or sooner where nothing happens for long."""
    reached = study.frontier.saturation
    busy = int(study.frontier.capacities[-1]) if reached is None else reached
    return max(1, study.whole if study.whole <= 2 * busy else math.ceil(1.5 * busy))


def line_of(frontier: Frontier) -> Line:
    """Return the line of *frontier*; where it is not stepped, points on straight stretches are left out."""
    return _line(frontier.capacities, frontier.lower, frontier.upper, stepped=is_stepped(frontier))


def _line(capacities: npt.NDArray[np.int64], lower: Array, upper: Array, *, stepped: bool) -> Line:
    x = capacities.astype(np.float64)
    chosen = np.flatnonzero(stepped | _bends(x, lower) | _bends(x, upper))
    if len(chosen) > MOST_POINTS:
        chosen = chosen[np.unique(np.linspace(0, len(chosen) - 1, MOST_POINTS).astype(np.int64))]
    return Line(x[chosen], lower[chosen], upper[chosen])


def _bends(x: Array, y: Array) -> npt.NDArray[np.bool_]:
    """Return where a line changes direction; its ends count."""
    bends = np.ones(len(x), np.bool_)
    if len(x) > 2:
        slopes = np.diff(y) / np.diff(x)
        bends[1:-1] = np.abs(np.diff(slopes)) > 1e-12
    return bends


def _marks(found: Sequence[Landmark]) -> tuple[Mark, ...]:
    """Return one mark per capacity; targets that the same capacity reaches share it."""
    grouped: dict[int, list[Landmark]] = {}
    for mark in found:
        if mark.target is not None:
            grouped.setdefault(mark.size.size or 0, []).append(mark)
    return tuple(
        Mark(" and ".join(percent(mark.target or 0.0) for mark in same), size, same[0].reached)
        for size, same in grouped.items()
    )


def _mean_marks(mean: Mean, targets: Sequence[float]) -> list[Mark]:
    reached = [(target, np.flatnonzero(mean.lower >= target)) for target in sorted(targets)]
    return [
        Mark(percent(target), int(mean.capacities[at[0]]), float(mean.lower[at[0]]))
        for target, at in reached
        if len(at)
    ]
