"""What a prior thinks, as a belief that stays whatever is asked."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from memspan.growing import Table
from memspan.material import Claim
from memspan.policies.valuing import Worth
from memspan.ports import Outcome, Prior, View

Floats = npt.NDArray[np.float64]


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
