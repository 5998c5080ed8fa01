"""A closure as knowledge items, and what its caps cut off in words."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
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

    def triple(self, fact: int) -> Triple:
        """Return the triple of a fact of a named relation."""
        closure = self.closure
        subject, target = self.things[closure.first[fact]], self.things[closure.second[fact]]
        return str(subject), self.relations[closure.relation[fact]], str(target)

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
    singles = [Support((claim.id,)) for claim in claims]
    groups: dict[Triple | int, list[int]] = {}
    for position, claim in enumerate(claims):
        groups.setdefault(position if claim.triple is None else claim.triple, []).append(position)
    facts = _facts_of_claims(closed)
    items = []
    for own in groups.values():
        supports: list[tuple[int, ...]] = [(claim,) for claim in own]
        if own[0] in facts:  # what claims state themselves is kept beyond the cap
            both = {*supports, *_rows(closed.closure, facts[own[0]])}
            supports = sorted(both, key=lambda row: (len(row), row))
        items.append(_stated_item([claims[c] for c in own], _supports(supports, claims, singles)))
    seen = np.zeros(closed.named, np.bool_)
    seen[list(facts.values())] = True
    held = np.diff(closed.closure.ptr[: closed.named + 1]) > 0
    for fact in np.flatnonzero(held & ~seen).tolist():
        triple = closed.triple(fact)
        rows = _supports(_rows(closed.closure, fact), claims, singles)
        items.append(KnowledgeItem(triple_id(triple), " ".join(triple), rows, triple))
    return Generated(tuple(items), tuple(_limits(closed)))


def _facts_of_claims(closed: Closed) -> dict[int, int]:
    """Return the fact that each claim states, by position of the claim."""
    closure, stated, width = closed.closure, closed.stated, len(closed.things)
    keys = _keys(closure.relation, closure.first, closure.second, width)
    own = _keys(stated.relation, stated.first, stated.second, width)
    return dict(zip(stated.claim.tolist(), np.searchsorted(keys, own).tolist(), strict=True))


def _keys(relation: Rows, first: Rows, second: Rows, width: int) -> Ints:
    keys: Ints = (relation.astype(np.int64) * width + first) * width + second
    return keys


def _rows(closure: Closure, fact: int) -> list[tuple[int, ...]]:
    """Return the supports of *fact* as positions of claims."""
    starts = closure.start[closure.ptr[fact] : closure.ptr[fact + 1] + 1].tolist()
    return [tuple(closure.members[a:b].tolist()) for a, b in pairwise(starts)]


def _supports(
    rows: Sequence[tuple[int, ...]], claims: Sequence[Claim], singles: Sequence[Support]
) -> tuple[Support, ...]:
    return tuple(
        [singles[row[0]] if len(row) == 1 else Support(tuple([claims[c].id for c in row])) for row in rows]
    )


def _stated_item(own: list[Claim], supports: tuple[Support, ...]) -> KnowledgeItem:
    first = own[0]
    if first.triple is None:
        return KnowledgeItem(first.id, first.text, supports)
    text = next((claim.text for claim in own if claim.text), " ".join(first.triple))
    return KnowledgeItem(triple_id(first.triple), text, supports, first.triple)


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
    for fact in facts[:SHOWN].tolist():
        triple = closed.triple(fact)
        yield Dropped(f"item {triple_id(triple)} ({', '.join(triple)})", "supports", reason, kept)
    if len(facts) > SHOWN:
        yield Dropped(f"{len(facts)} items in all", "supports", f"each: {reason}", kept)
