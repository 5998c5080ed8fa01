"""The size-utility plane drawn as SVG: no library, no script, readable on its own.

Colours and fonts come from `page/chart.css` through classes, so that a picture follows the
reader's light or dark mode.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise

import numpy as np

from memspan.report.plane import Line, Mark, Plane
from memspan.report.scale import Scale, ticks
from memspan.report.wording import counted, percent

GLYPH = 6.6  # pixels that a character of a label takes on average


@dataclass(frozen=True)
class Layout:
    """Where the parts of a picture lie, in pixels."""

    width: int
    height: int
    left: int
    right: int
    top: int
    bottom: int
    strip: int = 0

    @property
    def wide(self) -> bool:
        """There is room for units in labels."""
        return self.width > 500


WIDE = Layout(width=740, height=450, left=48, right=724, top=34, bottom=330, strip=74)
NARROW = Layout(width=344, height=360, left=40, right=336, top=30, bottom=246, strip=60)
SMALL = Layout(width=220, height=112, left=4, right=216, top=8, bottom=104)


@dataclass(frozen=True)
class Drawing:
    """A plane on a layout: the scales between capacities, masses and pixels."""

    plane: Plane
    layout: Layout

    @property
    def x(self) -> Scale:
        """Capacity to pixels."""
        return Scale(self.plane.end, self.layout.left, self.layout.right)

    @property
    def y(self) -> Scale:
        """Mass to pixels."""
        return Scale(1.0, self.layout.bottom, self.layout.top)


def chart(plane: Plane, layout: Layout, title: str) -> str:
    """Return *plane* as an SVG element; *title* is what a screen reader says."""
    drawing = Drawing(plane, layout)
    parts = [*_ground(drawing), *_lines(drawing), *_labels(drawing), *_strip(drawing), _cursor(drawing)]
    return _svg(layout, title, parts, _hooks(drawing))


def thumbnail(plane: Plane, title: str) -> str:
    """Return *plane* as a small picture without labels."""
    drawing = Drawing(plane, SMALL)
    left, right, bottom = SMALL.left, SMALL.right, SMALL.bottom
    parts = [
        _rule("base", left, drawing.y(plane.baseline), right),
        *_lines(drawing),
        _rule("axis", left, bottom, right),
    ]
    dots = [_dot(drawing, mark) for mark in plane.marks]
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
        yield _box("zone", layout.left, layout.top, x(plane.whole), layout.bottom)
    for share in (0.25, 0.5, 0.75, 1.0):
        yield _rule("grid", layout.left, y(share), layout.right)
    for share in (0, 0.25, 0.5, 0.75, 1.0):
        yield _text("tick end", layout.left - 8, y(share) + 4, percent(share))
    yield _rule("axis", layout.left, layout.bottom, layout.right)
    yield from _capacity_ticks(drawing)


def _capacity_ticks(drawing: Drawing) -> Iterator[str]:
    layout, x, end = drawing.layout, drawing.x, drawing.plane.end
    values = ticks(end, 8 if layout.wide else 4)
    for value in values:
        name = f"{value:,} {drawing.plane.unit}" if value == values[-1] and layout.wide else f"{value:,}"
        place = "tick end" if x(value) > layout.right - 30 else "tick middle"
        yield f'<path class="axis" d="M{_n(x(value))} {layout.bottom}v5"/>'
        yield _text(place, x(value), layout.bottom + 19, name)


# --- lines --------------------------------------------------------------------------------------


def _lines(drawing: Drawing) -> Iterator[str]:
    plane = drawing.plane
    for line in plane.crowd:
        yield f'<path class="each" d="{_path(_points(drawing, line, line.lower))}"/>'
    lower = _points(drawing, plane.line, plane.line.lower)
    if not plane.crowd:
        yield f'<path class="area" d="{_closed(lower, drawing.layout.bottom)}"/>'
    if (plane.line.upper > plane.line.lower).any():
        upper = _points(drawing, plane.line, plane.line.upper)
        yield f'<path class="band" d="{_path([*lower, *reversed(upper)])}Z"/>'
    yield f'<path class="line" d="{_path(lower)}"/>'
    if plane.precise is not None:
        yield f'<path class="precise" d="{_path(_points(drawing, plane.precise, plane.precise.lower))}"/>'


Places = list[tuple[float, float]]


def _points(drawing: Drawing, line: Line, masses: np.ndarray) -> Places:
    """Return a line in pixels, cut at the right end of the axis and led on to it where it is flat."""
    plane, x, y = drawing.plane, drawing.x, drawing.y
    inside = [(float(c), float(u)) for c, u in zip(line.capacities, masses, strict=True) if c <= plane.end]
    if line.capacities[-1] > plane.end:
        inside.append((plane.end, float(np.interp(plane.end, line.capacities, masses))))
    elif plane.saturation is not None:
        inside.append((plane.end, inside[-1][1]))
    places = [(x(capacity), y(mass)) for capacity, mass in inside]
    return _stairs(places) if plane.stepped else places


def _stairs(places: Places) -> Places:
    corners = [(right[0], left[1]) for left, right in pairwise(places)]
    return [place for pair in zip(places, [*corners, places[-1]], strict=True) for place in pair]


def _path(places: Sequence[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{_n(x)} {_n(y)}" for x, y in places)


def _closed(places: Places, bottom: int) -> str:
    return f"{_path([(places[0][0], bottom), *places, (places[-1][0], bottom)])}Z"


# --- labels -------------------------------------------------------------------------------------


def _labels(drawing: Drawing) -> Iterator[str]:
    plane, layout, y = drawing.plane, drawing.layout, drawing.y
    yield _rule("base", layout.left, y(plane.baseline), layout.right)
    if plane.crowd:
        yield _text(
            "note end", layout.right, layout.bottom - 10, f"bold: the mean of {len(plane.crowd)}; thin: each"
        )
    else:
        yield _text("note end", layout.right - 6, layout.bottom - 10, _zone(drawing))
        yield from _saturation(drawing)
    if plane.precise is not None:
        yield _precise_label(drawing, plane.precise)
    taken: list[float] = []
    for mark in reversed(plane.marks):
        yield _dot(drawing, mark)
        place = _label_place(drawing, mark)
        if all(abs(place[1] - other) >= 13 for other in taken):
            yield _text(f"label {place[2]}", place[0], place[1], _mark_text(drawing, mark))
            taken.append(place[1])


def _zone(drawing: Drawing) -> str:
    plane = drawing.plane
    beyond = " →" if plane.whole > plane.end else ""
    text = f"compression zone: below {counted(plane.whole, plane.unit)}{beyond}"
    return text if drawing.layout.wide else f"{counted(plane.whole, plane.unit)} in all{beyond}"


def _saturation(drawing: Drawing) -> Iterator[str]:
    plane, layout, x, y = drawing.plane, drawing.layout, drawing.x, drawing.y
    top = y(plane.baseline)
    full = f"full context {percent(plane.baseline)}"
    if plane.saturation is None:
        yield _text("note", layout.left + 6, top - 9, full)
        return
    at = x(plane.saturation)
    yield f'<path class="drop" d="M{_n(at)} {_n(top)}V{layout.bottom}"/>'
    yield f'<circle class="mark" cx="{_n(at)}" cy="{_n(top)}" r="4"/>'
    text = f"all · {counted(plane.saturation, plane.unit) if layout.wide else f'{plane.saturation:,}'}"
    late = at > layout.right - 60
    yield _text(f"label {'end' if late else 'middle'}", layout.right if late else at, top - 11, text)
    yield _text("note", layout.left + 6, top - 9, full)


def _mark_text(drawing: Drawing, mark: Mark) -> str:
    unit = f" {drawing.plane.unit}" if drawing.layout.wide and drawing.plane.unit != "claims" else ""
    claims = f" {counted(mark.capacity, 'claims').split()[-1]}" if drawing.layout.wide and not unit else ""
    return f"{mark.label} · {mark.capacity:,}{unit or claims}"


def _label_place(drawing: Drawing, mark: Mark) -> tuple[float, float, str]:
    """Return where a mark's label stands: below right of it, clear of the line and of the edge."""
    at, width = drawing.x(mark.capacity), GLYPH * len(_mark_text(drawing, mark))
    if at + 10 + width <= drawing.layout.right:
        return at + 10, drawing.y(mark.mass) + 16, ""
    line = drawing.plane.line
    start = (drawing.layout.right - width - drawing.layout.left) / (
        drawing.layout.right - drawing.layout.left
    )
    under = float(np.interp(start * drawing.plane.end, line.capacities, line.lower))
    return drawing.layout.right, max(drawing.y(mark.mass), drawing.y(under)) + 18, "end"


