"""Where the parts of a picture lie, and a plane laid out on it."""

from __future__ import annotations

from dataclasses import dataclass

from memspan.report.plane import Plane
from memspan.report.scale import Scale


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


WIDE = Layout(width=740, height=462, left=48, right=724, top=48, bottom=342, strip=74)
NARROW = Layout(width=344, height=376, left=40, right=336, top=46, bottom=262, strip=60)
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
