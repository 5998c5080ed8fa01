"""The plane of an evaluation drawn as SVG: the frontier, every system under it, and what each falls short."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape

import numpy as np

from memspan.report.curve import Curve
from memspan.report.layout import Layout
from memspan.report.placing import GLYPH, Box, Floats, Name, Placed, place_names
from memspan.report.scale import Scale, ticks
from memspan.report.shapes import Places, box, closed, number, path, rule, stairs, text
from memspan.report.systems_look import OWN
from memspan.report.systems_plane import Spot, SystemsPlane, Track
from memspan.report.wording import counted, percent

WIDE = Layout(width=740, height=452, left=48, right=724, top=48, bottom=410)
NARROW = Layout(width=344, height=330, left=40, right=336, top=46, bottom=290)
MOST_CROWD = 40
NEAR = 0.005
"""A system that is never further from the frontier has no line of its own: it would hide the frontier."""
OPTIMUM = "optimum"
UNNAMED = frozenset({OPTIMUM, "fifo", "lru", "lfu", "recency"})
"""Named when they are asked for: where they lie tells little, and names are many."""


@dataclass(frozen=True)
class Ruled:
    """A layout with its scales: what a system needs to be drawn on it.

    Attributes:
        layout: where the parts lie.
        x, y: places and masses to pixels.
    """

    layout: Layout
    x: Scale
    y: Scale

    def at(self, spot: Spot) -> tuple[float, float]:
        """Return where *spot* lies."""
        return self.x(spot.x), self.y(spot.y.estimate)

    @property
    def box(self) -> Box:
        """Where names may stand."""
        layout = self.layout
        return Box(layout.left + 2, layout.top - 6, layout.right + 4, layout.bottom - 2)


def systems_chart(plane: SystemsPlane, layout: Layout, title: str) -> str:
    """Return *plane* as an SVG element; *title* is what a screen reader says."""
    ruled = Ruled(layout, Scale(plane.end, layout.left, layout.right), Scale(1.0, layout.bottom, layout.top))
    lines = [_corners(ruled, curve) for curve in (plane.frontier, plane.precise) if curve]
    parts = [
        *_ground(plane, ruled),
        *_frontiers(plane, ruled),
        *_words(plane, ruled),
        *drawn_systems(ruled, plane.tracks, plane.shown, plane.place, [np.array(line) for line in lines]),
    ]
    return svg(layout, title, parts)


def svg(layout: Layout, title: str, parts: Iterable[str]) -> str:
    """Return *parts* as an SVG element that a screen reader calls *title*."""
    view = f'viewBox="0 0 {layout.width} {layout.height}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" class="chart" {view} role="img">'
    return "\n".join([head, f"<title>{escape(title)}</title>", *parts, "</svg>"])


# --- ground -------------------------------------------------------------------------------------


def _ground(plane: SystemsPlane, ruled: Ruled) -> Iterator[str]:
    layout, x = ruled.layout, ruled.x
    yield box("zone", layout.left, layout.top, x(plane.whole), layout.bottom, zone_title(plane))
    yield from masses(ruled)
    words = "share of the questions answered"
    yield text("note", 0, 12, f"{words}, by true claims" if plane.precise else words)
    if plane.material is None:
        step = next(
            step for step in (0.01, 0.02, 0.05, 0.1, 0.2) if plane.end / step <= (10 if layout.wide else 5)
        )
        values = [i * step for i in range(int(plane.end / step + 1e-9) + 1)]
        names = [percent(value) for value in values]
        last = f"{names[-1]} of the claims"
    else:
        values = list(map(float, ticks(plane.end, 8 if layout.wide else 4)))
        names = [f"{value:,.0f}" for value in values]
        last = f"{names[-1]} claims"
    names[-1] = last if layout.wide else names[-1]
    yield from along(ruled, values, names)


def masses(ruled: Ruled) -> Iterator[str]:
    """Yield the grid of masses and its numbers."""
    layout, y = ruled.layout, ruled.y
    for share in (0.25, 0.5, 0.75, 1.0):
        yield rule("grid", layout.left, y(share), layout.right)
    for share in (0, 0.25, 0.5, 0.75, 1.0):
        yield text("tick end", layout.left - 8, y(share) + 4, percent(share))
    yield rule("axis", layout.left, layout.bottom, layout.right)


def along(ruled: Ruled, values: Sequence[float], names: Sequence[str]) -> Iterator[str]:
    """Yield the numbers below the picture; the last one, which names the unit, before those it would meet."""
    bottom, free = ruled.layout.bottom, float("inf")
    for value, name in reversed(list(zip(values, names, strict=True))):
        x, half = ruled.x(value), GLYPH * len(name) / 2
        late = x + half > ruled.layout.right + 6
        yield f'<path class="axis" d="M{number(x)} {bottom}v5"/>'
        if late or x + half < free:
            place = min(x + 4, ruled.layout.right + 4) if late else x
            yield text(f"tick {'end' if late else 'middle'}", place, bottom + 19, name)
            free = place - (2 if late else 1) * half - 6


def zone_title(plane: SystemsPlane) -> str:
    """Return what the compression zone is."""
    whole = "" if plane.material is None else f" ({counted(plane.whole, 'claims')})"
    return f"Compression zone: below the whole material{whole}, where a memory must choose what it keeps."


# --- frontier -----------------------------------------------------------------------------------


def _frontiers(plane: SystemsPlane, ruled: Ruled) -> Iterator[str]:
    for curve in plane.crowd[:MOST_CROWD]:
        yield f'<path class="each mean" d="{path(_corners(ruled, curve))}"/>'
    lower = _corners(ruled, plane.frontier)
    yield f'<path class="area" d="{closed(lower, ruled.layout.bottom)}"/>'
    yield from _band(ruled, plane.frontier, "band")
    yield f'<path class="line" d="{path(lower)}"/>'
    if plane.precise is not None:
        yield from _band(ruled, plane.precise, "band")
        yield f'<path class="precise" d="{path(_corners(ruled, plane.precise))}"/>'


def _band(ruled: Ruled, curve: Curve, kind: str) -> Iterator[str]:
    if curve.banded:
        low, high = (_corners(ruled, curve, values) for values in (curve.low, curve.high))
        yield f'<path class="{kind}" d="{path([*low, *reversed(high)])}Z"/>'


def _corners(ruled: Ruled, curve: Curve, values: Floats | None = None) -> Places:
    """Return the corners of a curve in pixels up to the right end of the axis: it runs flat, then jumps."""
    x, y = ruled.x, ruled.y
    jumps: dict[float, float] = {}
    for place, value in zip(
        curve.places.tolist(), (curve.value if values is None else values).tolist(), strict=True
    ):
        if place <= x.end:
            jumps[round(2 * x(place)) / 2] = y(value)  # of several within half a pixel the last
    return stairs([*jumps.items(), (x(x.end), [*jumps.values()][-1])])


def _words(plane: SystemsPlane, ruled: Ruled) -> Iterator[str]:
    layout, x, y = ruled.layout, ruled.x, ruled.y
    top = y(plane.baseline)
    yield rule("base", layout.left, top, layout.right)
    yield text("note", layout.left + 6, top - 9, f"full context {percent(plane.baseline)}")
    if layout.wide:
        best = _best(plane)
        yield text("label frontier", x(best[0]) + 10, max(y(best[1]) + 4, top + 16), "best memory")
        if plane.precise is not None:
            at = plane.precise.places[int((plane.precise.value >= 0.5 * plane.precise.value[-1]).argmax())]
            place = x(float(at)) + 10, y(float(plane.precise.at(at)[0])) + 16
            yield text("true", *place, "best by true claims")
        yield text("note end", layout.right, 12, _note(plane), zone_title(plane))


def _note(plane: SystemsPlane) -> str:
    if plane.material is None:
        return f"means of {counted(len(plane.crowd), 'materials')}; thin: the best memory of each"
    return (
        f"compression zone: below {counted(plane.whole, 'claims')}{' →' if plane.whole > plane.end else ''}"
    )


def _best(plane: SystemsPlane) -> tuple[float, float]:
    """Return a place on the frontier where it still rises: beside it stands its name."""
    curve = plane.frontier
    i = int((curve.value >= 0.72 * curve.value[-1]).argmax())
    return float(curve.places[i]), float(curve.value[i])


# --- systems ------------------------------------------------------------------------------------


def drawn_systems(
    ruled: Ruled, tracks: Sequence[Track], shown: str, place: int | None, lines: Sequence[Floats]
) -> Iterator[str]:
    """Yield every system; the one *shown* stands out, and names that would lie on others are hidden."""
    points = np.array([ruled.at(spot) for track in tracks for spot in track.spots]).reshape(-1, 2)
    courses = [np.array([ruled.at(spot) for spot in track.swept]) for track in tracks if len(track.swept) > 1]
    order = sorted(tracks, key=lambda track: track.label != shown)
    named = [Name(track.label, _beside(ruled, track, place)) for track in order if track.spots]
    found = place_names(
        named, points, [*courses, *lines], ruled.box, [each.text in UNNAMED for each in named]
    )
    placed = dict(zip([each.text for each in named], found, strict=True))
    for track in reversed(order):
        if track.spots:
            yield _system(ruled, track, placed[track.label], on=track.label == shown)


def _beside(ruled: Ruled, track: Track, place: int | None) -> tuple[tuple[float, float], ...]:
    """Return the spots beside which a system's name may stand, that of the capacity shown first."""
    spots = sorted(track.spots, key=lambda spot: spot.place != place)
    return tuple(ruled.at(spot) for spot in spots)


