"""A write rule learned from settled queries alone: policy gradients with credit for single claims.

An episode draws a material, writes a memory from the traits of its claims, and has a few queries settled
against it. What is disclosed of these is all that is learned from. Episodes are drawn in parallel.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from memspan.answering.linear import Linear
from memspan.errors import ShapeError
from memspan.learning.credit import METHODS, Method, others, parts_of
from memspan.learning.inclusion import Drawn, plackett_luce
from memspan.learning.practice import Lesson, School, lesson, school
from memspan.learning.scorer import Scorer
from memspan.learning.settled import Settled, used_alone, within
from memspan.material import Material
from memspan.policies.traits import TRAITS
from memspan.policies.writer import WriterRule

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Told = Callable[[str], None]
Disclosure = Literal["right or wrong alone", "claims used", "supports"]

DISCLOSED: Mapping[Method, Disclosure] = {
    "return": "right or wrong alone",
    "baseline": "right or wrong alone",
    "leave-one-out": "claims used",
    "shapley": "claims used",
    "flip": "supports",
}
"""What has to be told of settled queries for each kind of credit."""
_MOMENTUM, _SCALE = 0.9, 0.99  # Adam; its second mean is short, for there are a hundred steps


@dataclass(frozen=True)
class Practice:
    """How to practise; the first values tried, none of them tuned.

    Attributes:
        credit: whose slope is followed; it decides what is looked at (`DISCLOSED`).
        episodes: in all; each draws a material and one of *shares*.
        queries: settled in each episode.
        shares: capacities, as shares of the claims: one training serves them all.
        together: episodes between two steps.
        step: length of a step, in standard deviations of a trait.
        hidden: hidden units of the scorer; with 0 it is linear and becomes a `WriterRule`.

    Raises:
        ShapeError: a number out of range.
    """

    credit: Method = "leave-one-out"
    episodes: int = 6400
    queries: int = 10
    shares: tuple[float, ...] = (0.05, 0.1, 0.2, 0.4)
    together: int = 64
    step: float = 0.05
    hidden: int = 0

    def __post_init__(self) -> None:
        """Refuse what cannot be practised."""
        if self.credit not in METHODS:
            raise ShapeError(f"no credit is called {self.credit!r}; there are {', '.join(METHODS)}")
        if not self.shares or not all(0 < share < 1 for share in self.shares):
            raise ShapeError(f"shares are {self.shares}; give at least one, each between 0 and 1")
        if min(self.episodes, self.queries, self.together) < 1 or self.hidden < 0:
            raise ShapeError(
                f"{self.episodes} episodes of {self.queries} queries, {self.together} together, "
                f"{self.hidden} hidden units; give at least one of each, and hidden units from 0"
            )


@dataclass(frozen=True)
class Learned:
    """What was learned.

    Attributes:
        practice: how.
        scorer, parameters: the scorer, on traits in standard deviations.
        mean, deviation: of the traits it was fitted on.
        returns: share of the queries answered, at each step.
        fitted_on: ids of the materials.
    """

    practice: Practice
    scorer: Scorer
    parameters: Floats
    mean: Floats
    deviation: Floats
    returns: Floats
    fitted_on: tuple[str, ...]

    def scores(self, table: Floats) -> Floats:
        """Return the score of each claim from its traits, shape (n,): the higher, the rather held."""
        traits = (table - self.mean) / self.deviation
        every = np.ones((1, len(table)), np.bool_)
        scores: Floats = self.scorer.scores(self.parameters, traits[None], every)[0]
        return scores

    def rule(self, name: str = "practised") -> WriterRule:
        """Return the weights as a write rule; its chances order claims, but are not calibrated.

        Raises:
            ShapeError: hidden units, which a rule has no place for.
        """
        if self.scorer.hidden:
            raise ShapeError(
                f"the scorer has {self.scorer.hidden} hidden units; a rule is linear: practise with hidden=0"
            )
        weights = self.parameters / self.deviation
        linear = Linear(-float(weights @ self.mean), dict(zip(TRAITS, weights.tolist(), strict=True)))
        learned_from = f"{self.practice.episodes:,} episodes, {DISCLOSED[self.practice.credit]}"
        return WriterRule(name, linear, fitted_on=f"{learned_from}, on {', '.join(self.fitted_on)}")


def train_by_outcomes(
    materials: Sequence[Material],
    practice: Practice | None = None,
    *,
    seed: int = 0,
    told: Told = lambda _: None,
) -> Learned:
    """Learn to write from settled queries alone.

    Memories are drawn by Plackett-Luce from the scores, so that they always fit the capacity; the slope
    of the expected share of queries answered is estimated from the credit of the claims
    (`memspan.learning.inclusion`), and followed with Adam. The parameters returned are the mean over the
    second half of the steps.

    Args:
        materials: to practise on; of their supports only what `DISCLOSED` says is looked at.
        practice: how; by default leave-one-out credit from the claims used.
        seed: of everything drawn.
        told: told how far it is.

    Raises:
        MaterialError: a material of fewer than two claims, or without a query that has a support.
        ShapeError: a support that can be defeated.

    Source: Williams, *Simple statistical gradient-following algorithms*, 1992; Kingma and Ba, *Adam*, 2015.

    >>> from memspan.datasets import bundled
    >>> learned = train_by_outcomes([bundled("odyssey")], Practice(episodes=640, shares=(0.5,)))
    >>> bool(learned.returns[-3:].mean() > learned.returns[:3].mean())
    True
    """
    return learn([lesson(material) for material in materials], practice, seed=seed, told=told)


class _Climber:
    """Adam, upwards."""

    def __init__(self, at: Floats) -> None:
        self.at, self._steps = at, 0
        self._mean, self._square = np.zeros_like(at), np.zeros_like(at)

    def climb(self, slope: Floats, step: float) -> None:
        self._steps += 1
        self._mean = _MOMENTUM * self._mean + (1 - _MOMENTUM) * slope
        self._square = _SCALE * self._square + (1 - _SCALE) * slope**2
        mean = self._mean / (1 - _MOMENTUM**self._steps)
        square = self._square / (1 - _SCALE**self._steps)
        self.at = self.at + step * mean / (np.sqrt(square) + 1e-8)


def learn(
    lessons: Sequence[Lesson], practice: Practice | None = None, *, seed: int = 0, told: Told = lambda _: None
) -> Learned:
    """Do what `train_by_outcomes` does, on materials whose traits are known."""
    practice, rng, taught = practice or Practice(), np.random.default_rng(seed), school(lessons)
    scorer = Scorer(taught.tables.shape[2], practice.hidden)
    climber, steps = _Climber(scorer.start(rng)), max(practice.episodes // practice.together, 1)
    returns, kept = np.zeros(steps), np.zeros(scorer.size)
    for step in range(steps):
        slopes, returns[step] = _episodes(taught, practice, scorer, climber.at, rng)
        climber.climb(scorer.slope(climber.at, taught.tables, taught.valid, slopes), practice.step)
        if step >= steps // 2:
            kept += climber.at / (steps - steps // 2)
        if step % 10 == 0:
            told(f"step {step} of {steps}: {returns[step]:.2f} of the queries answered")
    names = tuple(each.material for each in lessons)
    return Learned(practice, scorer, kept, taught.mean, taught.deviation, returns, names)


def _episodes(
    taught: School, practice: Practice, scorer: Scorer, parameters: Floats, rng: np.random.Generator
) -> tuple[Floats, float]:
    """Play episodes together; return the mean slope in the scores, shape (K, N), and the mean return."""
    material = rng.integers(len(taught.sizes), size=practice.together)
    kind = rng.integers(len(practice.shares), size=practice.together)
    sizes = taught.sizes[material]
    capacity = np.rint(np.array(practice.shares)[kind] * sizes).astype(np.int64).clip(1, sizes - 1)
    scores = scorer.scores(parameters, taught.tables, taught.valid)[material]
    plain = DISCLOSED[practice.credit] == "right or wrong alone"
    drawn = plackett_luce(scores, capacity, rng, plain=plain)
    told = taught.settle(material, drawn.memories, practice.queries, rng)
    if plain:
        slopes = slope_by_return(drawn, told, kind if practice.credit == "baseline" else None)
    else:
        known = used_alone(told) if DISCLOSED[practice.credit] == "claims used" else told
        slopes = slope_by_credit(drawn, known, practice.credit)
    of_each = np.arange(len(taught.sizes))[:, None] == material
    by_material: Floats = of_each.astype(np.float64) @ slopes / practice.together
    return by_material, float(told.correct.mean())


def slope_by_return(drawn: Drawn, told: Settled, kind: Ints | None = None) -> Floats:
    """Return the slope in the scores of each memory drawn, (E, n), from the share of its queries answered.

    Args:
        drawn: E memories.
        told: as many queries settled against each.
        kind: of each memory; returns are taken less the mean of the others of that kind. None: as they are.
    """
    returns = told.correct.reshape(len(drawn.memories), -1).mean(axis=1)
    if kind is not None:
        for each in np.unique(kind):
            returns[kind == each] -= others(returns[kind == each])
    slopes: Floats = returns[:, None] * drawn.score
    return slopes


def slope_by_credit(drawn: Drawn, told: Settled, method: Method) -> Floats:
    """Return the slope in the scores of each memory drawn, (E, n), from credit for single claims.

    Args:
        drawn: E memories.
        told: as many queries settled against each, with what is disclosed of their supports.
        method: ``leave-one-out``, ``shapley`` or ``flip``.
    """
    if method != "flip":
        return drawn.slope(_by_claim(told, method))
    leaving = _by_claim(told, "leave-one-out")
    taken = _by_claim(within(told, drawn.rooms()), "flip")
    return drawn.flipped(np.where(drawn.memories, leaving, taken), leaving)


def _by_claim(told: Settled, method: Method) -> Floats:
    """Return the mean credit of each claim over the queries of each memory, (E, n)."""
    episodes, n = told.memories.shape
    parts, _ = parts_of(told, method)
    entries = told.episode[parts.settlement] * n + parts.claim
    sums = np.bincount(entries, parts.value, minlength=episodes * n)
    means: Floats = sums.reshape(episodes, n) * (episodes / told.count)
    return means
