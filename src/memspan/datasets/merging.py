"""Many materials to one: the contexts of a data set as a single larger memory problem."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import count
from typing import Any, get_args

from memspan.material import (
    ALONE,
    CHANCES,
    READER,
    Claim,
    Dropped,
    Extra,
    KnowledgeItem,
    Material,
    Query,
    QuestionSource,
    Settlement,
    Support,
    SupportSource,
)

Names = dict[tuple[int, str], str]

_CERTAINTY: tuple[SupportSource, ...] = ("annotated", "found", "generated")
_CIRCULARITY: tuple[str, ...] = get_args(QuestionSource)


def merge(materials: Sequence[Material], name: str) -> Material:
    """Return one material with the claims, items, queries and settlements of all *materials*.

    An id that several materials use is prefixed with the material's own, ``conv-30/D1:1``, in all that
    refers to it.
    Claims with the same text, source, time, truth and costs in different materials are one
    claim; two within one material stay two.

    Args:
        materials: at least one, with distinct ids.
        name: id of the union.

    >>> monday = Material("a", (Claim("c", "Rain."),))
    >>> tuesday = Material("b", (Claim("c", "Rain."), Claim("d", "Sun.")))
    >>> [claim.id for claim in merge([monday, tuesday], "both").claims]
    ['c', 'd']
    """
    if len(materials) == 1:
        return replace(materials[0], id=name)
    claims, kept = _claim_names(materials)
    items = _prefixed(materials, lambda material: [item.id for item in material.items])
    queries = _prefixed(materials, lambda material: [query.id for query in material.queries])
    settled = _prefixed(materials, lambda material: [s.id for s in material.settlements if s.id is not None])
    each = list(enumerate(materials))
    return Material(
        name,
        tuple(_claim(i, claim, claims) for i, claim in kept),
        tuple(_item(i, item, items, claims) for i, m in each for item in m.items),
        tuple(_query(i, query, queries, items, claims) for i, m in each for query in m.queries),
        tuple(
            replace(_settlement(i, s, queries, claims), id=None if s.id is None else settled[i, s.id])
            for i, m in each
            for s in m.settlements
        ),
        max((m.support_source for m in materials), key=_CERTAINTY.index),
        tuple(_dropped(m, dropped) for m in materials for dropped in m.dropped),
        _extra(materials),
    )


def _extra(materials: Sequence[Material]) -> dict[str, Any]:
    """Return the extra fields of a union: its members, and the most circular source of their queries."""
    sources = [m.question_source for m in materials]
    worst = max(sources, key=lambda source: _CIRCULARITY.index(source) if source in _CIRCULARITY else 0)
    label = {} if worst == "given" else {"questions": worst}
    reader = next((m.extra[READER] for m in materials if READER in m.extra), None)
    return {"union": [m.id for m in materials], **label, **({READER: reader} if reader else {})}


def _claim_names(materials: Sequence[Material]) -> tuple[Names, list[tuple[int, Claim]]]:
    """Return the id of each claim in the union, and the claims that stand for all."""
    first: dict[Hashable, tuple[int, str]] = {}
    same: dict[tuple[int, str], tuple[int, str]] = {}
    kept = []
    for i, material in enumerate(materials):
        seen: Counter[Hashable] = Counter()
        for claim in material.claims:
            likeness = _likeness(i, claim)
            seen[likeness] += 1
            home = first.setdefault((likeness, seen[likeness]), (i, claim.id))
            same[i, claim.id] = home
            if home == (i, claim.id):
                kept.append((i, claim))
    names = _distinct(((i, claim.id) for i, claim in kept), materials)
    return {key: names[home] for key, home in same.items()}, kept


def _likeness(place: int, claim: Claim) -> Hashable:
    """Return what two claims share when they are one; a claim that speaks of others is like none."""
    if claim.supersedes or claim.contradicts or claim.corroborates:
        return place, claim.id
    name = None if claim.text else claim.id
    costs = tuple(sorted(claim.costs.items()))
    return claim.text, name, claim.source, claim.time, claim.truth, claim.speaker, claim.span, costs


def _prefixed(materials: Sequence[Material], ids: Callable[[Material], list[str]]) -> Names:
    return _distinct(((i, name) for i, material in enumerate(materials) for name in ids(material)), materials)


def _distinct(names: Iterable[tuple[int, str]], materials: Sequence[Material]) -> Names:
    """Return a name for each id of each material: its own, or prefixed where others use it too."""
    users = defaultdict(list)
    for i, name in names:
        users[name].append(i)
    made = {(places[0], name): name for name, places in users.items() if len(places) == 1}
    taken = set(users)
    for name, places in users.items():
        for i in places if len(places) > 1 else ():
            made[i, name] = _free(f"{materials[i].id}/{name}", taken)
            taken.add(made[i, name])
    return made


def _free(name: str, taken: set[str]) -> str:
    if name not in taken:
        return name
    return next(other for n in count(2) if (other := f"{name}#{n}") not in taken)


def _claim(i: int, claim: Claim, claims: Names) -> Claim:
    return replace(
        claim,
        id=claims[i, claim.id],
        supersedes=_renamed(i, claim.supersedes, claims),
        contradicts=_renamed(i, claim.contradicts, claims),
        corroborates=_renamed(i, claim.corroborates, claims),
    )


def _item(i: int, item: KnowledgeItem, items: Names, claims: Names) -> KnowledgeItem:
    return replace(item, id=items[i, item.id], supports=_supports(i, item.supports, claims))


def _query(i: int, query: Query, queries: Names, items: Names, claims: Names) -> Query:
    return replace(
        query,
        id=queries[i, query.id],
        items=_renamed(i, query.items, items),
        supports=_supports(i, query.supports, claims),
        wrong=_supports(i, query.wrong, claims),
        extra=_found(i, query.extra, claims),
    )


def _found(i: int, extra: Extra, claims: Names) -> Extra:
    """Return *extra* with the claims named anew in what memspan found; what is not its own stays as it is."""
    renamed = dict(extra)
    chances, alone = extra.get(CHANCES), extra.get(ALONE)
    if isinstance(chances, Mapping) and all((i, name) in claims for name in chances):
        renamed[CHANCES] = {claims[i, name]: chance for name, chance in chances.items()}
    if isinstance(alone, list) and all((i, name) in claims for name in alone):
        renamed[ALONE] = [claims[i, name] for name in alone]
    return renamed


def _settlement(i: int, settlement: Settlement, queries: Names, claims: Names) -> Settlement:
    used = None if settlement.claims is None else _renamed(i, settlement.claims, claims)
    return replace(settlement, query=queries[i, settlement.query], claims=used)


def _supports(i: int, supports: tuple[Support, ...], claims: Names) -> tuple[Support, ...]:
    return tuple(
        replace(s, claims=_renamed(i, s.claims, claims), unless=_renamed(i, s.unless, claims))
        for s in supports
    )


def _renamed(i: int, used: tuple[str, ...], names: Names) -> tuple[str, ...]:
    return tuple(names[i, name] for name in used)


def _dropped(material: Material, dropped: Dropped) -> Dropped:
    return replace(dropped, record=f"{material.id}: {dropped.record}")
