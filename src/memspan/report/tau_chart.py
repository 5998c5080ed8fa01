"""How trust is spread over claims, drawn as SVG: what is probably false in another colour."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

import numpy as np
import numpy.typing as npt

from memspan.report.layout import Layout
from memspan.report.scale import Scale, ticks
from memspan.report.shapes import box, number, rule, text
from memspan.report.wording import counted

WIDE = Layout(width=540, height=320, left=52, right=532, top=44, bottom=276)
NARROW = Layout(width=344, height=250, left=48, right=336, top=44, bottom=204)
BINS = 20
Floats = npt.NDArray[np.float64]


def tau_chart(tau: Floats, layout: Layout, title: str) -> str:
    """Return how many claims are trusted how much, as an SVG element; *title* is for a screen reader.

    >>> tau_chart(np.array([0.1, 0.9]), NARROW, "trust").count('class="low"')
    1
    """
    counts, edges = np.histogram(tau, BINS, (0.0, 1.0))
    up = Scale(max(int(counts.max()), 1), layout.bottom, layout.top)
    across = Scale(1.0, layout.left, layout.right)
    parts = [*_ground(layout, up, across), *_bars(counts.tolist(), edges.tolist(), up, across)]
    size = f'viewBox="0 0 {layout.width} {layout.height}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" class="chart taus" {size} role="img">'
    return "\n".join([head, f"<title>{escape(title)}</title>", *parts, "</svg>"])


def _ground(layout: Layout, up: Scale, across: Scale) -> Iterator[str]:
    for value in ticks(up.end, 4):
        yield rule("grid" if value else "axis", layout.left, up(value), layout.right)
        yield text("tick end", layout.left - 8, up(value) + 4, f"{value:,}")
    yield text("note", 0, 12, "claims that outcomes speak about, by trust")
    for share in (0.0, 0.5, 1.0):
        kind = {0.0: "tick", 0.5: "tick middle", 1.0: "tick end"}[share]
        yield f'<path class="axis" d="M{number(across(share))} {layout.bottom}v5"/>'
        yield text(kind, across(share), layout.bottom + 20, f"{share:g}")
    yield text("less middle", across(0.25), layout.bottom + 36, "probably false")
    yield text("new middle", across(0.75), layout.bottom + 36, "probably true")


def _bars(counts: list[int], edges: list[float], up: Scale, across: Scale) -> Iterator[str]:
    for count, left, right in zip(counts, edges[:-1], edges[1:], strict=True):
        if count:
            told = f"trust {left:.2f} to {right:.2f}: {counted(count, 'claims')}"
            top = min(up(count), up.start - 1.5)  # one claim among thousands is still seen
            yield box(
                "low" if right <= 0.5 else "new", across(left) + 1, top, across(right) - 1, up.start, told
            )
