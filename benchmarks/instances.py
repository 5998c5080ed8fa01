"""What is measured on: random instances that anyone can draw again, and where the public ones lie."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
import numpy.typing as npt

from memspan.material import Claim, Material, Query, Support

Ints = npt.NDArray[np.int64]
Shares = tuple[float, ...]
"""How often 1, 2, 3, … is drawn."""

CLAIMS_PER_QUERY = 3
RARE = 0.8  # exponent of zipf weights
POPULAR = 0.6  # exponent of zipf popularity
MOST_ASKED = 1000
SIZES: Shares = (0.55, 0.25, 0.12, 0.08)
SEVERAL: Shares = (0.51, 0.43, 0.06)


@dataclass(frozen=True)
class Incidence:
    """Weighted coverage: claim e answers ``queries[ptr[e]:ptr[e + 1]]``, ascending and distinct."""

    ptr: Ints
    queries: npt.NDArray[np.int32]
    weights: Ints

    def unweighted(self) -> Incidence:
        """Return the twin in which all queries weigh the same."""
        return Incidence(self.ptr, self.queries, np.ones_like(self.weights))


def weighted_coverage(claims: int, seed: int = 0) -> Incidence:
    """Draw *claims* claims that answer 1 + Poisson(4) queries each, with zipf weights.

    There is one query to three claims; a claim that draws a query twice answers it once.
    """
    rng = np.random.default_rng(seed)
    asked = max(1, claims // CLAIMS_PER_QUERY)
    drawn = 1 + rng.poisson(4, claims)
    owner = np.repeat(np.arange(claims, dtype=np.int64), drawn)
    pairs = np.unique(owner * asked + rng.integers(0, asked, len(owner)))
    ptr = np.searchsorted(pairs, np.arange(claims + 1, dtype=np.int64) * asked)
    weights = (1e6 * (1.0 + rng.permutation(asked)) ** -RARE).astype(np.int64)
    return Incidence(ptr, (pairs % asked).astype(np.int32), np.maximum(weights, 1))


@dataclass(frozen=True)
class Recipe:
    """How to draw queries that need several claims at once.

    Attributes:
        claims, queries: how many.
        weights: ``unit``, or ``power``: 1000 · rank^-0.8, rounded.
        popularity: how likely a claim is to be in a support: ``zipf``, rank^-0.6, or ``flat``.
        sizes: claims per support.
        alternatives: supports per query.
    """

    claims: int
    queries: int
    weights: Literal["unit", "power"] = "unit"
    popularity: Literal["zipf", "flat"] = "zipf"
    sizes: Shares = SIZES
    alternatives: Shares = (1.0,)


def material(recipe: Recipe, seed: int = 0) -> Material:
    """Draw a material after *recipe*."""
    rng = np.random.default_rng(seed)
    threshold = _thresholds(recipe, rng)
    asked = []
    for rank, weight in enumerate(_weights(recipe)):
        supports = [
            Support(tuple(f"c{e}" for e in _distinct(rng, threshold, _draw(rng, recipe.sizes))))
            for _ in range(_draw(rng, recipe.alternatives))
        ]
        asked.append(Query(f"q{rank}", weight=weight, supports=tuple(supports)))
    return Material("drawn", tuple(Claim(f"c{e}") for e in range(recipe.claims)), queries=tuple(asked))


def public(folder: str) -> Path:
    """Return where the public data sets called *folder* lie, whether they are there or not."""
    beside = Path(__file__).parents[2] / "shared" / "data"
    return Path(os.environ.get("MEMSPAN_DATA", beside)) / folder


def _weights(recipe: Recipe) -> list[int]:
    if recipe.weights == "unit":
        return [1] * recipe.queries
    return [max(1, round(MOST_ASKED * (1 + rank) ** -RARE)) for rank in range(recipe.queries)]


def _thresholds(recipe: Recipe, rng: np.random.Generator) -> npt.NDArray[np.float64]:
    """Return cumulative popularities; which claims are popular is drawn too."""
    exponent = POPULAR if recipe.popularity == "zipf" else 0.0
    popularity = rng.permutation((1.0 + np.arange(recipe.claims)) ** -exponent)
    return np.cumsum(popularity) / popularity.sum()


def _draw(rng: np.random.Generator, shares: Shares) -> int:
    return 1 + int(rng.choice(len(shares), p=shares))


def _distinct(rng: np.random.Generator, threshold: npt.NDArray[np.float64], size: int) -> list[int]:
    """Draw *size* different claims."""
    drawn: set[int] = set()
    while len(drawn) < size:
        drawn.add(min(int(np.searchsorted(threshold, rng.random())), len(threshold) - 1))
    return sorted(drawn)
