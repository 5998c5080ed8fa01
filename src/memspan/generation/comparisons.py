"""Φ for questions that compare: which of two comes first, and whether two share a value."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from memspan.generation.rules_items import triple_id
from memspan.generation.supports import Together, joined
from memspan.language.relations import earlier, other, same
from memspan.language.values import alike, before, moment
from memspan.material import Claim, KnowledgeItem, Triple
from memspan.ports import Generated, GenerationOperator

Pair = Triple
"""Two things to compare, with the relation whose values are compared in the middle."""


@dataclass(frozen=True)
class Compared:
    """What another operator entails, and how asked-for pairs of its items compare.

    Values that are dates or numbers tell which is earlier; others tell whether they are the same, where
    all names of a country count as one. All pairs of all things would be very many, so only *pairs* are
    composed: an item exists whenever its pair is listed, whatever question it answers. Monotone and
    idempotent where *base* is.

    Attributes:
        base: entails the items that are compared.
        pairs: (thing, relation, other thing), each once.

    >>> from memspan.generation.rules import Rules
    >>> born = [Claim("c1", triple=("Ana", "born", "1950")), Claim("c2", triple=("Rui", "born", "May 1949"))]
    >>> item = Compared(Rules(()), (("Ana", "born", "Rui"),)).generate(born).items[-1]
    >>> item.text, item.supports[0].claims
    ('Rui earlier born than Ana', ('c1', 'c2'))
    """

    base: GenerationOperator
    pairs: tuple[Pair, ...]

    @property
    def name(self) -> str:
        """The name of the operator in outputs."""
        return f"{self.base.name}, compared"

    def generate(self, claims: Sequence[Claim]) -> Generated:
        """Return the items of the base, then those of the pairs in their order."""
        ground = self.base.generate(claims)
        values: dict[tuple[str, str], list[tuple[str, KnowledgeItem]]] = defaultdict(list)
        for item in ground.items:
            if item.triple is not None:
                values[item.triple[:2]].append((item.triple[2], item))
        found: dict[Triple, list[Together]] = defaultdict(list)
        for pair in dict.fromkeys(self.pairs):
            for triple, together in _outcomes(pair, values):
                found[triple].append(together)
        items = [
            KnowledgeItem(triple_id(triple), " ".join(triple), joined(pairs, claims), triple)
            for triple, pairs in found.items()
        ]
        return Generated((*ground.items, *items), ground.limits)


def _outcomes(
    pair: Pair, values: Mapping[tuple[str, str], Sequence[tuple[str, KnowledgeItem]]]
) -> Iterator[tuple[Triple, Together]]:
    """Yield what each two values of *pair* say, and the items that give the values."""
    one, relation, two = pair
    for (a, left), (b, right) in product(values.get((one, relation), ()), values.get((two, relation), ())):
        if alike(a, b):
            yield (one, same(relation), two), (left, right)
            continue
        yield (one, other(relation), two), (left, right)
        dates = moment(a), moment(b)
        first = before(dates[0], dates[1]) if dates[0] and dates[1] else None
        if first is not None:
            yield (one, earlier(relation), two) if first else (two, earlier(relation), one), (left, right)
