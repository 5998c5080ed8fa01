"""A world with false claims, drawn over the questions of LoCoMo: trust is measured on it.

What is real is the shape: which questions rest on which turns, several on the same turn, some on
several turns at once. Drawn are truth, contradicting and corroborating siblings of claims, how often a
question is asked, and how it is settled. Questions that LoCoMo holds for unanswerable take part with
the turns named for them: here they only lend their shape.

Run it as `python benchmarks/trust_world.py` to see how large worlds are. It reads the folder that
MEMSPAN_DATA names.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import memspan as ms
from instances import public
from memspan.coverage import Coverage, compile_material
from memspan.material import Claim, Material, Query, Settlement, Support
from memspan.trust import known_beliefs

FALSE_RATES = (0.1, 0.2, 0.4)
LOCOMO = "locomo/locomo10_dev.json"
MOST_TURNS = 6  # questions on more turns are left out
MOST_WAYS = 6  # supports of a question
CONTRADICTED, CORROBORATED = 0.25, 0.10  # shares of the claims that have a sibling of the kind
AGREEMENT = 3.0  # claims' worth of agreement within a source: small means good and bad sources
RARE = 0.8  # exponent of zipf weights
ODD = 0.02  # what makes even a wholly reliable source a possible source of a false sibling
HARD, HARD_SHARE = 0.15, 0.9  # so many questions take so much of the reasoner's errors, where correlated

Way = tuple[str, ...]


@dataclass(frozen=True)
class World:
    """A material whose truth is known, and the outcomes that its queries would have."""

    material: Material

    @cached_property
    def coverage(self) -> Coverage:
        """Its arrays, weights as exact integers."""
        return compile_material(self.material)

    @cached_property
    def true(self) -> npt.NDArray[np.bool_]:
        """Which supports hold true claims only."""
        return known_beliefs(self.coverage) == 1

    @cached_property
    def shares(self) -> npt.NDArray[np.float64]:
        """How often each query is asked; sums to 1."""
        weights = self.coverage.weights
        return weights / weights.sum()

    def settlement(self, support: int, correct: float) -> Settlement:
        """Return the outcome *correct* of the query of *support*, answered from it."""
        arrays = self.coverage
        used = arrays.members[arrays.ptr[support] : arrays.ptr[support + 1]]
        names = tuple(arrays.claims[e] for e in used)
        return Settlement(arrays.queries[arrays.owner[support]], correct, names)

    def stream(
        self,
        count: int,
        seed: int,
        false_wrong: float = 0.08,
        false_right: float = 0.08,
        *,
        correlated: bool = False,
    ) -> list[Settlement]:
        """Draw *count* settlements: queries by weight, one of their supports evenly, and the outcome.

        Args:
            count: how many.
            seed: of all that is drawn.
            false_wrong: share settled wrong although all claims used are true.
            false_right: share settled right although some claim used is false.
            correlated: few questions take nearly all of *false_wrong*; its mean stays.
        """
        rng = np.random.default_rng(1000 + seed)
        asked = rng.choice(len(self.shares), count, p=self.shares)
        first = np.searchsorted(self.coverage.owner, np.arange(len(self.shares) + 1))
        used = first[asked] + (rng.random(count) * np.diff(first)[asked]).astype(np.int64)
        wrong = np.full(len(self.shares), false_wrong)
        if correlated:
            hard = rng.random(len(wrong)) < HARD
            most, least = false_wrong * HARD_SHARE / HARD, false_wrong * (1 - HARD_SHARE) / (1 - HARD)
            wrong = np.where(hard, min(0.9, most), least)
        right = np.where(self.true[used], 1 - wrong[asked], false_right)
        outcomes = rng.random(count) < right
        return [
            self.settlement(s, float(correct))
            for s, correct in zip(used.tolist(), outcomes.tolist(), strict=True)
        ]


def world(data: Path, base: float, seed: int, *, multi: bool = False) -> World:
    """Draw a world over LoCoMo's questions.

    Args:
        data: the user's folder of data sets.
        base: share of false claims, before siblings are drawn.
        seed: of all that is drawn.
        multi: only questions that rest on two turns or more.
    """
    turns, asked = _questions(str(data / LOCOMO), multi=multi)
    rng = np.random.default_rng(seed)
    claims = _told(turns, base, rng)
    sibling = {each[0]: c.id for c in claims for each in (c.contradicts, c.corroborates) if each}
    weights = rng.permutation((1.0 + np.arange(len(asked))) ** -RARE).tolist()
    queries = tuple(
        Query(name, weight=weight, supports=tuple(Support(way) for way in _ways(used, sibling)))
        for (name, used), weight in zip(asked.items(), weights, strict=True)
    )
    kind = "multi" if multi else "locomo"
    return World(Material(f"{kind} {base:g} {seed}", tuple(claims), queries=queries))


@cache
def _questions(path: str, *, multi: bool) -> tuple[Mapping[str, str], Mapping[str, Way]]:
    """Return the turns used with their sources, and the turns that each question rests on."""
    asked: dict[str, Way] = {}
    turns: dict[str, str] = {}
    for talk in ms.load(path):
        said = {claim.id: f"{talk.id} {claim.source}" for claim in talk.claims}
        for query in talk.queries:
            used = sorted({turn for turn in _evidence(query) if turn in said})
            if (2 if multi else 1) <= len(used) <= MOST_TURNS:
                asked[f"{talk.id}/{query.id}"] = tuple(f"{talk.id}/{turn}" for turn in used)
                turns |= {f"{talk.id}/{turn}": said[turn] for turn in used}
    return turns, asked


def _evidence(query: Query) -> Iterator[str]:
    for support in query.supports:
        yield from support.claims
    if not query.answerable:
        named: Sequence[Any] = query.extra.get("evidence") or ()
        yield from (turn for turn in named if isinstance(turn, str))


def _told(turns: Mapping[str, str], base: float, rng: np.random.Generator) -> list[Claim]:
    """Return the *turns* as claims with truth, and after them the siblings that some have."""
    sources = list(dict.fromkeys(turns.values()))
    spread = max(AGREEMENT * (1 - base), 0.05), max(AGREEMENT * base, 0.05)
    reliable = rng.beta(*spread, len(sources))
    place = {source: i for i, source in enumerate(sources)}
    chance = reliable[[place[source] for source in turns.values()]]
    true = rng.random(len(turns)) < chance
    claims = [
        Claim(turn, source=source, truth=int(is_true))
        for (turn, source), is_true in zip(turns.items(), true.tolist(), strict=True)
    ]
    tellers = reliable / reliable.sum(), (1 - reliable + ODD) / (1 - reliable + ODD).sum()
    return claims + [
        replace(twin, source=sources[rng.choice(len(sources), p=tellers[0 if twin.truth else 1])])
        for twin in _siblings(claims, rng)
    ]


def _siblings(claims: Sequence[Claim], rng: np.random.Generator) -> Iterator[Claim]:
    for claim, drawn in zip(claims, rng.random(len(claims)).tolist(), strict=True):
        if drawn < CONTRADICTED:
            yield Claim(f"{claim.id} not", truth=1 - int(claim.truth or 0), contradicts=(claim.id,))
        elif drawn < CONTRADICTED + CORROBORATED:
            yield Claim(f"{claim.id} too", truth=claim.truth, corroborates=(claim.id,))


def _ways(used: Way, sibling: Mapping[str, str]) -> list[Way]:
    """Return the supports of a question on the turns *used*: these, and one turn changed for its sibling."""
    swapped = (tuple(sibling[e] if e == turn else e for e in used) for turn in used if turn in sibling)
    return list(dict.fromkeys((used, *swapped)))[:MOST_WAYS]


def main() -> None:
    for multi in (False, True):
        for base in FALSE_RATES:
            drawn = world(public(""), base, 0, multi=multi)
            false = 1 - np.mean([claim.truth for claim in drawn.material.claims])
            sources = len({claim.source for claim in drawn.material.claims})
            claims, asked = len(drawn.material.claims), len(drawn.material.queries)
            print(
                f"{drawn.material.id}: {claims:,} claims, {asked:,} questions, {len(drawn.true):,} supports, "
                f"{sources} sources, {false:.0%} of the claims false"
            )


if __name__ == "__main__":
    main()
