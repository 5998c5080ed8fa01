"""Φ that knows how long somebody lived, from when they were born and when they died."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from memspan.generation.rules_items import triple_id
from memspan.generation.supports import joined
from memspan.language.relations import LIFETIME
from memspan.language.values import Moment, moment
from memspan.material import Claim, KnowledgeItem
from memspan.ports import Generated, GenerationOperator


@dataclass(frozen=True)
class Lifetimes:
    """What another operator entails, and the lifetime in days of whoever has both dates.

    Monotone and idempotent where *base* is. A date without day or month counts from its beginning.

    Attributes:
        base: entails the items with the dates.
        born, died: the relations that give them.

    >>> from memspan.generation.rules import Rules
    >>> triples = ("Ana", "born", "1950-01-01"), ("Ana", "died", "1950-01-31")
    >>> claims = [Claim(triple[1], triple=triple) for triple in triples]
    >>> Lifetimes(Rules(()), "born", "died").generate(claims).items[-1].text
    'Ana lifetime 30 days'
    """

    base: GenerationOperator
    born: str = "date of birth"
    died: str = "date of death"

    @property
    def name(self) -> str:
        """The name of the operator in outputs."""
        return f"{self.base.name}, lifetimes"

    def generate(self, claims: Sequence[Claim]) -> Generated:
        """Return the items of the base, then the lifetimes."""
        ground = self.base.generate(claims)
        dates: dict[tuple[str, str], list[KnowledgeItem]] = defaultdict(list)
        for item in ground.items:
            if item.triple and item.triple[1] in {self.born, self.died}:
                dates[item.triple[:2]].append(item)
        found: dict[tuple[str, str, str], list[tuple[KnowledgeItem, KnowledgeItem]]] = defaultdict(list)
        for person in dict.fromkeys(person for person, _ in dates):
            for birth, death in product(dates[person, self.born], dates[person, self.died]):
                days = _between(birth, death)
                if days is not None:
                    found[person, LIFETIME, f"{days} days"].append((birth, death))
        items = [
            KnowledgeItem(triple_id(triple), " ".join(triple), joined(pairs, claims), triple)
            for triple, pairs in found.items()
        ]
        return Generated((*ground.items, *items), ground.limits)


def _between(birth: KnowledgeItem, death: KnowledgeItem) -> int | None:
    start, end = (moment(item.triple[2]) if item.triple else None for item in (birth, death))
    days = _days(end) - _days(start) if start and end else -1
    return days if days >= 0 else None


def _days(when: Moment) -> int:
    year, month, day = (*when, 1, 1)[:3]
    return round(year * 365.2425 + (month - 1) * 30.44 + day)
