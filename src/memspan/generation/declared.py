"""Φ as somebody gave it: a data set or a user says what follows from what."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Self

from memspan.errors import Fault, MaterialError
from memspan.generation.antichain import minimal
from memspan.generation.decomposable import itself
from memspan.material import Claim, KnowledgeItem, Material, Support
from memspan.ports import Generated


@dataclass(frozen=True)
class Declared:
    """Φ that entails the given *items* by their own supports, and each claim by itself.

    Monotone unless a support has an `unless`. What another operator generated from a whole material
    can be declared too: ``Declared(Bridge().generate(claims).items)`` keeps to it for every part.

    Attributes:
        items: what is known to follow, each with its supports.
        name: as outputs name it.

    >>> both = KnowledgeItem("n1", "Ana lives by the river.", (Support(("c1", "c2")),))
    >>> phi = Declared((both,))
    >>> [item.id for item in phi.generate([Claim("c1"), Claim("c2")]).items]
    ['c1', 'c2', 'n1']
    >>> [item.id for item in phi.generate([Claim("c1")]).items]
    ['c1']
    """

    items: tuple[KnowledgeItem, ...] = ()
    name: str = "declared"

    @classmethod
    def of(cls, material: Material) -> Self:
        """Return the operator that the items of *material* describe.

        Supports that its queries bring themselves are no items: what they entail has no text.
        """
        return cls(material.items)

    def generate(self, claims: Sequence[Claim]) -> Generated:
        """Return each of *claims* as an item, and the declared items that have a support among them.

        Raises:
            MaterialError: an item bears the id of a claim that says something else.
        """
        own = {claim.id: itself(claim) for claim in claims}
        _refuse_clashes(self.items, own)
        position = {name: i for i, name in enumerate(own)}
        spanned = dict(own)
        for item in self.items:
            had = own[item.id].supports if item.id in own else ()
            supports = minimal((*had, *_among(position, item.supports)))
            if supports:
                spanned[item.id] = replace(own.get(item.id, item), supports=supports)
        return Generated(tuple(spanned.values()))


def _among(position: dict[str, int], supports: Sequence[Support]) -> Iterator[Support]:
    """Yield the *supports* whose claims are all there; defeaters that are not there defeat nothing."""
    for support in supports:
        if all(name in position for name in support.claims):
            claims = sorted(set(support.claims), key=position.__getitem__)
            unless = sorted(set(support.unless) & position.keys(), key=position.__getitem__)
            yield replace(support, claims=tuple(claims), unless=tuple(unless))


def _refuse_clashes(items: Sequence[KnowledgeItem], own: dict[str, KnowledgeItem]) -> None:
    faults = [
        Fault(
            f"items[{i}] ({item.id})", "id", "is also the id of a claim that says something else; rename it"
        )
        for i, item in enumerate(items)
        if item.id in own and item.text not in {"", own[item.id].text}
    ]
    if faults:
        raise MaterialError(faults)
