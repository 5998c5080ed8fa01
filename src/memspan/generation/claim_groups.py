"""Claims in small groups that have something to do with each other."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Sequence

from memspan.language.words import stem, stems, words
from memspan.material import Claim

_NAME = re.compile(r"(?<=[^.!?\s]\s)[^\W\d_a-z]\w+")
_NEAR = 3  # claims on either side that a claim may belong with for its place alone
_COMMON = 50  # claims; a stem that more of them share tells little about any two


def grouped(claims: Sequence[Claim], size: int) -> list[tuple[int, ...]]:
    """Return positions of *claims* in groups of 2 to *size*; no claim stands in two.

    From the first claim on, a group takes in whichever claim has most in common with those it holds:
    stems that few claims share, names doubly, and neighbours a little. A claim that has nothing in common
    with any that is left stands in no group. The same claims always give the same groups.

    >>> told = ("Ana works for Nimbus.", "It rained.", "Nimbus builds ferries.", "Rain is rare.")
    >>> grouped([Claim(str(i), text) for i, text in enumerate(told)], 2)
    [(0, 2), (1, 3)]
    """
    bonds = _bonds(claims)
    holders: defaultdict[str, list[int]] = defaultdict(list)
    for position, bond in enumerate(bonds):
        for feature in bond:
            holders[feature].append(position)
    free, groups = set(range(len(claims))), []
    for first in range(len(claims)):
        if first in free:
            group = _grown(first, size, free, bonds, holders)
            groups += [tuple(sorted(group))] if len(group) > 1 else []
    return groups


def _grown(
    first: int,
    size: int,
    free: set[int],
    bonds: Sequence[dict[str, float]],
    holders: dict[str, list[int]],
) -> list[int]:
    """Take the group around *first* out of *free*."""
    group = [first]
    common = defaultdict[int, float](float)
    free.discard(first)
    while len(group) < size:
        for feature, weight in bonds[group[-1]].items():
            for other in holders[feature]:
                if other in free:
                    common[other] += weight
        best = min(common, key=lambda other: (-common[other], other), default=None)
        if best is None:
            break
        del common[best]
        free.discard(best)
        group.append(best)
    return group


def _bonds(claims: Sequence[Claim]) -> list[dict[str, float]]:
    """Return what may bind each claim to others, and how strongly."""
    told = [set(stems(f"{claim.speaker or ''} {claim.text}")) for claim in claims]
    names = [{stem(word) for name in _NAME.findall(claim.text) for word in words(name)} for claim in claims]
    counts = Counter(each for some in told for each in some)
    bonds: list[dict[str, float]] = []
    for position, some in enumerate(told):
        bond = {
            each: math.log(1 + len(claims) / counts[each]) * (2 if each in names[position] else 1)
            for each in sorted(some)
            if 1 < counts[each] <= _COMMON
        }
        near = range(position - _NEAR, position + 1)
        source = claims[position].source
        bonds.append(bond | {f"near {place} {source}": 0.1 for place in near})  # no stem holds a blank
    return bonds
