"""Memories that say the same in other words, or say no more than another one does.

Two memories of one scope are compared by the stems of their words, words that mean the same taken
for one. Numbers, dates, negation, names that act, relatives and attitudes (might, wants) must agree. What
differs on both sides is a difference: only an embedder may bridge it. Made for English.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence

from memspan.audit.adding import adds_an_aside, names_a_role
from memspan.audit.exact import fullness
from memspan.audit.findings import Finding
from memspan.audit.reading import Reading

MOST_COMPARED = 400  # memories that one is compared with in full
MOST_READ = 2000  # memories that share its rarest word; more do only in stores of templates
FEWEST = 2  # stems that a memory needs to be compared
FEWEST_WITHIN = 3  # stems that it needs to be found within one that says more
COVERED = 0.5  # least share of the longer one's stems that the shorter one has

Late = Callable[[], bool]
"""Whether time is up."""


def near_duplicates(
    readings: Sequence[Reading], bridges: Mapping[int, Sequence[int]], late: Late
) -> tuple[list[Finding], list[str]]:
    """Return groups around a memory that says all, and what was not compared.

    Args:
        readings: memories to compare, without exact duplicates.
        bridges: by position, the positions of memories that an embedder finds close.
        late: asked now and then.
    """
    ranked = sorted(readings, key=lambda each: (len(each.bag), *fullness(each)), reverse=True)
    place = {each.position: i for i, each in enumerate(ranked)}
    index, limits = _Index(ranked), []
    star: dict[int, int] = {}  # place of a memory -> place of the one that says all of it
    for i, each in enumerate(ranked):
        if i % 256 == 0 and late():
            limits.append(
                f"time ran out: {len(ranked) - i:,} of {len(ranked):,} were not compared for near duplicates"
            )
            break
        within = index.holders(i)
        close = (place[other] for other in bridges.get(each.position, ()) if other in place)
        found = next((j for j in within if says_all(ranked[j], each)), None)
        if found is None:
            found = next((j for j in sorted(close) if j < i and agrees(ranked[j], each)), None)
        if found is not None:
            star[i] = star.get(found, found) if found in within else found
    if index.cut:
        limits.append(
            f"{index.cut:,} memories of very common words were compared with {MOST_COMPARED} others each only"
        )
    return list(_groups(ranked, star)), limits


class _Index:
    """Finds the memories that hold every stem of one: they all hold its rarest."""

    def __init__(self, ranked: Sequence[Reading]) -> None:
        self._ranked = ranked
        sides: dict[Hashable, dict[str, list[int]]] = {}
        self._holding: list[dict[str, list[int]]] = []
        for i, each in enumerate(ranked):
            holding = sides.setdefault(_side(each), {})
            self._holding.append(holding)
            for root in each.bag:
                holding.setdefault(root, []).append(i)
        self.cut = 0

    def holders(self, i: int) -> list[int]:
        """Return the places before *i* whose stems hold all of those at *i*."""
        bag, holding = self._ranked[i].bag, self._holding[i]
        if len(bag) < FEWEST or self._ranked[i].unspaced:
            return []
        rarest = min((holding[root] for root in bag), key=len)
        before = rarest[: bisect_left(rarest, i)]
        found = [j for j in before[:MOST_READ] if bag <= self._ranked[j].bag]
        self.cut += len(before) > MOST_READ or len(found) > MOST_COMPARED
        return found[:MOST_COMPARED]


def _side(each: Reading) -> Hashable:
    """Return what two memories must share to be compared at all."""
    return each.scope, each.voice, each.negated, each.mood, each.turned


def says_all(more: Reading, less: Reading) -> bool:
    """Whether *more*, which has every stem of *less*, says all that *less* says, and of the same thing."""
    if not _agree(more, less):
        return False
    extra = more.bag - less.bag
    if not extra or names_a_role(more, less) or adds_an_aside(more, less):
        return True
    places = [i for i, told in enumerate(more.meanings) if less.bag.intersection(told)]
    inside = {each for told in more.meanings[places[0] : places[-1]] for each in told}
    before = {each for told in more.meanings[: places[0]] for each in told}
    strange = more.kin | more.owned | {name for name in more.actors if name not in more.own}
    return (
        len(less.bag) >= FEWEST_WITHIN
        and len(less.bag) >= COVERED * len(more.bag)
        and not extra & inside
        and not extra & before & strange
        and not extra & more.kin
    )


def agrees(one: Reading, other: Reading) -> bool:
    """Whether nothing that must not differ does, whatever the other words say."""
    same = _side(one) == _side(other) and one.dated == other.dated and one.kin == other.kin
    return same and _agree(one, other) and set(one.actors) - one.own == set(other.actors) - other.own


def _agree(one: Reading, other: Reading) -> bool:
    """Whether numbers agree, names act in the same order, and neither points at another day."""
    if one.marks != other.marks:
        return False
    fleeting = one.fleeting or other.fleeting
    if fleeting and one.time[:10] != other.time[:10]:
        return False
    shorter, longer = sorted((one.dated, other.dated), key=len)
    if shorter != longer and shorter:
        return False
    shared = set(one.actors) & set(other.actors)
    return [n for n in one.actors if n in shared] == [n for n in other.actors if n in shared]


def _groups(ranked: Sequence[Reading], star: Mapping[int, int]) -> Iterator[Finding]:
    around: defaultdict[int, list[int]] = defaultdict(list)
    for i, j in star.items():
        around[j].append(i)
    for j, some in around.items():
        keep = ranked[j]
        group = sorted([keep, *(ranked[i] for i in some)], key=lambda each: each.position)
        fuller = any(ranked[i].bag < keep.bag for i in some)
        said = "stands in it too" if fuller else "is said in it too"
        reason = (
            f"what the others say {said}: it is the most complete"
            if fuller
            else ("the same in other words; the one kept is the newest with the most known about its source")
        )
        yield Finding("near", tuple(each.claim.id for each in group), reason, "likely", keep.claim.id)
