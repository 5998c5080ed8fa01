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

_TRUSTED = (
    (1.0, 0.0),
    (0.6, -0.5),
    (0.3, -1.0),
    (0.05, -1.5),
)  # how far the prior's differences count, and its log chance
_SHIFTS = np.array([-4.0, -3.0, -2.25, -1.5, -0.75, 0.0, 0.75, 1.5])
_SHIFT = 1.0  # how far off the level of a prior usually is, in log odds
_SPREADS = 1.4 ** np.arange(-11, 4)
_SPREAD = 0.35  # how far off the usual spread is, as a logarithm
_FAR = 3.0  # in such steps: nothing further off is tried
_NEVER = 1e-300


@dataclass(frozen=True)
class Outlook:
    """How a prior is to be read, and which law rates follow.

    Attributes:
        trusted: how far its differences count: 1 as they are, 0 not at all.
        shift: what its log odds are off.
        spread: supports there are, for each claim that the prior as it stands expects to be needed.
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


@dataclass(frozen=True)
class Lived:
    """What was seen of the claims that were ever held.

    Attributes:
        odds: log odds of the prior.
        uses: how often each was used.
        exposed: how many queries it was held for, each divided by the claims expected to be needed.
    """

    odds: Floats
    uses: Floats
    exposed: Floats


def likeliest(lived: Lived, every: Floats, spread: float) -> Outlook:
    """Return the outlook that best explains what was used of what was held.

    Args:
        lived: of the claims that were ever held.
        every: log odds of the prior of all claims that have appeared.
        spread: the usual number of supports for each claim that is needed.
    """
    mean = float(every.mean())
    still = lived.uses == 0
    seen, shared = zip(*(_evidence(lived, step * spread) for step in _SPREADS), strict=True)
    best, found, posterior = -np.inf, (1.0, 0.0, spread), np.zeros(len(laws()))
    for trusted, shift, before in _readings():
        chance = probability(mean + trusted * (lived.odds - mean) + shift)[:, None]
        for step, least in _steps(_level(every, mean, trusted, shift)):
            whole = chance * seen[step]
            whole[still] += 1 - chance[still]
            logs = np.log(np.maximum(whole, _NEVER)).sum(axis=0) + before + least + shared[step]
            if logs.max() > best:
                best, posterior = float(logs.max()), logs
                found = trusted, shift, float(spread * _SPREADS[step])
    weights = np.exp(posterior - posterior.max())
    return Outlook(*found, (weights / weights.sum()) @ laws())


def _evidence(lived: Lived, spread: float) -> tuple[Floats, float]:
    """Return the chance of what was seen of each claim under each law, and the log of what all share."""
    seen = Seen.of(lived.uses, lived.exposed / spread)
    shared = float(seen.peaks.sum() - lived.uses.sum() * np.log(spread))
    return seen.evidence(laws().T), shared


def _level(every: Floats, mean: float, trusted: float, shift: float) -> float:
    """Return how many claims are needed by such a reading, for each that the prior expects."""
    return float(probability(mean + trusted * (every - mean) + shift).sum() / probability(every).sum())


def _steps(level: float) -> list[tuple[int, float]]:
    """Return the spreads to be tried where so many claims are needed, with their log chances."""
    off = np.log(_SPREADS / level) / _SPREAD
    near = np.flatnonzero((np.abs(off) <= _FAR) | (np.abs(off) == np.abs(off).min()))
    return [(int(i), -0.5 * float(off[i]) ** 2) for i in near]


@cache
def _readings() -> tuple[tuple[float, float, float], ...]:
    """Return each way to read a prior, with its log chance before anything is settled."""
    return tuple(
        (trusted, float(shift), before - 0.5 * float(shift / _SHIFT) ** 2)
        for trusted, before in _TRUSTED
        for shift in _SHIFTS
    )