def _system(ruled: Ruled, track: Track, name: Placed, *, on: bool) -> str:
    parts = [f"<title>{escape(track.label)}</title>"]
    swept = [ruled.at(spot) for spot in track.swept]
    if len(swept) > 1 and any(spot.top - spot.y.estimate > NEAR for spot in track.swept):
        parts += _spread(ruled, track)
        parts.append(f'<path class="track" d="{path(swept)}"/>')
    parts += _marks(ruled, track)
    spare = "" if name.clear else " spare"
    parts.append(text(f"{name.anchor}{spare}".strip(), name.x, name.y, track.label))
    spots = ";".join(_told(ruled, spot) for spot in track.spots)
    kind = f"system {track.look.kind}{' on' if on else ''}"
    return f'<g class="{kind}" data-system="{track.at}" data-spots="{spots}">{"".join(parts)}</g>'


def _spread(ruled: Ruled, track: Track) -> Iterator[str]:
    """Yield the band of the limits, where they are known at every capacity and apart at one."""
    if all(spot.y.known for spot in track.swept) and any(spot.y.lower < spot.y.upper for spot in track.swept):
        low = [(ruled.x(spot.x), ruled.y(spot.y.lower)) for spot in track.swept]
        high = [(ruled.x(spot.x), ruled.y(spot.y.upper)) for spot in track.swept]
        yield f'<path class="spread" d="{path([*low, *reversed(high)])}Z"/>'


