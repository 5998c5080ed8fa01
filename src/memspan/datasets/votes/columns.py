"""Tables of votes: which column names the object, which the source, which the value; their rows."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memspan.datasets.fields import iso
from memspan.datasets.question_fields import Notes
from memspan.datasets.source import Source

OBJECT = ("object", "objectid", "item", "itemid", "question", "questionid", "task", "taskid", "entity")
SOURCE = ("source", "sourceid", "worker", "workerid", "annotator", "annotatorid", "voter", "rater", "labeler")
VALUE = ("value", "propertyvalue", "answer", "label", "response", "vote")
TRUTH = ("truth", "groundtruth", "gold", *VALUE)
RELATION = ("property", "propertyid", "attribute", "relation")
TIME = ("time", "timestamp", "date")

_DELIMITERS = ",\t;|"
_ISBN = re.compile(r"(?:97[89][- ]?)?(?:\d[- ]?){9}[\dXx]")
_LONGEST = 40
_LOOKED_AT = 200


@dataclass(frozen=True)
class Layout:
    """How a table is written, and the position of each column; None where it has none.

    Attributes:
        delimiter: what parts the cells.
        headed: whether the first line names the columns.
        object: what is spoken about.
        value: what is said of it.
        source: who says it.
        relation: which property of the object is meant.
        time: when it was said.
        title: what people call the object.
    """

    delimiter: str
    headed: bool
    object: int
    value: int
    source: int | None = None
    relation: int | None = None
    time: int | None = None
    title: int | None = None

    @property
    def needed(self) -> int:
        """The number of cells without which a row says nothing."""
        return max(self.object, self.value, self.source or 0, self.relation or 0) + 1


BOOKS = Layout("\t", headed=False, object=1, value=3, source=0, title=2)
BOOK_TRUTH = Layout("\t", headed=False, object=0, value=1)


@dataclass(frozen=True, slots=True)
class Said:
    """One row: what a source says of an object, or what is true of it."""

    place: str
    object: str
    value: str
    source: str = ""
    relation: str = ""
    time: str | None = None
    title: str = ""


def layout_of(source: Source) -> Layout | None:
    """Return how the votes in *source* are written; None where its header names no votes."""
    found = _headed(source, VALUE)
    return found if found is not None and found.source is not None else None


def truth_layout_of(source: Source) -> Layout | None:
    """Return how the truths in *source* are written; None where it is no table of objects and values."""
    found = _headed(source, TRUTH)
    if found is not None:
        return found
    rows = [line.split("\t") for line in _first_lines(source)]
    fits = [len(row) > BOOK_TRUTH.value and is_isbn(row[BOOK_TRUTH.object]) for row in rows]
    return BOOK_TRUTH if fits and sum(fits) > len(fits) / 2 else None


def are_books(source: Source) -> bool:
    """Whether *source* is a table without a header of source, ISBN, title and authors."""
    rows = [line.split("\t") for line in _first_lines(source)]
    fits = [len(row) > BOOKS.value and is_isbn(row[BOOKS.object]) for row in rows]
    return bool(fits) and sum(fits) > len(fits) / 2


def is_isbn(cell: str) -> bool:
    """Whether *cell* is written as an ISBN of 10 or 13 digits."""
    return len(cell) < _LONGEST and bool(_ISBN.fullmatch(cell.strip()))


def _first_lines(source: Source) -> list[str]:
    if source.shape != "text":
        return []
    lines = source.head.replace("\r\n", "\n").split("\n")
    whole = lines[:-1] if len(lines) > 1 else lines
    return [line for line in whole if line.strip()][:_LOOKED_AT]


def _headed(source: Source, values: Sequence[str]) -> Layout | None:
    if source.shape != "text":
        return None
    first = next((line for line in source.head.splitlines() if line.strip()), "")
    for delimiter in _DELIMITERS:
        names = [_folded(cell) for cell in _cells(first, delimiter)]
        at = [_position(names, wanted) for wanted in (OBJECT, values, SOURCE, RELATION, TIME)]
        thing, value, *others = at
        if thing is not None and value is not None:
            return Layout(delimiter, True, thing, value, *others)
    return None


def _cells(line: str, delimiter: str) -> list[str]:
    try:
        return next(csv.reader([line], delimiter=delimiter), [])
    except csv.Error:
        return []


def _folded(cell: str) -> str:
    return re.sub(r"[\s_-]", "", cell).lower() if len(cell) < _LONGEST else ""


def _position(names: Sequence[str], wanted: Sequence[str]) -> int | None:
    return next((names.index(name) for name in wanted if name in names), None)


def rows_of(source: Source, layout: Layout, notes: Notes, before: str = "") -> Iterator[Said]:
    """Yield the rows of *source*; those that cannot be used are told to *notes*.

    Args:
        source: the table.
        layout: its columns.
        notes: takes what is left out.
        before: stands before each place, where the table is not the one that is loaded.
    """
    text = io.StringIO(source.text.replace("\x00", ""), newline="")
    if layout.headed:
        reader = csv.reader(text, delimiter=layout.delimiter)
    else:  # a quote is a letter like any other
        reader = csv.reader(text, delimiter=layout.delimiter, quoting=csv.QUOTE_NONE)
    above, header = 0, layout.headed
    try:
        for cells in reader:
            place, above = f"{before}line {above + 1}", reader.line_num
            if not any(cell.strip() for cell in cells):
                continue
            if header:
                header = False
            elif len(cells) < layout.needed:
                notes.add(place, "", f"has fewer than {layout.needed} cells; left out", kept=False)
            else:
                yield from _said(place, cells, layout, notes)
    except csv.Error as error:
        notes.add(f"{before}line {above + 1}", "", f"is no sound row ({error}); the rest is lost", kept=False)


def _said(place: str, cells: Sequence[str], layout: Layout, notes: Notes) -> Iterator[Said]:
    def cell(at: int | None) -> str:
        return cells[at].strip() if at is not None and at < len(cells) else ""

    thing, source = cell(layout.object), cell(layout.source)
    if not thing or (layout.source is not None and not source):
        missing = "object" if not thing else "source"
        notes.add(place, missing, "is empty; left out", kept=False)
        return
    time = iso(cell(layout.time)) or None
    yield Said(place, thing, cell(layout.value), source, cell(layout.relation), time, cell(layout.title))
