"""The size-utility plane as data: which lines, marks and zones a picture of a frontier shows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from memspan.optimum import Size
from memspan.report.line import Line, line_of, line_of_estimate, line_of_sizes, mean_line
from memspan.report.placed import Placed
from memspan.report.study import TARGETS, Landmark, Study, landmarks
from memspan.report.wording import percent, sized, target_name

MOST_LINES = 60
TINY = 1e-12  # masses are quotients of integers; their means are rounded


@dataclass(frozen=True)
class Mark:
    """A labelled point on the line.

    Attributes:
        label: what is reached there.
        capacity: the smallest known to reach it.
        mass: answered there.
        size: the capacity as text; an interval where it is not certified.
    """

    label: str
    capacity: int
    mass: float
    size: str


@dataclass(frozen=True)
class Plane:
    """One picture.

    Attributes:
        unit: what capacity counts.
        line: the frontier itself.
        end: right end of the axis.
        whole: what holding every claim takes; the compression zone lies below it.
        baseline: mass that the full material answers.
        full: the point that reaches the baseline; None where none is known to.
        marks: labelled points, ascending.
        precise: the precision frontier, where truth is known.
        placed: a memory under the frontier.
        exact: the value of exactly S claims, where that dips.
        dips: where it does, ascending.
        drawn: the bounds of the line are those of drawn supports, not of a search.
        crowd: lines in the background, of which the line is the mean.
        of: how many lines the mean is of, and how many materials there are; they differ where
            some have nothing to show.
    """

    unit: str
    line: Line
    end: int
    whole: int
    baseline: float
    full: Mark | None
    marks: tuple[Mark, ...]
    precise: Line | None = None
    placed: Placed | None = None
    exact: Line | None = None
    dips: tuple[int, ...] = ()
    drawn: bool = False
    crowd: tuple[Line, ...] = ()
    of: tuple[int, int] = (1, 1)


def plane_of(study: Study, targets: Sequence[float] = TARGETS) -> Plane:
    """Return the picture of one study."""
    frontier = study.frontier
    found = landmarks(frontier, targets, study.estimate)
    full = [mark for mark in found if mark.target is None]
    return Plane(
        unit=frontier.unit,
        line=drawn_line(study),
        end=view_end(study),
        whole=study.whole,
        baseline=frontier.baseline,
        full=_mark(target_name(frontier, None), full[0].size, frontier.baseline) if full else None,
        marks=_marks(found),
        precise=line_of(study.precision) if study.precision else None,
        placed=study.placed,
        exact=line_of_sizes(study.exact) if study.exact and study.exact.dips else None,
        dips=tuple(dip.size for dip in study.exact.dips) if study.exact else (),
        drawn=study.estimate is not None,
    )


def plane_of_mean(studies: Sequence[Study], targets: Sequence[float] = TARGETS) -> Plane:
    """Return the picture of several studies: the mean of their frontiers, and each one thin behind it.

    Studies that have nothing to show count neither here nor in the finding.
    """
    full = [study for study in studies if not study.empty] or studies[:1]
    frontiers, lines = [study.frontier for study in full], [drawn_line(study) for study in full]
    mean, baseline = mean_line(lines), float(np.mean([frontier.baseline for frontier in frontiers]))
    return Plane(
        unit=frontiers[0].unit,
        line=mean,
        end=max(view_end(study) for study in full),
        whole=max(study.whole for study in full),
        baseline=baseline,
        full=_mark("all", _size(mean, baseline), baseline),
        marks=tuple(mark for target in sorted(targets) if (mark := _mean_mark(mean, target))),
        drawn=any(study.estimate for study in full),
        crowd=tuple(lines[:MOST_LINES]),
        of=(len(full), len(studies)),
    )


def drawn_line(study: Study) -> Line:
    """Return the line of *study*: its interval over drawn supports where there is one, else its frontier."""
    return line_of(study.frontier) if study.estimate is None else line_of_estimate(study.estimate)


def view_end(study: Study) -> int:
    """Return where the axis ends: at the whole material, or sooner where nothing happens for long."""
    line = drawn_line(study)
    busy = int(line.capacities[int(np.argmax(line.lower == line.lower[-1]))])
    held = study.placed.size if study.placed else 0
    if study.exact and study.exact.dips:
        held = max(held, study.exact.dips[-1].size)
    end = study.whole if study.whole <= 2 * busy else math.ceil(1.5 * busy)
    return max(1, end, held)


def _mark(label: str, size: Size, mass: float) -> Mark | None:
    return None if size.size is None else Mark(label, size.size, mass, sized(size))


def _marks(found: Sequence[Landmark]) -> tuple[Mark, ...]:
    """Return one mark per capacity; targets that it reaches share it, and the widest interval for it."""
    grouped: dict[int, list[Landmark]] = {}
    for mark in found:
        if mark.target is not None:
            grouped.setdefault(mark.size.size or 0, []).append(mark)
    return tuple(
        Mark(
            " and ".join(percent(mark.target or 0.0) for mark in same),
            at,
            same[0].reached,
            sized(same[0].size),
        )
        for at, same in grouped.items()
    )


def _mean_mark(mean: Line, target: float) -> Mark | None:
    size = _size(mean, target)
    return _mark(percent(target), size, float(mean.sure(size.size or 0)))


def _size(line: Line, target: float) -> Size:
    size, least = (
        int(line.capacities[np.argmax(bound >= target - TINY)]) if bound.max() >= target - TINY else None
        for bound in (line.lower, line.upper)
    )
    return Size(size, least, size is not None and size == least)
