"""The nouns: what a material is made of.

Frozen, without input or output. Every other room reads these; `memspan.datasets`
turns files into them and back.

Source: arXiv 2608.11654, sections 2 and 3.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from memspan.errors import Fault, MaterialError, UnknownName

if TYPE_CHECKING:
    import numpy as np

SupportSource = Literal["annotated", "found", "generated"]
QuestionSource = Literal["given", "log", "model", "template"]
"""Where the queries come from: the data itself, a log of asked questions, a model, or templates.

Each is nearer to circular than the one before. A material that was not given its queries says so
in ``extra["questions"]``, which every file format keeps; outputs repeat it.
"""
Extra = Mapping[str, Any]
CHANCES = "chances"
"""Field of `Query.extra`: the probability of each claim to belong to the support, where it is not small."""
ALONE = "alone"
"""Field of `Query.extra`: claims that each tell the whole of the known answer; where there are several."""
READER = "reader"
"""Field of `Material.extra`: what found the supports, how many questions each way, how reliable that is."""
CONTEXT = "context"
"""Field of `Settlement.extra`: ``full`` where the whole material was read for the query."""
READ = "read"
"""Field of `Settlement.extra`: the texts that were read for the query, where claims are not known."""

Triple = tuple[str, str, str]
"""Subject, relation, object."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A candidate event: one atomic statement, true or not.

    Attributes:
        id: unique within its material.
        text: the statement itself; may be empty.
        source: where it comes from, e.g. ``session 3``.
        time: when it was said or became true, as the data gives it (ISO 8601 where known).
        costs: what holding it costs by unit, e.g. ``{"tokens": 6}``; each >= 0.
        truth: 1 true, 0 false, a probability where estimated, None where unknown.
        supersedes: ids of claims that this one overrides.
        contradicts: ids of claims that cannot well be true together with this one; one side suffices.
        corroborates: ids of claims that say the same independently; one side suffices.
        speaker: who said it, where somebody did.
        quote: the words of the source, where `text` says them in another way; None where it is
            the source's own words.
        span: where the words stand in the source, as (start, end) in characters of its text.
        triple: (subject, relation, object), where the claim states one relation.
        extra: fields memspan does not know, kept as they came.
    """

    id: str
    text: str = ""
    source: str | None = None
    time: str | None = None
    costs: Mapping[str, float] = field(default_factory=dict)
    truth: float | None = None
    supersedes: tuple[str, ...] = ()
    speaker: str | None = None
    quote: str | None = None
    span: tuple[int, int] | None = None
    triple: Triple | None = None
    extra: Extra = field(default_factory=dict)
    contradicts: tuple[str, ...] = ()
    corroborates: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Support:
    """A set of claims that together entail an item or answer a query.

    Attributes:
        claims: ids that must all be held; the empty set always holds.
        unless: ids that defeat the support: it holds only while none of them is held.
        probability: that this really is a support, in [0, 1]; None where it was annotated.
        extra: fields memspan does not know, kept as they came.
    """

    claims: tuple[str, ...]
    unless: tuple[str, ...] = ()
    probability: float | None = None
    extra: Extra = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class KnowledgeItem:
    """One self-contained piece of knowledge and the alternative supports that entail it.

    Attributes:
        id: unique within its material.
        text: the piece itself.
        supports: alternative sets of claims, each of which entails it.
        triple: (subject, relation, object), where the item states one relation.
        extra: fields memspan does not know, kept as they came.
    """

    id: str
    text: str = ""
    supports: tuple[Support, ...] = ()
    triple: Triple | None = None
    extra: Extra = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Query:
    """A question, its weight, and what answers it.

    Attributes:
        id: unique within its material.
        text: the question.
        weight: relative frequency, >= 0, finite; weights are normalised where they are used.
        answer: the right answer where known.
        answerable: False marks a question whose right answer is a refusal; it is never covered.
        items: ids of knowledge items, each of which answers the query alone.
        supports: alternative supports given directly; with no items and no supports the
            query has none yet.
        wrong: supports under which the span answers the query, but otherwise than the full
            material does; an outdated claim without the one that overrides it is such a support.
        category: the data set's own kind of question, e.g. ``multi-hop``.
        time: when it is asked.
        extra: fields memspan does not know, kept as they came.
    """

    id: str
    text: str = ""
    weight: float = 1
    answer: str | None = None
    answerable: bool = True
    items: tuple[str, ...] = ()
    supports: tuple[Support, ...] = ()
    wrong: tuple[Support, ...] = ()
    category: str | None = None
    time: str | None = None
    extra: Extra = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Note:
    """What a memory system holds: a text, and the claims it rests on.

    Attributes:
        id: unique among the notes that the system holds.
        text: as the system hands it to whoever answers.
        claims: ids of the claims it rests on, each once; none for what the system made up.
        kind: what it is to the system, e.g. ``event``, ``summary``, ``reflection``.
        time: when it was last written, as the claims give time.
        extra: what else the system tells of it.
    """

    id: str
    text: str = ""
    claims: tuple[str, ...] = ()
    kind: str = "event"
    time: str | None = None
    extra: Extra = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Settlement:
    """The outcome of one answered query: the only outcome evidence about truth.

    Attributes:
        query: id of the query that was settled.
        correct: 1 right, 0 wrong, or the probability of right.
        claims: ids of the claims that were read or used; None where unknown.
        settler: who judged: a person, a model, a run.
        time: when it was settled.
        weight: how much this outcome counts, >= 0.
        extra: fields memspan does not know, kept as they came.
        id: its own name, by which it can be corrected or revoked; None where it has none.
    """

    query: str
    correct: float
    claims: tuple[str, ...] | None = None
    settler: str | None = None
    time: str | None = None
    weight: float = 1
    extra: Extra = field(default_factory=dict)
    id: str | None = None


@dataclass(frozen=True, slots=True)
class Dropped:
    """Something a loader or a computation left out, and why: nothing goes silently.

    Attributes:
        record: what was dropped or repaired, e.g. ``query qa[17]``.
        field: the field at fault, e.g. ``evidence``.
        reason: what was seen.
        kept: True where only a part was left out and the record itself stays.
    """

    record: str
    field: str
    reason: str
    kept: bool = False


@dataclass(frozen=True)
class Material:
    """A source as claims, knowledge items and weighted queries: the one thing that passes between rooms.

    Raises:
        MaterialError: duplicate ids, a reference to something that is not there, or a weight,
            cost, truth or probability out of range; every fault is in the message.

    >>> trip = Material("trip", (Claim("c1", "Ana moved to Porto."),),
    ...                 queries=(Query("q1", "Where does Ana live?", supports=(Support(("c1",)),)),))
    >>> [support.claims for support in trip.supports_of(trip.query("q1"))]
    [('c1',)]
    """

    id: str
    claims: tuple[Claim, ...] = ()
    items: tuple[KnowledgeItem, ...] = ()
    queries: tuple[Query, ...] = ()
    settlements: tuple[Settlement, ...] = ()
    support_source: SupportSource = "annotated"
    dropped: tuple[Dropped, ...] = ()
    extra: Extra = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Refuse a material that contradicts itself."""
        faults = list(faults_of(self))
        if faults:
            raise MaterialError(faults)

    @cached_property
    def claim_position(self) -> Mapping[str, int]:
        """Position of each claim by id."""
        return {claim.id: position for position, claim in enumerate(self.claims)}

    @property
    def question_source(self) -> str:
        """Where the queries come from, a `QuestionSource`: ``extra["questions"]``, else ``given``."""
        told = self.extra.get("questions", "given")
        return told if isinstance(told, str) else "given"

    @cached_property
    def _items(self) -> Mapping[str, KnowledgeItem]:
        return {item.id: item for item in self.items}

    @cached_property
    def _queries(self) -> Mapping[str, Query]:
        return {query.id: query for query in self.queries}

    def claim(self, name: str) -> Claim:
        """Return the claim with id *name*, or raise UnknownName."""
        if name not in self.claim_position:
            raise UnknownName(f"material {self.id!r} has no claim {name!r}")
        return self.claims[self.claim_position[name]]

    def query(self, name: str) -> Query:
        """Return the query with id *name*, or raise UnknownName."""
        if name not in self._queries:
            raise UnknownName(f"material {self.id!r} has no query {name!r}")
        return self._queries[name]

    @property
    def certainty(self) -> SupportSource:
        """How the supports came to be: with a probability below 1 they were found, whatever is said."""
        several = (query.supports for query in self.queries), (item.supports for item in self.items)
        unsure = any(
            support.probability is not None and support.probability < 1
            for each in several
            for supports in each
            for support in supports
        )
        return "found" if unsure and self.support_source == "annotated" else self.support_source

    def supports_of(self, query: Query) -> tuple[Support, ...]:
        """Return all alternative supports of *query*: its own and those of the items that answer it.

        An unanswerable query has none, whatever evidence a data set lists for it.
        """
        if not query.answerable:
            return ()
        through_items = (support for name in query.items for support in self._items[name].supports)
        return (*query.supports, *through_items)

    def sample(self, share: float, rng: np.random.Generator) -> Material:
        """Return the same claims with a random *share* of the queries, order kept.

        >>> import numpy as np
        >>> five = Material("m", queries=tuple(Query(f"q{i}") for i in range(5)))
        >>> len(five.sample(0.4, np.random.default_rng(0)).queries)
        2
        """
        count = round(share * len(self.queries))
        chosen = sorted(rng.choice(len(self.queries), size=count, replace=False).tolist())
        queries = tuple(self.queries[i] for i in chosen)
        names = {query.id for query in queries}
        settlements = tuple(s for s in self.settlements if s.query in names)
        return replace(self, queries=queries, settlements=settlements)


