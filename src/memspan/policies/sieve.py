"""Sieve-Streaming++: many thresholds at once, each with a memory of its own; the best of them is held."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor, inf, log

import numpy as np
import numpy.typing as npt

from memspan.errors import ShapeError
from memspan.material import Claim
from memspan.policies.bundling import ranked
from memspan.policies.worth import Objective, Worth
from memspan.ports import Outcome, View

Floats = npt.NDArray[np.float64]


class Sieve:
    """Holds the best of several memories, each of claims that gained at least a threshold; a `WritePolicy`.

    Where everything that has appeared may be held again (``write="full"``), claims cost 1 each, and sets
    are worth less together than apart, it is worth at least 1/2 - ε of the best memory, at any time. Its
    memories hold at most k (log(2) / log(1 + ε) + 2 + (1 + ε) / ε) claims between them, where k is the
    capacity: that is working space beside the memory itself. Where what is let go is lost, its memories
    lose it too, and nothing is guaranteed. Costs are taken by gain for the cost, without a guarantee.

    Args:
        objective: what sets of claims are worth.
        epsilon: ε, how far apart the thresholds are, above 0.
        name: as outputs name it.

    Raises:
        ShapeError: *epsilon* is not above 0.

    Source: Kazemi et al. 2019, *Submodular Streaming in All Its Glory*, algorithm 1.
    """

    def __init__(self, objective: Objective, epsilon: float = 0.1, name: str = "sieve") -> None:
        """Start with nothing seen."""
        if not 0 < epsilon < inf:
            raise ShapeError(f"epsilon is {epsilon}; give a number above 0, e.g. 0.1")
        self._objective, self._epsilon, self._name = objective, epsilon, name
        self.start(0)

    @property
    def name(self) -> str:
        """As it was given."""
        return self._name

    @property
    def kept(self) -> int:
        """How many claims its memories hold between them, each counted once for each memory."""
        return sum(len(held.claims) for held in self._held.values())

    def start(self, seed: int) -> None:  # noqa: ARG002 - nothing is left to chance
        """Forget everything."""
        self._objective.start()
        self._held: dict[int, Worth] = {}  # by the power of 1 + ε that is the threshold
        self._seen = 0
        self._most = self._most_rate = 0.0  # that one claim is worth, and for each unit of its cost

    def observe(self, claims: Sequence[Claim]) -> None:
        """Take the next claims."""
        self._objective.observe(claims)

    def settle(self, outcome: Outcome) -> None:
        """Learn nothing: it goes by its objective."""

    def score(self, view: View) -> Floats:
        """Return scores by which the best of its memories is held, then what adds most to it."""
        self._lose(view)
        alone, costs = self._objective.holding(), view.costs.tolist()
        for claim in range(self._seen, len(costs)):
            if 0 < costs[claim] <= view.capacity:
                self._take(claim, alone.gain(claim), costs, view.capacity)
        self._seen = len(costs)
        best = max(self._held.values(), key=lambda held: held.value, default=alone)
        rest = np.array([best.gain(claim) for claim in range(self._seen)], np.float64)
        return ranked(list(best.claims), rest)

    def _lose(self, view: View) -> None:
        for held in self._held.values():
            for claim in [claim for claim in held.claims if not view.open[claim]]:
                held.drop(claim)

    def _take(self, claim: int, worth: float, costs: Sequence[float], capacity: float) -> None:
        """Let each memory take *claim* where it gains enough and fits."""
        cost = costs[claim]
        self._most, self._most_rate = max(self._most, worth), max(self._most_rate, worth / cost)
        if not self._most:
            return
        self._set_thresholds(capacity)
        for power, held in self._held.items():
            enough = held.gain(claim) >= (1 + self._epsilon) ** power * cost
            if enough and sum(costs[e] for e in held.claims) + cost <= capacity:
                held.add(claim)

    def _set_thresholds(self, capacity: float) -> None:
        """Keep the memories whose thresholds can still be right, and begin those that came to be."""
        reached = max((held.value for held in self._held.values()), default=0.0)
        least = max(reached, self._most) / (2 * capacity) / (1 + self._epsilon)
        step = log(1 + self._epsilon)
        powers = range(ceil(log(least) / step), floor(log(self._most_rate) / step) + 1)
        self._held = {power: self._held.get(power) or self._objective.holding() for power in powers}
