"""Which claims will be asked for, as rates: the zero-inflated Gamma-Poisson belief.

A claim is needed by some query with the chance p that a prior gives it; if it is, it is asked for at a
rate drawn from Gamma(a, a R), where R is how many supports there are thought to be. What was held while
many queries came, and was never used, is needed less and less likely: exposure counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from memspan.growing import Table
from memspan.material import Claim
from memspan.policies.bundling import fill, ranked
from memspan.ports import Outcome, Prior, View

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
Set = tuple[int, ...]


@dataclass(frozen=True)
class Terms:
    """The numbers of the belief.

    Attributes:
        shape: a of the Gamma: small means that few supports get most queries.
        spread: supports there are thought to be, for each claim that is expected to be needed.
        fresh: queries by which the factor of what is new is held back; inf turns it off.
    """

    shape: float = 0.5
    spread: float = 0.8
    fresh: float = 20.0


class GammaPoisson:
    """Holds what is expected to be asked for most often; a `WritePolicy`.

    Args:
        prior: the chance of each new claim to be needed.
        terms: the numbers of the belief.
        name: as outputs name it.
    """

    def __init__(self, prior: Prior, terms: Terms = Terms(), name: str = "gamma-poisson") -> None:
        """Start with nothing seen."""
        self._prior, self._terms, self._name = prior, terms, name
        self.start(0)

    @property
    def name(self) -> str:
        """As it was given."""
        return self._name

    def start(self, seed: int) -> None:  # noqa: ARG002 - nothing is left to chance
        """Forget everything."""
        self._prior.start()
        self._rows = Table(**dict.fromkeys(("chance", "exposed", "batch"), (np.float64, 0)))
        self._counts: dict[Set, int] = {}
        self._waiting = 0  # queries that were settled since the last write
        self._all = False  # of those, whether all supports were told
        self._batch = 0
        self._new = _Newness(self._terms.fresh)

    def observe(self, claims: Sequence[Claim]) -> None:
        """Take the next claims and judge them."""
        self._batch += 1
        first = self._rows.extend(len(claims))
        self._chance[first:] = self._prior.observe(claims)
        self._rows["batch"].used[first:] = self._batch

    @property
    def _chance(self) -> Floats:
        return self._rows["chance"].used

    @property
    def _exposed(self) -> Floats:
        return self._rows["exposed"].used

    @property
    def _supports(self) -> float:
        """How many supports there are thought to be among what has appeared."""
        return max(1.0, self._terms.spread * float(self._chance.sum()))

    def settle(self, outcome: Outcome) -> None:
        """Count the support that was used, or told."""
        self._waiting += 1
        self._all = outcome.supports is not None
        support = outcome.used or (outcome.supports[0] if outcome.supports else ())
        if support:
            key = tuple(sorted(support))
            self._counts[key] = self._counts.get(key, 0) + 1
        self._new.settle(support)

    def score(self, view: View) -> Floats:
        """Return the order in which claims are worth holding."""
        self._expose(view)
        rates = self._rates()
        singles = self._unused()
        bundles, values = [], []
        for support, rate in rates.items():
            if len(support) == 1:
                singles[support[0]] = rate
            else:
                bundles.append(support)
                values.append(rate)
        newest = self._rows["batch"].used == self._batch
        raised = np.where(newest, singles * self._new.factor, singles)
        taken = fill(raised, bundles, np.array(values), view.open, view.costs, view.capacity)
        new = [e for e in taken if newest[e]]
        self._new.hold(new, singles[new])
        return ranked(taken, raised)

    def _expose(self, view: View) -> None:
        """Count the queries since the last write for what was held while they came."""
        if self._waiting:
            exposed = ~view.fresh if self._all else view.memory
            self._exposed[exposed] += self._waiting / self._supports
        self._waiting = 0

    def _rates(self) -> dict[Set, float]:
        """Return the expected rate of each support that was used."""
        a, rate = self._terms.shape, self._terms.shape * self._supports
        exposed = self._exposed * self._supports
        return {s: (a + n) / (rate + float(min(exposed[e] for e in s))) for s, n in self._counts.items()}

    def _unused(self) -> Floats:
        """Return the expected rate of each claim as if it had never been used."""
        a, rate = self._terms.shape, self._terms.shape * self._supports
        exposed = self._exposed * self._supports
        silent = self._chance * (rate / (rate + exposed)) ** a
        still = silent / (silent + 1 - self._chance)
        return still * a / (rate + exposed)


class _Newness:
    """Whether what came with the newest batch is asked for more, or less, than the rates expect."""

    def __init__(self, held_back: float) -> None:
        self._held_back = held_back
        self._observed = self._expected = 0.0
        self._new, self._rate = frozenset[int](), 0.0

    @property
    def factor(self) -> float:
        """What rates of the newest claims are to be multiplied with."""
        if self._held_back == np.inf:
            return 1.0
        return (self._held_back + self._observed) / (self._held_back + self._expected)

    def hold(self, places: Sequence[int], rates: Floats) -> None:
        """Remember which of the newest claims are held, at *rates* for each query."""
        self._new, self._rate = frozenset(places), float(rates.sum())

    def settle(self, support: Set) -> None:
        """Take a query that rested on *support*."""
        self._expected += self._rate
        self._observed += not self._new.isdisjoint(support)
