"""How often a claim is asked for: laws of popularity, and what counts and exposure leave of them.

A rate is a multiple g of the mean. A law says how likely each g is before anything was seen: all alike,
Gamma of some shape, or Zipf. What was used n times while exposed to E queries' worth of chances has the
likelihood g^n exp(-g E) (Poisson); laws live on one grid of g, so that a mixture of laws is a sum.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

_GRID: Floats = 2.0 ** np.arange(-6, 7.01, 0.5)
_LOG: Floats = np.log(_GRID)
_STEP = float(_LOG[1] - _LOG[0])
_NEVER = 1e-300
_RAREST = 2.0**-2.5  # of Zipf: with it the mean is 1


def gamma(shape: float) -> Floats:
    """Return the Gamma law of mean 1: the smaller *shape*, the more of all queries go to few claims."""
    logs = shape * (_LOG - _GRID)
    weights = np.exp(logs - logs.max())
    weights[0] /= -np.expm1(-shape * _STEP)  # stands for all that are rarer still
    return _even(weights)


@cache
def zipf() -> Floats:
    """Return the law of rates that fall by their rank: density as g^-2."""
    return _even(np.where(_GRID >= _RAREST, 1 / _GRID, 0.0))


def _even(weights: Floats) -> Floats:
    shares: Floats = weights / weights.sum()
    return shares


@cache
def laws() -> Floats:
    """Return the laws that are thought possible, one a row: from few claims asked for most, to all alike."""
    return np.array([gamma(0.25), gamma(0.5), gamma(1.0), gamma(2.0), gamma(6.0), zipf()])


@dataclass(frozen=True)
class Seen:
    """What was seen of some claims or supports, as likelihoods on the grid.

    Attributes:
        table: (n, G) likelihood of each rate, for each row over the exponential of its peak.
        peaks: (n,) 0 for what was never used.
    """

    table: Floats
    peaks: Floats

    @classmethod
    def of(cls, uses: Floats, exposed: Floats) -> Seen:
        """Return the likelihoods of rates for things used so often while exposed so much."""
        logs = np.multiply.outer(uses, _LOG) - np.multiply.outer(exposed, _GRID)
        peaks = np.where(uses > 0, logs.max(axis=1, initial=-np.inf), 0.0)
        return cls(np.exp(logs - peaks[:, None]), peaks)

    def evidence(self, law: Floats) -> Floats:
        """Return the chance of what was seen under *law*, over the exponential of the peak.

        Args:
            law: shape (G,), or (G, L) for several; then the chances have the shape (n, L).
        """
        found: Floats = self.table @ law
        return found

    def rates(self, law: Floats) -> Floats:
        """Return the expected rate of each under *law*, as a multiple of the mean, shape (n,)."""
        found: Floats = (self.table @ (law * _GRID)) / np.maximum(self.table @ law, _NEVER)
        return found


def real(chance: Floats, silence: Floats) -> Floats:
    """Return how likely claims of such a *chance* are needed at all, after a silence of that chance.

    >>> real(np.array([0.5]), np.array([0.5])).round(3).tolist()
    [0.333]
    """
    still: Floats = chance * silence / np.maximum(chance * silence + 1 - chance, _NEVER)
    return still
