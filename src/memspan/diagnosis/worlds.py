"""Intervals over worlds: what is measured under each draw of supports that are not sure."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from memspan.intervals import Interval
from memspan.span.estimating import HIGH, LOW


def sure(value: float) -> Interval:
    """Return *value* without doubt.

    >>> sure(0.5)
    Interval(estimate=0.5, lower=0.5, upper=0.5)
    """
    return Interval(value, value, value)


def spread(
    values: Sequence[float], lower: Sequence[float] | None = None, upper: Sequence[float] | None = None
) -> Interval:
    """Return the mean of *values*, one for each world, with 5 % of the worlds below and 5 % above.

    Where a value is itself known only between bounds, *lower* and *upper* give them for each world; one
    world keeps its own.

    >>> spread([0.2, 0.4], upper=[0.2, 0.6]).estimate
    0.30000000000000004
    """
    if len(values) == 1:
        only = float(values[0])
        return Interval(only, min(only, (lower or values)[0]), max(only, (upper or values)[0]))
    middle = float(np.mean(values))
    low = float(np.quantile(values if lower is None else lower, LOW))
    high = float(np.quantile(values if upper is None else upper, HIGH))
    return Interval(middle, min(low, middle), max(high, middle))
