"""Tables of votes as formats: author lists of books, and any table of object, source and value.

Source of the layouts: the data fusion sets of X. L. Dong et al. (books, flights, weather, populations) as
https://github.com/totucuong/spectrum keeps them; https://github.com/yuan-li/truth-inference-at-scale for the
labels of crowds (``item,worker,label``).
"""

from __future__ import annotations

from pathlib import Path

from memspan.datasets.format import Format
from memspan.datasets.question_fields import Notes
from memspan.datasets.source import Source, open_source
from memspan.datasets.votes.authors import isbn
from memspan.datasets.votes.building import material_of
from memspan.datasets.votes.columns import BOOKS, Layout, are_books, layout_of, rows_of
from memspan.datasets.votes.tally import Named, notations, polls, truths, unmatched
from memspan.datasets.votes.truths import truths_beside
from memspan.datasets.votes.values import Notation
from memspan.errors import FileError
from memspan.material import Material

_NAMELESS = frozenset(("label", "labels", "votes", "answers", "claims"))
_TABLES = frozenset((".csv", ".tsv", ".tab"))
_MOST_TABLES = 50


def _are_votes(source: Source) -> bool:
    return layout_of(source) is not None


def _read_books(source: Source, _: str) -> list[Material]:
    if not are_books(source):
        raise source.refuse(
            "is no table of source, ISBN, title and authors, parted by tabs and without header"
        )
    return [_material(source, BOOKS, Notation("names"), isbn)]


def _read_votes(source: Source, _: str) -> list[Material]:
    layout = layout_of(source)
    if layout is None:
        raise source.refuse("is no table of votes; its first line names the columns object, source and value")
    return [_material(source, layout, None, str)]


def _material(source: Source, layout: Layout, fixed: Notation | None, named: Named) -> Material:
    notes = Notes()
    rows = list(rows_of(source, layout, notes))
    if not rows:
        raise source.refuse("holds no vote; a table of votes holds at least one row with object and source")
    written = notations(rows, fixed)
    things = polls(rows, written, named, notes)
    files = truths_beside(source, notes)
    known = truths(files, written, named, notes)
    if files:
        unmatched(things, known, notes)
    return material_of(_name(source), things, known, written, notes)


def _name(source: Source) -> str:
    """Return the file's stem; where that says nothing, the name of its folder."""
    path = source.path.resolve()
    return path.parent.name or path.stem if path.stem.lower() in _NAMELESS else path.stem


BOOK_AUTHORS = Format("book-authors", "Author lists of books by many shops", are_books, _read_books)
VOTES = Format("votes", "votes: CSV or TSV of object, source and value", _are_votes, _read_votes)


def tables_in(place: str) -> list[Source]:
    """Return the tables of votes that lie directly in the folder at *place*; none where it is no folder."""
    try:
        inside = sorted(Path(place).iterdir()) if Path(place).is_dir() else []
    except (OSError, ValueError):  # what cannot be opened is told by the one who must
        return []
    tables = [each for each in inside if each.suffix.lower() in _TABLES and each.is_file()]
    return [source for each in tables[:_MOST_TABLES] if (source := _opened(each)) is not None]


def _opened(path: Path) -> Source | None:
    try:
        source = open_source(path)
    except FileError:
        return None
    return source if are_books(source) or _are_votes(source) else None
