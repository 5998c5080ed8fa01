"""What a system answers against what is paid each time: tokens read for a question, drawn as SVG."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from memspan.report.layout import Layout
from memspan.report.scale import Scale
from memspan.report.shapes import text
from memspan.report.systems_chart import Ruled, along, drawn_systems, masses, svg
from memspan.report.systems_plane import Track

SMALL = Layout(width=344, height=296, left=40, right=330, top=46, bottom=252)


@dataclass(frozen=True)
class LogScale(Scale):
    """A map from [first, end] to [start, stop] by the logarithm; what lies below the first stays there."""

    first: float = 1.0

    def __call__(self, value: float) -> float:
        """Return the place of *value*."""
        wide = math.log10(self.end / self.first)
        return self.start + (self.stop - self.start) * min(
            max(math.log10(max(value, self.first) / self.first) / wide, 0.0), 1.0
        )


def tokens_chart(tracks: Sequence[Track], place: int | None, shown: str, title: str) -> str:
    """Return *tracks* by tokens and mass read as an SVG element."""
    layout = SMALL
    values = [spot.x for track in tracks for spot in track.spots]
    first = 10.0 ** math.floor(math.log10(max(min(values), 1.0)))
    end = max(10.0 * first, 10.0 ** (math.ceil(4 * math.log10(max(*values, 1.0)) + 0.2) / 4))
    ruled = Ruled(
        layout, LogScale(end, layout.left + 8, layout.right - 4, first), Scale(1.0, layout.bottom, layout.top)
    )
    powers = [10.0**i for i in range(round(math.log10(first)), math.floor(math.log10(end) + 1e-9) + 1)]
    parts = [
        text("note", 0, 12, "share of the questions read"),
        *masses(ruled),
        *along(ruled, powers, [f"{power:,.0f}" for power in powers]),
        text("note end", layout.right + 4, layout.bottom + 36, "tokens read for a question"),
        *drawn_systems(ruled, tracks, shown, place, []),
    ]
    return svg(layout, title, parts)
