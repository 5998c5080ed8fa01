"""The checker for very large materials: the greedy order is replayed, the bounds recomputed."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from memspan.coverage.arrays import Coverage
from memspan.optimum.frontier import Frontier
from memspan.optimum.ranking import Ranking

Ints = npt.NDArray[np.int64]


def ranking_faults(frontier: Frontier, ranking: Ranking) -> Iterator[str]:
    """Yield what is wrong with a frontier that rests on a greedy order."""
    coverage = frontier.coverage
    if (np.diff(coverage.ptr) != 1).any() or len(coverage.unless) or (frontier.costs != 1).any():
        yield "the material is not decomposable and counted in claims"
        return
    claims, queries = coverage.members, coverage.owner
    if frontier.utility == "precision":
        clean = ~(coverage.truth[claims] < 0.5)
        claims, queries = claims[clean], queries[clean]
    reachable = np.zeros(len(coverage.weights), np.int64)
    reachable[queries] = coverage.weights[queries]
    if frontier.baseline_weight != reachable.sum():
        yield "the baseline is not what the full material covers"
    reached = _replayed(coverage, claims, queries, ranking.order)
    proven = _proven(coverage, claims, queries, reachable, ranking)
    at = np.minimum(frontier.capacities, len(ranking.order))
    if len(np.unique(ranking.order)) != len(ranking.order) or (reached[at] != frontier.lower_weight).any():
        yield "the order does not reach the lower bounds"
    if (frontier.upper_weight < proven[at]).any():
        yield "an upper bound is smaller than its shares prove"
    if (frontier.upper_weight < frontier.lower_weight).any():
        yield "an upper bound lies below its lower bound"


def _replayed(
    coverage: Coverage, claims: npt.NDArray[np.int32], queries: npt.NDArray[np.int32], order: Ints
) -> Ints:
    """Return what each prefix of *order* covers: a query counts from the first claim that answers it."""
    turn = np.full(coverage.n_claims, len(order), np.int64)
    turn[order] = np.arange(len(order))
    earliest = np.full(len(coverage.weights), len(order), np.int64)
    np.minimum.at(earliest, queries, turn[claims])
    added = np.zeros(len(order) + 1, np.int64)
    np.add.at(added, earliest, coverage.weights)
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(added[:-1])])


def _proven(
    coverage: Coverage,
    claims: npt.NDArray[np.int32],
    queries: npt.NDArray[np.int32],
    reachable: Ints,
    ranking: Ranking,
) -> Ints:
    """Return the least bound that valid shares prove at each number of claims."""
    size = len(ranking.order)
    bound = np.full(size + 1, reachable.sum(), np.int64)
    for shares in ranking.shares:
        if len(shares) != len(reachable) or (shares < 0).any() or (shares > reachable).any():
            continue
        worth = np.zeros(coverage.n_claims, np.int64)
        np.add.at(worth, claims, shares[queries])
        richest = np.cumsum(np.sort(worth)[::-1])[:size]
        bound[1:] = np.minimum(bound[1:], reachable.sum() - shares.sum() + richest)
        bound[0] = min(bound[0], reachable.sum() - shares.sum())
    return np.minimum.accumulate(bound[::-1])[::-1]
