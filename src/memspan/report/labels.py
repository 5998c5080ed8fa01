"""The words in a picture, placed beside what they name and clear of the line."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from memspan.report.layout import Drawing
from memspan.report.plane import Line, Mark
from memspan.report.shapes import circle, number, rule, text
from memspan.report.wording import counted, percent

GLYPH = 6.6  # pixels that a character of a label takes on average


def labels(drawing: Drawing) -> Iterator[str]:
    """Yield what stands in the picture in words: baseline, zone, saturation, marks."""
    plane, layout, y = drawing.plane, drawing.layout, drawing.y
    yield rule("base", layout.left, y(plane.baseline), layout.right)
    if plane.crowd:
        note = f"bold: the mean of {len(plane.crowd)}; thin: each"
    else:
        note = _zone(drawing)
        yield from _saturation(drawing)
    yield text("note end", layout.right - 6, layout.bottom - 10, note)
    if plane.precise is not None:
        yield _precise_label(drawing, plane.precise)
    yield from _marks(drawing)


def _marks(drawing: Drawing) -> Iterator[str]:
    """Yield each mark with its label, but where labels would lie on one another only the upper one."""
    taken: list[float] = []
    for mark in reversed(drawing.plane.marks):
        yield dot(drawing, mark)
        place = _label_place(drawing, mark)
        if all(abs(place[1] - other) >= 13 for other in taken):
            yield text(f"label {place[2]}", place[0], place[1], _mark_text(drawing, mark))
            taken.append(place[1])


def _zone(drawing: Drawing) -> str:
    plane = drawing.plane
    beyond = " →" if plane.whole > plane.end else ""
    whole = counted(plane.whole, plane.unit)
    return f"compression zone: below {whole}{beyond}" if drawing.layout.wide else f"{whole} in all{beyond}"


def _saturation(drawing: Drawing) -> Iterator[str]:
    plane, layout, x, y = drawing.plane, drawing.layout, drawing.x, drawing.y
    top = y(plane.baseline)
    full = f"full context {percent(plane.baseline)}"
    if plane.saturation is None:
        yield text("note", layout.left + 6, top - 9, full)
        return
    at = x(plane.saturation)
    yield f'<path class="drop" d="M{number(at)} {number(top)}V{layout.bottom}"/>'
    yield circle("mark", at, top)
    late = at > layout.right - 60
    place = layout.right if late else at
    yield text(
        f"label {'end' if late else 'middle'}", place, top - 11, _sized(drawing, "all", plane.saturation)
    )
    yield text("note", layout.left + 6, top - 9, full)


def _mark_text(drawing: Drawing, mark: Mark) -> str:
    return _sized(drawing, mark.label, mark.capacity)


def _sized(drawing: Drawing, label: str, size: int) -> str:
    return f"{label} · {counted(size, drawing.plane.unit) if drawing.layout.wide else f'{size:,}'}"


def _label_place(drawing: Drawing, mark: Mark) -> tuple[float, float, str]:
    """Return where a mark's label stands: below right of it, clear of the line and of the edge."""
    at, width = drawing.x(mark.capacity), GLYPH * len(_mark_text(drawing, mark))
    if at + 10 + width <= drawing.layout.right:
        return at + 10, drawing.y(mark.mass) + 16, ""
    line, left, right = drawing.plane.line, drawing.layout.left, drawing.layout.right
    start = drawing.plane.end * (right - width - left) / (right - left)
    under = float(np.interp(start, line.capacities, line.lower))
    return right, max(drawing.y(mark.mass), drawing.y(under)) + 18, "end"


def _precise_label(drawing: Drawing, precise: Line) -> str:
    line = drawing.plane.line
    gaps = np.interp(precise.capacities, line.capacities, line.lower) - precise.lower
    at = int(gaps.argmax())
    place = drawing.x(float(precise.capacities[at])), drawing.y(float(precise.lower[at]))
    return text("true", place[0] + 10, place[1] + 16, "true claims only")


def dot(drawing: Drawing, mark: Mark) -> str:
    """Return the point of *mark*."""
    return circle("mark", drawing.x(mark.capacity), drawing.y(mark.mass))
