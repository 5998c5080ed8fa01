"""A frontier in block characters: at most 12 lines by 72 columns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from memspan.report.placed import Placed
from memspan.report.plane import Plane

WIDTH = 72
ROWS = 8
GUTTER = 8  # columns left of the plot
BLOCKS = " ▁▂▃▄▅▆▇█"
YOURS = "◆"

Heights = npt.NDArray[np.int64]
Masses = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Bars:
    """Column heights in eighths of a row.

    Attributes:
        sure: what is surely reached, by true claims alone where truth is known.
        possible: the upper bound, or what claims of any kind reach.
    """

    sure: Heights
    possible: Heights

    def rows(self, count: int = ROWS) -> list[str]:
        """Return *count* rows of cells, from the top down: solid what is sure, shaded what is possible."""
        return [_row(self, row) for row in range(count, 0, -1)]


def plot(plane: Plane) -> list[str]:
    """Return the lines of a plot: solid what is sure, shaded what lies between the bounds.

    >>> from memspan import bundled, frontier
    >>> from memspan.report.plane import plane_of
    >>> from memspan.report.study import Study
    >>> odyssey = bundled("odyssey")
    >>> print(plot(plane_of(Study(odyssey, frontier(odyssey))))[0])
      100 % ┤                                          ▁▁▁▁▁▁▁▁▁▁▄▄▄▄▄▄▄▄▄▄█
    """
    bars = _bars(plane)
    rows = bars.rows()
    if plane.placed is not None:
        _put(rows, plane, plane.placed)
    names = {ROWS: "100 %", 3 * ROWS // 4: "75 %", ROWS // 2: "50 %", ROWS // 4: "25 %"}
    left = [f"{names.get(row, ''):>7} {'┤' if row in names else '│'}" for row in range(ROWS, 0, -1)]
    return [*(f"{name}{row}".rstrip() for name, row in zip(left, rows, strict=True)), *_axis(plane)]


def _bars(plane: Plane) -> Bars:
    columns = np.arange(WIDTH - GUTTER - 1)
    capacities = np.floor(columns * plane.end / (len(columns) - 1) + 1e-9)
    lower, upper = plane.line.sure(capacities), plane.line.possible(capacities)
    if plane.precise is not None:
        lower = np.minimum(lower, plane.precise.sure(capacities))
    return Bars(_eighths(lower), _eighths(upper))


def _put(rows: list[str], plane: Plane, placed: Placed) -> None:
    """Mark a memory in *rows*, which run from the top down."""
    row = min(int(placed.covers * ROWS), ROWS - 1)
    column = _column(placed.size, plane)
    line = rows[ROWS - 1 - row]
    rows[ROWS - 1 - row] = f"{line[:column]}{YOURS}{line[column + 1 :]}"


def _column(capacity: int, plane: Plane) -> int:
    width = WIDTH - GUTTER - 1
    return min(round(capacity * (width - 1) / plane.end), width - 1)


def _eighths(masses: Masses) -> Heights:
    return np.floor(masses * ROWS * 8 + 1e-9).astype(np.int64)


def _row(bars: Bars, row: int) -> str:
    below = (row - 1) * 8
    return "".join(
        _cell(int(sure) - below, int(possible) - below)
        for sure, possible in zip(bars.sure, bars.possible, strict=True)
    )


def _cell(sure: int, possible: int) -> str:
    if sure >= 8:
        return BLOCKS[8]
    if possible > max(sure, 0) and possible >= 4:
        return "░"
    return BLOCKS[max(sure, 0)]


def _axis(plane: Plane) -> Iterator[str]:
    """Yield the axis with a tick at each landmark, their sizes, and which share each one answers."""
    marks = [*plane.marks, *([plane.full] if plane.full else [])]
    places = {_column(mark.capacity, plane): mark for mark in marks if mark.capacity <= plane.end}
    width = WIDTH - GUTTER - 1
    yield f"{'0 %':>7} └" + "".join("┴" if column in places else "─" for column in range(width))
    end = "" if plane.full and plane.full.capacity == plane.end else f"{plane.end:,}"
    yield _spread({GUTTER: "0", **{GUTTER + 1 + at: mark.size for at, mark in places.items()}, WIDTH: end})
    yield _spread({GUTTER + 1 + at: mark.label for at, mark in places.items()} | {WIDTH: plane.unit})


def _spread(labels: dict[int, str]) -> str:
    """Lay each label centred at its column; one that would touch another is left out, the last one stays."""
    line = [" "] * WIDTH
    for column, label in sorted(labels.items(), key=lambda item: -item[0]):
        start = max(0, min(column - len(label) // 2, WIDTH - len(label)))
        around = line[max(start - 1, 0) : start + len(label) + 1]
        if label and not "".join(around).strip():
            line[start : start + len(label)] = label
    return "".join(line).rstrip()


SEARCHED = "█ surely answered   ░ not yet proven or refuted"
DRAWN = "█ in nearly every draw   ░ in some draws"


def legend(plane: Plane) -> str | None:
    """Return what the shades and signs in the plot mean; None where there are none."""
    told = []
    if plane.precise is not None:
        told.append("█ true claims alone   ░ with false claims")
    elif bool((plane.line.upper > plane.line.lower).any()):
        told.append(DRAWN if plane.drawn else SEARCHED)
    if plane.placed is not None:
        told.append(f"{YOURS} the memory given")
    return "   ".join(told) or None
