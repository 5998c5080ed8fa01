"""The few SVG shapes a picture is made of; classes carry their look."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

Places = list[tuple[float, float]]


def rule(kind: str, left: float, at: float, right: float) -> str:
    """Return a horizontal line."""
    return f'<path class="{kind}" d="M{number(left)} {number(at)}H{number(right)}"/>'


def box(kind: str, left: float, top: float, right: float, bottom: float) -> str:
    """Return a filled rectangle."""
    return f'<path class="{kind}" d="{path([(left, top), (right, top), (right, bottom), (left, bottom)])}Z"/>'


def circle(kind: str, x: float, y: float) -> str:
    """Return a point."""
    return f'<circle class="{kind}" cx="{number(x)}" cy="{number(y)}" r="4"/>'


def text(kind: str, x: float, y: float, content: str) -> str:
    """Return a label, escaped."""
    return f'<text class="{kind}" x="{number(x)}" y="{number(y)}">{escape(content)}</text>'


def number(value: float) -> str:
    """Return a coordinate to a tenth of a pixel."""
    return f"{value:.1f}".removesuffix(".0")


def path(places: Sequence[tuple[float, float]]) -> str:
    """Return path data through *places*."""
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in places)


def closed(places: Places, bottom: int) -> str:
    """Return path data of the area between *places* and *bottom*."""
    return f"{path([(places[0][0], bottom), *places, (places[-1][0], bottom)])}Z"
