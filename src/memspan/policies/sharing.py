"""The worth of a need shared among the claims that could meet it, by how far they are believed."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt

from memspan.policies.believing import Believing
from memspan.policies.rivals import Rivals, Ways
from memspan.policies.valuing import Set, Worth

Floats = npt.NDArray[np.float64]


def shared(worth: Worth, rivals: Rivals, truth: Believing, hoped: Callable[[Floats], Floats]) -> Worth:
    """Return what claims are worth under doubt.

    The likeliest way to meet a need is worth the need times the belief in it; each further one what it
    adds to the chance that a true one is held. Of two that contradict each other both count in full as
    far as their beliefs sum to no more than 1; others are taken as independent.

    Args:
        worth: of the claims by what will be asked, were they all true.
        rivals: which claims stand for which.
        truth: belief in claims and sets.
        hoped: what beliefs count as; more than they are, where what is uncertain shall be tried.

    Source: arXiv 2608.11654, section 4: expected precision.
    """
    true = hoped(truth.singles())
    singles = worth.singles * true
    _share_pairs(singles, worth.singles, true, rivals)
    for members in rivals.groups.values():
        singles[members] = 0.0  # all of them are worth what the need of the first is, once
    parts: dict[Set, float] = {}
    for need, value in _needs(worth, rivals):
        for way, part in _parts(rivals.ways(need), truth, hoped):
            if len(way) == 1:
                singles[way[0]] = max(singles[way[0]], part * value)
            else:
                parts[way] = parts.get(way, 0.0) + part * value
    return Worth(singles, tuple(parts), np.array(list(parts.values()), np.float64))


def _share_pairs(singles: Floats, worth: Floats, true: Floats, rivals: Rivals) -> None:
    """Share the worth of the first of each contradicting pair, in place."""
    first, second = rivals.pairs.T
    more, less = np.maximum(true[first], true[second]), np.minimum(true[first], true[second])
    less = np.minimum(less, 1 - more)
    leads = true[first] >= true[second]
    singles[first] = worth[first] * np.where(leads, more, less)
    singles[second] = worth[first] * np.where(leads, less, more)


def _needs(worth: Worth, rivals: Rivals) -> Iterator[tuple[Set, float]]:
    """Yield each need that was not shared yet, with its worth."""
    yield from zip(worth.bundles, worth.values.tolist(), strict=True)
    for root in rivals.groups:
        yield (root,), float(worth.singles[root])
    for need in rivals.told:
        if len(need) == 1 and need[0] not in rivals.groups:
            yield need, float(worth.singles[need[0]])


def _parts(ways: Ways, truth: Believing, hoped: Callable[[Floats], Floats]) -> Iterator[tuple[Set, float]]:
    """Yield each way with what it adds to the chance that a true one is held, the likeliest first."""
    beliefs = hoped(np.array([truth.whole(way) for way in ways.sets])).tolist()
    if len(beliefs) == 1:
        yield ways.sets[0], beliefs[0]
        return
    left, before = 1.0, set[int]()
    for i in sorted(range(len(beliefs)), key=lambda place: -beliefs[place]):
        opposed = not ways.opposed[i].isdisjoint(before)
        part = min(beliefs[i], left) if opposed else beliefs[i] * left
        yield ways.sets[i], part
        left -= part
        before.add(i)
