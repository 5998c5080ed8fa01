"""CSV and TSV of texts, with a header or, where the name of the file says so, without one."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from memspan.datasets.source import Source
from memspan.datasets.stores.exports import SURE, no_text
from memspan.datasets.stores.intake import Intake
from memspan.datasets.stores.unnamed import tell_unnamed_times
from memspan.datasets.stores.usual import KNOWN, TEXT, folded_name, stored_of, text_field
from memspan.material import Material

_DELIMITERS = ",\t;|"
_TABLES = frozenset({".csv", ".tsv", ".tab"})
_NAME = re.compile(r"[\w .:/()-]{1,40}")
_ASKED = frozenset({"question", "query", "prompt"})
_MOST_WORDS = 3
_HEAD = 60_000
_LOOKED_AT = 50


@dataclass(frozen=True)
class Layout:
    """How a table is written: its delimiter, the names of its columns, and whether a header gives them."""

    delimiter: str
    names: tuple[str, ...]
    headed: bool = True


def looks_like_table(source: Source) -> bool:
    """Whether *source* is a table with a column of texts, and not a log of questions."""
    if source.shape != "text":
        return False
    layout = _layout(source)
    if layout is None:
        return False
    lower = {folded_name(name) for name in layout.names}
    if lower & _ASKED and not lower & SURE:
        return False
    rows = list(_sample(source, layout))
    if not rows:
        return False
    named = bool(lower & set(TEXT)) and len(layout.names) > 1
    return (
        text_field(rows, guess=False) is not None if named else _is_table(source) and _text(rows) is not None
    )


def read_table(source: Source) -> list[Material]:
    """Return the rows of the table in *source* as one material.

    Raises:
        FileError: not a table, or no column holds a text.
    """
    layout = _layout(source)
    if layout is None:
        raise source.refuse("is no table; the first line of a table names its columns")
    intake = Intake(source.path.stem, "memories")
    rows = list(_rows(source.text, layout, intake))
    text = _text([row for _, row in rows])
    if text is None:
        raise source.refuse(no_text(layout.names if layout.headed else ()))
    if layout.headed:
        tell_unnamed_times([{key: row[key] for key in row if key != text} for _, row in rows], intake)
    else:
        intake.tell("line 1", "names no columns, so it is read as a memory", kept=True)
    for place, row in rows:
        stored = stored_of(
            {key: value for key, value in row.items() if key != text and value}, row.get(text) or ""
        )
        if not stored.text.strip():
            intake.tell(place, "has no text; kept as an empty memory", field=text, kept=True)
        intake.take(stored)
    return [intake.material()]


def _is_table(source: Source) -> bool:
    return source.path.suffix.lower() in _TABLES


def _text(rows: list[dict[str, str]]) -> str | None:
    found = text_field(rows, guess=True)
    if found is None and rows and all(len(row) == 1 for row in rows):
        return next(iter(rows[0]))
    return found


def _layout(source: Source) -> Layout | None:
    """Return how the table is written; None where the first line is no header and the name says no table."""
    first = next((line for line in source.head.splitlines() if line.strip()), "")
    cuts = [(delimiter, _cells(first, delimiter)) for delimiter in _DELIMITERS]
    delimiter, cells = max(cuts, key=lambda cut: (len(KNOWN & set(map(folded_name, cut[1]))), len(cut[1])))
    known = {folded_name(cell) for cell in cells} & KNOWN
    if (
        len(set(cells)) == len(cells)
        and all(_is_name(cell) for cell in cells)
        and (known or _is_table(source))
    ):
        wordy = not known and any(len(cell.split()) > 1 for cell in cells)
        if not wordy:
            return Layout(delimiter, tuple(cells))
    if not _is_table(source):
        return None
    return Layout(delimiter, tuple(f"column {n}" for n in range(1, len(cells) + 1)), headed=False)


def _is_name(cell: str) -> bool:
    return (
        bool(_NAME.fullmatch(cell)) and len(cell.split()) <= _MOST_WORDS and bool(re.search(r"[^\W\d]", cell))
    )


def _cells(line: str, delimiter: str) -> list[str]:
    try:
        return [cell.strip() for cell in next(csv.reader([line], delimiter=delimiter), [])]
    except csv.Error:
        return []


def _sample(source: Source, layout: Layout) -> Iterator[dict[str, str]]:
    """Yield the first rows that fit the header; none where most do not."""
    intake = Intake("sample", "memories")
    whole = source.head if len(source.head) < _HEAD else source.head.rpartition("\n")[0]
    rows = [row for _, row in _rows(whole, layout, intake)]
    if not rows:  # the first row alone is longer than the head
        rows = [row for _, row in _rows(source.text, layout, intake)]
    lost = sum(not each.kept for each in intake.material().dropped)
    if len(rows) > lost:
        yield from rows[:_LOOKED_AT]


def _rows(text: str, layout: Layout, intake: Intake) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield each row with its line; one that has too many cells is told and left out."""
    reader = csv.reader(io.StringIO(text.replace("\x00", ""), newline=""), delimiter=layout.delimiter)
    above, header = 0, layout.headed
    with _long_fields(len(text)):
        try:
            for cells in reader:
                place, above = f"line {above + 1}", reader.line_num
                if not any(cell.strip() for cell in cells):
                    continue
                if header:
                    header = False
                    continue
                if len(cells) > len(layout.names):
                    told = f"has {len(cells)} cells where the header has {len(layout.names)}"
                    intake.tell(place, f"{told}; put quotes around a text that holds the delimiter")
                    continue
                yield place, dict(zip(layout.names, cells, strict=False))
        except csv.Error as error:
            intake.tell(f"line {above + 1}", f"is no sound row ({error}); what follows is lost")


@contextmanager
def _long_fields(length: int) -> Iterator[None]:
    """Let a field be as long as the file: the usual bound is 128 KB."""
    before = csv.field_size_limit(max(length, 1))
    try:
        yield
    finally:
        csv.field_size_limit(before)