def _precise_label(drawing: Drawing, precise: Line) -> str:
    line = drawing.plane.line
    gaps = np.interp(precise.capacities, line.capacities, line.lower) - precise.lower
    at = int(gaps.argmax())
    place = drawing.x(float(precise.capacities[at])), drawing.y(float(precise.lower[at]))
    return _text("true", place[0] + 10, place[1] + 16, "true claims only")


def _dot(drawing: Drawing, mark: Mark) -> str:
    return f'<circle class="mark" cx="{_n(drawing.x(mark.capacity))}" cy="{_n(drawing.y(mark.mass))}" r="4"/>'


# --- strip of gains -----------------------------------------------------------------------------


def _strip(drawing: Drawing) -> Iterator[str]:
    """Yield what each capacity adds to the one before, as bars under the same axis."""
    plane, layout = drawing.plane, drawing.layout
    bars = _gains(drawing)
    if not layout.strip or not bars:
        return
    largest = max(gain for _, gain in bars)
    floor, height = layout.height - 8, layout.strip - 22
    wide = max(1.0, min(14.0, (layout.right - layout.left) / max(plane.end, 1) - 1))
    yield _text("note", layout.left, layout.height - layout.strip, "gain of each step")
    yield _text(
        "tick end",
        layout.left - 8,
        floor - height + 4,
        f"+{percent(largest)}" if layout.wide else percent(largest),
    )
    yield "".join(
        ['<g class="bars">', *(_bar(at, gain / largest * height, floor, wide) for at, gain in bars), "</g>"]
    )
    yield _rule("axis", layout.left, floor, layout.right)


