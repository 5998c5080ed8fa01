"""The frontier of a part at every capacity at once, by dynamic programming over an elimination order.

Variables are the items (held or not) and one selector per query (no support, or support 1..k).
Factors touch two variables at most, so long supports cost no width by themselves; a table entry is a
vector over the capacity spent below it, and joining is (max,+) convolution.

Source: bucket elimination (Dechter 1999) over capacity vectors.
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from memspan.kernels.elimination import INFEASIBLE, Table, convolve, eliminate
from memspan.optimum.curves import Kinds, kinds_like
from memspan.optimum.order import Order, find_order
from memspan.optimum.problem import Part

MOST_CELLS = 2.0**20
MOST_ENTRIES = 1_000_000  # in the factors that link items to selectors
MOST_OPERATIONS = 4e9
MOST_BYTES = 5e8
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Factor:
    """A table over some variables (ascending in *scope*'s order) and the capacity spent inside it."""

    scope: tuple[int, ...]
    table: Table
    origin: int | None = None


@dataclass(frozen=True)
class Network:
    """A part as variables and factors: items first, then one selector per query that needs one."""

    domains: tuple[int, ...]
    factors: tuple[Factor, ...]

    @property
    def graph(self) -> dict[int, set[int]]:
        """Which variables share a factor."""
        near: dict[int, set[int]] = {v: set() for v in range(len(self.domains))}
        for a, b in (factor.scope for factor in self.factors if len(factor.scope) == 2):
            near[a].add(b)
            near[b].add(a)
        return near


def network_of(part: Part) -> Network:
    """Express *part* as unary and pairwise factors."""
    domains = [2] * len(part.costs)
    factors = []
    for item, cost in enumerate(part.costs):
        table = np.full((2, cost + 1), INFEASIBLE, np.int64)
        table[0, 0] = table[1, -1] = 0
        factors.append(Factor((item,), table))
    rows = defaultdict(list)
    for needed, unless, q in zip(part.supports, part.unless, part.owner, strict=True):
        rows[q].append((needed, unless))
    for q, supports in sorted(rows.items()):
        weight = part.weights[q]
        if len(supports) == 1 and len(supports[0][0]) == 1 and not supports[0][1]:
            factors.append(Factor(tuple(supports[0][0]), np.array([[0], [weight]], np.int64)))
            continue
        selector = len(domains)
        domains.append(1 + len(supports))
        factors.append(Factor((selector,), np.array([[0]] + [[weight]] * len(supports), np.int64)))
        factors += _links(selector, supports)
    return Network(tuple(domains), tuple(factors))


def _links(selector: int, supports: list[tuple[frozenset[int], frozenset[int]]]) -> list[Factor]:
    """Selector value i + 1 needs every item of support i held and none of its defeaters."""
    items = sorted({item for needed, unless in supports for item in needed | unless})
    links = []
    for item in items:
        table = np.zeros((2, 1 + len(supports), 1), np.int64)
        for i, (needed, unless) in enumerate(supports):
            if item in needed:
                table[0, i + 1] = INFEASIBLE
            if item in unless:
                table[1, i + 1] = INFEASIBLE
        links.append(Factor((item, selector), table))
    return links


@dataclass(frozen=True)
class Bucket:
    """One eliminated variable: its factors and the table that remains over *scope*."""

    variable: int
    scope: tuple[int, ...]
    factors: tuple[Factor, ...]
    table: Table


@dataclass(frozen=True)
class Eliminated:
    """Exact curve of a part; the tables stay so that any optimal memory can be traced back."""

    part: Part
    order: Order
    domains: tuple[int, ...]
    buckets: tuple[Bucket, ...]
    exact: Ints
    lower: Ints
    _held: dict[int, list[int]] = field(default_factory=dict, compare=False, repr=False)

    @property
    def kinds(self) -> Kinds:
        """Elimination, at every capacity."""
        return kinds_like(self.lower, "elimination")

    @property
    def upper(self) -> Ints:
        """Elimination is exact."""
        return self.lower

    def claims_at(self, capacities: Ints) -> list[list[int]]:
        """Trace one optimal memory per capacity; equal values share the cheapest."""
        spent = np.searchsorted(self.lower, self.lower[capacities], side="left").tolist()
        for capacity in set(spent) - self._held.keys():
            self._held[capacity] = self.part.expand(self.trace(capacity))
        return [self._held[capacity] for capacity in spent]

    def trace(self, capacity: int) -> frozenset[int]:
        """Return items that cost exactly *capacity* and reach `exact` there.

        Walks the buckets backwards, choosing values that reproduce the table entries.
        """
        wanted = {len(self.buckets) - 1: capacity}
        value: dict[int, int] = {}
        for i in range(len(self.buckets) - 1, -1, -1):
            bucket, spend = self.buckets[i], wanted.get(i, 0)
            target = bucket.table[tuple(value[v] for v in bucket.scope)][spend]
            rows, steps = self._choose(bucket, value, spend, int(target))
            for factor, row, before in zip(
                reversed(bucket.factors), reversed(rows), reversed(steps), strict=True
            ):
                share = _share(before, row, spend, int(target))
                if factor.origin is not None:
                    wanted[factor.origin] = share
                spend -= share
                target = before[spend]
        return frozenset(item for item in range(len(self.part.costs)) if value[item] == 1)

    def _choose(
        self, bucket: Bucket, value: dict[int, int], spend: int, target: int
    ) -> tuple[list[Table], list[Table]]:
        """Set the bucket's variable to a value that reaches *target*; return factor rows and prefixes."""
        for choice in range(self.domains[bucket.variable] - 1, -1, -1):
            value[bucket.variable] = choice
            rows = [factor.table[tuple(value[v] for v in factor.scope)] for factor in bucket.factors]
            prefixes = [np.zeros(1, np.int64)]
            for row in rows:
                prefixes.append(convolve(prefixes[-1], row))
            if prefixes[-1][spend] == target:
                return rows, prefixes[:-1]
        raise AssertionError("a table entry that no value reproduces")


def _share(before: Table, row: Table, spend: int, target: int) -> int:
    """Return how much of *spend* goes to *row* so that both add up to *target*."""
    first = max(0, spend - len(before) + 1)
    shares = np.arange(first, min(len(row), spend + 1))
    return int(shares[np.argmax(before[spend - shares] + row[shares] == target)])


def eliminate_part(
    part: Part, restarts: int = 12, most_operations: float = MOST_OPERATIONS
) -> Eliminated | None:
    """Solve *part* exactly, or return None where the width it needs is not affordable."""
    if _entries(part) > MOST_ENTRIES:
        return None
    network = network_of(part)
    order = find_order(network.graph, network.domains, restarts, MOST_CELLS)
    if order is None:
        return None
    operations, size = price(part, network, order)
    if operations > most_operations or size > MOST_BYTES:
        return None
    return run(part, network, order)


def _entries(part: Part) -> int:
    """Return how large the linking factors would be: supports times items, query by query."""
    supports, items = [0] * len(part.weights), [0] * len(part.weights)
    for needed, unless, q in zip(part.supports, part.unless, part.owner, strict=True):
        supports[q] += 1
        items[q] += len(needed) + len(unless)
    return sum(a * b for a, b in zip(supports, items, strict=True))


def price(part: Part, network: Network, order: Order) -> tuple[float, float]:
    """Return the operations and bytes that elimination along *order* takes, capacity vectors included."""
    position = {v: i for i, (v, _) in enumerate(order.steps)}
    incoming: dict[int, list[int]] = defaultdict(list)
    operations = size = 0.0
    for i, (v, near) in enumerate(order.steps):
        own = [part.costs[v]] if v < len(part.costs) else []
        cells = float(math.prod(network.domains[u] for u in near))
        spent = 0
        for more in own + sorted(incoming[i]):
            operations += cells * network.domains[v] * (spent + 1) * (more + 1)
            spent += more
        size += 8 * cells * (spent + 1)
        if near:
            incoming[min(position[u] for u in near)].append(spent)
    return operations, size


def run(part: Part, network: Network, order: Order) -> Eliminated:
    """Eliminate along *order*."""
    position = {v: i for i, (v, _) in enumerate(order.steps)}
    pool: list[list[Factor]] = [[] for _ in order.steps]
    for factor in network.factors:
        pool[min(position[v] for v in factor.scope)].append(factor)
    buckets = []
    for i, (v, near) in enumerate(order.steps):
        scope = tuple(sorted(near))
        place = {u: axis for axis, u in enumerate((*scope, v))}
        factors = [_sorted_axes(factor, place) for factor in pool[i]]
        table = eliminate(
            [network.domains[u] for u in (*scope, v)],
            [factor.table for factor in factors],
            [[place[u] for u in factor.scope] for factor in factors],
        )
        buckets.append(Bucket(v, scope, tuple(factors), table))
        if scope:
            pool[min(position[u] for u in scope)].append(Factor(scope, table, i))
    exact = buckets[-1].table
    return Eliminated(part, order, network.domains, tuple(buckets), exact, np.maximum.accumulate(exact))


def _sorted_axes(factor: Factor, place: dict[int, int]) -> Factor:
    """Return *factor* with its axes in the order of the bucket's scope."""
    axes = sorted(range(len(factor.scope)), key=lambda axis: place[factor.scope[axis]])
    if axes == list(range(len(axes))):
        return factor
    scope = tuple(factor.scope[axis] for axis in axes)
    return Factor(scope, factor.table.transpose(*axes, len(axes)), factor.origin)
