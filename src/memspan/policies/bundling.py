"""Filling a memory greedily by whole supports: of two claims that are worth something only together, both.

Each step takes the bundle with the most value for what it still costs, where the value of a bundle is
that of all that its claims are worth. Singles are bundles of one. What a bundle still costs falls as
others take its claims, so the next best waits in a heap and is looked at anew when that happens.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heapify, heappop, heappush

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
_FREE = 1e-12  # a cost of nothing counts as so much


def fill(
    singles: Floats,
    bundles: Sequence[tuple[int, ...]],
    values: Floats,
    allowed: Bools,
    costs: Floats,
    capacity: float,
) -> list[int]:
    """Return the claims of a good memory in the order they are taken.

    Args:
        singles: (n,) what each claim is worth alone; those worth nothing are taken by no one.
        bundles: sets of claims that are worth something together, each of two or more.
        values: (B,) what each bundle is worth once it is whole.
        allowed: (n,) which claims may be held; bundles with others are passed over.
        costs: (n,) what holding each costs.
        capacity: what may be held.

    Source: greedy maximum coverage; Khuller, Moss and Naor 1999 for costs.

    >>> fill(np.array([0.3, 0, 0, 0.2]), [(1, 2)], np.array([1.0]), np.ones(4, bool), np.ones(4), 3)
    [1, 2, 0]
    """
    worth = np.where(allowed, singles, 0.0)
    order = _order(worth, costs)
    whole = [i for i, bundle in enumerate(bundles) if all(allowed[e] for e in bundle)]
    if not whole:
        return _in_turn(order, costs, capacity)
    filling = _Filling(worth, costs, [bundles[i] for i in whole], [float(values[i]) for i in whole])
    return filling.taken(order.tolist(), capacity)


def _order(worth: Floats, costs: Floats) -> Ints:
    order = np.argsort(-worth / np.maximum(costs, _FREE), kind="stable")
    return order[worth[order] > 0]


def _in_turn(order: Ints, costs: Floats, capacity: float) -> list[int]:
    if (costs[order] == 1).all():
        first: list[int] = order[: int(capacity)].tolist()
        return first
    taken, left = [], capacity
    for place, cost in zip(order.tolist(), costs[order].tolist(), strict=True):
        if cost <= left:
            taken.append(place)
            left -= cost
    return taken


class _Filling:
    """A heap of bundles by what each still gives for what it still costs."""

    def __init__(
        self, worth: Floats, costs: Floats, bundles: Sequence[tuple[int, ...]], values: Sequence[float]
    ) -> None:
        self._worth, self._costs = worth.tolist(), costs.tolist()
        self._bundles, self._values = bundles, values
        self._held: set[int] = set()
        self._with: dict[int, list[int]] = {}
        for i, bundle in enumerate(bundles):
            for e in bundle:
                self._with.setdefault(e, []).append(i)
        self._rates = [self._rate(i) for i in range(len(bundles))]
        self._heap = [(-rate, i) for i, rate in enumerate(self._rates)]
        heapify(self._heap)

    def taken(self, order: Sequence[int], capacity: float) -> list[int]:
        """Take the best until nothing fits."""
        found: list[int] = []
        left, at = capacity, 0
        while True:
            while at < len(order) and (order[at] in self._held or self._costs[order[at]] > left):
                at += 1  # what does not fit now will not fit later
            single = self._each(order[at]) if at < len(order) else 0.0
            bundle = self._best(left)
            if bundle is not None and self._rates[bundle] > single:
                new = self._missing(bundle)
            elif at < len(order):
                new = [order[at]]
            else:
                return found
            found.extend(new)
            left -= sum(self._costs[e] for e in new)
            self._take(new)

    def _best(self, left: float) -> int | None:
        """Return the best bundle that fits; those that are whole, or dearer than what is left, go."""
        while self._heap:
            rate, i = self._heap[0]
            if rate == -self._rates[i] and rate < 0 and self._cost(i) <= left:
                return i
            heappop(self._heap)
        return None

    def _take(self, new: Sequence[int]) -> None:
        self._held.update(new)
        for i in {i for e in new for i in self._with.get(e, ())}:
            self._rates[i] = self._rate(i)
            heappush(self._heap, (-self._rates[i], i))

    def _missing(self, i: int) -> list[int]:
        return [e for e in self._bundles[i] if e not in self._held]

    def _cost(self, i: int) -> float:
        return float(sum(self._costs[e] for e in self._missing(i)))

    def _each(self, place: int) -> float:
        return float(self._worth[place] / max(self._costs[place], _FREE))

    def _rate(self, i: int) -> float:
        """Return what bundle *i* gives for each unit it still costs; 0 once it is whole."""
        missing = self._missing(i)
        if not missing:
            return 0.0
        gain = self._values[i] + sum(self._worth[e] for e in missing)
        return float(gain / max(self._cost(i), _FREE))


def ranked(taken: Sequence[int], rest: Floats) -> Floats:
    """Return scores that hold *taken* first, in that order, then the others by *rest*, finite numbers.

    >>> ranked([2, 0], np.array([0.1, 0.5, 0.2, 0.9])).argsort()[::-1].tolist()
    [2, 0, 3, 1]
    """
    scores = rest.astype(np.float64)
    top = float(rest.max(initial=0.0)) + 1.0
    scores[list(taken)] = top + np.arange(len(taken), 0, -1)
    return scores
