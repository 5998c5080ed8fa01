"""Shares: one certificate that bounds a part at every capacity at once.

Each query divides its weight among the items of each of its supports. A memory that covers the query
through a support holds all items of that support, so it has collected their shares; what the shares
of the poorest support fall short of the weight is the query's *rest*, granted for free. Hence

    value(M) <= sum of rests + sum of the shares of the items in M,

and a memory of capacity S collects no more than the S richest items do. Any shares >= 0 give a valid
bound; the dual of the linear program gives the best. Everything is integer arithmetic.

Source: linear programming duality for covering; see Cornuéjols, Nemhauser and Wolsey (1980).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from memspan.optimum.problem import Part, PartArrays

Ints = npt.NDArray[np.int64]
FINEST = 30  # bits after the point of a share


@dataclass(frozen=True)
class Shares:
    """Shares of a part: `values` in units of 1/`scale`, one per entry of ``arrays.members``."""

    scale: int
    values: Ints


def scale_of(arrays: PartArrays) -> int:
    """Return the finest power of two at which all sums of shares fit int64."""
    largest = int((arrays.weights[arrays.owner] * np.diff(arrays.ptr)).sum()) + int(arrays.weights.sum()) + 1
    dearest = int(arrays.costs.max())
    return 1 << max(0, min(FINEST, 61 - largest.bit_length() - dearest.bit_length()))


def shares_from(arrays: PartArrays, values: npt.NDArray[np.float64]) -> Shares:
    """Round multipliers down to integers; a bound from rounded shares is as valid as any."""
    scale = scale_of(arrays)
    owned = np.repeat(arrays.weights[arrays.owner], np.diff(arrays.ptr))
    clipped = np.clip(np.nan_to_num(values), 0.0, owned.astype(np.float64))
    return Shares(scale, np.floor(clipped * scale).astype(np.int64))


@dataclass(frozen=True)
class Wealth:
    """What shares amount to: the free rest, and per item what holding it collects (scaled)."""

    rest: int
    items: Ints


def wealth(arrays: PartArrays, shares: Shares, fixed: Mapping[int, bool] | None = None) -> Wealth:
    """Add up *shares*; supports that need an item fixed as not held count for nothing."""
    values = shares.values
    totals = np.add.reduceat(values, arrays.ptr[:-1])
    short = arrays.weights[arrays.owner] * shares.scale - totals
    if fixed and not all(fixed.values()):
        out = np.zeros(len(arrays.costs), np.bool_)
        out[[item for item, held in fixed.items() if not held]] = True
        dead = np.logical_or.reduceat(out[arrays.members], arrays.ptr[:-1])
        short = np.where(dead, 0, short)
        values = np.where(np.repeat(dead, np.diff(arrays.ptr)), 0, values)
    rests = np.zeros(len(arrays.weights), np.int64)
    np.maximum.at(rests, arrays.owner, short)
    items = np.zeros(len(arrays.costs), np.int64)
    np.add.at(items, arrays.members, values)
    return Wealth(int(rests.sum()), items)


def bounds(part: Part, shares: Shares, top: int) -> Ints:
    """Return the upper bound that *shares* prove at each capacity 0..top."""
    found = wealth(part.arrays, shares)
    return (found.rest + _richest(found.items, part.arrays.costs, top)) // shares.scale


def bound_at(part: Part, shares: Shares, fixed: Mapping[int, bool], capacity: int) -> int:
    """Return the upper bound at one capacity given items *fixed* as held (True) or not (False)."""
    found = wealth(part.arrays, shares, fixed)
    held = [item for item, is_held in fixed.items() if is_held]
    left = capacity - int(part.arrays.costs[held].sum())
    if left < 0:
        return -1
    free = np.ones(len(part.costs), np.bool_)
    free[list(fixed)] = False
    collected = _richest(found.items[free], part.arrays.costs[free], left)[-1]
    return int(found.rest + found.items[held].sum() + collected) // shares.scale


def _richest(items: Ints, costs: Ints, top: int) -> Ints:
    """Return, for each capacity 0..top, the most that items bought by the piece can collect, rounded up."""
    if (costs == 1).all():
        best = np.sort(items)[::-1][:top]
        return _extend(np.concatenate([[0], np.cumsum(best)]), top)
    with np.errstate(divide="ignore", invalid="ignore"):
        order = np.argsort(-np.where(costs > 0, items / costs, np.inf), kind="stable")
    spent = np.concatenate([[0], np.cumsum(costs[order])])
    collected = np.concatenate([[0], np.cumsum(items[order])])
    at = np.arange(min(top, int(spent[-1])) + 1)
    last = np.searchsorted(spent, at, side="right") - 1
    following = order[np.minimum(last, len(order) - 1)]
    part = (at - spent[last]) * items[following]
    return _extend(collected[last] + -(-part // np.maximum(costs[following], 1)), top)


def _extend(values: Ints, top: int) -> Ints:
    return np.concatenate([values, np.full(max(0, top + 1 - len(values)), values[-1], np.int64)])


def price_at(found: Wealth, costs: Ints, capacity: int) -> int:
    """Return the worth of one more unit of cost at *capacity*: that of the last item bought, rounded down."""
    paid = np.flatnonzero(costs > 0)
    ratios = found.items[paid] // costs[paid]
    order = np.argsort(-ratios, kind="stable")
    last = int(np.searchsorted(np.cumsum(costs[paid][order]), capacity, side="right"))
    return int(ratios[order[last]]) if last < len(order) else 0
