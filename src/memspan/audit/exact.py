"""Memories that are the same text."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from memspan.audit.findings import Finding
from memspan.audit.reading import Reading


def exact_duplicates(readings: Sequence[Reading]) -> Iterator[Finding]:
    """Yield groups of one scope and one voice with the same text but for case, space and punctuation.

    What says ``today`` is the same only on the same day. A happening that is told again on another
    day may have happened twice: such a group is ``likely``.
    """
    groups: defaultdict[tuple[object, ...], list[Reading]] = defaultdict(list)
    for each in readings:
        if each.key:
            day = each.time[:10] if each.fleeting else ""
            groups[each.scope, each.key, each.voice, day, each.marks].append(each)
    for group in groups.values():
        if len(group) > 1:
            yield _finding(group)


def _finding(group: Sequence[Reading]) -> Finding:
    keep = max(group, key=fullness)
    days = {each.time[:10] for each in group}
    twice = keep.happened and len(days) > 1
    alike = len({each.text for each in group}) == 1
    same = "the same text" if alike else "the same text but for case, space and punctuation"
    doubt = "; told on several days, so it may have happened more than once" if twice else ""
    ids = tuple(each.claim.id for each in group)
    return Finding("exact", ids, f"{same}{doubt}", "likely" if twice else "sure", keep.claim.id)


def fullness(reading: Reading) -> tuple[int, tuple[int, str, int]]:
    """Return how much is known about where a memory comes from, then how new it is: the greatest stays."""
    claim = reading.claim
    told = (claim.source, claim.speaker, claim.time, reading.scope)
    return sum(bool(each) for each in told), reading.order
