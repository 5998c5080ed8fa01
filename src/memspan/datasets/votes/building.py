"""Votes to a material: a claim per value, a query per object, settlements.

Votes against the other values say already that the values of an object exclude each other: links between the
claims would say it twice.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from memspan.datasets.fields import distinct
from memspan.datasets.question_fields import Notes
from memspan.datasets.votes.tally import Poll, Thing, Truth
from memspan.datasets.votes.values import Notation, cleaned
from memspan.material import Claim, Material, Query, Settlement, Support

MOST_OTHERS = 64
"""A source speaks against at most so many other values of an object, those with most votes."""
TRUTH_FROM = "truth_from"
"""Field of `Query.extra`: the word for the file that told the truth, e.g. ``silver``."""
_YEARLY = re.compile(r"(.+)_([A-Za-z]+)(\d{4})")


@dataclass(frozen=True)
class Wording:
    """How a thing is spoken of: as a question, and as the beginning of a claim."""

    question: str
    start: str


@dataclass(frozen=True)
class Subject:
    """One thing, ready to become claims, a query and settlements."""

    name: str
    wording: Wording
    poll: Poll
    notation: Notation
    truth: Truth | None

    @property
    def is_two_sided(self) -> bool:
        """Whether one claim says it all: true, or not."""
        return self.notation.kind == "yes or no"


def material_of(
    name: str,
    things: Mapping[Thing, Poll],
    known: Mapping[Thing, Truth],
    written: Mapping[str, Notation],
    notes: Notes,
) -> Material:
    """Return the material of all that is said of *things*, with the truth of those that are *known*."""
    names = distinct(["/".join(filter(None, thing)) for thing in things])
    subjects = [
        Subject(own, _wording(thing, poll, written[thing[1]]), poll, written[thing[1]], known.get(thing))
        for own, (thing, poll) in zip(names, things.items(), strict=True)
    ]
    claims: list[Claim] = []
    queries: list[Query] = []
    settlements: list[Settlement] = []
    for subject in subjects:
        made, votes = (_two_sided if subject.is_two_sided else _many_sided)(subject, notes)
        claims += made
        queries.append(_query(subject, made))
        settlements += votes
    return Material(
        name,
        tuple(claims),
        queries=tuple(queries),
        settlements=tuple(settlements),
        dropped=tuple(notes.dropped()),
        extra={"votes": _told(subjects, written)},
    )


def _told(subjects: Sequence[Subject], written: Mapping[str, Notation]) -> dict[str, Any]:
    sources = {source for subject in subjects for source in subject.poll.votes}
    ranks = Counter(subject.truth.rank for subject in subjects if subject.truth)
    kinds = {relation or "value": notation.kind for relation, notation in written.items()}
    return {"objects": len(subjects), "sources": len(sources), "notation": kinds, "truth": dict(ranks)}


def _query(subject: Subject, claims: Sequence[Claim]) -> Query:
    truth = subject.truth
    return Query(
        subject.name,
        subject.wording.question,
        answer=subject.notation.shown(truth.raw, truth.key) if truth else None,
        supports=tuple(Support((claim.id,)) for claim in claims),
        extra={TRUTH_FROM: truth.rank} if truth else {},
    )


def _two_sided(subject: Subject, _: Notes) -> tuple[list[Claim], Iterator[Settlement]]:
    """Return the one claim that says yes, and each vote as right or wrong about it."""
    truth = None if subject.truth is None else int(subject.truth.key == "yes")
    claim = Claim(subject.name, f"{subject.wording.start}: yes", truth=truth)
    return [claim], (
        Settlement(subject.name, int(key == "yes"), (claim.id,), source, time)
        for source, (key, _, time) in subject.poll.votes.items()
    )


def _many_sided(subject: Subject, notes: Notes) -> tuple[list[Claim], Iterator[Settlement]]:
    """Return a claim for each value, and each vote as right about its own and wrong about the others."""
    ranked = subject.poll.ranked()
    counted = set(ranked)
    kept = [key for key in subject.poll.values if key in counted]
    names = {key: f"{subject.name}#{i}" for i, key in enumerate(kept, start=1)}
    if len(kept) > MOST_OTHERS:
        reason = f"has many values; sources speak against the {MOST_OTHERS} with most votes only"
        notes.add(subject.name, "value", reason, kept=True)
    claims = [
        Claim(
            names[key],
            f"{subject.wording.start}: {subject.notation.shown(subject.poll.values[key], key)}",
            truth=None if subject.truth is None else int(subject.truth.key == key),
        )
        for key in kept
    ]
    return claims, _votes(subject, names, ranked[: MOST_OTHERS + 1])


def _votes(subject: Subject, names: Mapping[str, str], ranked: Sequence[str]) -> Iterator[Settlement]:
    for source, (key, _, time) in subject.poll.votes.items():
        yield Settlement(subject.name, 1, (names[key],), source, time)
        others = [other for other in ranked if other != key][:MOST_OTHERS]
        yield from (Settlement(subject.name, 0, (names[other],), source, time) for other in others)


# --- words --------------------------------------------------------------------------------------


def _wording(thing: Thing, poll: Poll, notation: Notation) -> Wording:
    name, relation = thing
    if notation.kind == "names":
        title = cleaned(poll.titles.most_common(1)[0][0]) or "the book"
        return Wording(f"Who wrote {title} (ISBN {name})?", f"authors of ISBN {name}")
    if name.rstrip().endswith("?"):
        return Wording(cleaned(name), cleaned(name))
    if notation.kind == "yes or no":
        told = f"{_spoken(relation)} of {name}" if relation else f"question {name}"
        return Wording(f"Is the answer to {told} yes?", told)
    yearly = _YEARLY.fullmatch(name)
    if yearly and not relation:
        told = f"{_spoken(yearly[2])} of {yearly[1].replace('_', ' ')} in {yearly[3]}"
    else:
        told = f"{_spoken(relation)} of {name}" if relation else name
    return Wording(f"What is the {told}?" if relation or yearly else f"What is said of {name}?", told)


def _spoken(relation: str) -> str:
    """Return a column's name as words.

    >>> _spoken("ExpectedDepartureTime")
    'expected departure time'
    """
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", relation).replace("_", " ").lower()
