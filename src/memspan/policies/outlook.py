"""What settled queries say of the prior itself: how far its chances hold, and which law rates follow.

A prior that was learned elsewhere may rank well and be wrong in level, or say nothing here. Of each
hypothesis, how much the prior's differences count, by how much its level is off, how many supports
there are and by which law they are asked for, the likelihood of all that was held and used, or not, is
known in closed form. The likeliest is followed: empirical Bayes on a grid.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from memspan.answering.linear import probability
from memspan.policies.rates import Seen, gamma, laws, real

Floats = npt.NDArray[np.float64]

_TRUSTED = ((1.0, 0.0), (0.6, -0.5), (0.3, -1.0), (0.0, -1.5))  # how far the prior's differences count, and its log chance
_SHIFTS = np.array([-4.0, -3.0, -2.25, -1.5, -0.75, 0.0, 0.75, 1.5])
_SHIFT = 1.0  # how far off the level of a prior usually is, in log odds
_SPREADS = np.array([0.35, 0.5, 0.7, 1.0, 1.4, 2.0])  # times the usual
_SPREAD = 0.35  # how far off that usually is, as a logarithm
_LEAST = 1e-300


@dataclass(frozen=True)
class Outlook:
    """How a prior is to be read, and which law rates follow.

    Attributes:
        trusted: how far its differences count: 1 as they are, 0 not at all.
        shift: what its log odds are off.
        spread: supports there are, for each claim that the prior expects to be needed.
        law: chance of each rate, on the grid of `memspan.policies.rates`.
    """

    trusted: float
    shift: float
    spread: float
    law: Floats

    @classmethod
    def usual(cls, spread: float, shape: float) -> Outlook:
        """Return what holds before anything is settled."""
        return cls(1.0, 0.0, spread, gamma(shape))

    def chances(self, odds: Floats, mean: float) -> Floats:
        """Return the chance of claims with such log *odds* to be needed, where those have such a *mean*."""
        return probability(mean + self.trusted * (odds - mean) + self.shift)

    def silent(self, chances: Floats, exposed: Floats) -> Floats:
        """Return the expected rates of claims that were never used, by mean rates of what is needed."""
        seen = Seen.of(np.zeros(len(exposed)), exposed / self.spread)
        silence = seen.evidence(self.law)
        return real(chances, silence) * seen.rates(self.law) / self.spread

    def used(self, uses: Floats, exposed: Floats) -> Floats:
        """Return the expected rates of what was used so often."""
        return Seen.of(uses, exposed / self.spread).rates(self.law) / self.spread


def likeliest(odds: Floats, mean: float, uses: Floats, exposed: Floats, spread: float) -> Outlook:
    """Return the outlook that best explains what was *exposed* and how often it was used.

    Args:
        odds: log odds of the prior, of each claim that was ever held.
        mean: of the log odds of all claims.
        uses: how often each was used.
        exposed: how many queries it was held for, each divided by the claims expected to be needed.
        spread: the usual number of supports for each of those.
    """
    best, found = -np.inf, (1.0, 0.0, spread)
    posterior = np.zeros(0)
    still = uses == 0
    chances = _chances(odds, mean)
    for factor, least in zip(_SPREADS, _held_back(_SPREADS), strict=True):
        evidence = Seen.of(uses, exposed / (spread * factor)).evidence(laws().T)
        evidence[~still] *= (1 / (spread * factor)) ** uses[~still, None]
        for (trusted, shift, before), chance in zip(_readings(), chances, strict=True):
            whole = chance[:, None] * evidence
            whole[still] += (1 - chance[still])[:, None]
            logs = np.log(np.maximum(whole, _LEAST)).sum(axis=0) + before + least
            if logs.max() > best:
                best, found, posterior = float(logs.max()), (trusted, shift, float(spread * factor)), logs
    weights = np.exp(posterior - posterior.max())
    return Outlook(*found, (weights / weights.sum()) @ laws())


@cache
def _readings() -> tuple[tuple[float, float, float], ...]:
    """Return each way to read a prior, with its log chance before anything is settled."""
    return tuple(
        (trusted, float(shift), before - 0.5 * float(shift / _SHIFT) ** 2)
        for trusted, before in _TRUSTED
        for shift in _SHIFTS
    )


def _chances(odds: Floats, mean: float) -> list[Floats]:
    return [probability(mean + trusted * (odds - mean) + shift) for trusted, shift, _ in _readings()]


def _held_back(factors: Floats) -> Floats:
    logs: Floats = -0.5 * (np.log(factors) / _SPREAD) ** 2
    return logs
