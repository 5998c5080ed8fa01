"""The irrevocable threshold: what gains enough is held for ever, as long as there is room."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from memspan.material import Claim
from memspan.policies.worth import Objective
from memspan.ports import Outcome, View

Floats = npt.NDArray[np.float64]


class Threshold:
    """Takes claims that gain at least a threshold until it is full, and never lets go; a `WritePolicy`.

    What eviction is worth is seen against it.

    Args:
        objective: what sets of claims are worth.
        least: what a claim has to add, for each unit that it costs.
        name: as outputs name it.

    >>> from memspan.coverage import compile_material
    >>> from memspan.datasets import bundled
    >>> from memspan.policies.worth import Covering
    >>> policy = Threshold(Covering(compile_material(bundled("odyssey"))), 0.1)
    >>> now = np.zeros(6, bool)
    >>> (policy.score(View(now, ~now, ~now, np.ones(6), 3)) > 0).tolist()
    [True, True, True, False, False, False]
    """

    def __init__(self, objective: Objective, least: float, name: str = "threshold") -> None:
        """Start with nothing seen."""
        self._objective, self._least, self._name = objective, least, name
        self.start(0)

    @property
    def name(self) -> str:
        """As it was given."""
        return self._name

    def start(self, seed: int) -> None:  # noqa: ARG002 - nothing is left to chance
        """Forget everything."""
        self._objective.start()

    def observe(self, claims: Sequence[Claim]) -> None:
        """Take the next claims."""
        self._objective.observe(claims)

    def settle(self, outcome: Outcome) -> None:
        """Learn nothing: it goes by its objective."""

    def score(self, view: View) -> Floats:
        """Return 1 for what is held after the fresh claims came one by one, -inf for all others."""
        scores = np.where(view.memory, 1.0, -np.inf)
        held = self._objective.holding(np.flatnonzero(view.memory).tolist())
        room = view.capacity - float(view.costs[view.memory].sum())
        for claim in np.flatnonzero(view.fresh).tolist():
            cost = float(view.costs[claim])
            if cost <= room and held.gain(claim) >= self._least * cost:
                held.add(claim)
                scores[claim] = 1.0
                room -= cost
        return scores
