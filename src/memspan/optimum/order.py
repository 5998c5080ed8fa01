"""Elimination orders: which variable of a constraint network to remove next.

Greedy min-weight, min-fill and weighted min-fill with random ties; the best of several runs.
"""

from __future__ import annotations

import heapq
import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

Graph = Mapping[int, set[int]]
EASY = 20_000.0  # table cells; looking for a better order would take longer than using this one
RULES = ("weight", "fill", "weighted fill")


@dataclass(frozen=True)
class Order:
    """Variables in order of elimination, each with the neighbours it had at that moment."""

    steps: tuple[tuple[int, frozenset[int]], ...]
    cells: float


def find_order(graph: Graph, domains: Sequence[int], restarts: int, limit: float) -> Order | None:
    """Return the cheapest order found in *restarts* runs, or None where all exceed *limit* table cells.

    A cheap probe under a much looser limit turns hopeless widths away first.
    """
    logs = [math.log2(domain) for domain in domains]
    rng = random.Random(0)  # noqa: S311 - breaks ties, guards nothing
    if _greedy(graph, logs, rng, "weight", limit * 256) is None:
        return None
    best: Order | None = None
    for run in range(restarts):
        found = _greedy(graph, logs, rng, RULES[(run + 1) % 3], best.cells if best else limit)
        best = found or best
        if best is not None and best.cells <= EASY:
            return best
        if best is None and run == 2:
            return None
    return best


def _greedy(graph: Graph, logs: Sequence[float], rng: random.Random, rule: str, limit: float) -> Order | None:
    near = {v: set(neighbours) for v, neighbours in graph.items()}
    scores = {v: _score(v, near, logs, rule) for v in near}
    queue = [(score, rng.random(), v) for v, score in scores.items()]
    heapq.heapify(queue)
    steps: list[tuple[int, frozenset[int]]] = []
    cells = 0.0
    while near:
        score, _, v = heapq.heappop(queue)
        if scores.get(v) != score:
            continue  # it has been removed or scored anew since
        neighbours = near.pop(v)
        del scores[v]
        steps.append((v, frozenset(neighbours)))
        cells += 2.0 ** (logs[v] + sum(logs[u] for u in neighbours))
        if cells > limit:
            return None
        for u in _connect(near, v, neighbours, widen=rule != "weight"):
            fresh = _score(u, near, logs, rule)
            if fresh != scores[u]:
                scores[u] = fresh
                heapq.heappush(queue, (fresh, rng.random(), u))
    return Order(tuple(steps), cells)


def _connect(near: dict[int, set[int]], v: int, neighbours: set[int], *, widen: bool) -> set[int]:
    """Join the neighbours of the removed *v* pairwise; return the variables whose score may change."""
    touched = set(neighbours)
    for a in neighbours:
        near[a].discard(v)
        new = neighbours - near[a] - {a}
        near[a] |= new
        if new and widen:
            touched |= near[a]
    return touched


def _score(v: int, near: Mapping[int, set[int]], logs: Sequence[float], rule: str) -> float:
    around = list(near[v])
    weight = logs[v] + sum(logs[u] for u in around)
    if rule == "weight":
        return weight
    fill = 0.0
    for i, a in enumerate(around):
        for b in around[i + 1 :]:
            if b not in near[a]:
                fill += logs[a] * logs[b] if rule == "weighted fill" else 1.0
    return fill + 0.001 * weight