def faults_of(material: Material) -> Iterator[Fault]:
    """Yield every way in which *material* contradicts itself, with record and field."""
    claims = {claim.id for claim in material.claims}
    items = {item.id for item in material.items}
    queries = {query.id for query in material.queries}
    for kind, records in (
        ("claims", material.claims),
        ("items", material.items),
        ("queries", material.queries),
        ("settlements", [each for each in material.settlements if each.id is not None]),
    ):
        counts = Counter(record.id for record in records)
        yield from (
            Fault(kind, "id", f"{name!r} stands {n} times; ids are unique")
            for name, n in counts.items()
            if n > 1
        )
    for i, claim in enumerate(material.claims):
        yield from _claim_faults(f"claims[{i}] ({claim.id})", claim, claims)
    for i, item in enumerate(material.items):
        yield from _support_faults(f"items[{i}] ({item.id})", "supports", item.supports, claims)
    for i, query in enumerate(material.queries):
        yield from _query_faults(f"queries[{i}] ({query.id})", query, claims, items)
    for i, settlement in enumerate(material.settlements):
        yield from _settlement_faults(f"settlements[{i}]", settlement, queries, claims)


def _claim_faults(record: str, claim: Claim, claims: set[str]) -> Iterator[Fault]:
    for unit, cost in claim.costs.items():
        if not 0 <= cost < math.inf:
            yield Fault(record, f"costs.{unit}", f"is {cost}; a cost is finite and >= 0")
    yield from _share_fault(record, "truth", claim.truth)
    if claim.span is not None and not 0 <= claim.span[0] <= claim.span[1]:
        yield Fault(record, "span", f"is {list(claim.span)}; give a start and an end, 0 <= start <= end")
    yield from _unknown(record, "supersedes", claim.supersedes, claims, "claim")
    yield from _unknown(record, "contradicts", claim.contradicts, claims, "claim")
    yield from _unknown(record, "corroborates", claim.corroborates, claims, "claim")


