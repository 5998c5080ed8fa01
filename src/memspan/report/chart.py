"""The size-utility plane drawn as SVG: no library, no script, readable on its own.

Colours and fonts come from `page/chart.css` through classes, so that a picture follows the
reader's light or dark mode.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape

import numpy as np

from memspan.report.labels import dot, labels, zone_title
from memspan.report.layout import SMALL, Drawing, Layout
from memspan.report.line import Line, Masses
from memspan.report.plane import Plane
from memspan.report.scale import ticks
from memspan.report.shapes import Places, box, closed, number, path, rule, stairs, text
from memspan.report.strip import strip
from memspan.report.wording import percent

NOW = '<g class="cursor" visibility="hidden"><circle class="now" r="5"/></g>'


def chart(plane: Plane, layout: Layout, title: str) -> str:
    """Return *plane* as an SVG element; *title* is what a screen reader says."""
    drawing = Drawing(plane, layout)
    parts = [*_ground(drawing), *_lines(drawing), *strip(drawing), _stem(drawing), *labels(drawing), NOW]
    return _svg(layout, title, parts, _hooks(drawing))


def thumbnail(plane: Plane, title: str) -> str:
    """Return *plane* as a small picture without labels."""
    drawing = Drawing(plane, SMALL)
    left, right, bottom = SMALL.left, SMALL.right, SMALL.bottom
    parts = [
        rule("base", left, drawing.y(plane.baseline), right),
        *_lines(drawing),
        rule("axis", left, bottom, right),
    ]
    dots = [dot(drawing, mark) for mark in plane.marks]
    return _svg(SMALL, title, [*parts, *dots])


def _svg(layout: Layout, title: str, parts: Iterable[str], attributes: str = "") -> str:
    box = f'viewBox="0 0 {layout.width} {layout.height}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" class="chart" {box} role="img"{attributes}>'
    return "\n".join([head, f"<title>{escape(title)}</title>", *parts, "</svg>"])


def _hooks(drawing: Drawing) -> str:
    """Return what a script needs to find capacities and masses in the picture."""
    layout = drawing.layout
    places = {"left": layout.left, "right": layout.right, "top": layout.top, "bottom": layout.bottom}
    places |= {"end": drawing.plane.end}
    return "".join(f' data-{name}="{value}"' for name, value in places.items())


# --- ground: zone, grid, axes -------------------------------------------------------------------


def _ground(drawing: Drawing) -> Iterator[str]:
    plane, layout, x, y = drawing.plane, drawing.layout, drawing.x, drawing.y
    if not plane.crowd:
        yield box("zone", layout.left, layout.top, x(plane.whole), layout.bottom, zone_title(plane))
    for share in (0.25, 0.5, 0.75, 1.0):
        yield rule("grid", layout.left, y(share), layout.right)
    for share in (0, 0.25, 0.5, 0.75, 1.0):
        yield text("tick end", layout.left - 8, y(share) + 4, percent(share))
    yield text("note", 0, 12, "share of the questions answered")
    yield rule("axis", layout.left, layout.bottom, layout.right)
    yield from _capacity_ticks(drawing)


def _capacity_ticks(drawing: Drawing) -> Iterator[str]:
    layout, x, end = drawing.layout, drawing.x, drawing.plane.end
    values = ticks(end, 8 if layout.wide else 4)
    for value in values:
        name = f"{value:,} {drawing.plane.unit}" if value == values[-1] and layout.wide else f"{value:,}"
        place = "tick end" if x(value) > layout.right - 30 else "tick middle"
        yield f'<path class="axis" d="M{number(x(value))} {layout.bottom}v5"/>'
        yield text(place, x(value), layout.bottom + 19, name)


# --- lines --------------------------------------------------------------------------------------


def _lines(drawing: Drawing) -> Iterator[str]:
    plane = drawing.plane
    for line in plane.crowd:
        yield f'<path class="each" d="{path(_points(drawing, line, line.lower))}"/>'
    lower = _points(drawing, plane.line, plane.line.lower)
    if not plane.crowd:
        yield f'<path class="area" d="{closed(lower, drawing.layout.bottom)}"/>'
    if (plane.line.upper > plane.line.lower).any():
        upper = _points(drawing, plane.line, plane.line.upper)
        yield f'<path class="band" d="{path([*lower, *reversed(upper)])}Z"/>'
    if plane.exact is not None:
        yield from _exact(drawing, plane.exact)
    yield f'<path class="line" d="{path(lower)}"/>'
    if plane.precise is not None:
        yield f'<path class="precise" d="{path(_points(drawing, plane.precise, plane.precise.lower))}"/>'


def _exact(drawing: Drawing, exact: Line) -> Iterator[str]:
    """Yield the value of exactly S claims, under the frontier, which hides it until it dips."""
    bounds = [exact.lower] if np.array_equal(exact.lower, exact.upper) else [exact.lower, exact.upper]
    for bound in bounds:
        yield f'<path class="exact" d="{path(_slopes(drawing, exact, bound))}"/>'


def _slopes(drawing: Drawing, line: Line, masses: Masses) -> Places:
    """Return the corners of a line that may fall: it jumps up, as the frontier does, and slopes down."""
    x, y, places = drawing.x, drawing.y, [(drawing.x(0), drawing.y(float(masses[0])))]
    rows = zip(line.capacities[1:].tolist(), masses[:-1].tolist(), masses[1:].tolist(), strict=True)
    for capacity, before, after in rows:
        last = capacity - 1 if after < before else capacity
        places += [(x(last), y(before)), (x(capacity), y(after))]
    return [*places, (x(drawing.plane.end), places[-1][1])]


def _points(drawing: Drawing, line: Line, masses: Masses) -> Places:
    """Return the corners of a line in pixels up to the right end of the axis: it runs flat, then jumps."""
    end, x, y = drawing.plane.end, drawing.x, drawing.y
    jumps: dict[float, float] = {}
    for capacity, mass in zip(line.capacities.tolist(), masses.tolist(), strict=True):
        if capacity <= end:
            jumps[round(2 * x(capacity)) / 2] = y(mass)  # of several within half a pixel the last
    return stairs([*jumps.items(), (x(end), [*jumps.values()][-1])])


# --- cursor -------------------------------------------------------------------------------------


def _stem(drawing: Drawing) -> str:
    """Return the line that a script moves to the capacity chosen; the point on it is `NOW`."""
    layout = drawing.layout
    strip_top, strip_floor = layout.height - layout.strip + 8, layout.height - 8
    line = f'<path class="stem" d="M0 {layout.top}V{layout.bottom}M0 {strip_top}V{strip_floor}"/>'
    return f'<g class="cursor" visibility="hidden">{line}</g>'
