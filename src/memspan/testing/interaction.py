"""What claims are worth together beyond what each is worth alone, counted in items."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from memspan.material import KnowledgeItem
from memspan.testing.trial import spanned

_MOST = 20  # supports of one claim that are tried as the memory it joins


@dataclass(frozen=True)
class Interaction:
    """A claim whose gain grows with the memory; under a decomposable Φ no gain ever grows.

    Attributes:
        claim: id of the claim.
        memory: ids of the claims that are held before it comes.
        alone: items that it adds to an empty memory.
        joined: items that it adds to *memory*.
    """

    claim: str
    memory: tuple[str, ...]
    alone: int
    joined: int

    @property
    def growth(self) -> int:
        """How many items the memory adds to what the claim gains; > 0 breaks submodularity."""
        return self.joined - self.alone


@dataclass(frozen=True)
class Synergy:
    """How much of a span needs several claims at once.

    Attributes:
        items: items entailed, over all lists of claims.
        composed: those of them whose every support holds two or more claims.
        strongest: the interaction with the largest growth that was found; None where no gain grows.
    """

    items: int = 0
    composed: int = 0
    strongest: Interaction | None = None

    @property
    def share(self) -> float:
        """Composed items as a share of all, in [0, 1]."""
        return self.composed / self.items if self.items else 0.0


def synergy(spans: Iterable[Sequence[KnowledgeItem]]) -> Synergy:
    """Measure the *spans* of several lists of claims, pooled.

    >>> from memspan.material import Support
    >>> alone = [KnowledgeItem(name, supports=(Support((name,)),)) for name in "abx"]
    >>> three = KnowledgeItem("n", supports=(Support(("a", "b", "x")),))
    >>> found = synergy([[*alone, three]])
    >>> found.share, found.strongest
    (0.25, Interaction(claim='a', memory=('b', 'x'), alone=1, joined=2))
    """
    items = composed = 0
    strongest: Interaction | None = None
    for span in spans:
        items += len(span)
        composed += sum(all(len(s.claims) > 1 for s in item.supports) for item in span)
        for each in _interactions(span):
            if each.growth > (strongest.growth if strongest else 0):
                strongest = each
    return Synergy(items, composed, strongest)


def _interactions(span: Sequence[KnowledgeItem]) -> Iterator[Interaction]:
    """Yield each claim with the memories that are likely to make it worth most."""
    touched: dict[str, dict[str, KnowledgeItem]] = defaultdict(dict)
    for item in span:
        for support in item.supports:
            for name in (*support.claims, *support.unless):
                touched[name][item.id] = item
    for name, items in touched.items():
        near = list(items.values())
        partners = [set(s.claims) - {name} for item in near for s in item.supports if name in s.claims]
        alone = _gain(near, name, set())
        for memory in [set[str]().union(*partners), *partners[:_MOST]]:
            if memory:
                yield Interaction(name, tuple(sorted(memory)), alone, _gain(near, name, memory))


def _gain(items: Sequence[KnowledgeItem], name: str, memory: set[str]) -> int:
    return len(spanned(items, memory | {name})) - len(spanned(items, memory))
