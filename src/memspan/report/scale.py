"""Numbers to places: a linear scale and round tick values."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Scale:
    """A linear map from [0, end] to [start, stop] in pixels; values beyond the end stay at it."""

    end: float
    start: float
    stop: float

    def __call__(self, value: float) -> float:
        """Return the place of *value*."""
        return self.start + (self.stop - self.start) * min(value / self.end, 1.0) if self.end else self.start


def ticks(end: float, most: int = 6) -> list[int]:
    """Return at most *most* + 1 round whole numbers from 0 to *end*.

    >>> ticks(419), ticks(6), ticks(0)
    ([0, 100, 200, 300, 400], [0, 1, 2, 3, 4, 5, 6], [0])
    """
    if end < 1:
        return [0]
    rough = max(end / most, 1)
    power = 10 ** math.floor(math.log10(rough))
    step = next(
        int(factor * power) for factor in (1, 2, 5, 10) if factor * power >= rough and factor * power >= 1
    )
    return list(range(0, math.floor(end) + 1, step))
