"""How a store grew, drawn as SVG: bars of what was new, and on them what was there already."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from memspan.audit import Growth, Period
from memspan.report.layout import Layout
from memspan.report.scale import Scale, ticks
from memspan.report.shapes import box, number, rule, text
from memspan.report.wording import counted

WIDE = Layout(width=540, height=320, left=44, right=532, top=44, bottom=276)
NARROW = Layout(width=344, height=250, left=36, right=336, top=44, bottom=204)


def growth_chart(growth: Growth, layout: Layout, title: str) -> str:
    """Return *growth* as an SVG element; *title* is what a screen reader says."""
    top = max((period.memories for period in growth.periods), default=0)
    up = Scale(max(top, 1), layout.bottom, layout.top)
    parts = [*_ground(layout, up, growth, top), *_bars(growth, layout, up), *_days(growth, layout)]
    size = f'viewBox="0 0 {layout.width} {layout.height}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" class="chart growth" {size} role="img">'
    return "\n".join([head, f"<title>{escape(title)}</title>", *parts, "</svg>"])


def _ground(layout: Layout, up: Scale, growth: Growth, top: int) -> Iterator[str]:
    for value in ticks(top, 4):
        yield rule("grid" if value else "axis", layout.left, up(value), layout.right)
        yield text("tick end", layout.left - 8, up(value) + 4, f"{value:,}")
    yield text("note", 0, 12, f"memories written by {growth.unit}")
    again = any(period.repeats for period in growth.periods)
    yield text("new label end", layout.right - (104 if again else 0), 12, "\N{BLACK SQUARE} new")
    if again:
        yield text("again label end", layout.right, 12, "\N{BLACK SQUARE} there already")


def _bars(growth: Growth, layout: Layout, up: Scale) -> Iterator[str]:
    step = (layout.right - layout.left) / max(len(growth.periods), 1)
    gap = min(2.0, step / 4)
    for i, period in enumerate(growth.periods):
        left = layout.left + i * step + gap / 2
        right = left + min(step - gap, 48)
        new = up(period.memories - period.repeats)
        told = _told(period, growth.unit)
        if period.memories > period.repeats:
            yield box("new", left, new, right, layout.bottom, told)
        if period.repeats:
            yield box("again", left, up(period.memories), right, new, told)


def _told(period: Period, unit: str) -> str:
    again = f", {period.repeats:,} of them there already" if period.repeats else ""
    return (
        f"{unit} of {period.start}: {counted(period.memories, 'memories')}, {period.tokens:,} tokens{again}"
    )


def _days(growth: Growth, layout: Layout) -> Iterator[str]:
    periods = growth.periods
    if not periods:
        return
    step = (layout.right - layout.left) / len(periods)
    last = len(periods) - 1
    shown = sorted({0, last // 2, last}) if last > 3 else range(len(periods))
    for i in shown:
        x = layout.left + i * step + min(step, 48) / 2
        kind = "tick end" if i == last and last > 3 else "tick" if i == 0 else "tick middle"
        place = layout.right if kind == "tick end" else layout.left if i == 0 else x
        yield f'<path class="axis" d="M{number(x)} {layout.bottom}v5"/>'
        yield text(kind, place, layout.bottom + 20, _short(periods[i].start, growth.unit))


def _short(start: str, unit: str) -> str:
    return {"month": start[:7], "year": start[:4]}.get(unit, start)
