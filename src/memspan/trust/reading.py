"""What a settlement can be about: the supports that may have been read for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from memspan.material import Material, Settlement


@dataclass(frozen=True, slots=True)
class Candidate:
    """A support that may have been read.

    Attributes:
        claims: its claims.
        chance: how likely it was this one before the outcome is known; the candidates' chances sum to 1.
    """

    claims: tuple[str, ...]
    chance: float = 1.0


@dataclass(frozen=True)
class Readings:
    """The supports of each query, where they are known.

    Attributes:
        supports: by query, its alternative supports with their probabilities.
    """

    supports: Mapping[str, tuple[Candidate, ...]] = field(default_factory=dict)

    def of(self, settlement: Settlement) -> tuple[Candidate, ...]:
        """Return what *settlement* can be about.

        Where the claims that were read are known: the query's supports among them; all of them together where
        nothing is known of the query's supports; nothing where no support was read, since then the
        outcome says how reasoner and judge err and not what is true. Else any support of the query.
        """
        known = self.supports.get(settlement.query)
        if settlement.claims is None:
            return _shared(known or ())
        if known is None:
            return (Candidate(settlement.claims),) if settlement.claims else ()
        if len(known) == 1 and len(settlement.claims) == 1:
            return _shared(known) if known[0].claims == settlement.claims else ()
        read = frozenset(settlement.claims)
        return _shared([each for each in known if read.issuperset(each.claims)])


def readings_of(material: Material) -> Readings:
    """Return the supports of the queries of *material*; those of a query without any are not known.

    The empty support, which always holds, says nothing about any claim and is left out.
    """
    found = {}
    for query in material.queries:
        supports = [each for each in material.supports_of(query) if each.claims]
        if supports or not query.answerable:
            sets = {tuple(sorted(set(each.claims))): each.probability for each in supports}
            found[query.id] = tuple(
                Candidate(claims, 1.0 if chance is None else chance) for claims, chance in sets.items()
            )
    return Readings(found)


def _shared(candidates: Sequence[Candidate]) -> tuple[Candidate, ...]:
    """Return *candidates* with chances that sum to 1."""
    if len(candidates) == 1 and candidates[0].chance == 1:
        return tuple(candidates)
    possible = [each for each in candidates if each.chance > 0]
    total = sum(each.chance for each in possible)
    return tuple(Candidate(each.claims, each.chance / total) for each in possible)
