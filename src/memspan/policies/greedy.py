"""Greedy choice among what may be held: the plain way to a good memory where the objective is known."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from memspan.material import Claim
from memspan.policies.bundling import ranked
from memspan.policies.worth import Objective, Worth
from memspan.ports import Outcome, View

Floats = npt.NDArray[np.float64]
Bundle = tuple[int, ...]
_FREE = 1e-12  # a cost of nothing counts as so much


class Greedy:
    """Holds what is taken by taking, again and again, what gains most; a `WritePolicy`.

    Where the whole material is open, claims cost 1 each, and sets are worth less together than apart,
    it is worth at least 1 - 1/e of the best memory. Told the bundles of claims that are worth something
    only together, e.g. `Covering.supports`, it takes these whole; then nothing is guaranteed. It chooses
    once by gain for the cost and once by gain, and holds the better.

    Args:
        objective: what sets of claims are worth.
        bundles: sets of claims that are taken together, beside single ones.
        name: as outputs name it.

    Source: Nemhauser, Wolsey and Fisher 1978.

    >>> from memspan.coverage import compile_material
    >>> from memspan.datasets import bundled
    >>> from memspan.policies.worth import Covering
    >>> policy = Greedy(Covering(compile_material(bundled("odyssey"))))
    >>> now = np.zeros(6, bool)
    >>> policy.score(View(now, ~now, ~now, np.ones(6), 3)).argsort()[-3:].tolist()
    [3, 0, 2]
    """

    def __init__(self, objective: Objective, bundles: Sequence[Bundle] = (), name: str = "greedy") -> None:
        """Start with nothing seen."""
        self._objective, self._bundles, self._name = objective, [b for b in bundles if len(b) > 1], name
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
        """Return scores by which the greedy choice is held, then what adds most to it."""
        n = len(view.costs)
        bundles = [b for b in self._bundles if max(b) < n and view.open[list(b)].all()]
        sets = [*((claim,) for claim in np.flatnonzero(view.open).tolist()), *bundles]
        costs = view.costs.tolist()
        powers = (1.0, 0.0) if bundles or len(set(costs)) > 1 else (0.0,)  # the same where all cost the same
        worths = [self._taken(sets, costs, view.capacity, power) for power in powers]
        best = max(worths, key=lambda worth: worth.value)
        return ranked(list(best.claims), np.array([best.gain(claim) for claim in range(n)], np.float64))

    def _taken(self, sets: Sequence[Bundle], costs: Sequence[float], room: float, power: float) -> Worth:
        """Take the best of *sets*, by gain over cost to the *power*, until nothing gains or fits."""
        held = self._objective.holding()
        while True:
            most, best = 0.0, list[int]()
            sets = [each for each in sets if any(e not in held.claims for e in each)]
            for each in sets:
                lacking = [e for e in each if e not in held.claims]
                cost = sum(costs[e] for e in lacking)
                rate = _gain(held, lacking) / max(cost, _FREE) ** power if cost <= room else 0.0
                if rate > most:
                    most, best = rate, lacking
            if not best:
                return held
            for claim in best:
                held.add(claim)
                room -= costs[claim]


def _gain(held: Worth, claims: Sequence[int]) -> float:
    """Return what *claims*, none of them held, add together."""
    if len(claims) == 1:
        return held.gain(claims[0])
    before = held.value
    for claim in claims:
        held.add(claim)
    gained = held.value - before
    for claim in claims:
        held.drop(claim)
    return gained
