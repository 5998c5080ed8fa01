"""Preemption: a new claim takes the place of the one least missed, if the memory gains enough by it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from memspan.errors import ShapeError
from memspan.material import Claim
from memspan.policies.worth import Objective, Worth
from memspan.ports import Outcome, View

Floats = npt.NDArray[np.float64]


class Preemption:
    """Fills the memory, then swaps where that gains at least its k-th part; a `WritePolicy`.

    It holds nothing beside its memory. With a *factor* of 1, claims that cost 1 each, and sets that are
    worth less together than apart, it is worth at least 1/4 of the best memory at any time, also where
    what is let go is lost. With 0 it takes every swap that gains, without a guarantee. Costs are swapped
    for by loss for the cost, without a guarantee.

    Args:
        objective: what sets of claims are worth.
        factor: a swap has to gain *factor* times the memory's worth, divided by the capacity, for each
            unit that the new claim costs; at least 0.
        name: as outputs name it.

    Raises:
        ShapeError: *factor* is negative or no number.

    Source: Buchbinder, Feldman and Schwartz 2015, *Online Submodular Maximization with Preemption*;
    Chakrabarti and Kale 2015 for the constant.
    """

    def __init__(self, objective: Objective, factor: float = 1.0, name: str = "preemption") -> None:
        """Start with nothing seen."""
        if not 0 <= factor < np.inf:
            raise ShapeError(f"factor is {factor}; give a finite number, 0 or more")
        self._objective, self._factor, self._name = objective, factor, name
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
        held = self._objective.holding(np.flatnonzero(view.memory).tolist())
        for claim in np.flatnonzero(view.fresh).tolist():
            if view.costs[claim] <= view.capacity:
                self._offer(held, claim, view)
        scores = np.full(len(view.costs), -np.inf)
        scores[list(held.claims)] = 1.0
        return scores

    def _offer(self, held: Worth, claim: int, view: View) -> None:
        """Take *claim* where there is room, or where a swap gains enough."""
        room = view.capacity - float(view.costs[list(held.claims)].sum())
        if view.costs[claim] <= room:
            held.add(claim)
            return
        before = held.value
        least = self._factor * before * float(view.costs[claim]) / view.capacity
        if held.gain(claim) <= 0 or held.gain(claim) < least:
            return
        gone = _make_room(held, claim, room, view.costs)
        gained = held.value - before
        if gained <= 0 or gained < least:
            held.drop(claim)
            for each in gone:
                held.add(each)


def _make_room(held: Worth, claim: int, room: float, costs: Floats) -> list[int]:
    """Put *claim* in, let go of what is missed least until it fits; return that."""
    held.add(claim)
    gone: list[int] = []
    while room < costs[claim]:
        others = [e for e in held.claims if e != claim and costs[e] > 0]
        least = min(others, key=lambda e: (held.loss(e) / float(costs[e]), e))
        held.drop(least)
        gone.append(least)
        room += float(costs[least])
    return gone
