"""Means over materials, with what other materials like these could give."""

from __future__ import annotations

from collections.abc import Sequence

from memspan.diagnosis import Interval
from memspan.intervals import mean_over


def mean_of(values: Sequence[Interval]) -> Interval:
    """Return the mean of *values* with its 95 % bootstrap over materials; one keeps its own limits.

    >>> mean_of([Interval(0.5, 0.4, 0.6)])
    Interval(estimate=0.5, lower=0.4, upper=0.6)
    >>> round(mean_of([Interval(0.2), Interval(0.4)]).estimate, 12)
    0.3
    """
    return values[0] if len(values) == 1 else mean_over([value.estimate for value in values])
