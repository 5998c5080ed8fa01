"""What a memory hands out for a question, and how much of its coverage survives that: u_read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from operator import is_

import numpy as np

from memspan.coverage import Coverage, Memory, compile_material
from memspan.coverage.arrays import Over
from memspan.coverage.utilities import holding
from memspan.language.tokens import count_tokens
from memspan.material import Claim, Material, Query
from memspan.ports import Answerability, ReadPolicy, Scorer


@dataclass(frozen=True)
class _Items:
    """Items prepared for many questions."""

    claims: tuple[Claim, ...]
    scorer: Scorer

    @cached_property
    def costs(self) -> list[float]:
        """What reading each takes, in tokens."""
        return [tokens_to_read(claim) for claim in self.claims]

    def order(self, query: Query) -> list[int]:
        """Return the positions, likeliest first, ties by position."""
        order: list[int] = np.argsort(-self.scorer(query), kind="stable").tolist()
        return order


class _Last:
    """The items that were prepared last: a memory is asked many questions before it changes."""

    def __init__(self) -> None:
        self._items: _Items | None = None

    def prepared(self, answerability: Answerability, items: Sequence[Claim]) -> _Items:
        """Return *items* prepared, anew only where they are others than last time."""
        last = self._items
        # The claims are compared, not the sequence: a list may have been changed in place.
        if last is None or len(last.claims) != len(items) or not all(map(is_, last.claims, items)):
            last = self._items = _Items(tuple(items), answerability.scorer(items))
        return last


@dataclass(frozen=True)
class TopK:
    """Reads the *k* likeliest items; implements `memspan.ports.ReadPolicy`.

    Args:
        answerability: ans(n, q), by which items are ranked; of equal ones the earlier is read first.
        k: items read, at least 0; all where there are fewer.

    Raises:
        ValueError: *k* is negative.

    >>> from memspan.answering.hybrid import Hybrid
    >>> notes = [Claim("c1", "Rui cooks."), Claim("c2", "Ana moved to Porto.")]
    >>> TopK(Hybrid(), 1).read(Query("q", "When did Ana move?"), notes)
    (1,)
    """

    answerability: Answerability
    k: int
    _last: _Last = field(default_factory=_Last, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Refuse a number of items that is none."""
        if self.k < 0:
            raise ValueError(f"k is {self.k}; give a number of items to read, 0 or more")

    @property
    def name(self) -> str:
        """Names the number and what ranks."""
        return f"top {self.k} by {self.answerability.name}"

    def read(self, query: Query, items: Sequence[Claim]) -> tuple[int, ...]:
        """Return positions of *items*, best first."""
        return tuple(self._last.prepared(self.answerability, items).order(query)[: self.k])


@dataclass(frozen=True)
class TokenLimit:
    """Reads the likeliest items that fit into *tokens*; implements `memspan.ports.ReadPolicy`.

    From the likeliest on, an item is read if it fits into what is left, else passed over for the next
    one. An item takes its cost ``tokens`` where it has one, else the number of its words and
    punctuation marks.

    Args:
        answerability: ans(n, q), by which items are ranked; of equal ones the earlier comes first.
        tokens: the bound on what is read, at least 0.

    Raises:
        ValueError: *tokens* is negative.

    >>> from memspan.answering.hybrid import Hybrid
    >>> notes = [Claim("c1", "Rui cooks."), Claim("c2", "Ana moved to Porto, as she had planned.")]
    >>> TokenLimit(Hybrid(), 5).read(Query("q", "When did Ana move?"), notes)
    (0,)
    """

    answerability: Answerability
    tokens: float
    _last: _Last = field(default_factory=_Last, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Refuse a bound that is none."""
        if not self.tokens >= 0:
            raise ValueError(f"tokens is {self.tokens}; give a bound on what is read, 0 or more")

    @property
    def name(self) -> str:
        """Names the bound and what ranks."""
        return f"{self.tokens:g} tokens by {self.answerability.name}"

    def read(self, query: Query, items: Sequence[Claim]) -> tuple[int, ...]:
        """Return positions of *items*, best first."""
        prepared = self._last.prepared(self.answerability, items)
        left, chosen = self.tokens, []
        for place in prepared.order(query):
            if prepared.costs[place] <= left:
                chosen.append(place)
                left -= prepared.costs[place]
        return tuple(chosen)


def tokens_to_read(item: Claim) -> float:
    """Return what reading *item* takes: its cost ``tokens``, else words and punctuation marks.

    >>> tokens_to_read(Claim("c", "Rui cooks.")), tokens_to_read(Claim("c", costs={"tokens": 7}))
    (3, 7)
    """
    return item.costs["tokens"] if "tokens" in item.costs else count_tokens(item.text)


@dataclass(frozen=True)
class Everything:
    """Reads all items in their order: the read that never loses; implements `memspan.ports.ReadPolicy`."""

    name: str = "everything"

    def read(self, query: Query, items: Sequence[Claim]) -> tuple[int, ...]:  # noqa: ARG002 - the same for all
        """Return the positions of all *items*."""
        return tuple(range(len(items)))


def read_utility(
    material: Material, memory: Memory, policy: ReadPolicy, *, over: Over = "answerable"
) -> float:
    """Return u_read: the query mass for which the claims read from *memory* hold all of some support.

    What defeats a support is judged by the whole memory, whether it is read or not: what a memory does
    not span cannot be read from it. So u_read never exceeds u_cov, and equals it where all is read.

    Args:
        material: claims, queries and supports.
        memory: boolean array, shape (n_claims,).
        policy: reads for each query from the claims that the memory holds.
        over: divide by the mass of the queries that have a support, or of all.

    Returns:
        Unitless, in [0, 1].

    Raises:
        ShapeError: memory does not have one entry per claim.

    Source: arXiv 2608.11654, section 3, with reads of claims: a support counts as read where its claims are.

    >>> from memspan.datasets import bundled
    >>> odyssey = bundled("odyssey")
    >>> read_utility(odyssey, np.ones(6, np.bool_), Everything())
    1.0
    """
    coverage = compile_material(material, over=over)
    held = holding(coverage, memory)
    places = np.flatnonzero(memory)
    items = tuple(material.claims[place] for place in places.tolist())
    weight = 0
    for query in np.unique(coverage.owner[held]).tolist():
        chosen = policy.read(material.query(coverage.queries[query]), items)
        read = set(places[list(chosen)].tolist())
        first, end = np.searchsorted(coverage.owner, [query, query + 1]).tolist()
        if any(held[s] and read.issuperset(_needed(coverage, s)) for s in range(first, end)):
            weight += int(coverage.weights[query])
    return coverage.mass(weight)


def _needed(coverage: Coverage, support: int) -> list[int]:
    needed: list[int] = coverage.members[coverage.ptr[support] : coverage.ptr[support + 1]].tolist()
    return needed
