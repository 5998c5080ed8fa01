"""What a way of writing is worth: its share of the best memory of the same size, against plain ways."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

import numpy as np
import numpy.typing as npt

from memspan.coverage import Coverage, compile_material, u_cov
from memspan.intervals import Interval, mean_over
from memspan.material import Material
from memspan.optimum import frontier
from memspan.policies.heuristics import HEURISTICS
from memspan.policies.holding import best
from memspan.policies.traits import TRAITS, Traits
from memspan.policies.writer import shipped

Floats = npt.NDArray[np.float64]
Truths = npt.NDArray[np.bool_]
Batches = Literal["whole", "sessions"]

SHARES = (0.05, 0.1, 0.2, 0.4)
"""Of the claims: the capacities at which ways of writing are compared."""
_DRAWS = 20  # random memories


@dataclass(frozen=True)
class Ground:
    """A material on which memories are compared.

    Attributes:
        coverage: the compiled material.
        sizes: claims that a memory may hold, one for each of `SHARES`.
        best: U*(S) at each of them; the upper bound where it is not certified.
    """

    coverage: Coverage
    sizes: tuple[int, ...]
    best: tuple[float, ...]

    @classmethod
    def of(cls, material: Material) -> Ground:
        """Solve *material* at each of `SHARES` of its claims."""
        sizes = tuple(round(share * len(material.claims)) for share in SHARES)
        solved = frontier(material, capacities=sorted({*sizes}))
        return cls(solved.coverage, sizes, tuple(solved.at(size).upper for size in sizes))

    def shares(self, scores: Floats) -> Floats:
        """Return the share of U* that the claims with the highest *scores* cover, nan where U* is 0."""
        found = [
            u_cov(self.coverage, self._memory(scores, size)) / top if top else np.nan
            for size, top in zip(self.sizes, self.best, strict=True)
        ]
        return np.array(found)

    def by_chance(self) -> Floats:
        """Return the mean share of 20 random memories."""
        rng = np.random.default_rng(0)
        drawn = [self.shares(rng.random(self.coverage.n_claims)) for _ in range(_DRAWS)]
        mean: Floats = np.mean(drawn, axis=0)
        return mean

    def _memory(self, scores: Floats, size: int) -> Truths:
        memory = np.zeros(len(scores), np.bool_)
        memory[best(scores, size)] = True
        return memory


def worth(material: Material) -> Floats:
    """Return how many queries each claim is worth, shape (n,): together as many as have a support.

    A query counts by its weight, shared alike among its supports, and a support's among its claims:
    the Shapley value of the claims where every support is the only one of its query.
    """
    coverage = compile_material(material)
    supports = np.bincount(coverage.owner, minlength=len(coverage.queries))
    each = len(coverage.queries) * coverage.weights / max(coverage.total, 1) / np.maximum(supports, 1)
    sizes = np.diff(coverage.ptr)
    shares = np.repeat(each[coverage.owner] / np.maximum(sizes, 1), sizes)
    return np.bincount(coverage.members, shares, coverage.n_claims).astype(np.float64)


def needed(material: Material) -> Truths:
    """Return which claims stand in a support of some query that weighs anything, shape (n,)."""
    truth: Truths = worth(material) > 0
    return truth


def trait_table(material: Material, batches: Batches = "whole") -> Floats:
    """Return the traits of all claims, shape (n, traits): of one batch, or of one for each session."""
    traits = Traits()
    if batches == "whole":
        return traits.observe(material.claims)
    tables = [traits.observe([*each]) for _, each in groupby(material.claims, lambda claim: claim.source)]
    return np.concatenate([np.zeros((0, len(TRAITS))), *tables])


def compared(grounds: Sequence[Ground], tables: Sequence[Floats], scores: Sequence[Floats]) -> Compared:
    """Compare memories by *scores* with the shipped rule, the heuristics and chance, on each ground."""
    ways = {"rule": [g.shares(s) for g, s in zip(grounds, scores, strict=True)]}
    ways["shipped"] = [g.shares(shipped().chances(t)) for g, t in zip(grounds, tables, strict=True)]
    for name, heuristic in HEURISTICS.items():
        ways[name] = [g.shares(heuristic(t)) for g, t in zip(grounds, tables, strict=True)]
    ways["random"] = [ground.by_chance() for ground in grounds]
    return Compared({name: np.array(rows) for name, rows in ways.items()})


@dataclass(frozen=True)
class Compared:
    """Shares of U* by way of writing.

    Attributes:
        shares: each of shape (materials, capacities); nan where nothing can be covered.
    """

    shares: Mapping[str, Floats]

    def share(self, way: str) -> tuple[Interval, ...]:
        """Return the mean over materials at each capacity, with its interval over materials."""
        return tuple(_mean(column) for column in self.shares[way].T)

    def best_heuristic(self, place: int) -> str:
        """Return the heuristic that is best at the capacity at *place*: chosen here, which favours it."""
        return max(HEURISTICS, key=lambda name: np.nansum(self.shares[name][:, place]))  # nan for all or none

    def over(self, place: int, way: str = "rule") -> Interval:
        """Return how much *way* gains over the best heuristic there, material by material."""
        return _mean(self.shares[way][:, place] - self.shares[self.best_heuristic(place)][:, place])

    def figures(self) -> dict[str, dict[str, float]]:
        """Return all means and limits by way of writing, rounded to three decimals; unknown ones left out."""
        told = {way: dict(_told(self.share(way))) for way in self.shares}
        gains = [self.over(place) for place in range(len(SHARES))]
        return told | {"over the best heuristic": dict(_told(gains))}


def _mean(values: Floats) -> Interval:
    known = values[~np.isnan(values)]
    return mean_over(known.tolist()) if len(known) else Interval(np.nan)


def _told(intervals: Sequence[Interval]) -> Iterator[tuple[str, float]]:
    for share, interval in zip(SHARES, intervals, strict=True):
        for part, value in interval.record().items():
            if value is not None:
                yield f"{share:.0%}" + ("" if part == "estimate" else f" {part}"), round(value, 3)
