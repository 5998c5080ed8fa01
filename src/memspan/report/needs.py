"""What an unanswered query would need: its cheapest missing support."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from memspan.coverage import Memory
from memspan.optimum import Frontier

MOST_ROUTES = 20


@dataclass(frozen=True)
class Route:
    """One way to answer a query; positions of claims.

    Attributes:
        claims: all of them must be held.
        unless: none of them may be held.
    """

    claims: tuple[int, ...]
    unless: tuple[int, ...] = ()


@dataclass(frozen=True)
class Need:
    """What stands between a memory and an unanswered query.

    Attributes:
        query: its position.
        missing: claims to add.
        drop: claims held that defeat the answer.
        cost: what the missing claims cost, in the frontier's unit.
    """

    query: int
    missing: tuple[int, ...]
    drop: tuple[int, ...]
    cost: int


def routes(frontier: Frontier) -> list[list[Route]]:
    """Return for each query its ways to be answered, cheapest first; at most 20 of each."""
    coverage = frontier.coverage
    found: list[list[Route]] = [[] for _ in coverage.queries]
    needed, unless = _rows(coverage.ptr, coverage.members), _rows(coverage.unless_ptr, coverage.unless)
    for query, claims, defeaters in zip(coverage.owner.tolist(), needed, unless, strict=True):
        found[query].append(Route(tuple(claims), tuple(defeaters)))
    costs = frontier.costs.tolist()
    return [sorted(ways, key=lambda way: _price(way.claims, costs))[:MOST_ROUTES] for ways in found]


def _rows(ptr: np.ndarray, members: np.ndarray) -> list[list[int]]:
    flat = members.tolist()
    return [flat[a:b] for a, b in pairwise(ptr.tolist())]


def _price(claims: Sequence[int], costs: Sequence[int]) -> tuple[int, int]:
    return sum(costs[claim] for claim in claims), len(claims)


def cheapest(query: int, ways: Sequence[Route], memory: Memory, costs: Sequence[int]) -> Need:
    """Return what *memory* lacks of the cheapest of *ways*; one that needs nothing dropped comes first."""
    needs = (_need(query, way, memory, costs) for way in ways)
    return min(needs, key=lambda need: (len(need.drop) > 0, need.cost, len(need.missing)))


def _need(query: int, way: Route, memory: Memory, costs: Sequence[int]) -> Need:
    missing = tuple(claim for claim in way.claims if not memory[claim])
    drop = tuple(claim for claim in way.unless if memory[claim])
    return Need(query, missing, drop, sum(costs[claim] for claim in missing))


def uncovered(frontier: Frontier, memory: Memory, answered: Memory) -> list[Need]:
    """Return the need of every query that *memory* leaves unanswered, heaviest query first.

    >>> import memspan as ms
    >>> from memspan.coverage import covered
    >>> found = ms.frontier(ms.bundled("odyssey"))
    >>> memory = found.coverage.memory(found.memory(4))
    >>> [need.missing for need in uncovered(found, memory, covered(found.coverage, memory))]
    [(4,), (5,)]
    """
    ways, costs = routes(frontier), frontier.costs.tolist()
    weights = frontier.coverage.weights
    missed = sorted(np.flatnonzero(~answered).tolist(), key=lambda query: (-int(weights[query]), query))
    return [cheapest(query, ways[query], memory, costs) for query in missed]
