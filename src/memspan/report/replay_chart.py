"""Curves of a replay, drawn as SVG: what each policy expects to answer under the bound, and its regret."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

import numpy as np
import numpy.typing as npt

from memspan.report.layout import Layout
from memspan.report.replay_cells import BASELINE, Cell, Floats, Row
from memspan.report.scale import Scale, ticks
from memspan.report.shapes import Places, number, path, rule, text
from memspan.report.systems_look import look_of
from memspan.report.wording import percent

WIDE = Layout(width=560, height=430, left=44, right=442, top=40, bottom=388)
NARROW = Layout(width=344, height=320, left=36, right=238, top=38, bottom=282)
MOST_POINTS = 300
CLOSE = 0.3  # pixels that a curve may be simplified by
LINE = 14.0  # pixels between two names
MANY = 8  # curves of which each has its colour; of more, only those that matter
LEADERS = 3  # the best ones, that always have theirs


@dataclass(frozen=True)
class Curve:
    """One curve of a picture.

    Attributes:
        name: that stands at its end.
        kind: classes that carry its look.
        values: (T,) one for each step; nan for none.
        low, high: limits around it; empty where they are not known.
    """

    name: str
    kind: str
    values: Floats
    low: Floats
    high: Floats


@dataclass(frozen=True)
class Plot:
    """A picture: its scales, and what its axes say."""

    layout: Layout
    x: Scale
    y: Scale
    note: str
    marks: tuple[tuple[float, str], ...]

    def corners(self, values: Floats) -> Places:
        """Return where *values*, one for each step, lie: few places, none further off than can be seen."""
        known = np.flatnonzero(~np.isnan(values))
        if not len(known):
            return []
        known = known[np.linspace(0, len(known) - 1, min(MOST_POINTS, len(known))).round().astype(int)]
        places = np.array([(self.x(step + 1.0), self.y(values[step])) for step in known.tolist()])
        return [(float(x), float(y)) for x, y in places[_corners(places)]]


def level_chart(cell: Cell, layout: Layout, title: str) -> str:
    """Return what each policy expects to answer at each step, under the bound, as an SVG element."""
    empty = np.zeros(0)
    curves = [
        Curve(row.policy, _kind(cell, row), smoothed(cell, row.expected), empty, empty) for row in cell.rows
    ]
    curves.insert(0, Curve("bound", "bound on", smoothed(cell, cell.bound), empty, empty))
    y = Scale(1.0, layout.bottom, layout.top)
    marks = tuple((share, percent(share)) for share in (0.0, 0.25, 0.5, 0.75, 1.0))
    so_far = "" if cell.kind == "iid" else "; mean of all steps so far"
    note = f"share of the questions answered, expected{so_far}"
    return _svg(Plot(layout, _steps(cell, layout), y, note, marks), curves, title, "level")


def regret_chart(cell: Cell, layout: Layout, title: str) -> str:
    """Return how far each policy lags behind the bound by each step, as an SVG element."""
    curves = [
        Curve(row.policy, _kind(cell, row), row.regret.mean, row.regret.lower, row.regret.upper)
        for row in cell.rows
    ]
    top = max((float(np.nanmax(curve.values, initial=0.0)) for curve in curves), default=0.0)
    y = Scale(max(top, 1.0), layout.bottom, layout.top)
    marks = tuple((float(value), f"{value:,}") for value in ticks(max(top, 1.0), 5))
    plot = Plot(layout, _steps(cell, layout), y, "regret: questions lost against the bound", marks)
    return _svg(plot, curves, title, "regret")


def smoothed(cell: Cell, values: Floats) -> Floats:
    """Return *values* as they are drawn: where each query is asked once, the mean of all steps so far."""
    if cell.kind == "iid":
        return values
    known = ~np.isnan(values)
    total, count = np.cumsum(np.where(known, values, 0.0)), np.cumsum(known)
    means: Floats = np.divide(total, count, out=np.full(len(values), np.nan), where=count > 0)
    return means


def _steps(cell: Cell, layout: Layout) -> Scale:
    return Scale(max(len(cell.bound), 1), layout.left, layout.right)


def _kind(cell: Cell, row: Row) -> str:
    """Return the classes of a curve: what is shown first, and what gives way among many."""
    shown = {cell.best.policy, BASELINE, cell.other.policy if cell.other else BASELINE}
    leads = {*shown, *(each.policy for each in cell.rows[:LEADERS])}
    rest = len(cell.rows) > MANY and row.policy not in leads
    base, on = " baseline" if row.policy == BASELINE else "", " on" if row.policy in shown else ""
    return f"{hue(row.policy)}{base}{on}{' rest' if rest else ''}"


def hue(policy: str) -> str:
    """Return the classes that carry the look of *policy*."""
    return look_of(policy).kind


def _svg(plot: Plot, curves: Sequence[Curve], title: str, what: str) -> str:
    layout = plot.layout
    ends = [corners[-1] if (corners := plot.corners(curve.values)) else None for curve in curves]
    heights = _apart([end[1] if end else layout.bottom for end in ends], layout)
    drawn = [
        _curve(plot, curve, end, height)
        for curve, end, height in zip(curves, ends, heights, strict=True)
        if end
    ]
    box = f'data-left="{layout.left}" data-right="{layout.right}" data-steps="{number(plot.x.end)}"'
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="chart {what}" {box} '
        f'viewBox="0 0 {layout.width} {layout.height}" role="img">'
    )
    cursor = f'<path class="cursor" d="M0 {layout.top}V{layout.bottom}" visibility="hidden"/>'
    parts = [head, f"<title>{escape(title)}</title>", *_ground(plot), *reversed(drawn), cursor, "</svg>"]
    return "\n".join(parts)


def _ground(plot: Plot) -> Iterator[str]:
    layout = plot.layout
    for value, name in plot.marks:
        yield rule("grid" if value else "axis", layout.left, plot.y(value), layout.right)
        yield text("tick end", layout.left - 8, plot.y(value) + 4, name)
    yield text("note", 0, 12, plot.note)
    steps = ticks(plot.x.end, 8 if layout.wide else 4)
    for step in steps:
        last = step == steps[-1]
        yield f'<path class="axis" d="M{number(plot.x(step))} {layout.bottom}v5"/>'
        named = f"{step:,} steps" if last else f"{step:,}"
        yield text("tick middle", plot.x(step), layout.bottom + 20, named)


def _curve(plot: Plot, curve: Curve, end: tuple[float, float], height: float) -> str:
    parts = [f"<title>{escape(curve.name)}</title>"]
    low, high = plot.corners(curve.low), plot.corners(curve.high)
    if low and high:
        parts.append(f'<path class="spread" d="{path([*low, *reversed(high)])}Z"/>')
    parts.append(f'<path class="curve" d="{path(plot.corners(curve.values))}"/>')
    x, name = plot.layout.right, curve.name
    if abs(height - end[1]) > 2:
        parts.append(
            f'<path class="lead" d="M{number(end[0] + 2)} {number(end[1])}L{x + 8} {number(height)}"/>'
        )
    parts.append(text("", x + 11, height + 4, name))
    return f'<g class="policy {curve.kind}" data-policy="{escape(name)}">{"".join(parts)}</g>'


def _apart(heights: Sequence[float], layout: Layout) -> list[float]:
    """Return where names stand so that none lies on another: near their heights, within the picture."""
    order = sorted(range(len(heights)), key=lambda i: heights[i])
    gap = min(LINE, (layout.bottom - layout.top) / max(len(heights) - 1, 1))
    placed = list(heights)
    free = float(layout.top)
    for i in order:
        placed[i] = max(heights[i], free)
        free = placed[i] + gap
    free = float(layout.bottom)
    for i in reversed(order):
        placed[i] = min(placed[i], free)
        free = placed[i] - gap
    return placed


def _corners(places: Floats) -> npt.NDArray[np.int64]:
    """Return which of *places* a line needs so that it nowhere moves by more than can be seen.

    Source: Douglas and Peucker, *Algorithms for the reduction of the number of points*, 1973.
    """
    kept = {0, len(places) - 1}
    parts = [(0, len(places) - 1)]
    while parts:
        start, stop = parts.pop()
        if stop - start < 2:
            continue
        (x, y), (right, end) = places[start], places[stop]
        inner = places[start + 1 : stop]
        line = y + (inner[:, 0] - x) * (end - y) / (right - x)
        off = np.abs(inner[:, 1] - line)
        if off.max() > CLOSE:
            middle = start + 1 + int(off.argmax())
            kept.add(middle)
            parts += [(start, middle), (middle, stop)]
    return np.array(sorted(kept), np.int64)
