"""Fields of other people's records, taken with a check: a misshapen record is reported and passed by."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import fields
from itertools import count
from typing import Any, TypeVar

from memspan.datasets.json_text import shown
from memspan.datasets.source import Source
from memspan.errors import Fault, FileError
from memspan.material import Claim, Dropped, Material, Query, Settlement

T = TypeVar("T")

_NOUNS = (Claim, Query, Settlement)
_OWN = frozenset({field.name for noun in _NOUNS for field in fields(noun)} | {"kind"})
_CLOCK = r"(?P<hour>\d{1,2}):(?P<minute>\d\d)(:(?P<second>\d\d))?"
_TIMES = (
    re.compile(rf"{_CLOCK} (?P<half>[ap]m) on (?P<day>\d{{1,2}}) (?P<word>[A-Z][a-z]+), (?P<year>\d{{4}})"),
    re.compile(rf"(?P<word>[A-Z][a-z]+) (?P<day>\d{{1,2}}), (?P<year>\d{{4}}),? {_CLOCK}"),
    re.compile(rf"(?P<year>\d{{4}})/(?P<month>\d\d)/(?P<day>\d\d) \([A-Z][a-z]+\) {_CLOCK}"),
    re.compile(r"(?P<day>\d{1,2}) (?P<word>[A-Z][a-z]+),? (?P<year>\d{4})"),
    re.compile(rf"[A-Za-z]{{3}} (?P<word>[A-Za-z]{{3}}) +(?P<day>\d{{1,2}}) {_CLOCK} (?P<year>\d{{4}})"),
)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


class Misfit(Exception):  # noqa: N818 - never leaves this room: it becomes a Dropped or a Fault
    """A field of a record has not the shape its format promises."""

    def __init__(self, field: str, reason: str) -> None:
        """Keep the *field* and what was seen there."""
        super().__init__(f"{field}: {reason}")
        self.field = field
        self.reason = reason


def as_object(record: Any) -> dict[str, Any]:
    """Return *record*, which must be an object."""
    if not isinstance(record, dict):
        raise Misfit("", f"is {shown(record)}; expected an object")
    return record


def taken(record: Any, field: str, kind: type[T], noun: str) -> T:
    """Return `record[field]`, which must be a *kind*; raise Misfit with the *noun* otherwise."""
    if field not in as_object(record):
        raise Misfit(field, "is missing")
    value = record[field]
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        raise Misfit(field, f"is {shown(value)}; expected {noun}")
    return value


def text(record: Any, field: str) -> str:
    """Return a text field."""
    return taken(record, field, str, "text")


def listing(record: Any, field: str) -> list[Any]:
    """Return a list field."""
    return taken(record, field, list, "a list")


def mapping(record: Any, field: str) -> dict[str, Any]:
    """Return an object field."""
    return taken(record, field, dict, "an object")


def optional_text(record: Any, field: str) -> str | None:
    """Return a text field, or None where it is missing, null or no text."""
    value = record.get(field)
    return value if isinstance(value, str) else None


def rest_of(record: dict[str, Any], mapped: Iterable[str]) -> dict[str, Any]:
    """Return the fields that have no place in a noun; one with a name of memspan's own is renamed.

    >>> rest_of({"dia_id": "D1:1", "mood": "calm", "time": "noon"}, {"dia_id"})
    {'mood': 'calm', 'given_time': 'noon'}
    """
    rest = {key: value for key, value in record.items() if key not in mapped}
    return {f"given_{key}" if key in _OWN else key: value for key, value in rest.items()}


def answer_of(record: Any, place: str, dropped: list[Dropped], field: str = "answer") -> str | None:
    """Return an answer as text; a number becomes text and is reported in *dropped*."""
    value = record.get(field)
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "yes" if value else "no"
    dropped.append(Dropped(place, field, f"is {shown(value)}, not text; read as text", kept=True))
    return shown(value)


def each(
    records: Iterable[Any], name: str, read: Callable[[str, Any], T | None], dropped: list[Dropped]
) -> Iterator[T]:
    """Yield what *read* makes of each record; one that does not fit goes to *dropped*."""
    for i, record in enumerate(records):
        place = f"{name}[{i}]"
        try:
            made = read(place, as_object(record))
        except Misfit as misfit:
            dropped.append(Dropped(place, misfit.field, misfit.reason))
        else:
            if made is not None:
                yield made


def each_material(source: Source, read: Callable[[str, Any], Material]) -> list[Material]:
    """Return a material per record of the file.

    A record that does not fit becomes an empty material that says so. Where none fits, the
    file is refused.

    Raises:
        FileError: no record fits, or the text is not sound JSON.
    """
    materials, misfits = [], []
    for i, record in enumerate(source.records):
        place = f"records[{i}]"
        try:
            materials.append(read(place, as_object(record)))
        except Misfit as misfit:
            misfits.append(Fault(place, misfit.field, misfit.reason))
            dropped = Dropped(place, misfit.field, misfit.reason)
            materials.append(Material(f"record {i}", dropped=(dropped,)))
    if len(misfits) == len(materials):
        raise FileError(str(source.path), misfits)
    return materials


def distinct(names: Sequence[str]) -> list[str]:
    """Return *names* with a number behind each repeat.

    >>> distinct(["a", "b", "a", "a"])
    ['a', 'b', 'a#2', 'a#3']
    """
    used = set(names)
    seen: set[str] = set()
    made = []
    for name in names:
        new = name if name not in seen else next(n for i in count(2) if (n := f"{name}#{i}") not in used)
        seen.add(name)
        used.add(new)
        made.append(new)
    return made


def iso(time: str | None) -> str | None:
    """Return *time* in ISO 8601 where its notation is known, else as it is.

    >>> iso("4:04 pm on 20 January, 2023"), iso("2023/05/28 (Sun) 19:47"), iso("in spring")
    ('2023-01-20T16:04', '2023-05-28T19:47', 'in spring')
    """
    found = next((m for m in (p.fullmatch((time or "").strip()) for p in _TIMES) if m), None)
    if not found:
        return time
    part = found.groupdict()
    month = int(part.get("month") or 0) or _month(part["word"])
    if not month:
        return time
    day = f"{part['year']}-{month:02}-{int(part['day']):02}"
    return f"{day}T{_clock(part)}" if part.get("hour") else day


def _month(word: str) -> int:
    start = word[:3].lower()
    return _MONTHS.index(start) + 1 if start in _MONTHS else 0


def _clock(part: dict[str, str | None]) -> str:
    hour = int(part["hour"] or 0)
    if part.get("half"):
        hour = hour % 12 + (12 if part["half"] == "pm" else 0)
    seconds = f":{part['second']}" if part.get("second") else ""
    return f"{hour:02}:{part['minute']}{seconds}"
