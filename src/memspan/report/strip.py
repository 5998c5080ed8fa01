"""The strip under a picture: what each capacity adds to the one before."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from memspan.report.layout import Drawing
from memspan.report.shapes import number, rule, text
from memspan.report.wording import percent

TINY = 1e-12  # below it a gain is a rounding error


def strip(drawing: Drawing) -> Iterator[str]:
    """Yield what each capacity adds to the one before, as bars under the same axis."""
    plane, layout = drawing.plane, drawing.layout
    bars = _gains(drawing)
    if not layout.strip or not bars:
        return
    largest = max(gain for _, gain in bars)
    floor, height = layout.height - 8, layout.strip - 22
    wide = max(1.0, min(14.0, (layout.right - layout.left) / max(plane.end, 1) - 1))
    yield text("note", layout.left, layout.height - layout.strip, "gain of each step")
    yield text("tick end", layout.left - 8, floor - height + 4, percent(largest))
    drawn = "".join(_bar(at, gain / largest * height, floor, wide) for at, gain in bars)
    yield f'<g class="bars">{drawn}</g>'
    yield rule("axis", layout.left, floor, layout.right)


def _gains(drawing: Drawing) -> list[tuple[float, float]]:
    """Return the largest gain in each pixel column, as (place, mass)."""
    line, plane = drawing.plane.line, drawing.plane
    gains = np.diff(line.lower)
    largest: dict[int, tuple[float, float]] = {}
    for capacity, gain in zip(line.capacities[1:].tolist(), gains.tolist(), strict=True):
        place = drawing.x(capacity)
        if capacity <= plane.end and gain > max(TINY, largest.get(round(place), (0.0, 0.0))[1]):
            largest[round(place)] = (place, gain)
    return list(largest.values())


def _bar(at: float, height: float, floor: int, wide: float) -> str:
    return f'<path d="M{number(at - wide / 2)} {floor}v{number(-height)}h{number(wide)}V{floor}Z"/>'
