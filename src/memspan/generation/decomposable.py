"""The simplest Φ: every claim is one item, and nothing follows from two."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memspan.material import Claim, KnowledgeItem, Support
from memspan.ports import Generated


@dataclass(frozen=True)
class Decomposable:
    """Φ under which each claim entails itself alone; best coverage is then weighted maximum coverage.

    Monotone and idempotent. An item bears the id of its claim.

    Source: arXiv 2608.11654, section 3.

    >>> [item.id for item in Decomposable().generate([Claim("c1", "Ana moved."), Claim("c2")]).items]
    ['c1', 'c2']
    """

    name: str = "decomposable"

    def generate(self, claims: Sequence[Claim]) -> Generated:
        """Return one item for each of *claims*."""
        return Generated(tuple(itself(claim) for claim in claims))


def itself(claim: Claim) -> KnowledgeItem:
    """Return the item that *claim* is: e ∈ Φ({e})."""
    return KnowledgeItem(claim.id, claim.text, (Support((claim.id,)),), claim.triple)