def _marks(ruled: Ruled, track: Track) -> Iterator[str]:
    y = ruled.y
    for kind, tops in (("fallen", [s.top for s in track.spots]), ("water", [s.water for s in track.spots])):
        ends = zip(track.spots, tops, strict=True)
        drawn = [_upright(ruled, s, s.y.estimate, top) for s, top in ends if y(s.y.estimate) - y(top) > 1]
        if drawn:
            yield f'<path class="{kind}" d="{"".join(drawn)}"/>'
    alone = [spot for spot in track.spots if spot.place is None or len(track.swept) == 1]
    apart = [spot for spot in alone if spot.y.known and y(spot.y.lower) - y(spot.y.upper) > 1]
    whiskers = [_upright(ruled, spot, spot.y.lower, spot.y.upper) for spot in apart]
    if whiskers:
        yield f'<path class="whisker" d="{"".join(whiskers)}"/>'
    swept = [_moved(ruled, spot, track.look.mark) for spot in track.swept]
    if swept:
        yield f'<path class="spots" d="{"".join(swept)}"/>'
    if track.own is not None:
        yield f'<path class="own" d="{_moved(ruled, track.own, OWN)}"/>'


def _upright(ruled: Ruled, spot: Spot, start: float, stop: float) -> str:
    return f"M{number(ruled.x(spot.x))} {number(ruled.y(start))}V{number(ruled.y(stop))}"


def _moved(ruled: Ruled, spot: Spot, mark: str) -> str:
    x, y = ruled.at(spot)
    return f"M{number(x)} {number(y)}{mark}"


def _told(ruled: Ruled, spot: Spot) -> str:
    """Return what a script needs of *spot*: where it lies, its capacity, its mass and the frontier's."""
    x, y = ruled.at(spot)
    place = "own" if spot.place is None else str(spot.place)
    return (
        f"{number(x)} {number(y)} {place} {spot.x:.6g} {spot.y.estimate:.4g} {spot.top:.4g} {spot.water:.4g}"
    )
