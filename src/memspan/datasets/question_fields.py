"""The fields of a row of a question log: a question, its answer, how it went, when and how often."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any

from memspan.datasets.fields import iso, rest_of
from memspan.datasets.json_text import shown
from memspan.datasets.question_outcomes import Scale, number_of, outcome_in
from memspan.datasets.question_rows import ANSWER, ANSWERABLE, OUTCOME, QUESTION, TIME, WEIGHT, Row
from memspan.material import Dropped, Extra

LONGEST = 20_000  # characters; what is longer is a document, not a question
_MOST = 1e15  # a weight beyond it is no count of anything


@dataclass(frozen=True)
class Asked:
    """What one row of a log asks."""

    place: str
    text: str
    answer: str | None
    answerable: bool
    outcome: float | None
    time: str | None
    weight: float
    extra: Extra


@dataclass
class Notes:
    """What could not be read, counted, so that a column of nonsense is one line of a report."""

    seen: dict[tuple[str, str, bool], list[str]] = field(default_factory=lambda: defaultdict(list))

    def add(self, place: str, name: str, reason: str, *, kept: bool) -> None:
        """Note that the field *name* of the row at *place* was left out, or the whole row."""
        self.seen[name, reason, kept].append(place)

    def dropped(self) -> Iterable[Dropped]:
        """Yield one entry for each thing noted, with the first place."""
        for (name, reason, kept), places in self.seen.items():
            others = "1 more row" if len(places) == 2 else f"{len(places) - 1} more rows"
            more = f" and {others}" if len(places) > 1 else ""
            yield Dropped(places[0] + more, name, reason, kept)


def asked_in(row: Row, notes: Notes, scales: Mapping[str, Scale]) -> Asked | None:
    """Return what *row* asks; what cannot be read is told to *notes*, None where there is no question."""
    name, value = first_of(row, QUESTION)
    reason = unusable(value)
    if reason:
        notes.add(row.place, name, reason, kept=False)
        return None
    used = (*QUESTION, *ANSWER, *OUTCOME, *TIME, *WEIGHT, *ANSWERABLE)
    _, time = first_of(row, TIME)
    answerable = share_of(row, ANSWERABLE, notes)
    return Asked(
        row.place,
        " ".join(value.split()),
        _answer(row, notes),
        answerable is None or answerable > 0,
        share_of(row, OUTCOME, notes, scales),
        time_of(time),
        weight_of(row, notes),
        rest_in(row, used),
    )


def first_of(row: Row, names: Sequence[str]) -> tuple[str, Any]:
    """Return the first of *names* that has a value in *row*, with the value."""
    found = ((name, row.fields[name]) for name in names if row.fields.get(name) not in (None, ""))
    return next(found, (names[0], None))


def unusable(value: Any) -> str:
    """Return why *value* is no question; nothing where it is one."""
    if value is None:
        return "is empty; a row holds a question"
    if not isinstance(value, str):
        return "is no text; a question is text"
    if len(value) > LONGEST:
        return f"has more than {LONGEST:,} characters; a question is shorter"
    return "" if any(map(str.isalnum, value)) else "holds no word; a question has words"


def _answer(row: Row, notes: Notes) -> str | None:
    name, value = first_of(row, ANSWER)
    if value is None or isinstance(value, str):
        return " ".join(value.split()) or None if value else None
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | dict):
        notes.add(row.place, name, "is no single text; left out", kept=True)
        return None
    return shown(value)


def share_of(
    row: Row, names: Sequence[str], notes: Notes, scales: Mapping[str, Scale] = MappingProxyType({})
) -> float | None:
    """Return an outcome in [0, 1]: a number on the scale of its column, or a word for right or wrong."""
    name, value = first_of(row, names)
    share = outcome_in(name, value, scales)
    if isinstance(share, str):
        notes.add(row.place, name, share, kept=True)
        return None
    return share


def rest_in(row: Row, used: Iterable[str]) -> Extra:
    """Return the fields of *row* that are not *used*, with outcomes beside the one that counts."""
    counts, _ = first_of(row, OUTCOME)
    taken = {name for name in used if name not in OUTCOME or name == counts}
    return {key: value for key, value in rest_of(row.fields, taken).items() if value not in (None, "")}


def weight_of(row: Row, notes: Notes) -> float:
    """Return how much a row counts: a number >= 0, 1 where none is given."""
    name, value = first_of(row, WEIGHT)
    if value is None:
        return 1
    number = number_of(value)
    if number is not None and 0 <= number <= _MOST:
        return number
    notes.add(
        row.place, name, f"is {shown(value)}; a weight is a number from 0 to 1e15; counted as 1", kept=True
    )
    return 1


def time_of(value: Any) -> str | None:
    """Return a time in ISO 8601 where its notation is known; a number counts from 1970, in s or ms."""
    number = number_of(value)
    if number is None:
        return iso(value.strip()) if isinstance(value, str) else None
    seconds = number / 1000 if number >= 1e11 else number
    if not 1e8 <= seconds < 1e11:
        return str(value)
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