def _gains(drawing: Drawing) -> list[tuple[float, float]]:
    """Return the largest gain in each pixel column, as (place, mass); the line is a mean or a frontier."""
    line, plane = drawing.plane.line, drawing.plane
    if plane.stepped:
        steps = zip(line.capacities[1:].tolist(), np.diff(line.lower).tolist(), strict=True)
    else:
        every = np.arange(min(plane.end, int(line.capacities[-1])) + 1)
        steps = zip(
            every[1:].tolist(), np.diff(np.interp(every, line.capacities, line.lower)).tolist(), strict=True
        )
    largest: dict[int, tuple[float, float]] = {}
    for capacity, gain in steps:
        place = drawing.x(capacity)
        if capacity <= plane.end and gain > 1e-12 and gain > largest.get(round(place), (0.0, 0.0))[1]:
            largest[round(place)] = (place, gain)
    return list(largest.values())


def _bar(at: float, height: float, floor: int, wide: float) -> str:
    return f'<path d="M{_n(at - wide / 2)} {floor}v{_n(-height)}h{_n(wide)}V{floor}Z"/>'


# --- cursor and primitives ----------------------------------------------------------------------


def _cursor(drawing: Drawing) -> str:
    layout = drawing.layout
    line = f'<path class="stem" d="M0 {layout.top}V{layout.bottom}M0 {layout.height - layout.strip + 8}V{layout.height - 8}"/>'
    return f'<g class="cursor" visibility="hidden">{line}<circle class="now" r="5"/></g>'


def _rule(kind: str, left: float, at: float, right: float) -> str:
    return f'<path class="{kind}" d="M{_n(left)} {_n(at)}H{_n(right)}"/>'


def _box(kind: str, left: float, top: float, right: float, bottom: float) -> str:
    return f'<path class="{kind}" d="M{_n(left)} {_n(top)}H{_n(right)}V{_n(bottom)}H{_n(left)}Z"/>'


def _text(kind: str, x: float, y: float, content: str) -> str:
    return f'<text class="{kind}" x="{_n(x)}" y="{_n(y)}">{escape(content)}</text>'


def _n(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
