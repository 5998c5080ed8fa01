"""Learning from the words of settled queries alone: which claims did each rest on?

A reader says which claims may answer a query: chances, from which those of single claims and of pairs
follow. Whether the query was answered rightly says more: if it was, what it rests on was held; if not,
something of it was missing. Asked again, from another memory, the same query tells it ever better.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
import numpy.typing as npt

from memspan.material import Claim
from memspan.policies.dirichlet import DirichletBelief, Rest
from memspan.policies.retrieval import Page
from memspan.ports import Answerability, Outcome, Prior, View

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

_NOTHING = 1e-300  # never divide by nothing
_SUREST = 1 - 1e-6  # a chance of 1 has no odds


class Belief(Protocol):
    """What will be asked for, told as queries with chances of what each rests on."""

    @property
    def chance(self) -> Floats:
        """How likely each claim is to be needed, by the prior."""
        ...

    def observe(self, claims: Sequence[Claim]) -> None:
        """Take the next claims."""
        ...

    def known(self, key: Hashable) -> Rest | None:
        """Return what was last said of the query *key*, if it is still remembered."""
        ...

    def count(self, key: Hashable, rest: Rest) -> None:
        """Count the query *key*; *rest* stands in place of what was said of it before."""
        ...

    def score(self, view: View) -> Floats:
        """Return the order in which claims are worth holding."""
        ...


@dataclass(frozen=True)
class Terms:
    """The numbers of an attribution; set beforehand, and not fitted.

    Attributes:
        doubt: chance that a query rests on something that the reader does not see: it goes by the prior.
        slip: chance of the other outcome than what was held explains.
        paired: of the best claims, how many may be needed in pairs.
        named: of the best claims, how many may answer alone; what others might goes by the prior.
    """

    doubt: float = 0.05
    slip: float = 0.05
    paired: int = 10
    named: int = 128


def attribute(chances: Floats, prior: Floats, terms: Terms = Terms()) -> Rest:
    """Return what a query may rest on: each claim alone, and pairs of the best.

    Args:
        chances: of each claim to belong to what the query rests on, as a reader sees it, shape (n,).
        prior: of each claim to be needed by some query, shape (n,).
        terms: the numbers.

    Where claims belong to it independently, one claim alone has the odds of that claim, and two have
    the product of theirs. A claim that queries rarely need is the less likely one (Bayes).

    >>> rest = attribute(np.array([0.6, 0.3, 0.0]), np.array([0.2, 0.2, 0.2]))
    >>> rest.chances.round(2).tolist(), rest.sets[0], round(float(rest.weights[0]), 2)
    ([0.55, 0.16, 0.0], (0, 1), 0.24)
    """
    even = prior / max(_NOTHING, float(prior.mean()))
    sure = chances.clip(0, _SUREST)
    odds = sure / (1 - sure) * even
    best = np.argsort(-odds, kind="stable")[: terms.named]
    pairs = np.sort(best[np.stack(np.triu_indices(min(terms.paired, len(best)), 1), axis=1)], axis=1)
    both = odds[pairs].prod(axis=1)
    total = float(odds.sum() + both.sum())
    seen = (1 - terms.doubt) / max(total, _NOTHING)
    sets = tuple((first, second) for first, second in pairs.tolist())
    return Rest(best, seen * odds[best], sets, seen * both)


@dataclass(frozen=True)
class Settled:
    """How a query was settled: *held* in memory, of which the prior thinks it is *expected* of all.

    Attributes:
        correct: 1 right, 0 wrong, or the probability of right.
        held: bool (n,), what was held.
        expected: how much of what the prior expects to be needed was held, in [0, 1].
    """

    correct: float
    held: Bools
    expected: float


def conditioned(rest: Rest, settled: Settled, slip: float = Terms.slip) -> Rest:
    """Return *rest* once its query was settled.

    Right: what it rests on was held. Wrong: something of it was missing. *slip* is the chance that
    it was otherwise all the same.
    """
    right = settled.correct * (1 - slip) + (1 - settled.correct) * slip
    wrong = 1 - right
    alone = rest.chances * np.where(settled.held[rest.places], right, wrong)
    whole = np.array([settled.held[list(support)].all() for support in rest.sets], np.bool_)
    together = rest.weights * np.where(whole, right, wrong)
    unknown = max(0.0, 1 - rest.known) * (settled.expected * right + (1 - settled.expected) * wrong)
    total = max(_NOTHING, float(alone.sum() + together.sum()) + unknown)
    return replace(rest, chances=alone / total, weights=together / total)


class Attributed:
    """Learns from the words of queries, and whether they were answered rightly; a `WritePolicy`.

    Where no words are told it holds what the prior thinks likeliest.

    Args:
        prior: the chance of each new claim to be needed.
        reader: which claims may answer a query; with the right answer told it reads that, too.
        belief: made of the prior, counts what is attributed.
        terms: the numbers of the attribution.
        name: as outputs name it.
    """

    def __init__(
        self,
        prior: Prior,
        reader: Answerability,
        belief: Callable[[Prior], Belief] = DirichletBelief,
        terms: Terms = Terms(),
        name: str | None = None,
    ) -> None:
        """Start with nothing seen."""
        self._prior, self._reader, self._make, self._terms = prior, reader, belief, terms
        self._name = name or f"attributed by {reader.name}"
        self.start(0)

    @property
    def name(self) -> str:
        """As it was given."""
        return self._name

    def start(self, seed: int) -> None:  # noqa: ARG002 - nothing is left to chance
        """Forget everything."""
        self._belief = self._make(self._prior)
        self._page = Page(self._reader)
        self._waiting: list[tuple[Hashable, Rest, float]] = []  # settled since the last write

    def observe(self, claims: Sequence[Claim]) -> None:
        """Take the next claims and judge them."""
        self._belief.observe(claims)
        self._page.add(claims)

    def settle(self, outcome: Outcome) -> None:
        """Read the query; what was held when it was settled is seen at the next write."""
        query = outcome.query
        if query is None:
            return
        key = query.text, query.answer
        rest = self._belief.known(key)
        if rest is None:
            rest = attribute(self._page.chances(query), self._belief.chance, self._terms)
        self._waiting.append((key, rest, outcome.correct))

    def score(self, view: View) -> Floats:
        """Return the order in which claims are worth holding."""
        if self._waiting:
            expected = float(self._belief.chance @ view.memory) / max(_NOTHING, self._belief.chance.sum())
            for key, rest, correct in self._waiting:
                settled = Settled(correct, view.memory, expected)
                self._belief.count(key, conditioned(rest, settled, self._terms.slip))
            self._waiting.clear()
        return self._belief.score(view)
