"""Means over materials, with what other materials like these could give."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from memspan.diagnosis import Interval
from memspan.diagnosis.interval import Ints, around, multiplicities

DRAWS = 2_000
"""Of the bootstrap over materials."""


def mean_of(values: Sequence[Interval]) -> Interval:
    """Return the mean of *values* with its 95 % bootstrap over materials; one keeps its own limits.

    >>> mean_of([Interval(0.5, 0.4, 0.6)])
    Interval(estimate=0.5, lower=0.4, upper=0.6)
    >>> round(mean_of([Interval(0.2), Interval(0.4)]).estimate, 12)
    0.3
    """
    if len(values) == 1:
        return values[0]
    estimates = np.array([value.estimate for value in values])
    return around(float(estimates.mean()), _times(len(values)) @ estimates / len(values), len(values))


@lru_cache(maxsize=8)
def _times(count: int) -> Ints:
    """Return how often each of *count* materials is drawn; always drawn alike, so that pages repeat."""
    return multiplicities(count, np.random.default_rng(0), DRAWS)
