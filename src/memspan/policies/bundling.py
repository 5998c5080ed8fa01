"""Filling a memory greedily by whole supports: of two claims that are worth something only together, both.

Each step takes the bundle with the most value for what it still costs, where the value of a bundle is
that of all that its claims complete. Singles are bundles of one. A second filling looks at values
alone; the better of the two is taken.
"""

from __future__ import annotations

from collections.abc import Sequence

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
    whole = [i for i, bundle in enumerate(bundles) if allowed[list(bundle)].all()]
    worth = np.where(allowed, singles, 0.0)
    if not whole:
        return _by_rate(worth, costs, capacity)
    table = _Table(worth, [bundles[i] for i in whole], values[whole], costs, capacity)
    return table.taken()


def _by_rate(worth: Floats, costs: Floats, capacity: float) -> list[int]:
    rate = worth / np.maximum(costs, _FREE)
    order = np.argsort(-rate, kind="stable")
    order = order[worth[order] > 0]
    if (costs[order] == 1).all():
        first: list[int] = order[: int(capacity)].tolist()
        return first
    taken, left = [], capacity
    for place, cost in zip(order.tolist(), costs[order].tolist(), strict=True):
        if cost <= left:
            taken.append(place)
            left -= cost
    return taken


class _Table:
    """Bundles as padded rows; one more claim, of no cost and always held, fills them up."""

    def __init__(
        self, worth: Floats, bundles: list[tuple[int, ...]], values: Floats, costs: Floats, capacity: float
    ) -> None:
        n = len(worth)
        width = max(map(len, bundles))
        self._rows = np.full((len(bundles), width), n)
        for i, bundle in enumerate(bundles):
            self._rows[i, : len(bundle)] = bundle
        self._worth, self._values = np.append(worth, 0.0), values.astype(np.float64)
        self._costs, self._left = np.append(costs, 0.0), capacity
        self._held = np.zeros(n + 1, np.bool_)
        self._held[n] = True
        self._order = _order(worth, costs)

    def taken(self) -> list[int]:
        """Take the best until nothing fits."""
        found: list[int] = []
        open_ = np.ones(len(self._rows), np.bool_)
        while True:
            single, rate = self._single()
            row, row_rate = self._bundle(open_)
            if row is None and single is None:
                return found
            if single is not None and (row is None or rate >= row_rate):
                new = [single]
            else:
                assert row is not None  # noqa: S101 - one of the two is there
                new = [e for e in self._rows[row].tolist() if not self._held[e]]
                open_[row] = False
            for e in new:
                self._held[e] = True
                self._left -= self._costs[e]
            found.extend(new)

    def _single(self) -> tuple[int | None, float]:
        """Return the best claim that is not held and fits, and its rate."""
        self._order = self._order[~self._held[self._order]]
        for place in self._order.tolist():
            if self._costs[place] <= self._left:
                return place, float(self._worth[place] / max(self._costs[place], _FREE))
        return None, 0.0

    def _bundle(self, open_: Bools) -> tuple[int | None, float]:
        missing = ~self._held[self._rows]
        cost = (self._costs[self._rows] * missing).sum(axis=1)
        gain = self._values + (self._worth[self._rows] * missing).sum(axis=1)
        gain[~open_ | (cost > self._left)] = 0.0
        if not gain.any():
            return None, 0.0
        rate = gain / np.maximum(cost, _FREE)
        best = int(rate.argmax())
        return best, float(rate[best])


def _order(worth: Floats, costs: Floats) -> Ints:
    order = np.argsort(-worth / np.maximum(costs, _FREE), kind="stable")
    return order[worth[order] > 0]


def ranked(taken: Sequence[int], rest: Floats) -> Floats:
    """Return scores that hold *taken* first, in that order, then the others by *rest*, finite numbers.

    >>> ranked([2, 0], np.array([0.1, 0.5, 0.2, 0.9])).argsort()[::-1].tolist()
    [2, 0, 3, 1]
    """
    scores = rest.astype(np.float64)
    top = float(rest.max(initial=0.0)) + 1.0
    scores[list(taken)] = top + np.arange(len(taken), 0, -1)
    return scores
