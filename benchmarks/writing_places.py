"""Where policies that learn from queries are compared: a prior, readers that remember, what is drawn."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

import memspan as ms
from memspan.answering.hybrid import Hybrid
from memspan.answering.lexical import Lexicon
from memspan.environments.bounds import Optima, optima
from memspan.environments.episode import Episode, Rules
from memspan.environments.orders import OrderName, Schedule, draw
from memspan.environments.playing import play
from memspan.environments.scene import Scene, scene
from memspan.language.words import stems
from memspan.material import Claim, Query
from memspan.policies.dirichlet import DirichletBelief, Set
from memspan.ports import Answerability, Prior, Scorer, WritePolicy

Floats = npt.NDArray[np.float64]
Make = Callable[["Place"], WritePolicy]
SHARPNESS = 0.3  # the likeliest on MuSiQue, of .1, .2, ... 1


@dataclass
class Written:
    """A prior that was computed before."""

    chances: Floats
    name: str = "learned"

    def start(self) -> None:
        """Begin anew."""
        self._seen = 0

    def observe(self, claims: Sequence[Claim]) -> Floats:
        """Return the chances of the next *claims*."""
        self._seen += len(claims)
        return self.chances[self._seen - len(claims) : self._seen]


class Quick:
    """BM25 in place of a reader: its softmax."""

    name = "quick"
    described: Mapping[str, Any] = {}

    def scorer(self, items: Sequence[Claim]) -> Scorer:
        """Read *items*."""
        lexicon = Lexicon.of(item.text for item in items)

        def chances(query: Query) -> Floats:
            scores = SHARPNESS * lexicon.bm25(stems(f"{query.text} {query.answer or ''}"))
            powers = np.exp(scores - scores.max())
            return np.asarray(powers / powers.sum(), np.float64)

        return chances


@dataclass
class Remembered:
    """A reader that reads each query of a material once, whoever asks; for materials that come whole."""

    reader: Answerability
    _read: dict[tuple[str, str | None], Floats] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The reader's own."""
        return self.reader.name

    @property
    def described(self) -> Mapping[str, Any]:
        """The reader's own."""
        return self.reader.described

    def scorer(self, items: Sequence[Claim]) -> Scorer:
        """Read *items*."""
        scorer = self.reader.scorer(items)

        def chances(query: Query) -> Floats:
            key = query.text, query.answer
            if key not in self._read:
                self._read[key] = scorer(query)
            return self._read[key]

        return chances


class Singly(DirichletBelief):
    """Credits each claim of a support alone."""

    def worth(self) -> tuple[Floats, dict[Set, float]]:
        """Return what each claim is worth, and no set."""
        singles, bundles = super().worth()
        for support, value in bundles.items():
            singles[list(support)] += value
        return singles, {}


@dataclass(frozen=True)
class Plan:
    """What is asked, how much is held, how often it is repeated; *cut*: once asks but some queries."""

    order: OrderName
    steps: int = 200
    share: float = 0.1
    seeds: int = 2
    cut: bool = False


_DRAWN: dict[tuple[str, Plan, int], tuple[Schedule, Optima]] = {}


@dataclass(frozen=True)
class Place:
    """Where policies are compared: a scene, a prior, and readers that remember."""

    scene: Scene
    prior: Prior
    hybrid: Remembered
    quick: Remembered

    @classmethod
    def of(cls, material: ms.Material, chances: Floats) -> Place:
        """Lay *material* out as a whole."""
        whole = scene(material, arriving="whole")
        return cls(whole, Written(chances), Remembered(Hybrid()), Remembered(Quick()))

    def capacity(self, plan: Plan) -> int:
        """Return how many claims may be held."""
        return round(plan.share * self.scene.coverage.n_claims)

    def shares(self, make: Make, plan: Plan, rules: Rules) -> tuple[float, float]:
        """Return the share of the bound and the regret of a policy, means over the seeds of *plan*."""
        found = []
        for seed in range(plan.seeds):
            schedule, bound = self.drawn(plan, seed)
            played = play(make(self), Episode(self.scene, schedule, self.capacity(plan), rules), seed)
            found.append((np.nansum(played.expected) / bound.total, bound.total - np.nansum(played.expected)))
        share, regret = np.mean(found, axis=0).tolist()
        return share, regret

    def drawn(self, plan: Plan, seed: int) -> tuple[Schedule, Optima]:
        """Return what is asked with *seed*, and the bound; drawn once."""
        key = self.scene.material.id, plan, seed
        if key not in _DRAWN:
            once = plan.order == "once" and not plan.cut
            rng = np.random.default_rng(seed)
            schedule = draw(self.scene, plan.order, rng, steps=None if once else plan.steps)
            _DRAWN[key] = schedule, optima(self.scene, schedule, self.capacity(plan))
        return _DRAWN[key]
