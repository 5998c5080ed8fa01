"""Peel a memory down to a capacity, then grow it by whole bundles: the compiled twin."""

from __future__ import annotations

import numba
import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]
Trail = tuple[Ints, Ints, Ints, Ints]


@numba.njit(cache=True, nogil=True)
def polish(
    start: Bools,
    floor: int,
    cap: int,
    ptr: Ints,
    item_ptr: Ints,
    item_supports: Ints,
    owner: Ints,
    weights: Ints,
    costs: Ints,
    bundle_ptr: Ints,
    bundle_members: Ints,
) -> Trail:
    """Peel *start* to cost <= *floor*, then grow it to cost <= *cap*.

    Peeling removes the item of least loss per cost; growing adds the bundle of most joint gain per
    cost. Ties go to the lowest position.

    Args:
        start: items held at first.
        floor, cap: costs; floor <= cap.
        ptr, …: a part's arrays, see `optimum.problem.PartArrays`.

    Returns:
        Flips (items added or removed, from the empty memory on) and, for each stage on the way, its
        position in the flips, its cost and its value.
    """
    items, supports = costs.size, owner.size
    held = np.zeros(items, np.bool_)
    lacking = ptr[1:] - ptr[:-1]
    answers = np.zeros(weights.size, np.int64)
    hits = np.zeros(weights.size, np.int64)
    flips = np.empty(4 * items + 4, np.int64)
    stage_at, stage_cost, stage_value = (
        np.empty(4 * items + 4, np.int64),
        np.empty(4 * items + 4, np.int64),
        np.empty(4 * items + 4, np.int64),
    )
    flipped = stages = cost = value = 0
    for e in range(items):
        if start[e]:
            value += _flip(e, held, lacking, answers, owner, weights, item_ptr, item_supports)
            cost += costs[e]
            flips[flipped] = e
            flipped += 1
    stage_at[stages], stage_cost[stages], stage_value[stages] = flipped, cost, value
    stages += 1
    while cost > floor:
        worst, least = -1, 0
        for e in range(items):
            if held[e]:
                loss = 0
                for p in range(item_ptr[e], item_ptr[e + 1]):
                    s = item_supports[p]
                    if lacking[s] == 0:
                        hits[owner[s]] += 1
                        if hits[owner[s]] == answers[owner[s]]:
                            loss += weights[owner[s]]
                for p in range(item_ptr[e], item_ptr[e + 1]):
                    hits[owner[item_supports[p]]] = 0
                if worst < 0 or loss * costs[worst] < least * costs[e]:
                    worst, least = e, loss
        value += _flip(worst, held, lacking, answers, owner, weights, item_ptr, item_supports)
        cost -= costs[worst]
        flips[flipped] = worst
        flipped += 1
        stage_at[stages], stage_cost[stages], stage_value[stages] = flipped, cost, value
        stages += 1
    seen_items = np.zeros(supports, np.int64)
    seen_query = np.full(weights.size, -1, np.int64)
    stamp = 0
    while True:
        chosen, most, price = -1, 0, 1
        for b in range(bundle_ptr.size - 1):
            need = 0
            for j in range(bundle_ptr[b], bundle_ptr[b + 1]):
                if not held[bundle_members[j]]:
                    need += costs[bundle_members[j]]
            if need > cap - cost:
                continue
            gain = 0
            for j in range(bundle_ptr[b], bundle_ptr[b + 1]):
                e = bundle_members[j]
                if held[e]:
                    continue
                for p in range(item_ptr[e], item_ptr[e + 1]):
                    s = item_supports[p]
                    seen_items[s] += 1
                    q = owner[s]
                    if seen_items[s] == lacking[s] and answers[q] == 0 and seen_query[q] != stamp:
                        seen_query[q] = stamp
                        gain += weights[q]
            stamp += 1
            for j in range(bundle_ptr[b], bundle_ptr[b + 1]):
                e = bundle_members[j]
                for p in range(item_ptr[e], item_ptr[e + 1]):
                    seen_items[item_supports[p]] = 0
            if gain * price > most * need:
                chosen, most, price = b, gain, need
        if chosen < 0:
            break
        for j in range(bundle_ptr[chosen], bundle_ptr[chosen + 1]):
            e = bundle_members[j]
            if not held[e]:
                value += _flip(e, held, lacking, answers, owner, weights, item_ptr, item_supports)
                cost += costs[e]
                flips[flipped] = e
                flipped += 1
        stage_at[stages], stage_cost[stages], stage_value[stages] = flipped, cost, value
        stages += 1
    return flips[:flipped], stage_at[:stages], stage_cost[:stages], stage_value[:stages]


@numba.njit(cache=True, nogil=True)
def _flip(
    e: int,
    held: Bools,
    lacking: Ints,
    answers: Ints,
    owner: Ints,
    weights: Ints,
    item_ptr: Ints,
    item_supports: Ints,
) -> int:
    """Add or remove item *e*; return the change in value."""
    change = 0
    step = 1 if held[e] else -1
    held[e] = not held[e]
    for p in range(item_ptr[e], item_ptr[e + 1]):
        s = item_supports[p]
        if lacking[s] == 0:
            answers[owner[s]] -= 1
            if answers[owner[s]] == 0:
                change -= weights[owner[s]]
        lacking[s] += step
        if lacking[s] == 0:
            if answers[owner[s]] == 0:
                change += weights[owner[s]]
            answers[owner[s]] += 1
    return change
