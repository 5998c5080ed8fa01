"""A closure as knowledge items, and what its caps cut off in words."""

from __future__ import annotations

import gc
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from memspan.kernels.closure import BY_COUNT, BY_LENGTH, Caps, Closure, Ints, Rows, Stated
from memspan.material import Claim, Dropped, KnowledgeItem, Support, Triple
from memspan.ports import Generated

SHOWN = 20  # items that a limit names one by one; there may be very many more


@dataclass(frozen=True)
class Closed:
    """A rule closure as arrays.

    Attributes:
        relations: names by number; a higher number is an intermediate relation, described by `parts`.
        things: names by number; number 0 is nobody.
        parts: the rule that each intermediate relation belongs to.
        caps: what bounds the supports.
        stated: the triples that claims state, in relations that some rule uses.
        closure: facts and their supports, as positions of claims.
    """

    relations: tuple[str, ...]
    things: tuple[str | None, ...]
    parts: tuple[str, ...]
    caps: Caps
    stated: Stated
    closure: Closure

    def triples(self, facts: Ints) -> list[Triple]:
        """Return the triples of *facts*, which are of named relations, by their positions."""
        closure, things, names = self.closure, [str(thing) for thing in self.things], self.relations
        columns = (closure.first[facts], closure.relation[facts], closure.second[facts])
        rows = zip(*(column.tolist() for column in columns), strict=True)
        return [(things[first], names[relation], things[second]) for first, relation, second in rows]

    @property
    def named(self) -> int:
        """The number of facts in named relations; those of intermediate ones come after them."""
        return int(np.searchsorted(self.closure.relation, len(self.relations)))


def triple_id(triple: Triple) -> str:
    """Return the id of the item that states *triple*, the same wherever the triple comes from.

    >>> triple_id(("Ana", "father", "Rui"))
    't-58d4316194202c5ee890'
    """
    subject, relation, _ = triple
    content = f"{len(subject)} {len(relation)} {''.join(triple)}"  # the lengths tell where each ends
    return "t-" + hashlib.blake2b(content.encode("utf-8", "surrogatepass"), digest_size=10).hexdigest()


def items_of(closed: Closed, claims: Sequence[Claim]) -> Generated:
    """Return the items of a closure of *claims*, stated ones in the order of claims, then derived ones."""
    with _no_collector():
        return Generated(tuple(_items(closed, claims)), tuple(_limits(closed)))


@contextmanager
def _no_collector() -> Iterator[None]:
    """Pause the garbage collector: it would walk a million new objects many times, none of them garbage."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _items(closed: Closed, claims: Sequence[Claim]) -> Iterator[KnowledgeItem]:
    singles = [Support((claim.id,)) for claim in claims]
    supports = _supports(closed, claims, singles)
    groups: dict[Triple | int, list[int]] = {}
    for position, claim in enumerate(claims):
        groups.setdefault(position if claim.triple is None else claim.triple, []).append(position)
    facts, order = _facts_of_claims(closed), {claim.id: i for i, claim in enumerate(claims)}
    for own in groups.values():
        kept = supports[facts[own[0]]] if own[0] in facts else ()
        claim = claims[own[0]]
        own_supports = _with_all([singles[c] for c in own], kept, order)
        if claim.triple is None:
            yield KnowledgeItem(claim.id, claim.text, own_supports)
        else:
            yield _item(claim.triple, own_supports)
    derived = np.ones(closed.named, np.bool_)
    derived[list(facts.values())] = False
    positions = np.flatnonzero(derived)
    for triple, fact in zip(closed.triples(positions), positions.tolist(), strict=True):
        kept = supports[fact]
        if kept:  # a fact without a support was lost to a cap
            yield _item(triple, kept)


def _supports(
    closed: Closed, claims: Sequence[Claim], singles: Sequence[Support]
) -> list[tuple[Support, ...]]:
    """Return the supports of each fact of a named relation, all at once: there may be a million."""
    closure, names = closed.closure, [claim.id for claim in claims]
    ptr = closure.ptr[: closed.named + 1].tolist()
    start = closure.start[: ptr[-1] + 1].tolist()
    members = closure.members.tolist()
    said = [names[claim] for claim in members]
    supports = [singles[members[a]] if b == a + 1 else Support(tuple(said[a:b])) for a, b in pairwise(start)]
    return [tuple(supports[a:b]) for a, b in pairwise(ptr)]


def _facts_of_claims(closed: Closed) -> dict[int, int]:
    """Return the fact that each claim states, by position of the claim."""
    closure, stated, width = closed.closure, closed.stated, len(closed.things)
    keys = _keys(closure.relation, closure.first, closure.second, width)
    own = _keys(stated.relation, stated.first, stated.second, width)
    return dict(zip(stated.claim.tolist(), np.searchsorted(keys, own).tolist(), strict=True))


def _keys(relation: Rows, first: Rows, second: Rows, width: int) -> Ints:
    keys: Ints = (relation.astype(np.int64) * width + first) * width + second
    return keys


def _item(triple: Triple, supports: tuple[Support, ...]) -> KnowledgeItem:
    """Return the item of a triple; its text is the triple's, whatever claims say besides."""
    return KnowledgeItem(triple_id(triple), " ".join(triple), supports, triple)


def _with_all(
    singles: list[Support], kept: tuple[Support, ...], order: Mapping[str, int]
) -> tuple[Support, ...]:
    """Return what was *kept* and all *singles*: what claims state themselves is kept beyond the cap."""
    if kept[:1] == tuple(singles):
        return kept
    alone = {support.claims[0]: support for support in (*singles, *kept) if len(support.claims) == 1}
    longer = (support for support in kept if len(support.claims) > 1)
    return *(alone[name] for name in sorted(alone, key=order.__getitem__)), *longer


def _limits(closed: Closed) -> Iterator[Dropped]:
    closure, caps, named = closed.closure, closed.caps, closed.named
    held = np.diff(closure.ptr) > 0
    cut = closure.cut
    counted = f"more than {caps.supports} supports: only the shortest are kept"
    yield from _named(closed, np.flatnonzero((cut & BY_COUNT > 0)[:named]), counted, kept=True)
    lengthy = f"further supports of more than {caps.claims} claims are left out"
    yield from _named(closed, np.flatnonzero((held & (cut & BY_LENGTH > 0))[:named]), lengthy, kept=True)
    lost = f"needs more than {caps.claims} claims, or something that does: the item is lost"
    yield from _named(closed, np.flatnonzero(~held[:named]), lost, kept=False)
    if closure.uncounted:
        yield Dropped("items", "supports", f"beyond {caps.lost} lost items of a relation no more are counted")
    for number, rule in enumerate(closed.parts, len(closed.relations)):
        start, end = np.searchsorted(closure.relation, [number, number + 1])
        count = int(np.count_nonzero(cut[start:end]))
        if count:
            reason = f"{count} pairs of things have more or longer supports than are kept"
            yield Dropped(f"rule {rule}", "premises, halfway", reason, kept=True)


def _named(closed: Closed, facts: Ints, reason: str, *, kept: bool) -> Iterator[Dropped]:
    """Yield a record for each of the first *facts*, and one for all where there are more."""
    for triple in closed.triples(facts[:SHOWN]):
        yield Dropped(f"item {triple_id(triple)} ({', '.join(triple)})", "supports", reason, kept)
    if len(facts) > SHOWN:
        yield Dropped(f"{len(facts)} items in all", "supports", f"each: {reason}", kept)
