"""The few SVG shapes a picture is made of; classes carry their look."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from itertools import pairwise

Places = list[tuple[float, float]]


def rule(kind: str, left: float, at: float, right: float) -> str:
    """Return a horizontal line."""
    return f'<path class="{kind}" d="M{number(left)} {number(at)}H{number(right)}"/>'


def box(kind: str, left: float, top: float, right: float, bottom: float, title: str) -> str:
    """Return a filled rectangle that explains itself under a pointer."""
    corners = path([(left, top), (right, top), (right, bottom), (left, bottom)])
    return f'<path class="{kind}" d="{corners}Z"><title>{escape(title)}</title></path>'


def circle(kind: str, x: float, y: float, radius: float = 4) -> str:
    """Return a point."""
    return f'<circle class="{kind}" cx="{number(x)}" cy="{number(y)}" r="{number(radius)}"/>'


def text(kind: str, x: float, y: float, content: str, title: str = "") -> str:
    """Return a label, escaped; *title* appears under a pointer."""
    more = f"<title>{escape(title)}</title>" if title else ""
    return f'<text class="{kind}" x="{number(x)}" y="{number(y)}">{more}{escape(content)}</text>'


def number(value: float) -> str:
    """Return a coordinate to a tenth of a pixel."""
    return f"{value:.1f}".removesuffix(".0")


def path(places: Sequence[tuple[float, float]]) -> str:
    """Return path data through *places*."""
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in places)


def closed(places: Places, bottom: int) -> str:
    """Return path data of the area between *places* and *bottom*."""
    return f"{path([(places[0][0], bottom), *places, (places[-1][0], bottom)])}Z"


def stairs(places: Places) -> Places:
    """Return *places* with a corner between each two: along first, then up."""
    corners = [(right[0], left[1]) for left, right in pairwise(places)]
    return [place for pair in zip(places, [*corners, places[-1]], strict=True) for place in pair]
