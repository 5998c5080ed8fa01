"""Votes counted: who says what of which object, each source once; and what is true of it."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from memspan.datasets.json_text import shown
from memspan.datasets.question_fields import Notes
from memspan.datasets.votes.columns import Said
from memspan.datasets.votes.truths import TruthFile
from memspan.datasets.votes.values import Notation, cleaned, is_unsaid, notation_of

_ISO = re.compile(r"\d{4}-\d\d-\d\d")

Thing = tuple[str, str]
"""An object and the relation that is asked of it; the relation is empty where a table has none."""
Named = Callable[[str], str]
"""A function that gives an object its one name, whatever form it is written in."""


@dataclass(frozen=True)
class Truth:
    """What is true of a thing: its key, how it is written, and the word for the file that says so."""

    key: str
    raw: str
    rank: str


@dataclass
class Poll:
    """All that is said of one thing.

    Attributes:
        values: key to how the first source writes it, in the order of the file.
        votes: source to its key, place and time, in the order of the file.
        titles: how the thing is called, with counts.
    """

    values: dict[str, str] = field(default_factory=dict)
    votes: dict[str, tuple[str, str, str | None]] = field(default_factory=dict)
    titles: Counter[str] = field(default_factory=Counter)

    def ranked(self) -> list[str]:
        """Return the keys that have a vote, those with most votes first."""
        counts = Counter(key for key, _, _ in self.votes.values())
        return sorted((key for key in self.values if key in counts), key=lambda key: -counts[key])


def notations(rows: Sequence[Said], fixed: Notation | None) -> Mapping[str, Notation]:
    """Return the notation of each relation: *fixed*, or what most of its values are written in."""
    values: defaultdict[str, list[str]] = defaultdict(list)
    for row in rows:
        values[row.relation].append(row.value)
    return {relation: fixed or notation_of(relation, raws) for relation, raws in values.items()}


def polls(
    rows: Iterable[Said], written: Mapping[str, Notation], named: Named, notes: Notes
) -> dict[Thing, Poll]:
    """Return what is said of each thing; of several votes of a source about one thing the last stands.

    Last is the later one where both have a time, else the one further down.
    """
    made: defaultdict[Thing, Poll] = defaultdict(Poll)
    key_of = cache(lambda relation, value: written[relation].key(value))  # many say the same
    name_of = cache(named)
    for row in rows:
        key = key_of(row.relation, row.value)
        if key is None:
            reason = _unfit(row.value, written[row.relation])
            notes.add(row.place, "value", f"{reason}; left out", kept=False)
        else:
            _count(made[name_of(row.object), row.relation], row, key, notes)
    return dict(made)


def _unfit(value: str, notation: Notation) -> str:
    if is_unsaid(cleaned(value)):
        return "says no value (empty, a dash, not available)"
    return f"is no {'list of names' if notation.kind == 'names' else notation.kind}"


def _count(poll: Poll, row: Said, key: str, notes: Notes) -> None:
    poll.titles[row.title] += 1
    before = poll.votes.get(row.source)
    if before is not None and before[0] == key:
        notes.add(row.place, "source", "says again what the same source says before; counted once", kept=True)
        return
    if before is not None:
        overtaken = _is_earlier(row.time, before[2])
        where = row.place if overtaken else before[1]
        notes.add(where, "value", "is replaced by a later value of the same source; left out", kept=False)
        if overtaken:
            return
        del poll.votes[row.source]
    poll.values.setdefault(key, row.value)
    poll.votes[row.source] = (key, row.place, row.time)


def _is_earlier(time: str | None, other: str | None) -> bool:
    """Whether *time* lies before *other*, where both are in ISO 8601."""
    both = time is not None and other is not None and _ISO.match(time) and _ISO.match(other)
    return bool(both and str(time) < str(other))


def truths(
    files: Iterable[TruthFile], written: Mapping[str, Notation], named: Named, notes: Notes
) -> dict[Thing, Truth]:
    """Return what is true of each thing; where the best file that knows it disagrees with itself, nothing."""
    made: dict[Thing, Truth] = {}
    for file in files:
        told: defaultdict[Thing, dict[str, Said]] = defaultdict(dict)
        for row in file.rows:
            notation = written.get(row.relation)
            key = notation.key(row.value) if notation else None
            if key is None:
                reason = "is about a relation of which nobody speaks" if notation is None else "is no value"
                notes.add(row.place, "truth", f"{reason}; left out", kept=False)
            else:
                told[named(row.object), row.relation].setdefault(key, row)
        _believe(file, told, made, notes)
    return {thing: truth for thing, truth in made.items() if truth.key}


def _believe(
    file: TruthFile, told: Mapping[Thing, Mapping[str, Said]], made: dict[Thing, Truth], notes: Notes
) -> None:
    """Add to *made* what *file* knows and no better file does; an empty key where it contradicts itself."""
    for thing, said in told.items():
        if thing in made:
            notes.add(f"{file.name} {thing[0]}", "truth", "is told by a better file; left out", kept=True)
        elif len(said) > 1:
            place = list(said.values())[-1].place
            told_twice = "is another truth for the same object; the truth is left unknown"
            notes.add(place, "truth", told_twice, kept=False)
            made[thing] = Truth("", "", file.rank)
        else:
            key, row = next(iter(said.items()))
            made[thing] = Truth(key, row.value, file.rank)


def unmatched(things: Mapping[Thing, Poll], known: Mapping[Thing, Truth], notes: Notes) -> None:
    """Tell *notes* of which objects the truth is not known, and of which truths nobody speaks."""
    for thing in things:
        if thing not in known:
            notes.add(shown(thing[0]), "truth", "is not known of this object", kept=True)
    for thing in known:
        if thing not in things:
            notes.add(shown(thing[0]), "truth", "is known of an object of which nobody speaks", kept=False)
