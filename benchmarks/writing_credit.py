"""How much less noise there is in the slope of a write rule when single claims are credited.

Memories are drawn by chance from given scores, queries are settled against them, and the slope of the
expected utility in the scores is estimated from what is disclosed. On small materials, with several
supports to a query, the exact slope comes from trying every memory; on LoCoMo's conversations (one
support to a query) from inclusion and exclusion. Run it as `python benchmarks/writing_credit.py`, or
with `--json`; it reads the folder that MEMSPAN_DATA names. Nothing is fitted here.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np
import numpy.typing as npt

import memspan as ms
from instances import Recipe, material, public
from measuring import Section
from memspan.coverage import Coverage, compile_material
from memspan.learning.gradient import slope_by_credit, slope_by_return
from memspan.learning.inclusion import Drawn, bernoulli, plackett_luce, sized
from memspan.learning.settled import Settled, asked, used_alone
from memspan.testing.slopes import bernoulli_slope, multilinear_slope, plackett_luce_slope

Floats = npt.NDArray[np.float64]
Policy = Literal["Bernoulli", "Plackett-Luce"]

SHARE = 0.2
"""Of the claims: the capacity, or the expected size."""
EPISODES = {"small": 100_000, "locomo": 3000}
TOGETHER = 500
SMALL = Recipe(claims=10, queries=8, weights="power", alternatives=(0.5, 0.3, 0.2))
SEEDS = (0, 1, 2, 3)


@dataclass(frozen=True)
class Row:
    """One estimator: means over materials.

    `variance` is relative to that of the plain return on the same episodes, `fewer` its inverse;
    `cosine` is of the mean estimate with the exact slope; `off` is how far the mean lies from it, in
    standard errors (about 1 where unbiased); `episodes` are those after which the error is as large
    as the slope.
    """

    inclusion: str
    queries: int
    credit: str
    disclosed: str
    variance: float
    fewer: float
    cosine: float | None
    off: float | None
    episodes: float | None


ESTIMATORS = {
    "return": ("right or wrong alone", slope_by_return),
    "return minus baseline": (
        "right or wrong alone",
        lambda d, t: slope_by_return(d, t, np.zeros(len(d.memories))),
    ),
    "leave-one-out": ("supports of hits", partial(slope_by_credit, method="leave-one-out")),
    "leave-one-out, one support": (
        "claims used",
        lambda d, t: slope_by_credit(d, used_alone(t), "leave-one-out"),
    ),
    "shapley": ("supports of hits", partial(slope_by_credit, method="shapley")),
    "flip": ("supports", partial(slope_by_credit, method="flip")),
}


@dataclass
class Tally:
    """Sum and sum of squares of estimates."""

    sums: Floats
    squares: Floats
    count: int = 0

    def add(self, slopes: Floats) -> None:
        """Count the *slopes* of episodes, a row for each."""
        self.sums += slopes.sum(axis=0)
        self.squares += (slopes**2).sum(axis=0)
        self.count += len(slopes)

    @property
    def mean(self) -> Floats:
        """The mean estimate."""
        return self.sums / self.count

    @property
    def variance(self) -> Floats:
        """The variance of an estimate from one episode."""
        return self.squares / self.count - self.mean**2


def draw(policy: Policy, scores: Floats, count: int, rng: np.random.Generator) -> Drawn:
    size = SHARE * len(scores)
    if policy == "Bernoulli":
        return bernoulli(sized(scores, size), count, rng)
    return plackett_luce(np.tile(scores, (count, 1)), np.full(count, round(size)), rng)


def exact(policy: Policy, coverage: Coverage, scores: Floats) -> Floats | None:
    if policy == "Bernoulli":
        slope = bernoulli_slope if len(scores) <= SMALL.claims else multilinear_slope
        return slope(coverage, sized(scores, SHARE * len(scores)))[1]
    if len(scores) > SMALL.claims:
        return None
    return plackett_luce_slope(coverage, scores, round(SHARE * len(scores)))[1]


def settle(coverage: Coverage, drawn: Drawn, queries: int, rng: np.random.Generator) -> Settled:
    count = len(drawn.memories)
    chosen = rng.choice(
        len(coverage.queries), p=coverage.weights / coverage.weights.sum(), size=count * queries
    )
    return asked(coverage, drawn.memories, np.repeat(np.arange(count), queries), chosen)


def tallies(
    coverage: Coverage, policy: Policy, scores: Floats, queries: int, episodes: int
) -> dict[str, Tally]:
    """Estimate the slope in *episodes* episodes by each estimator, all on the same ones."""
    rng = np.random.default_rng(0)
    found = {name: Tally(np.zeros(len(scores)), np.zeros(len(scores))) for name in ESTIMATORS}
    for _ in range(episodes // TOGETHER):
        drawn = draw(policy, scores, TOGETHER, rng)
        told = settle(coverage, drawn, queries, rng)
        for name, (_, slopes) in ESTIMATORS.items():
            found[name].add(slopes(drawn, told))
    return found


def rows(coverages: Sequence[Coverage], policy: Policy, queries: int, episodes: int) -> Iterator[Row]:
    """Yield a row for each estimator: geometric means of ratios, means of the rest."""
    scores = [np.random.default_rng(7).normal(size=each.n_claims) / 2 for each in coverages]
    found = [tallies(c, policy, s, queries, episodes) for c, s in zip(coverages, scores, strict=True)]
    slopes = [exact(policy, c, s) for c, s in zip(coverages, scores, strict=True)]
    for name, (disclosed, _) in ESTIMATORS.items():
        ratios = [t[name].variance.sum() / t["return"].variance.sum() for t in found]
        ratio = float(np.exp(np.mean(np.log(ratios))))
        against = [
            _against(t[name], slope) for t, slope in zip(found, slopes, strict=True) if slope is not None
        ]
        means = [float(np.mean(column)) for column in zip(*against, strict=True)] or [None] * 3
        yield Row(policy, queries, name, disclosed, ratio, 1 / ratio, *means)


def _against(tally: Tally, slope: Floats) -> tuple[float, float, float]:
    mean, variance = tally.mean, tally.variance
    cosine = mean @ slope / (np.linalg.norm(mean) * np.linalg.norm(slope))
    off = np.sqrt(((mean - slope) ** 2).sum() / (variance.sum() / tally.count))
    return float(cosine), float(off), float(variance.sum() / (slope @ slope))


def sections() -> Iterator[Section]:
    small = [compile_material(material(SMALL, seed)) for seed in SEEDS]
    path = public("locomo/locomo10_dev.json")
    locomo = [compile_material(each) for each in ms.load(path)] if path.exists() else []
    for name, coverages, title in (
        ("small", small, f"{len(small)} materials of {SMALL.claims} claims, exact slope by enumeration"),
        ("locomo", locomo, f"{len(locomo)} conversations, exact slope by inclusion and exclusion"),
    ):
        if coverages:
            found = [
                row
                for policy in ("Bernoulli", "Plackett-Luce")
                for queries in (1, 10)
                for row in rows(coverages, policy, queries, EPISODES[name])
            ]
            yield Section(name, f"{title}, {EPISODES[name]:,} episodes each", tuple(found))


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--json", action="store_true")
    chosen, made = options.parse_args(), []
    for section in sections():
        made.append(section.record())
        if not chosen.json:
            print(section.text(), flush=True)
    if chosen.json:
        print(json.dumps(made))


if __name__ == "__main__":
    main()
