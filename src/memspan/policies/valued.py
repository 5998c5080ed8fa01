"""Beliefs about what will be asked that tell values: as rates that are learned, or as a prior that stays."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from memspan.growing import Table
from memspan.material import Claim
from memspan.policies.gamma import GammaPoisson
from memspan.policies.valuing import Set, Worth
from memspan.ports import Outcome, Prior, View

Floats = npt.NDArray[np.float64]


class Rates(GammaPoisson):
    """The zero-inflated Gamma-Poisson belief; a `memspan.policies.valuing.Valuing`."""

    def worth(self, view: View) -> Worth:
        """Return the expected rates, what is newest raised or lowered by how such claims were asked for."""
        self._expose(view)
        self._now = self._unused()
        bundles: list[Set] = []
        values: list[float] = []
        for support, rate in self._rates().items():
            if len(support) == 1:
                self._now[support[0]] = rate
            else:
                bundles.append(support)
                values.append(rate)
        raised = np.where(self._newest, self._now * self._new.factor, self._now)
        return Worth(raised, tuple(bundles), np.array(values, np.float64))

    @property
    def _newest(self) -> npt.NDArray[np.bool_]:
        newest: npt.NDArray[np.bool_] = self._rows["batch"].used == self._batch
        return newest

    def take(self, places: Sequence[int]) -> None:
        """Remember which of the newest are held."""
        newest = self._newest
        new = [e for e in places if newest[e]]
        self._new.hold(new, self._now[new])


class Unlearned:
    """A prior and nothing else: outcomes change nothing; a `memspan.policies.valuing.Valuing`."""

    def __init__(self, prior: Prior) -> None:
        """Start with nothing seen."""
        self._prior = prior
        self.start(0)

    @property
    def name(self) -> str:
        """After the prior."""
        return f"static of {self._prior.name}"

    def start(self, seed: int) -> None:  # noqa: ARG002 - nothing is left to chance
        """Forget everything."""
        self._prior.start()
        self._rows = Table(chance=(np.float64, 0))

    def observe(self, claims: Sequence[Claim]) -> None:
        """Judge the next claims."""
        self._rows.extend(len(claims), self._prior.observe(claims))

    def worth(self, view: View) -> Worth:  # noqa: ARG002 - the same whatever is held
        """Return the chance of each claim to be needed."""
        return Worth(self._rows["chance"].used.copy(), (), np.zeros(0))

    def take(self, places: Sequence[int]) -> None:
        """Learn nothing."""

    def settle(self, outcome: Outcome) -> None:
        """Learn nothing."""
