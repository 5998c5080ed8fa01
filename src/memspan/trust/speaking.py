"""What was settled about single claims, and how much each outcome moves them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from memspan.kernels.evidence import NONE
from memspan.kernels.plain.evidence import rates
from memspan.trust.engine import Engine

LEVEL = 1e-6
"""Log-odds below which the outcomes about a support are in balance."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """One settlement, as it speaks about one claim.

    Attributes:
        entry: its number, for `TrustModel.correct` and `TrustModel.revoke`.
        id: its own name, if any.
        query: id of the query that was settled.
        settler: who settled it; None is the owner.
        time: when, as it came.
        correct: 1 right, 0 wrong, or between.
        claims: the support that it is about.
        weight: how far it moves the claim, in log-odds: below 0 it speaks against it.
        inferred: whether it is only taken to be about that support, since no `claims` were logged.
    """

    entry: int
    id: str | None
    query: str
    settler: str | None
    time: str | None
    correct: float
    claims: tuple[str, ...]
    weight: float
    inferred: bool = False


def spoken(engine: Engine, claims: Sequence[int]) -> dict[int, list[Spoken]]:
    """Return what was settled about each of *claims* (positions), what moves it most first.

    The message that a claim receives from all outcomes of one settler about one support is shared among
    them. Each gets its part of the way from no outcome to all of them at once, so that the order does not
    matter and the parts sum to the message.

    Source: R. J. Aumann and L. S. Shapley, *Values of non-atomic games*, 1974, for the shares.
    """
    queries, settlers = engine.ledger.queries.names, list(engine.state.settlers)
    found: dict[int, list[Spoken]] = {claim: [] for claim in claims}
    for claim, factor, message in _messages(engine, claims):
        for part, pull in _shares(engine, factor, message):
            found[claim].append(_spoken(engine, part, pull, (queries, settlers)))
    for several in found.values():
        several.sort(key=lambda each: (-abs(each.weight), each.entry))
    return found


def _messages(engine: Engine, claims: Sequence[int]) -> Iterator[tuple[int, int, float]]:
    """Yield each factor about one of *claims*, with the message that it sends to the claim."""
    columns = engine.state.columns
    members, ptr = columns["members"].used, columns["ptr"].used
    places = np.flatnonzero(np.isin(members, np.array(claims, members.dtype)))
    supports = np.searchsorted(ptr, places, "right") - 1
    for place, support in zip(places.tolist(), supports.tolist(), strict=True):
        factor = int(columns["first_factor"].data[support])
        while factor != NONE:
            at = int(columns["start"].data[factor]) + place - int(ptr[support])
            yield int(members[place]), factor, float(columns["messages"].data[at])
            factor = int(columns["next_factor"].data[factor])


def _shares(engine: Engine, factor: int, message: float) -> Iterator[tuple[int, float]]:
    """Yield each part in force about *factor* with its share of the *message*."""
    counted = []
    kept = 1.0
    for part in reversed(engine.ledger.history(factor)):
        right, wrong = engine.ledger.outcome(part)
        if right + wrong > 0:
            counted.append((part, kept * right, kept * wrong))
            kept *= engine.terms.drift
    if not counted:
        return
    right, wrong = (math.fsum(each[i] for each in counted) for i in (1, 2))
    for_right, for_wrong = _ways(right, wrong, rates(engine.state.evidence, engine.terms.numbers, factor))
    total = for_right + for_wrong
    pull = min(max(message / total, 0.0), 1.0) if abs(total) > LEVEL else 1.0
    for part, in_favour, against in counted:
        each = for_right * in_favour / right if right else 0.0
        yield part, pull * (each + (for_wrong * against / wrong if wrong else 0.0))


def _ways(right: float, wrong: float, given: Sequence[float]) -> tuple[float, float]:
    """Return what outcomes right and wrong each add to the log-odds of their support."""
    a1, b1, a2, b2 = given
    both = _rise(a2 + b2, right + wrong) - _rise(a1 + b1, right + wrong)
    for_right = _rise(b1, right) - _rise(a2, right) + both * right / (right + wrong)
    for_wrong = _rise(a1, wrong) - _rise(b2, wrong) + both * wrong / (right + wrong)
    return for_right, for_wrong


def _rise(start: float, count: float) -> float:
    return math.lgamma(start + count) - math.lgamma(start)


def _spoken(engine: Engine, part: int, weight: float, names: tuple[list[str], list[str | None]]) -> Spoken:
    columns, (queries, settlers) = engine.ledger.columns, names
    entry = int(columns["entry"].data[part])
    kept = engine.ledger.kept.get(entry)
    support = int(engine.state.columns["support"].data[columns["factor"].data[part]])
    return Spoken(
        entry,
        kept.id if kept else None,
        queries[columns["query"].data[entry]],
        settlers[columns["settler"].data[entry]],
        kept.time if kept else None,
        float(columns["correct"].data[entry]),
        tuple(engine.state.claims.names[claim] for claim in engine.state.claims_of(support)),
        weight,
        kept is not None and kept.claims is None,
    )
