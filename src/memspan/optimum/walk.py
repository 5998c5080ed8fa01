"""A walk through the memories of a problem, one item at a time, that always knows what a step would gain."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

import numpy as np

from memspan.optimum.problem import Problem

NEVER = np.iinfo(np.int64).min


class Walk:
    """One memory of *problem*, its value, and the gain of flipping each item (adding or dropping it)."""

    def __init__(self, problem: Problem) -> None:
        """Start with nothing held."""
        self.weights, self.owner = problem.weights, problem.owner
        self.held = np.zeros(len(problem.costs), np.bool_)
        self._roles: dict[int, list[tuple[int, int]]] = defaultdict(
            list
        )  # item -> (support, fault when held)
        self._around: dict[int, set[int]] = defaultdict(set)  # query -> items
        rows = zip(problem.supports, problem.unless, problem.owner, strict=True)
        for s, (needed, unless, q) in enumerate(rows):
            self._around[q] |= needed | unless
            for item in needed:
                self._roles[item].append((s, -1))
            for item in unless:
                self._roles[item].append((s, 1))
        self._faults = [len(needed) for needed in problem.supports]
        self._holding = [0] * len(problem.weights)
        for s, q in enumerate(problem.owner):
            self._holding[q] += self._faults[s] == 0
        self.value = sum(w for w, n in zip(problem.weights, self._holding, strict=True) if n)
        self.gains = np.array([self._gain(item) for item in range(len(self.held))], np.int64)

    def flip(self, item: int) -> None:
        """Add *item*, or drop it where it is held."""
        self.value += int(self.gains[item])
        for s, holds, change in self._changes(item):
            self._faults[s] += change
            self._holding[self.owner[s]] += holds
        self.held[item] ^= True
        queries = {self.owner[s] for s, _ in self._roles[item]}
        for near in {item}.union(*(self._around[q] for q in queries)):
            self.gains[near] = self._gain(near)

    def go(self, items: Iterable[int]) -> None:
        """Hold exactly *items*."""
        wanted = np.zeros(len(self.held), np.bool_)
        wanted[list(items)] = True
        for item in np.flatnonzero(wanted != self.held).tolist():
            self.flip(item)

    def best(self, *, held: bool) -> int:
        """Return the item whose flip gains most among those held, or not held; the lowest of equals."""
        return int(np.where(self.held == held, self.gains, NEVER).argmax())

    def answers(self, query: int) -> bool:
        """Tell whether some support of *query* holds."""
        return self._holding[query] > 0

    def defeated_by(self, item: int) -> set[int]:
        """Return the queries a support of which holds and would be defeated by *item*, which is not held."""
        return {
            self.owner[s]
            for s, fault in self._roles[item]
            if fault > 0 and not self._faults[s] and self.weights[self.owner[s]]
        }

    def _changes(self, item: int) -> Iterable[tuple[int, int, int]]:
        """Yield each support of *item*, whether a flip makes it hold (1) or fail (-1), and faults added."""
        for s, fault in self._roles[item]:
            change = -fault if self.held[item] else fault
            before, after = self._faults[s] == 0, self._faults[s] + change == 0
            yield s, int(after) - int(before), change

    def _gain(self, item: int) -> int:
        moved: dict[int, int] = defaultdict(int)
        for s, holds, _ in self._changes(item):
            moved[self.owner[s]] += holds
        return sum(
            self.weights[q] * (int(self._holding[q] + change > 0) - int(self._holding[q] > 0))
            for q, change in moved.items()
        )
