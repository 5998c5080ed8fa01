"""The rows of a log: JSON Lines, a JSON list, or a table with a header, as plain records."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from memspan.datasets.json_text import parse, shown
from memspan.datasets.source import MOST_FAULTS, open_source
from memspan.errors import Fault, FileError

QUESTION = ("question", "query", "text", "prompt", "input")
ANSWER = ("answer", "expected", "gold")
OUTCOME = ("outcome", "correct", "score", "label", "thumbs", "rating", "feedback")
TIME = ("time", "timestamp")
WEIGHT = ("weight", "count")
ANSWERABLE = ("answerable",)
_DELIMITERS = ",\t;|"


@dataclass(frozen=True)
class Columns:
    """What the fields of a log may be called, and one of which it needs.

    Attributes:
        needed: names of the field that some row must have.
        others: names of all other fields that are known.
        noun: what the needed field holds.
        lists: names under which a document may hold its rows.
    """

    needed: tuple[str, ...]
    others: tuple[str, ...]
    noun: str
    lists: tuple[str, ...]

    @cached_property
    def known(self) -> frozenset[str]:
        """All names that are known, in lower case."""
        return frozenset((*self.needed, *self.others))


QUESTIONS = Columns(
    QUESTION, (*ANSWER, *OUTCOME, *TIME, *WEIGHT, *ANSWERABLE), "question", lists=("questions",)
)


@dataclass(frozen=True)
class Row:
    """One record of a log.

    Attributes:
        place: where it stands, e.g. ``line 12``.
        fields: its fields; the names that memspan knows are in lower case.
    """

    place: str
    fields: dict[str, Any]


def read_rows(path: Path, encoding: str, columns: Columns = QUESTIONS) -> list[Row]:
    """Return the records of the log at *path*; each is an object or a row of a table.

    Raises:
        FileError: not readable in *encoding*, empty, not sound, or without a field that *columns* needs.
    """
    text = _text(path, encoding)
    start = text.lstrip()[:1]
    rows, faults = (_json if start in ("{", "[") else _table)(text, columns)
    if faults:
        raise FileError(str(path), faults[:MOST_FAULTS])
    if not rows:
        raise _refused(path, f"holds no row; a log of {columns.noun}s holds at least one")
    if not any(name in row.fields for row in rows for name in columns.needed):
        raise _refused(path, _none_needed(list(rows[0].fields), "fields", columns))
    return rows


def _refused(path: Path, problem: str, record: str = "") -> FileError:
    return FileError(str(path), [Fault(record, "", problem)])


def _text(path: Path, encoding: str) -> str:
    """Return the whole text; UTF-8 goes through the checks that every data file gets."""
    if encoding.lower().replace("_", "-") in ("utf-8", "utf8", "utf-8-sig"):
        text = open_source(path).text
    else:
        text = _decoded(path, encoding)
    if "\x00" in text:
        line = text.count("\n", 0, text.index("\x00")) + 1
        problem = "holds a zero byte; the file is damaged or not text: export the log again"
        raise _refused(path, problem, f"line {line}")
    return text


def _decoded(path: Path, encoding: str) -> str:
    try:
        text = path.read_bytes().decode(encoding).removeprefix("\ufeff")
    except OSError as error:
        raise _refused(path, f"cannot be read: {error.strerror or error}") from error
    except LookupError as error:
        raise _refused(
            path, f"{encoding!r} names no encoding; name one as Python does, e.g. cp1252"
        ) from error
    except ValueError as error:  # also a NUL inside the file's name
        raise _refused(path, f"is not {encoding} ({error}); name the encoding it was saved in") from error
    if not text.strip():
        raise _refused(path, "is empty; a log of questions holds at least one")
    return text


# --- JSON ---------------------------------------------------------------------------------------


def _json(text: str, columns: Columns) -> tuple[list[Row], Sequence[Fault]]:
    first = next(line for line in text.split("\n") if line.strip())
    if text.lstrip().startswith("{") and isinstance(parse(first).value, dict):
        return _lines(text, columns)
    parsed = parse(text)
    if parsed.faults:
        return [], parsed.faults
    listed = _listed(parsed.value, columns)
    return _objects(((f"records[{i}]", value) for i, value in enumerate(listed)), columns)


def _lines(text: str, columns: Columns) -> tuple[list[Row], list[Fault]]:
    lines = [(f"line {i}", line) for i, line in enumerate(text.split("\n"), start=1) if line.strip()]
    parsed = [(place, parse(line, place)) for place, line in lines]
    faults = [fault for _, line in parsed for fault in line.faults]
    if faults:
        return [], faults
    if len(parsed) == 1:
        listed = _listed(parsed[0][1].value, columns)
        return _objects(((f"records[{i}]", value) for i, value in enumerate(listed)), columns)
    return _objects(((place, line.value) for place, line in parsed), columns)


def _listed(value: Any, columns: Columns) -> list[Any]:
    """Return the records of a document: a list, an object that holds them by name, or itself."""
    if isinstance(value, dict):
        named = (value[name] for name in columns.lists if isinstance(value.get(name), list))
        value = next(named, value)
    return value if isinstance(value, list) else [value]


def _objects(values: Iterable[tuple[str, Any]], columns: Columns) -> tuple[list[Row], list[Fault]]:
    rows: list[Row] = []
    faults: list[Fault] = []
    for place, value in values:
        if isinstance(value, str):
            rows.append(Row(place, {columns.needed[0]: value}))
        elif isinstance(value, dict):
            rows.append(Row(place, {_named(key, columns): inner for key, inner in value.items()}))
        else:
            faults.append(
                Fault(place, "", f"is {shown(value)}; expected an object with a {columns.noun}, or text")
            )
    return rows, faults


# --- tables -------------------------------------------------------------------------------------


def _table(text: str, columns: Columns) -> tuple[list[Row], Sequence[Fault]]:
    delimiter, header = _header(text, columns)
    if not set(header) & set(columns.needed):
        return [], [Fault("line 1", "", _none_needed(header, "columns", columns))]
    twice = sorted({name for name in header if name and header.count(name) > 1})
    if twice:
        return [], [Fault("line 1", name, "names two columns; rename one") for name in twice]
    return _cells(text, delimiter, header)


def _header(text: str, columns: Columns) -> tuple[str, list[str]]:
    """Return the delimiter under which the first line names most columns that memspan knows."""
    first = next(line for line in text.splitlines() if line.strip())
    cuts = [(delimiter, [_named(cell.strip().strip('"'), columns) for cell in first.split(delimiter)])
            for delimiter in _DELIMITERS]  # fmt: skip
    return max(cuts, key=lambda cut: (len(columns.known & set(cut[1])), len(cut[1])))


def _named(name: str, columns: Columns) -> str:
    plain = name.strip().lower()
    return plain if plain in columns.known else name


def _none_needed(seen: Sequence[str], noun: str, columns: Columns) -> str:
    allowed = ", ".join(columns.needed)
    if len(seen) == 1 and seen[0].rstrip().endswith("?"):
        return f"is a question, not a header; put a first line that says question (allowed are {allowed})"
    names = ", ".join(shown(name) for name in seen[:8])
    return f"the {noun} are {names}, and none holds the {columns.noun}; name one of them {allowed}"


def _cells(text: str, delimiter: str, header: list[str]) -> tuple[list[Row], list[Fault]]:
    rows: list[Row] = []
    faults: list[Fault] = []
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    above = 0
    try:
        for cells in reader:
            place, above = f"line {above + 1}", reader.line_num
            if not any(cell.strip() for cell in cells):
                continue
            if len(cells) != len(header):
                faults.append(Fault(place, "", _ragged(len(cells), len(header), delimiter)))
            rows.append(Row(place, dict(zip(header, cells, strict=False))))
    except csv.Error as error:
        faults.append(Fault(f"line {above + 1}", "", _broken(str(error))))
    return rows[1:], faults


def _ragged(seen: int, allowed: int, delimiter: str) -> str:
    cure = f"put quotes around a text that holds {shown(delimiter)}"
    return (
        f"has {seen} fields where the header has {allowed}; {cure if seen > allowed else 'fill the row up'}"
    )


def _broken(said: str) -> str:
    if "field larger" in said:
        limit = f"{csv.field_size_limit():,}"
        return f"has a field of more than {limit} characters; a quote that is never closed is the usual cause"
    if "unexpected end" in said:
        return "begins a quoted text that is never closed; close it, and double each quote inside a text"
    return f"is no sound row ({said}); put quotes around the whole text and double each quote inside it"
