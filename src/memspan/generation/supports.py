"""Supports of what follows from two items together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product

from memspan.generation.antichain import minimal
from memspan.material import Claim, KnowledgeItem, Support

Together = tuple[KnowledgeItem, KnowledgeItem]


def joined(pairs: Iterable[Together], claims: Sequence[Claim]) -> tuple[Support, ...]:
    """Return the minimal supports of what any of *pairs* entails: one support of each item.

    >>> a = KnowledgeItem("a", supports=(Support(("c1",)),))
    >>> b = KnowledgeItem("b", supports=(Support(("c0",)),))
    >>> joined([(a, b)], [Claim("c0"), Claim("c1")])[0].claims
    ('c0', 'c1')
    """
    position = {claim.id: i for i, claim in enumerate(claims)}
    return minimal(_unions(pairs, position))


def _unions(pairs: Iterable[Together], position: dict[str, int]) -> Iterator[Support]:
    for one, two in pairs:
        for a, b in product(one.supports, two.supports):
            claims = sorted({*a.claims, *b.claims}, key=position.__getitem__)
            unless = sorted({*a.unless, *b.unless}, key=position.__getitem__)
            yield Support(tuple(claims), tuple(unless))
