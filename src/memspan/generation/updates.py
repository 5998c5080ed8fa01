"""Φ with a memory for what changed: a later claim about the same thing overrides an earlier one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from memspan.generation.decomposable import itself
from memspan.language.words import folded
from memspan.material import Claim, KnowledgeItem, Material, Query, Support
from memspan.ports import Generated


@dataclass(frozen=True)
class Updates:
    """Each claim entails itself, until a later claim gives the same subject and relation another object.

    **Not monotone**: holding more claims can entail less. The item of an overridden claim has the support
    (that claim, *unless* a later one is held), so a memory that kept the old claim and missed the new one
    entails what is no longer so. Of two claims the later one is told by `Claim.time` where both have one
    (ISO 8601), else, or at the same time, by their order in the material. What a claim names in
    `Claim.supersedes` it overrides whatever the relation. The same object again overrides nothing. Names
    are compared without case and accents.

    Attributes:
        functional: the relations that hold one object at a time, e.g. ``{"lives in"}``; the others
            hold several and override nothing. None takes all relations as such.

    Source: arXiv 2608.11654, section 2 (Φ need not be monotone where claims conflict).

    >>> claims = [Claim(f"c{i}", triple=("Ana", "lives in", town)) for i, town in ((1, "Faro"), (2, "Porto"))]
    >>> [(item.id, item.supports[0].unless) for item in Updates().generate(claims).items]
    [('c1', ('c2',)), ('c2', ())]
    """

    functional: Collection[str] | None = None

    @property
    def name(self) -> str:
        """The name of the operator in outputs."""
        return "updates"

    def generate(self, claims: Sequence[Claim]) -> Generated:
        """Return one item for each of *claims*; it bears the id of its claim."""
        overriding: dict[str, set[str]] = defaultdict(set)
        for claim in claims:
            for name in claim.supersedes:
                overriding[name].add(claim.id)
        for group in self._groups(claims):
            for i, claim in enumerate(group):
                rest = (each for j, each in enumerate(group) if _is_later(each, claim, given_later=j > i))
                overriding[claim.id] |= {each.id for each in rest if _object(each) != _object(claim)}
        position = {claim.id: i for i, claim in enumerate(claims)}
        return Generated(tuple(_unless(claim, overriding[claim.id], position) for claim in claims))

    def told(self, material: Material) -> Material:
        """Return *material* with each query's supports and `wrong` as this operator has them.

        Where all supports of a query are single claims about one subject and relation, right is the
        object that the whole material leaves, and every other object that was ever given is wrong.
        Other supports keep their claims and hold unless one of these is overridden.
        """
        items = {item.id: item.supports[0] for item in self.generate(material.claims).items}
        group_of = {claim.id: group for group in self._groups(material.claims) for claim in group}
        return replace(
            material, queries=tuple(_told(query, material, items, group_of) for query in material.queries)
        )

    def _groups(self, claims: Sequence[Claim]) -> Collection[Sequence[Claim]]:
        """Return the claims that share subject and relation, where that holds one object at a time."""
        functional = None if self.functional is None else {folded(name) for name in self.functional}
        groups: dict[tuple[str, str], list[Claim]] = defaultdict(list)
        for claim in claims:
            if claim.triple is not None:
                relation = folded(claim.triple[1])
                if functional is None or relation in functional:
                    groups[folded(claim.triple[0]), relation].append(claim)
        return groups.values()


def _told(
    query: Query,
    material: Material,
    items: Mapping[str, Support],
    group_of: Mapping[str, Sequence[Claim]],
) -> Query:
    supports = material.supports_of(query)
    groups = [group_of.get(support.claims[0]) for support in supports if len(support.claims) == 1]
    group = groups[0] if groups and len(groups) == len(supports) else None
    if group is None or any(each is not group for each in groups):
        return replace(query, items=(), supports=tuple(_guarded(support, items) for support in supports))
    now = {_object(claim) for claim in group if not items[claim.id].unless}
    right = tuple(items[claim.id] for claim in group if _object(claim) in now)
    wrong = tuple(items[claim.id] for claim in group if _object(claim) not in now)
    return replace(query, items=(), supports=right, wrong=wrong)


def _guarded(support: Support, items: Mapping[str, Support]) -> Support:
    unless = [name for claim in support.claims for name in items[claim].unless]
    return replace(support, unless=tuple(dict.fromkeys((*support.unless, *unless))))


def _is_later(one: Claim, other: Claim, *, given_later: bool) -> bool:
    if one.time and other.time and one.time != other.time:
        return one.time > other.time
    return given_later


def _object(claim: Claim) -> str:
    return folded(claim.triple[2]) if claim.triple else ""


def _unless(claim: Claim, overriding: set[str], position: Mapping[str, int]) -> KnowledgeItem:
    later = sorted(overriding - {claim.id}, key=position.__getitem__)
    return replace(itself(claim), supports=(Support((claim.id,), tuple(later)),))