def _support_faults(
    record: str, field: str, supports: tuple[Support, ...], claims: set[str]
) -> Iterator[Fault]:
    for i, support in enumerate(supports):
        yield from _unknown(record, f"{field}[{i}]", support.claims, claims, "claim")
        yield from _unknown(record, f"{field}[{i}].unless", support.unless, claims, "claim")
        yield from _share_fault(record, f"{field}[{i}].probability", support.probability)


def _query_faults(record: str, query: Query, claims: set[str], items: set[str]) -> Iterator[Fault]:
    if not 0 <= query.weight < math.inf:
        yield Fault(record, "weight", f"is {query.weight}; a weight is finite and >= 0")
    yield from _unknown(record, "items", query.items, items, "item")
    yield from _support_faults(record, "supports", query.supports, claims)
    yield from _support_faults(record, "wrong", query.wrong, claims)


def _settlement_faults(
    record: str, settlement: Settlement, queries: set[str], claims: set[str]
) -> Iterator[Fault]:
    yield from _unknown(record, "query", (settlement.query,), queries, "query")
    yield from _unknown(record, "claims", settlement.claims or (), claims, "claim")
    yield from outcome_faults(record, settlement)


def outcome_faults(record: str, settlement: Settlement) -> Iterator[Fault]:
    """Yield what is out of range in *settlement*, whatever it is about."""
    yield from _share_fault(record, "correct", settlement.correct)
    if not 0 <= settlement.weight < math.inf:
        yield Fault(record, "weight", f"is {settlement.weight}; a weight is finite and >= 0")


def _share_fault(record: str, name: str, value: float | None) -> Iterator[Fault]:
    if value is not None and not 0 <= value <= 1:
        yield Fault(record, name, f"is {value}; allowed is 0 to 1")


def _unknown(record: str, name: str, used: Iterable[str], known: set[str], noun: str) -> Iterator[Fault]:
    for reference in used:
        if reference not in known:
            yield Fault(record, name, f"names {noun} {reference!r}, which does not exist")
