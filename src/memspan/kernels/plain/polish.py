"""Peel a memory down to a capacity, then grow it by whole bundles: short and slow."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]
Trail = tuple[Ints, Ints, Ints, Ints]


def polish(
    start: Bools,
    floor: int,
    cap: int,
    ptr: Ints,  # noqa: ARG001 - the fast twin's interface
    item_ptr: Ints,
    item_supports: Ints,
    owner: Ints,
    weights: Ints,
    costs: Ints,
    bundle_ptr: Ints,
    bundle_members: Ints,
) -> Trail:
    """Peel *start* to cost <= *floor*, then grow it to cost <= *cap*; see the fast twin."""
    needed: list[set[int]] = [set() for _ in owner]
    for e in range(len(costs)):
        for s in item_supports[item_ptr[e] : item_ptr[e + 1]].tolist():
            needed[s].add(e)
    bundles = [bundle_members[a:b].tolist() for a, b in pairwise(bundle_ptr)]
    price = costs.tolist()

    def value(items: set[int]) -> int:
        answered = {int(owner[s]) for s, need in enumerate(needed) if need <= items}
        return sum(int(weights[q]) for q in answered)

    def cost(items: set[int]) -> int:
        return sum(price[e] for e in items)

    held = set(np.flatnonzero(start).tolist())
    flips = sorted(held)
    stages = [(len(flips), cost(held), value(held))]

    while cost(held) > floor:
        full, worst, least = value(held), -1, 0
        for e in sorted(held):
            loss = full - value(held - {e})
            if worst < 0 or loss * price[worst] < least * price[e]:
                worst, least = e, loss
        held.discard(worst)
        flips.append(worst)
        stages.append((len(flips), cost(held), value(held)))
    while True:
        chosen, most, paid, base = None, 0, 1, value(held)
        for bundle in bundles:
            more = set(bundle) - held
            need = cost(more)
            if need > cap - cost(held):
                continue
            gain = value(held | more) - base
            if gain * paid > most * need:
                chosen, most, paid = bundle, gain, need
        if chosen is None:
            break
        flips += [e for e in chosen if e not in held]
        held |= set(chosen)
        stages.append((len(flips), cost(held), value(held)))
    at, costs_at, values_at = (np.array(column, np.int64) for column in zip(*stages, strict=True))
    return np.array(flips, np.int64), at, costs_at, values_at
