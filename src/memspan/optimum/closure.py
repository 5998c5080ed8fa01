"""One support per query: the concave envelope of the frontier by minimum cuts, exact in integers.

At a price per unit of capacity, the best memory is a maximum closure, found by one minimum cut; the
closures of rising prices are nested. Divide and conquer over prices finds every breakpoint. Where a
segment splits no further, its maximum flow shares each query's weight among the segment's items in
proportion to cost; together these flows are one set of shares that proves the whole envelope.

Source: Picard (1976) for closures; Gallo, Grigoriadis and Tarjan (1989) for the parametric form.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from memspan.coverage.arrays import offsets
from memspan.optimum.problem import Part
from memspan.optimum.shares import Shares, shares_from

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]
PLAIN_ENTRIES = 300  # smaller cuts are not worth waiting for a compiler
FITS = 1 << 62


@dataclass(frozen=True)
class Segment:
    """A stretch of the envelope: the closure it starts from and what it adds.

    Attributes:
        items: positions of the items added, ascending.
        queries: queries that the segment's end covers and its start does not.
        cost, value: capacity and weight added.
    """

    items: Ints
    queries: Ints
    cost: int
    value: int


@dataclass(frozen=True)
class Envelope:
    """Segments in order of falling value per cost, and the shares that prove their line."""

    segments: tuple[Segment, ...]
    shares: Shares


def envelope(part: Part) -> Envelope:
    """Return the concave envelope of a part in which every query has one support."""
    arrays = part.arrays
    query_of = np.argsort(arrays.owner, kind="stable")  # support of each query
    values = np.zeros(len(arrays.members), np.float64)
    everything = Segment(
        np.arange(len(part.costs)), np.arange(len(part.weights)), part.capacity, int(arrays.weights.sum())
    )
    waiting, done = [everything], []
    while waiting:
        segment = waiting.pop()
        split = _split(part, segment, query_of, values)
        if split is None:
            done.append(segment)
        else:
            waiting += [split[1], split[0]]
    return Envelope(tuple(done), shares_from(arrays, values))


def _split(
    part: Part, segment: Segment, query_of: Ints, values: npt.NDArray[np.float64]
) -> tuple[Segment, Segment] | None:
    """Cut *segment* at its own slope; where nothing beats the slope, record its flow as shares."""
    arrays = part.arrays
    slot = np.full(len(part.costs), -1, np.int64)
    slot[segment.items] = np.arange(len(segment.items))
    entries = _entries(arrays.ptr, query_of[segment.queries])
    inside = slot[arrays.members[entries]] >= 0
    sizes = np.diff(arrays.ptr)[query_of[segment.queries]]
    kept = entries[inside]
    ptr = offsets(np.add.reduceat(inside.astype(np.int64), offsets(sizes)[:-1]))
    members = slot[arrays.members[kept]]
    supply, room = arrays.weights[segment.queries], arrays.costs[segment.items]
    flow, short_queries, short_items = _cut(ptr, members, supply, room, segment)
    if not short_queries.any():
        values[kept] = np.asarray(flow, np.float64) / max(segment.cost, 1)
        return None
    return (
        _segment(part, segment.items[short_items], segment.queries[short_queries]),
        _segment(part, segment.items[~short_items], segment.queries[~short_queries]),
    )


def _segment(part: Part, items: Ints, queries: Ints) -> Segment:
    arrays = part.arrays
    return Segment(items, queries, int(arrays.costs[items].sum()), int(arrays.weights[queries].sum()))


def _entries(ptr: Ints, rows: Ints) -> Ints:
    """Return the positions of all entries of *rows*, row after row."""
    sizes = ptr[rows + 1] - ptr[rows]
    starts = np.repeat(ptr[rows] - offsets(sizes)[:-1], sizes)
    return np.arange(int(sizes.sum())) + starts


def _cut(
    ptr: Ints, members: Ints, weights: Ints, costs: Ints, segment: Segment
) -> tuple[Ints | list[int], Bools, Bools]:
    """Saturate the segment at its slope: supplies weight x cost against room cost x value."""
    item_ptr = offsets(np.bincount(members, minlength=len(costs)))
    item_entries = np.argsort(members, kind="stable")
    huge = segment.value * max(segment.cost, 1) >= FITS
    if huge or len(members) < PLAIN_ENTRIES:
        from memspan.kernels.plain.flow import saturate as plain

        supply = weights.astype(object) * segment.cost
        return plain(ptr, members, item_ptr, item_entries, supply, costs.astype(object) * segment.value)
    from memspan.kernels.fast.flow import saturate as fast

    return fast(ptr, members, item_ptr, item_entries, weights * segment.cost, costs * segment.value)
