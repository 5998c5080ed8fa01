"""A memory being filled under beliefs: what each support still lacks, what each query still misses.

Supports that lack the same claims wait together; taking a group also completes those that wait for a
part of it. Between two steps a gain only falls, except where supports join such a part; the queue of the
best groups is therefore lazy.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, combinations, pairwise

import numpy as np
import numpy.typing as npt

from memspan.coverage import Coverage
from memspan.errors import CostError, ShapeError

Floats = npt.NDArray[np.float64]
Key = tuple[int, ...]
"""Claims that are still needed, ascending: all supports that lack just these hold once they are taken."""

ABOVE = 1 + 1e-9  # keeps a sum of rounded shares at or above the share of the sum
SHORT = 6  # claims of which all parts are looked up; of longer keys, what waits for their claims is


@dataclass(frozen=True)
class Wanted:
    """What a memory is chosen by, checked against a coverage.

    Attributes:
        beliefs: one for each support, in [0, 1].
        worthy: which supports are taken for their own sake.
        costs: one for each claim, >= 0; None for 1 each.
    """

    beliefs: Floats
    worthy: npt.NDArray[np.bool_]
    costs: Floats | None


def wanted(
    coverage: Coverage,
    beliefs: npt.ArrayLike,
    costs: npt.ArrayLike | None,
    floor: float,
) -> Wanted:
    """Return what was handed in as arrays.

    Raises:
        ShapeError: a shape or a value does not fit, or a support can be defeated.
        CostError: a cost that is negative or not finite.
    """
    if not coverage.monotone:
        count = int((np.diff(coverage.unless_ptr) > 0).sum())
        raise ShapeError(
            f"{count} supports are defeated by other claims (unless), so that holding more can mean less; "
            "believed needs supports that always hold: leave unless out, or ask memspan.exact_size"
        )
    if not 0 <= floor <= 1:
        raise ShapeError(f"floor is {floor}; give a belief from 0 to 1")
    trusted = _beliefs(beliefs, coverage.n_supports)
    priced = None if costs is None else _costs(costs, coverage.n_claims)
    return Wanted(trusted, trusted >= floor, priced)


def _beliefs(given: npt.ArrayLike, count: int) -> Floats:
    array = np.asarray(given, np.float64)
    if array.shape != (count,):
        raise ShapeError(f"beliefs have shape {array.shape}; give one for each of the {count} supports")
    if not ((array >= 0) & (array <= 1)).all():
        raise ShapeError(f"beliefs reach from {array.min():g} to {array.max():g}; give numbers from 0 to 1")
    return array


def _costs(given: npt.ArrayLike, count: int) -> Floats:
    array = np.asarray(given, np.float64)
    if array.shape != (count,):
        raise ShapeError(f"costs have shape {array.shape}; give one for each of the {count} claims")
    if not ((array >= 0) & (array < np.inf)).all():
        raise CostError(f"costs reach from {array.min():g} to {array.max():g}; give finite numbers >= 0")
    return array


class Filling:
    """The greedy: take what is offered or leave it."""

    def __init__(self, coverage: Coverage, wanted: Wanted) -> None:
        """Start empty; supports without claims hold from the start."""
        self._total, self._covered, self._right = coverage.total or 1, 0.0, 0.0
        self._beliefs = wanted.beliefs.tolist()
        self._worthy = wanted.worthy.tolist()
        self._costs = None if wanted.costs is None else wanted.costs.tolist()
        self._owner = coverage.owner.tolist()
        self._missed = coverage.weights.astype(np.float64).tolist()
        self._served = [False] * len(self._missed)
        self._held = [False] * coverage.n_claims
        self._lacking = [tuple(row) for row in _rows(coverage.ptr, coverage.members)]
        self._of_claim = _rows(*coverage.by_claim)
        self._waiting: dict[Key, list[int]] = {}
        self._bounds: dict[Key, float] = {}
        self._queue: list[tuple[float, Key]] = []
        self.order: list[int] = []
        for key, gained in self._await(range(coverage.n_supports)).items():
            self._raise(key, gained)

    def offers(self) -> Iterator[tuple[Key, float]]:
        """Yield claims to take next and their price: most gain for a place first, then lowest positions."""
        while self._queue:
            bound, key = heapq.heappop(self._queue)
            if self._bounds.get(key) != -bound or any(self._held[e] for e in key):
                continue  # offered anew since, or taken in part
            rate = self._rate(key)
            if self._queue and (-rate, key) > self._queue[0]:
                self._queue_up(key, rate)
                continue
            del self._bounds[key]
            if rate > 0:
                yield key, self._price(key)

    def take(self, claims: Key) -> None:
        """Hold *claims*."""
        for e in claims:
            self._held[e] = True
        self.order.extend(claims)
        touched = {s for e in claims for s in self._of_claim[e] if self._lacking[s]}
        joined = self._await(sorted(touched))
        for key, gained in joined.items():
            self._raise(key, gained)
            for whole in self._wholes(key):
                self._raise(whole, gained)

    def masses(self) -> tuple[float, float]:
        """Return expected precision and expected water: covered, but by nothing true."""
        return self._right / self._total, max(self._covered - self._right, 0.0) / self._total

    @property
    def memory(self) -> npt.NDArray[np.bool_]:
        """The claims held, as a boolean array."""
        return np.array(self._held, np.bool_)

    @property
    def doubtful(self) -> bool:
        """Whether there is a support not held that is not worth taking."""
        return any(not worthy and lacks for worthy, lacks in zip(self._worthy, self._lacking, strict=True))

    def _price(self, key: Key) -> float:
        return len(key) if self._costs is None else math.fsum(self._costs[e] for e in key)

    def _rate(self, key: Key) -> float:
        """Return the weight gained for a place by all supports that hold once *key* is taken."""
        gain = 0.0
        missed: dict[int, float] = {}
        waiting, owner = self._waiting, self._owner
        for part in self._parts(key):
            for s in waiting[part]:
                query = owner[s]
                now = missed[query] if query in missed else self._missed[query]
                gain += now * self._beliefs[s]
                missed[query] = now * (1 - self._beliefs[s])
        price = self._price(key)
        return gain / price if price else math.inf * gain if gain else 0.0

    def _parts(self, key: Key) -> Iterable[Key]:
        """Return the groups that wait for *key* or for a part of it."""
        if len(key) == 1:
            return (key,)
        if len(key) <= SHORT:
            several = chain.from_iterable(combinations(key, size) for size in range(1, len(key) + 1))
            return (part for part in several if part in self._waiting)
        near = {self._lacking[s] for e in key for s in self._of_claim[e]}
        return sorted(part for part in near if part and set(part).issubset(key))

    def _wholes(self, key: Key) -> set[Key]:
        """Return the groups that wait for *key* and more."""
        rarest = key[0] if len(key) == 1 else min(key, key=lambda e: len(self._of_claim[e]))
        near = {self._lacking[s] for s in self._of_claim[rarest]}
        return {whole for whole in near if len(whole) > len(key) and set(whole).issuperset(key)}

    def _await(self, supports: Iterable[int]) -> dict[Key, float]:
        """Sort *supports* by what they lack; return the most that each group gains by those that join it.

        Those that lack nothing serve their query.
        """
        joined: dict[Key, float] = {}
        for s in supports:
            key = self._lacking[s] = tuple(e for e in self._lacking[s] if not self._held[e])
            if key:
                self._waiting.setdefault(key, []).append(s)
                joined[key] = joined.get(key, 0.0) + self._missed[self._owner[s]] * self._beliefs[s]
            else:
                self._serve(s)
        return joined

    def _raise(self, key: Key, gained: float) -> None:
        """Queue *key* under a bound that is no less than its rate, *gained* at most having come to it."""
        known = self._bounds.get(key)
        if known is not None:
            self._queue_up(key, known + gained / (self._price(key) or 1) * ABOVE)
        elif any(self._worthy[s] for s in self._waiting[key]):
            self._queue_up(key, self._rate(key))

    def _serve(self, s: int) -> None:
        query, belief = self._owner[s], self._beliefs[s]
        missed = self._missed[query]
        if not self._served[query]:
            self._served[query] = True
            self._covered += missed
        self._right += missed * belief
        self._missed[query] = missed * (1 - belief)

    def _queue_up(self, key: Key, bound: float) -> None:
        self._bounds[key] = bound
        heapq.heappush(self._queue, (-bound, key))


def _rows(ptr: npt.NDArray[np.int64], flat: npt.NDArray[np.int32]) -> list[list[int]]:
    entries, bounds = flat.tolist(), ptr.tolist()
    return [entries[a:b] for a, b in pairwise(bounds)]
