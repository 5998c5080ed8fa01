"""HaluMem's Mem0 run: are interference points, which are known to be false, trusted less than true ones?

Each user has a model of its own. What an outcome is about is told in three ways: any support of the
query (the run's reads left aside); the supports among the points that the memories in its context tell;
or all those points together, as for somebody whose questions come without annotated supports. A point
is told where memories are matched to it likelier than not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

import memspan as ms
from measuring import Section
from memspan.datasets.outcomes import read_outcomes
from memspan.diagnosis import Interval, clustered_bootstrap
from memspan.diagnosis.matching import match
from memspan.material import Claim, Material, Query, Settlement
from memspan.trust import Trust, estimate_noise
from trusting import DATA, Ranking, Scored, fitted, rankings

USERS = ("0", "3")
TIE, SAME = 0.5, 1e-9
AGAINST = "reference_memory_content"  # the true point that an interference point was made against


@dataclass(frozen=True)
class User:
    """A user's points and questions, the outcomes, and the points that the context told."""

    name: str
    material: Material
    settlements: tuple[Settlement, ...]
    reads: Mapping[str, tuple[str, ...]]

    @classmethod
    def of(cls, name: str) -> User:
        """Read the files of *name*."""
        folder = DATA / "halumem"
        material = ms.load(folder / f"user{name}.jsonl")[0]
        outcomes = read_outcomes(folder / f"mem0_eval_user{name}.json", [material], settler="mem0")
        texts = dict.fromkeys(text for each in outcomes.reads for text in each.read or ())
        memories = [Claim(f"m{i}", text) for i, text in enumerate(texts)]
        notes = match(memories, material, answers=False).notes
        told = {note.text: note.claims for note in notes}
        reads = {
            each.query: tuple(dict.fromkeys(claim for text in each.read or () for claim in told[text]))
            for each in outcomes.reads
        }
        return cls(name, material, outcomes.settlements[material.id], reads)

    @cached_property
    def false(self) -> frozenset[str]:
        """The interference points."""
        return frozenset(claim.id for claim in self.material.claims if claim.truth == 0)

    @cached_property
    def against(self) -> Mapping[str, str]:
        """The true point that each interference point contradicts, where the file has it word for word."""
        true = {(c.source, c.text): c.id for c in self.material.claims if c.truth == 1}
        given = ((c, true.get((c.source, str(c.extra.get(AGAINST))))) for c in self.material.claims)
        return {claim.id: found for claim, found in given if claim.truth == 0 and found is not None}

    @cached_property
    def linked(self) -> Material:
        """The material with those contradictions."""
        claims = (
            replace(claim, contradicts=(self.against[claim.id],)) if claim.id in self.against else claim
            for claim in self.material.claims
        )
        return replace(self.material, claims=tuple(claims))

    @cached_property
    def read(self) -> tuple[Settlement, ...]:
        """The outcomes with the points that were told."""
        return tuple(replace(each, claims=self.reads.get(each.query, ())) for each in self.settlements)


def bare(material: Material) -> Material:
    """Return *material* with questions whose supports are not known, those without an answer left out."""
    queries = (Query(query.id, query.text) for query in material.queries if query.answerable)
    return replace(material, queries=tuple(queries))


def halumem() -> Iterator[Section]:
    """Yield all tables of HaluMem."""
    users = [User.of(name) for name in USERS]
    title = "HaluMem, Mem0: what the outcomes can be about"
    yield Section("halumem-touched", title, tuple(_touched(user) for user in users))
    title = "HaluMem, Mem0: trust in interference points against true ones"
    yield Section("halumem", title, tuple(row for user in users for row in _rows(user)))
    title = "HaluMem, Mem0: interference points against the true point that each contradicts"
    yield Section("halumem-pairs", title, tuple(row for user in users for row in _pairs(user)))
    title = "HaluMem, Mem0: noise of the run by the points told"
    yield Section("halumem-noise", title, tuple(row for user in users for row in _noise(user)))


