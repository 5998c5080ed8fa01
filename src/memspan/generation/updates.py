"""Φ with a memory for what changed: a later claim about the same thing overrides an earlier one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from memspan.generation.rules_items import triple_id
from memspan.language.words import folded
from memspan.material import Claim, KnowledgeItem, Support
from memspan.ports import Generated


@dataclass(frozen=True)
class Updates:
    """Each claim entails itself, until a later claim gives the same subject and relation another object.

    **Not monotone**: holding more claims can entail less. An item of an overridden claim has the support
    (that claim, *unless* a later one is held), so a memory that kept the old claim and missed the new one
    entails what is no longer so. Later is by `Claim.time` where all claims of the subject and relation
    have one (ISO 8601; at the same time, the order of the material), else the order of the material.
    `Claim.supersedes` overrides whatever the relation, directly or through others. A repeated object
    overrides nothing: it is another support of the same item. Names are compared without case and accents.

    Attributes:
        functional: the relations that hold one object at a time, e.g. ``{"lives in"}``; the others
            hold several and override nothing. None takes all relations as such.

    Source: arXiv 2608.11654, section 2 (Φ need not be monotone where claims conflict).

    >>> claims = [Claim(f"c{i}", triple=("Ana", "lives in", town)) for i, town in enumerate(["Faro", "Porto"], 1)]
    >>> for item in Updates().generate(claims).items:
    ...     print(item.text, [(support.claims, support.unless) for support in item.supports])
    Ana lives in Faro [(('c1',), ('c2',))]
    Ana lives in Porto [(('c2',), ())]
    """

    functional: Collection[str] | None = None

    @property
    def name(self) -> str:
        """The name of the operator in outputs."""
        return "updates"

    def generate(self, claims: Sequence[Claim]) -> Generated:
        """Return one item for each thing that *claims* say, in their order."""
        position = {claim.id: i for i, claim in enumerate(claims)}
        defeaters = self._later(claims)
        for name, later in _superseding(claims).items():
            defeaters[name] |= later
        said: dict[tuple[str, ...], list[Claim]] = defaultdict(list)
        for claim in claims:
            said[_content(claim)].append(claim)
        return Generated(tuple(_item(group, defeaters, position) for group in said.values()))

    def _later(self, claims: Iterable[Claim]) -> dict[str, set[str]]:
        """Return the later claims with another object, by the claim that they override."""
        groups: dict[tuple[str, str], list[Claim]] = defaultdict(list)
        functional = None if self.functional is None else {folded(name) for name in self.functional}
        for claim in claims:
            if claim.triple is not None:
                subject, relation, _ = map(folded, claim.triple)
                if functional is None or relation in functional:
                    groups[subject, relation].append(claim)
        later: dict[str, set[str]] = defaultdict(set)
        for group in groups.values():
            ordered = _in_time(group)
            for i, claim in enumerate(ordered):
                rest = ordered[i + 1 :]
                later[claim.id] = {each.id for each in rest if _content(each) != _content(claim)}
        return later


def _in_time(group: Sequence[Claim]) -> Sequence[Claim]:
    """Return *group* by time where all of it has one; equal times keep the order given."""
    if any(claim.time is None for claim in group):
        return group
    return sorted(group, key=lambda claim: claim.time or "")


def _superseding(claims: Sequence[Claim]) -> Mapping[str, set[str]]:
    """Return the claims that supersede each claim, directly or through others; never a claim itself."""
    after: dict[str, set[str]] = defaultdict(set)
    for claim in claims:
        for name in claim.supersedes:
            after[name].add(claim.id)
    found: dict[str, set[str]] = {}
    for name, first in after.items():
        waiting, seen = list(first), set[str]()
        while waiting:
            newer = waiting.pop()
            if newer not in seen:
                seen.add(newer)
                waiting += after.get(newer, ())
        found[name] = seen - {name}
    return found


def _content(claim: Claim) -> tuple[str, ...]:
    return tuple(map(folded, claim.triple)) if claim.triple else (claim.id,)


def _item(
    group: Sequence[Claim], defeaters: Mapping[str, set[str]], position: Mapping[str, int]
) -> KnowledgeItem:
    """Return the item that the claims of *group* say, each of them alone."""
    supports = [
        Support((claim.id,), tuple(sorted(defeaters.get(claim.id, ()), key=position.__getitem__)))
        for claim in group
    ]
    first = group[0]
    if first.triple is None:
        return KnowledgeItem(first.id, first.text, tuple(supports))
    text = next((claim.text for claim in group if claim.text), " ".join(first.triple))
    name = triple_id((folded(first.triple[0]), folded(first.triple[1]), folded(first.triple[2])))
    return KnowledgeItem(name, text, tuple(supports), first.triple)
