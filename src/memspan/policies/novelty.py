"""What was asked how often, and what that says of what comes next: how much is new, how often each comes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

_SHAPES = np.array([0.125, 0.25, 0.5, 1, 2, 4, 16])  # of the Gamma: from a few that get all to all alike
_HALVINGS = 26


class Novelty:
    """How often each key was seen, and by Good and Turing how much of what comes is new.

    Source: I. J. Good, *The population frequencies of species*, Biometrika 1953.

    >>> novelty = Novelty()
    >>> for key in "abac":
    ...     novelty.see(key)
    >>> novelty.mass
    0.5
    """

    def __init__(self) -> None:
        """Start with nothing seen: all that comes is new."""
        self.times: Counter[Hashable] = Counter()
        self._histogram: Counter[int] = Counter()
        self._seen = 0

    def see(self, key: Hashable) -> None:
        """Count *key*, which is the same for what is the same."""
        before = self.times[key]
        self.times[key] = before + 1
        self._move(before, before + 1)

    def forget(self, key: Hashable) -> None:
        """Take back all that was counted of *key*."""
        self._move(self.times.pop(key, 0), 0)

    def _move(self, before: int, after: int) -> None:
        self._seen += after - before
        self._histogram.update({before: -1, after: 1})
        self._histogram = +Counter({n: k for n, k in self._histogram.items() if n})

    @property
    def mass(self) -> float:
        """The share of what comes next that was never seen: of what was seen, what was seen just once."""
        return self._histogram[1] / self._seen if self._seen else 1.0

    def shares(self) -> Mapping[int, float]:
        """Return for each number of times the share of what comes next that one key seen so often gets."""
        rates = expected(self._histogram)
        total = sum(rate * self._histogram[n] for n, rate in rates.items())
        return {n: (1 - self.mass) * rate / total for n, rate in rates.items()}


def expected(histogram: Mapping[int, int]) -> Mapping[int, float]:
    """Return, up to a common factor, how often a key is expected again that was seen n times.

    Rates are thought to be Gamma distributed, of a shape that the counts tell. Where all keys are alike,
    one that was seen more often was lucky, and is expected hardly more than others; where few keys get
    most of what is asked, counts mean what they say.

    Args:
        histogram: how many keys were seen n times, n > 0.

    Source: Fisher, Corbet and Williams, *The relation between the number of species and the number of
    individuals*, 1943: the zero-truncated negative binomial; shapes are weighed by their likelihood.

    >>> alike, skewed = expected({1: 30, 2: 25, 3: 12, 4: 6}), expected({1: 50, 2: 9, 9: 4, 30: 2})
    >>> alike[4] < 2 * alike[1], skewed[30] > 20 * skewed[1]
    (True, True)
    """
    if not histogram:
        return {}
    times, keys = np.array([*histogram], np.float64), np.array([*histogram.values()], np.float64)
    odds = _solved(float(times @ keys / keys.sum()))
    steps = np.log(_SHAPES[:, None] + np.arange(times.max()))  # Γ(n + a) / Γ(a) is their product
    rising = np.cumsum(steps, axis=1)[:, times.astype(np.int64) - 1]
    none = _SHAPES * np.log1p(-odds)
    likelihood = (rising + times * np.log(odds)[:, None] + (none - np.log(-np.expm1(none)))[:, None]) @ keys
    weights = np.exp(likelihood - likelihood.max())
    rates = (weights * odds / weights.sum()) @ (times + _SHAPES[:, None])
    return dict(zip(histogram, rates.tolist(), strict=True))


def _solved(mean: float) -> Floats:
    """Return for each shape the q at which keys that are seen at all are seen *mean* times."""
    low, high = np.full(len(_SHAPES), 1e-9), np.full(len(_SHAPES), 1 - 1e-9)
    for _ in range(_HALVINGS):
        q = (low + high) / 2
        less = _SHAPES * q / (1 - q) < mean * -np.expm1(_SHAPES * np.log1p(-q))
        low, high = np.where(less, q, low), np.where(less, high, q)
    return low
