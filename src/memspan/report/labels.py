"""The words in a picture, placed beside what they name and clear of the line."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from memspan.report.layout import Drawing
from memspan.report.line import Line
from memspan.report.placed import Placed
from memspan.report.plane import Mark, Plane
from memspan.report.shapes import circle, number, rule, text
from memspan.report.wording import counted, percent, singular

MOST_DIPS = 40  # that get a point of their own
DIP_TITLE = "The best memory of exactly so many claims: what comes in last defeats what others answer."
TINY = 1e-9  # means of masses are rounded
GLYPH = 6.6  # pixels that a character of a label takes on average


def labels(drawing: Drawing) -> Iterator[str]:
    """Yield what stands in the picture in words: baseline, zone, saturation, marks."""
    plane, layout, y = drawing.plane, drawing.layout, drawing.y
    yield rule("base", layout.left, y(plane.baseline), layout.right)
    note, title = (_crowd(plane), "") if plane.crowd else (_zone(drawing), zone_title(plane))
    if not plane.crowd:
        yield from _saturation(drawing)
    yield text("note end", layout.right - 6, layout.bottom - 10, note, title)
    if plane.precise is not None:
        yield _precise_label(drawing, plane.precise)
    if plane.exact is not None:
        yield from _dips(drawing, plane.exact)
    yield from _marks(drawing)
    if plane.placed is not None:
        yield from _placed(drawing, plane.placed)


def zone_title(plane: Plane) -> str:
    """Return what the compression zone is."""
    whole = counted(plane.whole, plane.unit)
    return f"Compression zone: below the whole material ({whole}), where a memory must choose what it keeps."


def _crowd(plane: Plane) -> str:
    shown, there = plane.of
    some = f"{shown}" if shown == there else f"{shown} of {there}"
    return f"bold: the mean of {some}; thin: each"


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
    note = f"full context {percent(plane.baseline)}"
    if plane.full is None:
        yield text("note", layout.left + 6, top - 9, note)
        return
    at = x(plane.full.capacity)
    yield f'<path class="drop" d="M{number(at)} {number(top)}V{layout.bottom}"/>'
    yield circle("mark", at, top)
    if float(plane.line.upper.max()) > plane.baseline + TINY:  # the line runs on above
        place, height, kind = _label_place(drawing, plane.full)
        yield text(f"label {kind}", place, height, _mark_text(drawing, plane.full))
    else:
        late = at > layout.right - 60
        place = layout.right if late else at
        yield text(f"label {'end' if late else 'middle'}", place, top - 11, _mark_text(drawing, plane.full))
    yield text("note", layout.left + 6, top - 9, note)


def _placed(drawing: Drawing, placed: Placed) -> Iterator[str]:
    """Yield a memory under the frontier, and the gap between the two."""
    at, below, above = drawing.x(placed.size), drawing.y(placed.covers), drawing.y(placed.best.lower)
    yield f'<path class="gap" d="M{number(at)} {number(above)}V{number(below)}"/>'
    yield circle("yours", at, below)
    late = at > drawing.layout.right - 150
    note = f"memory given · {percent(placed.covers)}"
    yield text(f"label{' end' if late else ''}", at - 10 if late else at + 10, below + 5, note)


def _mark_text(drawing: Drawing, mark: Mark) -> str:
    unit = drawing.plane.unit
    named = f" {singular(unit) if mark.size == '1' else unit}" if drawing.layout.wide else ""
    return f"{mark.label} · {mark.size}{named}"


def _label_place(drawing: Drawing, mark: Mark) -> tuple[float, float, str]:
    """Return where a mark's label stands: below right of it, clear of the line and of the edge."""
    at, width = drawing.x(mark.capacity), GLYPH * len(_mark_text(drawing, mark))
    if at + 10 + width <= drawing.layout.right:
        return at + 10, drawing.y(mark.mass) + 16, ""
    line, left, right = drawing.plane.line, drawing.layout.left, drawing.layout.right
    start = drawing.plane.end * (right - width - left) / (right - left)
    under = float(line.sure(start))
    return right, max(drawing.y(mark.mass), drawing.y(under)) + 18, "end"


def _precise_label(drawing: Drawing, precise: Line) -> str:
    line = drawing.plane.line
    capacities = np.union1d(line.capacities, precise.capacities)
    at = capacities[int((line.sure(capacities) - precise.sure(capacities)).argmax())]
    return text("true", drawing.x(at) + 10, drawing.y(float(precise.sure(at))) + 16, "true claims only")


def _dips(drawing: Drawing, exact: Line) -> Iterator[str]:
    """Yield a point at each dip, where they are few, and what they are, above the note on the zone."""
    dips = drawing.plane.dips
    if len(dips) <= MOST_DIPS:
        yield from (circle("dip", drawing.x(at), drawing.y(float(exact.sure(at)))) for at in dips)
    lowest = float(exact.sure(dips).min())
    one = f"exactly {counted(dips[0], 'claims')}: {percent(lowest)}"
    note = one if len(dips) == 1 else f"exactly S claims: down to {percent(lowest)}"
    yield text("less end", drawing.layout.right - 6, drawing.layout.bottom - 27, note, DIP_TITLE)


def dot(drawing: Drawing, mark: Mark) -> str:
    """Return the point of *mark*."""
    return circle("mark", drawing.x(mark.capacity), drawing.y(mark.mass))
