"""The waterfall as bars: from all questions down to those that are left, part by part."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memspan.diagnosis import Interval, Point
from memspan.report.league import MEANINGS, PARTS, end_name
from memspan.report.means import mean_of


@dataclass(frozen=True)
class Fall:
    """Where the questions of one system go, on one material or on average over several.

    Attributes:
        parts: masses of all questions by name, in order; what was right anyway counts against the others.
        lost: one minus what is left.
        answered: whether somebody answered; else it ends at what was read.
    """

    parts: tuple[tuple[str, Interval], ...]
    lost: Interval
    answered: bool


@dataclass(frozen=True)
class Bar:
    """One bar.

    Attributes:
        name: of the part; ``all`` and ``left`` for the first and the last one.
        label, meaning: what it is called, and what it means.
        share: its mass with its limits.
        start, stop: where it begins and ends, masses of all questions.
    """

    name: str
    label: str
    meaning: str
    share: Interval
    start: float
    stop: float


def fall_of(points: Sequence[Point]) -> Fall:
    """Return where the questions of *points* go: of one system at one capacity, one for each material."""
    rows = [dict(point.waterfall.parts) for point in points]
    return Fall(
        tuple((name, mean_of([row[name] for row in rows])) for name in rows[0]),
        mean_of([point.waterfall.lost for point in points]),
        all(point.waterfall.answered for point in points),
    )


def bars(fall: Fall) -> Iterator[Bar]:
    """Yield the bars of *fall* from the top.

    >>> import memspan as ms
    >>> from memspan.diagnosis import evaluate
    >>> found = fall_of(evaluate(ms.bundled("odyssey"), ["fifo"], [4]).points)
    >>> [(bar.name, round(bar.stop - bar.start, 2)) for bar in bars(found)][3:5]
    [('compression', 0.1), ('write', 0.25)]
    """
    yield Bar("all", "all questions", "", Interval(1.0, 1.0, 1.0), 0.0, 1.0)
    level = 1.0
    for name, share in fall.parts:
        below = level - share.estimate
        yield Bar(name, PARTS[name], MEANINGS[name], share, min(level, below), max(level, below))
        level = below
    lost = fall.lost
    left = Interval(1 - lost.estimate, 1 - lost.upper, 1 - lost.lower)
    yield Bar("left", end_name(answered=fall.answered), "", left, 0.0, left.estimate)
