"""The fields of a row of a question log: a question, its answer, how it went, when and how often."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from memspan.datasets.fields import iso, rest_of
from memspan.datasets.json_text import shown
from memspan.datasets.question_rows import ANSWER, ANSWERABLE, OUTCOME, QUESTION, TIME, WEIGHT, Row
from memspan.material import Dropped, Extra

LONGEST = 20_000  # characters; what is longer is a document, not a question
_MOST = 1e15  # a weight beyond it is no count of anything
_WELL = "1 true yes y t right correct correctly pass passed ok success good solved up"
_ILL = "0 false no n f wrong incorrect incorrectly fail failed failure bad unsolved down"
_RIGHT, _WRONG = frozenset(_WELL.split()), frozenset(_ILL.split())
_UNSAID = frozenset(("", "unknown", "none", "null", "n/a", "na", "nan", "pending", "-"))


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
            more = f" and {len(places) - 1} more rows" if len(places) > 1 else ""
            yield Dropped(places[0] + more, name, reason, kept)


def asked_in(row: Row, notes: Notes) -> Asked | None:
    """Return what *row* asks; what cannot be read is told to *notes*, None where there is no question."""
    name, value = first_of(row, QUESTION)
    reason = unusable(value)
    if reason:
        notes.add(row.place, name, reason, kept=False)
        return None
    used = (*QUESTION, *ANSWER, *OUTCOME, *TIME, *WEIGHT, *ANSWERABLE)
    extra = {key: inner for key, inner in rest_of(row.fields, used).items() if inner not in (None, "")}
    _, time = first_of(row, TIME)
    answerable = share_of(row, ANSWERABLE, notes)
    return Asked(
        row.place,
        " ".join(value.split()),
        _answer(row, notes),
        answerable is None or answerable > 0,
        share_of(row, OUTCOME, notes),
        time_of(time),
        weight_of(row, notes),
        extra,
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


def share_of(row: Row, names: Sequence[str], notes: Notes) -> float | None:
    """Return an outcome in [0, 1]: a number as it is, or a word for right or wrong."""
    name, value = first_of(row, names)
    plain = str(value if value is not None else "").strip().lower()
    if plain in _UNSAID:
        return None
    if plain in _RIGHT or plain in _WRONG:
        return float(plain in _RIGHT)
    number = _number(value)
    if number is not None and 0 <= number <= 1:
        return number
    reason = f"is {shown(value)}; allowed are right or wrong in words, or a number from 0 to 1; left out"
    notes.add(row.place, name, reason, kept=True)
    return None


def weight_of(row: Row, notes: Notes) -> float:
    """Return how much a row counts: a number >= 0, 1 where none is given."""
    name, value = first_of(row, WEIGHT)
    if value is None:
        return 1
    number = _number(value)
    if number is not None and 0 <= number <= _MOST:
        return number
    notes.add(
        row.place, name, f"is {shown(value)}; a weight is a number from 0 to 1e15; counted as 1", kept=True
    )
    return 1


def _number(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def time_of(value: Any) -> str | None:
    """Return a time in ISO 8601 where its notation is known; a number counts from 1970, in s or ms."""
    number = _number(value)
    if number is None:
        return iso(value.strip()) if isinstance(value, str) else None
    seconds = number / 1000 if number >= 1e11 else number
    if not 1e8 <= seconds < 1e11:
        return str(value)
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
