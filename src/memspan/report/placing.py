"""Names beside what they name: where they lie neither on one another nor on a point."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
GLYPH = 6.7  # pixels that a character takes on average
HEIGHT = 13.0
STEP = 5.0  # pixels between the places by which a line is felt
FEW = 3  # of them that a name may lie on: it has a seam of paper
_AROUND = (
    (8.0, -6.0, ""),
    (8.0, 14.0, ""),
    (-8.0, -6.0, "end"),
    (-8.0, 14.0, "end"),
    (0.0, -10.0, "middle"),
    (0.0, 20.0, "middle"),
)


@dataclass(frozen=True)
class Box:
    """Where a picture may be written on, in pixels."""

    left: float
    top: float
    right: float
    bottom: float


@dataclass(frozen=True)
class Name:
    """A name with the places beside which it may stand, the best first."""

    text: str
    places: tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class Placed:
    """Where a name stands.

    Attributes:
        x, y: of its baseline.
        anchor: class of its alignment.
        clear: it lies on nothing else; if not, it is shown only when it is asked for.
    """

    x: float
    y: float
    anchor: str
    clear: bool


def place_names(
    names: Sequence[Name],
    points: Floats,
    lines: Sequence[Floats],
    box: Box,
    spare: Sequence[bool] | None = None,
) -> list[Placed]:
    """Return a place for each of *names*, the first ones first.

    Args:
        names: what is to be written; room is kept for the first one in any case.
        points: that no name may cover, shape (n, 2).
        lines: corners of lines, shape (n, 2) each, that a name may hardly touch.
        box: what it must lie within.
        spare: which are shown only when they are asked for; they take no room from others.

    >>> one = place_names([Name("fifo", ((50, 50),))], np.zeros((0, 2)), [], Box(0, 0, 200, 100))
    >>> one[0].x, one[0].y, one[0].clear
    (58.0, 44.0, True)
    """
    felt = np.concatenate([np.zeros((0, 2)), *(_along(line) for line in lines)])
    taken: list[Box] = []
    found: list[Placed] = []
    for name, hidden in zip(names, spare or [False] * len(names), strict=True):
        options = [
            (
                _cost(_reach(name.text, x + dx, y + dy, anchor), taken, points, felt, box),
                x + dx,
                y + dy,
                anchor,
            )
            for x, y in name.places
            for dx, dy, anchor in _AROUND
        ]
        cost, x, y, anchor = min(options, key=lambda option: option[0])
        clear = cost <= FEW and not hidden
        if clear or not found:  # the first one is always shown
            taken.append(_reach(name.text, x, y, anchor))
        found.append(Placed(x, y, anchor, clear))
    return found


def _along(line: Floats) -> Floats:
    """Return places along *line*, a few pixels apart."""
    parts = [line[:1]]
    for start, stop in pairwise(line):
        count = max(1, int(np.hypot(*(stop - start)) / STEP))
        parts.append(start + (stop - start) * (np.arange(1, count + 1) / count)[:, None])
    return np.concatenate(parts)


def _reach(text: str, x: float, y: float, anchor: str) -> Box:
    wide = GLYPH * len(text)
    left = x - {"": 0.0, "middle": wide / 2, "end": wide}[anchor]
    return Box(left, y - HEIGHT + 2, left + wide, y + 3)


def _cost(reach: Box, taken: Sequence[Box], points: Floats, felt: Floats, box: Box) -> float:
    outside = (
        reach.left < box.left or reach.right > box.right or reach.top < box.top or reach.bottom > box.bottom
    )
    meets = sum(_meet(reach, other) for other in taken)
    return 10_000.0 * outside + 1_000.0 * meets + 10.0 * _inside(reach, points, 3) + _inside(reach, felt, 0)


def _meet(one: Box, other: Box) -> bool:
    return (
        one.left < other.right
        and other.left < one.right
        and one.top < other.bottom
        and other.top < one.bottom
    )


def _inside(reach: Box, places: Floats, margin: float) -> int:
    x, y = places[:, 0], places[:, 1]
    across = (x > reach.left - margin) & (x < reach.right + margin)
    return int((across & (y > reach.top - margin) & (y < reach.bottom + margin)).sum())