@dataclass(frozen=True)
class Touched:
    """How many points some outcome is about."""

    user: str
    points: int
    false: int
    settled_queries: int
    of_which_unanswerable: int
    true_in_supports: int
    false_in_supports: int
    true_told: int
    false_told: int
    false_with_a_known_rival: int
    of_which_rival_in_a_support: int


def _touched(user: User) -> Touched:
    queries = [user.material.query(each.query) for each in user.settlements]
    within = {c for query in queries for s in user.material.supports_of(query) for c in s.claims}
    told = {c for query in queries if query.answerable for c in user.reads.get(query.id, ())}
    return Touched(
        user=user.name,
        points=len(user.material.claims),
        false=len(user.false),
        settled_queries=len(queries),
        of_which_unanswerable=sum(not query.answerable for query in queries),
        true_in_supports=len(within - user.false),
        false_in_supports=len(within & user.false),
        true_told=len(told - user.false),
        false_told=len(told & user.false),
        false_with_a_known_rival=len(user.against),
        of_which_rival_in_a_support=sum(rival in within for rival in user.against.values()),
    )


def _trusts(user: User) -> dict[str, Trust]:
    """Return the trust in all points, by what outcomes are taken to be about."""
    plain, linked = user.material, user.linked
    answerable = [each for each in user.read if plain.query(each.query).answerable and each.claims]
    return {
        "supports": fitted(plain, user.settlements).trust(),
        "supports told": fitted(plain, user.read).trust(),
        "all that was told": fitted(bare(plain), answerable).trust(),
        "contradictions alone": fitted(linked, ()).trust(),
        "contradictions, supports": fitted(linked, user.settlements).trust(),
        "contradictions, supports told": fitted(linked, user.read).trust(),
        "contradictions, all that was told": fitted(bare(linked), answerable).trust(),
    }


def _rows(user: User) -> Iterator[Ranking]:
    for name, trust in _trusts(user).items():
        rows = _scored(user, trust)
        yield from rankings(f"user {user.name}, all", rows_named(rows.values(), name))
        some = [row for claim, row in rows.items() if trust.of(claim).touched]
        if any(row.wrong for row in some):
            yield from rankings(f"user {user.name}, touched", rows_named(some, name))


def rows_named(rows: Iterable[Scored], name: str) -> list[Scored]:
    return [replace(row, scores={name: row.scores["tau"]}) for row in rows]


def _scored(user: User, trust: Trust) -> dict[str, Scored]:
    return {
        claim.id: Scored(claim.id in user.false, {"tau": trust.of(claim.id).tau}, claim.source or "")
        for claim in user.material.claims
    }


@dataclass(frozen=True)
class Pair:
    """How often the interference point of a pair is trusted less than the true one, ties by halves."""

    user: str
    trust: str
    pairs: int
    false_lower: Interval
    pairs_that_differ: int


def _pairs(user: User) -> Iterator[Pair]:
    for name, trust in _trusts(user).items():
        clusters: dict[str, list[float]] = {}
        for false, true in user.against.items():
            source = user.material.claim(false).source or ""
            difference = trust.of(true).tau - trust.of(false).tau
            clusters.setdefault(source, []).append(0.5 + 0.5 * _sign(difference))
        worth = [each for several in clusters.values() for each in several]
        found = clustered_bootstrap(clusters, np.random.default_rng(0))
        yield Pair(user.name, name, len(worth), found, sum(each != TIE for each in worth))


def _sign(difference: float) -> int:
    return 0 if abs(difference) < SAME else 1 if difference > 0 else -1


@dataclass(frozen=True)
class Rated:
    """How the run's outcomes err, where the points told say what they should be."""

    user: str
    rate: str
    errors: float | None
    outcomes: float
    measured: Interval | None = None
    used_as: float | None = None


def _noise(user: User) -> Iterator[Rated]:
    found = estimate_noise(user.material, user.read)
    sides = {"false wrong": found.overall.false_wrong, "false right": found.overall.false_right}
    for name, each in sides.items():
        told = Interval(each.estimate, each.lower, each.upper)
        yield Rated(user.name, name, each.errors, each.outcomes, told, each.rate.mean)
    for reason, count in found.left_out.items():
        yield Rated(user.name, f"left out: {reason}", None, count)
