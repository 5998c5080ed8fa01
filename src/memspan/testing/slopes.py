"""Exact slopes of the expected utility of memories drawn by chance: slow, plain, and an oracle.

`memspan.learning.inclusion` estimates what is computed here.
"""

from __future__ import annotations

from itertools import combinations, permutations, product

import numpy as np
import numpy.typing as npt

from memspan.answering.linear import probability
from memspan.coverage import Coverage, u_cov

Floats = npt.NDArray[np.float64]


def bernoulli_slope(coverage: Coverage, scores: Floats) -> tuple[float, Floats]:
    """Return E[u] and its slope in the log-odds *scores*, by going through all 2^n memories."""
    chances, value = probability(scores), 0.0
    slope = np.zeros(len(scores))
    for held in product((False, True), repeat=len(scores)):
        memory = np.array(held, np.bool_)
        mass = float(np.where(memory, chances, 1 - chances).prod()) * u_cov(coverage, memory)
        value, slope = value + mass, slope + mass * (memory - chances)
    return value, slope


def plackett_luce_slope(coverage: Coverage, scores: Floats, capacity: int) -> tuple[float, Floats]:
    """Return E[u] and its slope in *scores*, by going through all ordered draws of *capacity* claims."""
    weights, value = np.exp(scores), 0.0
    slope = np.zeros(len(scores))
    for drawn in permutations(range(len(scores)), capacity):
        left, chance, log_slope = np.ones(len(scores), np.bool_), 1.0, np.zeros(len(scores))
        for claim in drawn:
            shares = np.where(left, weights, 0.0) / weights[left].sum()
            chance, log_slope = chance * float(shares[claim]), log_slope - shares
            log_slope[claim] += 1
            left[claim] = False
        mass = chance * u_cov(coverage, ~left)
        value, slope = value + mass, slope + mass * log_slope
    return value, slope


def multilinear_slope(coverage: Coverage, scores: Floats) -> tuple[float, Floats]:
    """Return what `bernoulli_slope` does for a material of any size, by inclusion and exclusion.

    A query is answered when all claims of some support are held, which are independent: exact, in time
    that doubles with each support of a query.
    """
    chances, value = probability(scores), 0.0
    slope = np.zeros(len(scores))
    for query, weight in enumerate(coverage.weights.tolist()):
        supports = [_needed(coverage, s) for s in np.flatnonzero(coverage.owner == query).tolist()]
        for size in range(1, len(supports) + 1):
            for some in combinations(supports, size):
                union = sorted(frozenset().union(*some))
                mass = -((-1.0) ** size) * weight / coverage.total * float(chances[union].prod())
                value += mass
                slope[union] += mass * (1 - chances[union])
    return value, slope


def _needed(coverage: Coverage, support: int) -> frozenset[int]:
    return frozenset(coverage.members[coverage.ptr[support] : coverage.ptr[support + 1]].tolist())
