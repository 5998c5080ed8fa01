"""Which claims will be asked for, as rates: a belief that counts exposure.

A claim is needed by some query with the chance p that a prior gives it; if it is, it is asked for at a
rate from some law (Gamma, Zipf, all alike) whose mean is one in R, where R is how many supports there
are thought to be. What was held while many queries came, and was never used, is needed less and less
likely. How far the prior is to be believed, R and the law are themselves learned from what is settled.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from memspan.growing import Table
from memspan.material import Claim
from memspan.policies.bundling import fill, ranked
from memspan.policies.outlook import Lived, Outlook, likeliest
from memspan.policies.valuing import Set, Worth
from memspan.ports import Outcome, Prior, View

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
_TOGETHER, _HELD_BACK = 0.05, 4.0  # share of supports of several claims of one batch; told ones it counts for
_SELDOM = 0.05  # share of all settled queries that must be new before anything is judged anew
_COLUMNS = ("odds", "chance", "exposed", "uses", "alone", "batch")


@dataclass(frozen=True)
class Terms:
    """The numbers of the belief.

    Attributes:
        shape: of the Gamma law before anything is settled: small means that few supports get most queries.
        spread: supports there are thought to be, for each claim that is expected to be needed.
        fresh: queries by which the factor of what is new is held back; inf turns it off.
        again: queries by which the factor of what was used before is held back; inf turns it off.
        learns: after how many settled queries the prior and the law are judged anew; 0 for never.
        keeps: settled queries after which what they told counts a half; inf for always.
    """

    shape: float = 0.5
    spread: float = 0.8
    fresh: float = 20.0
    again: float = 20.0
    learns: int = 10
    keeps: float = np.inf


class GammaPoisson:
    """Holds what is expected to be asked for most often; a `WritePolicy`, and a `Valuing`.

    Where outcomes tell neither claims used nor supports there is nothing to count, and the prior decides.

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
        self._rows = Table(**dict.fromkeys(_COLUMNS, (np.float64, 0)))
        self._sets: dict[Set, float] = {}
        self._waiting = self._judged = 0  # queries settled since the last write, and since the last judgement
        self._settled = 0
        self._all = False  # whether all supports were told
        self._batch, self._needed, self._mean = 0, 1.0, 0.0
        self._new, self._again = _Factor(self._terms.fresh), _Factor(self._terms.again)
        self._together, self._told = _TOGETHER * _HELD_BACK, _HELD_BACK
        self._outlook = Outlook.usual(self._terms.spread, self._terms.shape)

    def observe(self, claims: Sequence[Claim]) -> None:
        """Take the next claims and judge them."""
        self._batch += 1
        first = self._rows.extend(len(claims))
        chance = self._prior.observe(claims)
        self._of("chance")[first:] = chance
        self._of("odds")[first:] = np.log(chance / (1 - chance))
        self._of("batch")[first:] = self._batch
        self._needed = max(1.0, float(self._of("chance").sum()))
        self._mean = float(self._of("odds").mean()) if self._rows.size else 0.0

    def _of(self, column: str) -> Floats:
        return self._rows[column].used

    def settle(self, outcome: Outcome) -> None:
        """Count the support that was used, or told."""
        if outcome.used is None and outcome.supports is None:
            return
        self._waiting += 1
        self._all = outcome.supports is not None
        key = tuple(sorted(outcome.used or (outcome.supports[0] if outcome.supports else ())))
        self._new.settle(any(self._of("batch")[e] == self._batch for e in key))
        known = self._known(key)
        self._again.settle(known)
        if key and not known:
            self._told += 1
            self._together += len(key) > 1 and len(set(self._of("batch")[list(key)].tolist())) == 1
        if key:
            self._of("uses")[list(key)] += 1
            if len(key) == 1:
                self._of("alone")[key[0]] += 1
            else:
                self._sets[key] = self._sets.get(key, 0.0) + 1

    def _known(self, key: Set) -> bool:
        """Return whether the support *key* was used before."""
        return key in self._sets or (len(key) == 1 and self._of("alone")[key[0]] > 0)

    def score(self, view: View) -> Floats:
        """Return the order in which claims are worth holding."""
        worth = self.worth(view)
        taken = fill(worth.singles, worth.bundles, worth.values, view.open, view.costs, view.capacity)
        self.take(taken)
        return ranked(taken, worth.singles)

    def worth(self, view: View) -> Worth:
        """Return the expected rates: of each open claim alone, and of supports of several."""
        self._expose(view)
        places = np.flatnonzero(view.open)
        self._singles = np.zeros(len(view.open))
        self._singles[places] = self._rates(places)
        self._newest, self._used = self._of("batch") == self._batch, self._of("alone") > 0
        self._bundled = self._bundles(view.open)
        bundles, values = self._bundled
        newer = np.where(self._newest, self._new.factor, 1.0)
        again = np.where(self._used, self._again.factor, 1.0)
        return Worth(self._singles * newer * again, tuple(bundles), values * self._again.factor)

    def take(self, places: Sequence[int]) -> None:
        """Remember how often queries are expected to rest on what was taken of the newest and the used."""
        held = np.zeros(len(self._singles), np.bool_)
        held[places] = True
        bundles, values = self._bundled
        whole = sum(
            value for key, value in zip(bundles, values.tolist(), strict=True) if held[list(key)].all()
        )
        self._new.expect(float(self._singles[held & self._newest].sum()))
        self._again.expect(float(self._singles[held & self._used].sum()) + whole)

    def _expose(self, view: View) -> None:
        """Count the queries since the last write for what was held while they came."""
        if not self._waiting:
            return
        self._forget()
        exposed = ~view.fresh if self._all else view.memory
        self._of("exposed")[exposed] += self._waiting / self._needed
        self._judged += self._waiting
        self._settled += self._waiting
        self._waiting = 0
        if self._terms.learns and self._judged >= max(self._terms.learns, _SELDOM * self._settled):
            self._judge()

    def _forget(self) -> None:
        """Let what was told before count less."""
        if self._terms.keeps == np.inf:
            return
        left = 0.5 ** (self._waiting / self._terms.keeps)
        for column in ("exposed", "uses", "alone"):
            self._of(column)[:] *= left
        self._sets = {key: count * left for key, count in self._sets.items()}

    def _judge(self) -> None:
        """Read the prior, and the law of rates, in the light of all that was held."""
        self._judged = 0
        held = self._of("exposed") > 0
        lived = Lived(*(self._of(column)[held] for column in ("odds", "uses", "exposed")))
        self._outlook = likeliest(lived, self._of("odds"), self._terms.spread)

    def _rates(self, places: npt.NDArray[np.int64]) -> Floats:
        """Return the expected rate of each of *places* alone."""
        odds, exposed, alone = (self._of(column)[places] for column in ("odds", "exposed", "alone"))
        chances = self._outlook.chances(odds, self._mean)
        rates = self._outlook.silent(chances, exposed) * self._completed(places)
        used = alone > 0
        rates[used] = self._outlook.used(alone[used], exposed[used])
        return rates / self._needed

    def _completed(self, places: npt.NDArray[np.int64]) -> Floats:
        """Return how likely what a claim is needed with can be held, too: claims of its batch go together."""
        batches = self._of("batch").astype(np.int64)
        chances = np.where(self._of("uses") > 0, 0.0, self._outlook.chances(self._of("odds"), self._mean))
        whole = np.bincount(batches, chances)
        there = np.bincount(batches[places], chances[places], len(whole))
        gone = 1 - there / np.maximum(whole, 1e-300)
        lost: Floats = 1 - self._together / self._told * gone[batches[places]]
        return lost

    def _bundles(self, allowed: Bools) -> tuple[list[Set], Floats]:
        """Return the supports of several claims that can be held, and the expected rate of each."""
        self._sets = {key: count for key, count in self._sets.items() if all(allowed[e] for e in key)}
        bundles, exposed = list(self._sets), self._of("exposed")
        if not bundles:
            return bundles, np.zeros(0)
        least = np.array([min(exposed[e] for e in key) for key in bundles])
        counts = np.array(list(self._sets.values()))
        return bundles, self._outlook.used(counts, least) / self._needed


class _Factor:
    """Whether some kind of claim is asked for more, or less, than its rates expect."""

    def __init__(self, held_back: float) -> None:
        self._held_back = held_back
        self._observed = self._expected = self._rate = 0.0

    @property
    def factor(self) -> float:
        """What the rates of the kind are to be multiplied with."""
        if self._held_back == np.inf:
            return 1.0
        return (self._held_back + self._observed) / (self._held_back + self._expected)

    def expect(self, rate: float) -> None:
        """Remember how often a query is expected to rest on what is held of the kind."""
        self._rate = rate

    def settle(self, hit: bool) -> None:
        """Take a query that rested on the kind, or did not."""
        self._expected += self._rate
        self._observed += hit
