"""Materials with false claims: look-alikes of some claims answer wrongly what those answer rightly.

A look-alike says nearly what its original says, in a later session or the same one, so from another
source or the same. Wherever the original is part of a support, the look-alike makes another support of
the same query: coverage counts it, precision does not. In which order the supports of a query stand says
nothing about which of them is true.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, islice, product

import numpy as np

from memspan.errors import ShapeError
from memspan.material import Claim, Material, Query, Support

_MOST = 8
"""Supports that look-alikes make of one; the others change more claims at once and are left out."""
Kinds = tuple[list[str], list[str], list[str]]


@dataclass(frozen=True)
class LookAlikes:
    """How false claims appear.

    Attributes:
        share: false look-alikes for each claim of the material, in [0, 1].
        linked: the share of them of which it is known that they contradict their original.
        later: the share that appears in a later session than the original, where there is one.

    Raises:
        ShapeError: a share outside [0, 1].
    """

    share: float = 0.2
    linked: float = 0.5
    later: float = 0.5

    def __post_init__(self) -> None:
        """Refuse what is no share."""
        for name in ("share", "linked", "later"):
            if not 0 <= getattr(self, name) <= 1:
                raise ShapeError(f"{name} is {getattr(self, name)}; give a share from 0 to 1")


def with_look_alikes(
    material: Material, rng: np.random.Generator, terms: LookAlikes = LookAlikes()
) -> Material:
    """Return *material* with false look-alikes of some of its claims, drawn by *rng*.

    A look-alike stands somewhere in the session of its original, or of a later one; it has the source and
    the time of the place where it stands, and costs what the original costs. Of the two, the one that
    stands later tells of the contradiction, where it is known. The supports of items become supports of
    the queries that they answer.

    Source: arXiv 2608.11654, section 4, the noisy running example; drawn for a whole material.

    >>> from memspan.datasets import bundled
    >>> noisy = with_look_alikes(bundled("odyssey"), np.random.default_rng(0), LookAlikes(0.5))
    >>> len(noisy.claims), [claim.truth for claim in noisy.claims].count(0.0)
    (9, 3)
    """
    count = round(terms.share * len(material.claims))
    chosen = np.sort(rng.choice(len(material.claims), count, replace=False)).tolist()
    false = _false([material.claims[place] for place in chosen], material, rng)
    known = {name for name in false if rng.random() < terms.linked}
    queries = tuple(_asked(material, query, false, rng) for query in material.queries)
    placed = _placed(material.claims, false, terms.later, rng)
    return replace(material, claims=tuple(_linked(placed, false, known)), items=(), queries=queries)


def _false(originals: Sequence[Claim], material: Material, rng: np.random.Generator) -> dict[str, Claim]:
    """Return a look-alike of each of *originals*, by the id of that."""
    kinds, names = _kinds(material.claims), set(material.claim_position)
    found = {}
    for claim in originals:
        name = f"{claim.id} not"
        while name in names:
            name += "'"
        names.add(name)
        text = _altered(claim.text, kinds, rng)
        found[claim.id] = Claim(name, text, costs=claim.costs, truth=0.0, speaker=claim.speaker)
    return found


def _linked(placed: Sequence[Claim], false: Mapping[str, Claim], known: set[str]) -> Iterator[Claim]:
    """Yield *placed*; of two that are known to contradict each other the later one names the other."""
    partner = {name: false[name].id for name in known} | {false[name].id: name for name in known}
    seen: set[str] = set()
    for claim in placed:
        seen.add(claim.id)
        other = partner.get(claim.id)
        yield replace(claim, contradicts=(*claim.contradicts, other)) if other in seen and other else claim


# --- words -----------------------------------------------------------------------------------------


def _kind(word: str) -> int:
    """Return 0 for what holds a digit, 1 for what begins with a capital, else 2."""
    if any(sign.isdigit() for sign in word):
        return 0
    return 1 if word[:1].isupper() else 2


def _kinds(claims: Sequence[Claim]) -> Kinds:
    """Return all words of *claims* by kind."""
    words = sorted({word for claim in claims for word in claim.text.split()})
    return tuple([w for w in words if _kind(w) == kind] for kind in range(3))  # type: ignore[return-value]


def _altered(text: str, kinds: Kinds, rng: np.random.Generator) -> str:
    """Return *text* with one word changed for another of the material: a number, else a name, else any."""
    words = text.split()
    for kind, others in enumerate(kinds):
        places = [i for i, word in enumerate(words) if _kind(word) == kind]
        if places and len(others) > 1:
            place = places[int(rng.integers(len(places)))]
            choice = [word for word in others if word != words[place]]
            words[place] = choice[int(rng.integers(len(choice)))]
            return " ".join(words)
    return text


# --- supports --------------------------------------------------------------------------------------


def _asked(material: Material, query: Query, false: Mapping[str, Claim], rng: np.random.Generator) -> Query:
    """Return *query* with the supports that look-alikes make, in a random order."""
    given = material.supports_of(query)
    ways = [way for support in given for way in (support, *_false_ways(support, false))]
    order = rng.permutation(len(ways)).tolist()
    if not query.answerable:
        return replace(query, items=())
    return replace(query, items=(), supports=tuple(ways[i] for i in order))


def _false_ways(support: Support, false: Mapping[str, Claim]) -> list[Support]:
    """Return *support* with some of its claims changed for their look-alikes."""
    choices = [(e, false[e].id) if e in false else (e,) for e in support.claims]
    several = islice(product(*choices), 1, 1 + _MOST)  # the first changes nothing
    return [replace(support, claims=way) for way in several]


# --- places ----------------------------------------------------------------------------------------


def _placed(
    claims: Sequence[Claim], false: Mapping[str, Claim], later: float, rng: np.random.Generator
) -> list[Claim]:
    """Return *claims* with their look-alikes among them."""
    runs = [list(run) for _, run in groupby(claims, key=lambda claim: claim.source)]
    alone = len(runs) > 1 and max(map(len, runs)) == 1  # each claim is a source of its own
    found = [list(run) for run in runs]
    for i, run in enumerate(runs):
        for claim in run:
            if claim.id not in false:
                continue
            elsewhere = i < len(runs) - 1 and rng.random() < later
            to = int(rng.integers(i + 1, len(runs))) if elsewhere else i
            at, twin = runs[to][0], false[claim.id]
            twin = replace(twin, source=twin.id if alone else at.source, time=at.time)
            found[to].insert(int(rng.integers(len(found[to]) + 1)), twin)
    return [claim for run in found for claim in run]
