"""Best-first branch and bound at one capacity, on the relaxation; stopping early still lowers the bound."""

from __future__ import annotations

import heapq
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from memspan.optimum.bounds import Bounds
from memspan.optimum.certificates import Fixing, Leaf, Tree
from memspan.optimum.problem import Part
from memspan.optimum.relaxation import Floats, Relaxation, Relaxed
from memspan.optimum.rounding import round_off
from memspan.optimum.shares import Shares, bound_at

MOST_MULTIPLIERS = 20_000_000  # stored in the leaves of one tree
WHOLE = 1e-6  # an item this near 0 or 1 counts as decided


@dataclass(order=True)
class _Node:
    """A set of memories still to be examined: those that agree with `fixed`."""

    priority: tuple[int, int, int]
    fixed: dict[int, bool] = field(compare=False)
    shares: Shares = field(compare=False)
    basis: Any = field(compare=False, default=None)


def branch(found: Bounds, model: Relaxation, fixing: Fixing, nodes: int, deadline: float) -> None:
    """Search *fixing*'s capacity with at most *nodes* solves and keep the tree as proof."""
    capacity, part = fixing.capacity, found.part
    start = _Node((-int(found.upper[capacity]), 0, 0), dict(fixing.fixed), fixing.shares)
    heap, leaves = [start], list[Leaf]()
    most = max(100, MOST_MULTIPLIERS // max(1, len(part.arrays.members)))
    for count in range(nodes):
        if not heap or len(leaves) + len(heap) > most or time.perf_counter() > deadline:
            break
        node = heapq.heappop(heap)
        if -node.priority[0] <= found.lower[capacity]:
            leaves.append(Leaf(node.fixed, node.shares))
            continue
        if node.basis is not None:
            model.restore(node.basis)
        relaxed = model.solve(capacity, deadline - time.perf_counter(), node.fixed)
        bound = bound_at(part, relaxed.shares, node.fixed, capacity)
        round_off(found, relaxed.items, capacity)
        item = _fractional(part, relaxed.items, node.fixed)
        if bound <= found.lower[capacity] or item is None:
            leaves.append(Leaf(node.fixed, _better(part, node, relaxed.shares, capacity)))
            continue
        for child in _children(node, item, relaxed, bound, count, model.basis()):
            heapq.heappush(heap, child)
    leaves += [Leaf(node.fixed, node.shares) for node in heap]
    proven = max(bound_at(part, leaf.shares, leaf.fixed, capacity) for leaf in leaves)
    found.cap_at(capacity, max(proven, fixing.reached), Tree(fixing, tuple(leaves)))


def _children(
    node: _Node, item: int, relaxed: Relaxed, bound: int, count: int, basis: Any
) -> Iterator[_Node]:
    """Hold *item* or not; the side nearer to the relaxation first."""
    nearer = bool(relaxed.items[item] >= 0.5)
    bound = min(bound, -node.priority[0])
    for rank, held in enumerate((nearer, not nearer)):
        priority = (-bound, -len(node.fixed) - 1, 2 * count + rank)
        yield _Node(priority, {**node.fixed, item: held}, relaxed.shares, basis)


def _better(part: Part, node: _Node, shares: Shares, capacity: int) -> Shares:
    """Return the shares, the node's own or the new ones, that bound the node more tightly."""
    if bound_at(part, node.shares, node.fixed, capacity) < bound_at(part, shares, node.fixed, capacity):
        return node.shares
    return shares


def _fractional(part: Part, items: Floats, fixed: dict[int, bool]) -> int | None:
    """Return the undecided item to branch on: most fractional, weighted by the supports it is in."""
    fraction = np.minimum(items, 1 - items)
    fraction[list(fixed)] = -1.0
    if len(fixed) == len(items):
        return None
    return int(np.argmax(np.maximum(fraction, WHOLE) * np.diff(part.arrays.item_ptr) * (fraction >= 0)))
