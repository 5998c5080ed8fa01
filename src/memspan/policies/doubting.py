"""Writing where claims may be false: what is worth holding, times the belief that it is true.

What is asked and what is true are learned apart. A wrong answer says that what it rested on is doubtful,
and that the query exists: so the need stays, and moves to whatever else could meet it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from memspan.material import Claim
from memspan.policies.believing import Believing, Learned
from memspan.policies.bundling import fill, ranked
from memspan.policies.rivals import Rivals
from memspan.policies.sharing import shared
from memspan.policies.valuing import Valuing
from memspan.ports import Outcome, View
from memspan.trust import optimistic

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Doubt:
    """The numbers of doubting.

    Attributes:
        floor: claims believed less are water: they are not held even where there is room.
        optimism: how far what is uncertain is believed more than it is, so that it is tried; 0 not at all.
            On drawn materials it did not pay, and where what is let go is lost it cost a little.
    """

    floor: float = 0.05
    optimism: float = 0.0


class Doubting:
    """Holds what is expected to be asked for and believed to be true; a `WritePolicy`.

    Args:
        belief: what will be asked.
        truth: what is true; trust that is learned from outcomes where it is not given.
        doubt: the numbers.
        name: as outputs name it.

    Source: arXiv 2608.11654, section 4: expected precision under estimated trust.

    >>> class Even:
    ...     name = "even"
    ...     def start(self): ...
    ...     def observe(self, claims):
    ...         return np.full(len(claims), 0.3)
    >>> from memspan.policies.gamma import GammaPoisson
    >>> policy = Doubting(GammaPoisson(Even()))
    >>> policy.observe([Claim("faro"), Claim("cats"), Claim("porto", contradicts=("faro",))])
    >>> for _ in range(3):
    ...     policy.settle(Outcome(0.0, used=(0,)))  # wrong, and it rested on "faro"
    >>> now = np.array([True, False, False])
    >>> int(policy.score(View(now, now | True, now & False, np.ones(3), 1)).argmax())
    2
    """

    def __init__(
        self,
        belief: Valuing,
        truth: Believing | None = None,
        doubt: Doubt = Doubt(),
        name: str | None = None,
    ) -> None:
        """Start with nothing seen."""
        self._belief, self._truth, self._doubt = belief, truth or Learned(), doubt
        self._name = name or f"doubting {belief.name}"
        self.start(0)

    @property
    def name(self) -> str:
        """As it was given."""
        return self._name

    def start(self, seed: int) -> None:
        """Forget everything."""
        self._belief.start(seed)
        self._truth.start()
        self._rivals = Rivals()

    def observe(self, claims: Sequence[Claim]) -> None:
        """Take the next claims, with their sources and links."""
        self._belief.observe(claims)
        self._truth.add(self._rivals.add(claims))

    def settle(self, outcome: Outcome) -> None:
        """Let trust learn from what was used, and the need from the query itself."""
        if outcome.used:
            self._truth.settle(tuple(sorted(outcome.used)), outcome.correct)
        n = len(self._rivals.root)
        told = [s for s in outcome.supports or () if s and max(s) < n]
        every = [*([outcome.used] if outcome.used else []), *told]
        need = self._rivals.need(every) if every else ()
        if outcome.used is None and outcome.supports is None:
            self._belief.settle(outcome)
            return
        supports = None if outcome.supports is None else (need,) if need else ()
        self._belief.settle(replace(outcome, used=need, supports=supports))

    def score(self, view: View) -> Floats:
        """Return the order in which claims are worth holding; water is never held."""
        asked = self._belief.worth(self._standing(view))
        worth = shared(asked, self._rivals, self._truth, self._hoped)
        water = self._truth.singles() < self._doubt.floor
        allowed = view.open & ~water
        taken = fill(worth.singles, worth.bundles, worth.values, allowed, view.costs, view.capacity)
        self._belief.take(list(dict.fromkeys(self._rivals.root[taken].tolist())))
        scores = ranked(taken, worth.singles)
        scores[water] = -np.inf
        return scores

    def _standing(self, view: View) -> View:
        """Return *view* as if the first of each group of rivals were held where any of them is."""
        memory, open_, root = view.memory.copy(), view.open.copy(), self._rivals.root
        memory[root[view.memory]] = True
        open_[root[view.open]] = True
        return replace(view, memory=memory, open=open_)

    def _hoped(self, beliefs: Floats) -> Floats:
        return optimistic(beliefs, self._doubt.optimism) if self._doubt.optimism else beliefs
