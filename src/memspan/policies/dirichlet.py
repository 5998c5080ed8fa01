"""Which queries will be asked, as a Dirichlet process: those that were, and a share that is new.

Of the mass of what comes next, 1 - ρ lies on the queries that were settled, each with what it rests on,
and ρ on queries never asked before: one for each claim, as likely as a prior thinks the claim is needed.
ρ is the Good-Turing estimate, the share of the settled queries that were asked just once. Where each
query is asked once ρ stays 1, and the belief is the prior.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from memspan.growing import Table
from memspan.material import Claim
from memspan.policies.bundling import fill, ranked
from memspan.policies.novelty import Novelty
from memspan.policies.plain import told
from memspan.ports import Outcome, Prior, View

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Set = tuple[int, ...]

_NOTHING = 1e-300  # never divide by nothing

MOST = 4_096
"""Queries that are remembered; beyond it the one that was not asked for longest goes."""
LEAST = 0.03
"""A set less likely to be what a query rests on is passed over where a memory is filled."""


@dataclass(frozen=True)
class Rest:
    """What a query rests on, as far as it is known: chances that sum to at most 1, the rest is unknown.

    Attributes:
        places: (k,) claims that may answer alone.
        chances: (k,) how likely each does.
        sets: those that may be needed together.
        weights: (b,) how likely each set is.
    """

    places: Ints
    chances: Floats
    sets: tuple[Set, ...] = ()
    weights: Floats = field(default_factory=lambda: np.zeros(0))

    @classmethod
    def sure(cls, support: Set) -> Rest:
        """Return a *support* that was told."""
        if len(support) == 1:
            return cls(np.array(support), np.ones(1))
        return cls(np.zeros(0, np.int64), np.zeros(0), (support,), np.ones(1))

    @property
    def known(self) -> float:
        """How likely it is that a claim or a set that is named here answers."""
        return float(self.chances.sum() + self.weights.sum())

    @property
    def likely(self) -> list[tuple[Set, float]]:
        """The sets that are worth looking at when a memory is filled."""
        pairs = zip(self.sets, self.weights.tolist(), strict=True)
        return [(support, weight) for support, weight in pairs if weight >= LEAST]


@dataclass(frozen=True)
class _Asked:
    """A query that was asked: what it rests on, and what is computed from that each time."""

    rest: Rest
    known: float
    likely: list[tuple[Set, float]]


class DirichletBelief:
    """What will be asked for; a `memspan.policies.attributed.Belief`.

    Args:
        prior: the chance of each new claim to be needed.
    """

    def __init__(self, prior: Prior) -> None:
        """Start with nothing seen."""
        prior.start()
        self._prior = prior
        self._rows = Table(chance=(np.float64, 0))
        self._asked: dict[Hashable, _Asked] = {}  # what was asked last stands last
        self.novelty = Novelty()

    def observe(self, claims: Sequence[Claim]) -> None:
        """Take the next claims and judge them."""
        first = self._rows.extend(len(claims))
        self.chance[first:] = self._prior.observe(claims)

    @property
    def chance(self) -> Floats:
        """How likely each claim is to be needed, by the prior."""
        return self._rows["chance"].used

    def known(self, key: Hashable) -> Rest | None:
        """Return what was last said of the query *key*; None where it was not asked, or too long ago."""
        asked = self._asked.get(key)
        return asked.rest if asked else None

    def count(self, key: Hashable, rest: Rest) -> None:
        """Count a query, the same *key* for the same one, with all that is known of what it rests on."""
        self._asked.pop(key, None)
        self._asked[key] = _Asked(rest, rest.known, rest.likely)
        self.novelty.see(key)
        if len(self._asked) > MOST:
            oldest = next(iter(self._asked))
            del self._asked[oldest]
            self.novelty.forget(oldest)

    def worth(self) -> tuple[Floats, dict[Set, float]]:
        """Return the expected mass of what each claim answers alone, and of each set of several claims."""
        even = self.chance / max(_NOTHING, float(self.chance.sum()))
        if not self._asked:
            return even, {}
        by_times, asked = self.novelty.shares(), [*self._asked.values()]
        shares = np.array([by_times[self.novelty.times[key]] for key in self._asked])
        places = np.concatenate([each.rest.places for each in asked])
        chances = np.concatenate([each.rest.chances for each in asked])
        alone = np.repeat(shares, [len(each.rest.places) for each in asked]) * chances
        known = float(shares @ [each.known for each in asked])
        bundles: dict[Set, float] = {}
        for each, share in zip(asked, shares.tolist(), strict=True):
            for support, weight in each.likely:
                bundles[support] = bundles.get(support, 0.0) + share * weight
        return np.bincount(places, alone, len(even)) + max(0.0, 1 - known) * even, bundles

    def score(self, view: View) -> Floats:
        """Return the order in which claims are worth holding."""
        singles, bundles = self.worth()
        values = np.array([*bundles.values()], np.float64)
        return ranked(fill(singles, [*bundles], values, view.open, view.costs, view.capacity), singles)


class Dirichlet:
    """Holds what is expected to be asked for most often, by a `DirichletBelief`; a `WritePolicy`.

    It learns from supports that were told, or from the claims that were used.

    Args:
        prior: the chance of each new claim to be needed.
        name: as outputs name it.
        belief: made of the prior, says what is worth holding.
    """

    def __init__(
        self,
        prior: Prior,
        name: str = "dirichlet",
        belief: Callable[[Prior], DirichletBelief] = DirichletBelief,
    ) -> None:
        """Start with nothing seen."""
        self._prior, self._name, self._make = prior, name, belief
        self.start(0)

    @property
    def name(self) -> str:
        """As it was given."""
        return self._name

    def start(self, seed: int) -> None:  # noqa: ARG002 - nothing is left to chance
        """Forget everything."""
        self._belief = self._make(self._prior)

    def observe(self, claims: Sequence[Claim]) -> None:
        """Take the next claims and judge them."""
        self._belief.observe(claims)

    def score(self, view: View) -> Floats:
        """Return the order in which claims are worth holding."""
        return self._belief.score(view)

    def settle(self, outcome: Outcome) -> None:
        """Count the support that was used, or told."""
        support = tuple(sorted(told(outcome)))
        if support:
            self._belief.count(support, Rest.sure(support))
