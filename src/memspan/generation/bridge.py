"""Φ for material without rules: claims that share a rare name are read together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Literal

from memspan.generation.antichain import minimal
from memspan.generation.chains import MOST_ENDS, Chain, of_three, of_two, told
from memspan.generation.decomposable import itself
from memspan.generation.entities import Entities, entities
from memspan.material import Claim, Dropped, KnowledgeItem, Support
from memspan.ports import Generated


@dataclass(frozen=True)
class Bridge:
    """Φ that joins claims which share a specific entity into items of two or three hops.

    Entities are names in the text (or subject and object, where the claim is a triple), the speaker,
    and the title that `Claim.source` gives. Two claims are joined where both name an entity, or
    where one names what the other stands under. Whether they share one depends on the two alone; but
    an entity that many claims name joins nothing, and the rarest joins are kept where there are too
    many. Where such a cap bites, `Generated.limits` says so, and Φ need not be monotone. Declare what the
    whole material generates, ``Declared(Bridge().generate(claims).items)``, for a Φ that is.

    Attributes:
        hops: claims in the longest item, 2 or 3.
        rare: an entity that more claims than this name joins nothing. The default was chosen on a
            training sample of 2WikiMultihopQA; benchmarks/bridge.py measures it.
        most_items: composed items for each claim given, on average.
        name: as outputs name it.

    Raises:
        ValueError: bounds that mean nothing.

    >>> claims = [Claim("c1", "Ana works for Nimbus."), Claim("c2", "In Porto, Nimbus builds ferries.")]
    >>> item = Bridge().generate(claims).items[-1]
    >>> item.text, item.supports[0].claims
    ('Ana works for Nimbus. In Porto, Nimbus builds ferries.', ('c1', 'c2'))
    """

    hops: Literal[2, 3] = 2
    rare: int = 8
    most_items: float = 6
    name: str = "bridge"

    def __post_init__(self) -> None:
        """Refuse bounds that mean nothing."""
        if self.hops not in {2, 3} or self.rare < 2 or not self.most_items >= 0:
            seen = f"hops is {self.hops}, rare {self.rare}, most_items {self.most_items}"
            raise ValueError(f"{seen}; give 2 or 3 hops, rare >= 2 and most_items >= 0")

    def generate(self, claims: Sequence[Claim]) -> Generated:
        """Return each of *claims* as an item, and what those that share an entity say together."""
        found = entities(claims)
        links = found.links(self.rare)
        chains, crowded = of_two(claims, found, links), 0
        if self.hops == 3:
            three, crowded = of_three(claims, found, links)
            chains += three
        most = int(min(self.most_items * len(claims), len(chains)))
        limits = (*self._frequent(found), *_crowded(crowded), *_cut(len(chains), most))
        return Generated(_items(claims, chains[:most]), limits)

    def _frequent(self, found: Entities) -> Iterator[Dropped]:
        for name, count in found.frequencies():
            if count > self.rare:
                seen = f"{count} claims name it, more than {self.rare}: it joins nothing"
                yield Dropped(f"entity {name!r}", "claims", seen)


def _items(claims: Sequence[Claim], chains: Sequence[Chain]) -> tuple[KnowledgeItem, ...]:
    """Return the items: what the same words say is one, its claims alternatives."""
    items = {claim.id: itself(claim) for claim in claims}
    for chain in chains:
        text = " ".join(told(claims[i]) for i in chain)
        name = "bridge-" + blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
        had = items.get(name, KnowledgeItem(name, text))
        support = Support(tuple(claims[i].id for i in sorted(chain)))
        items[name] = replace(had, supports=minimal((*had.supports, support)))
    return tuple(items.values())


def _crowded(count: int) -> Iterator[Dropped]:
    if count:
        seen = f"{count} claims are joined with more than {MOST_ENDS}; chains of three take the rarest joins"
        yield Dropped("composed items", "links", seen, kept=True)


def _cut(count: int, most: int) -> Iterator[Dropped]:
    if count > most:
        seen = f"{count} can be composed; the {most} over the rarest entities are kept"
        yield Dropped("composed items", "items", seen, kept=True)
