"""How a claim says what its source says: names for the first person, dates for relative ones."""

from __future__ import annotations

import re
import sys
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from memspan.extraction.document import Passage
from memspan.extraction.markdown import marks_of
from memspan.extraction.persons import Edit, quoted, seems_english, third_person
from memspan.language.dates import relative_dates

_QUOTE_MARKS = re.compile(r"(?:\r\n|\r|\n)[ \t]*(?:>[ \t]?)+")


class Wording:
    """Words the pieces of one passage."""

    def __init__(self, passage: Passage, *, english: bool, day: str | None, marked: bool = False) -> None:
        """Find out once what is not to be touched.

        *day* is when the passage was said, if known; *marked* tells that emphasis has marks of Markdown.
        """
        self._passage = passage
        self._marked = marked and passage.form != "code"
        part = passage.text[passage.start : passage.end]
        is_prose = passage.form == "prose" and passage.words is None
        self._day = day
        self._rewrites = is_prose and bool(passage.speaker or day) and seems_english(part, otherwise=english)
        kept = quoted(part) if self._rewrites else []
        self._kept = [(start + passage.start, end + passage.start) for start, end in kept]

    def of(self, start: int, end: int) -> tuple[str, str | None]:
        """Return what the piece from *start* to *end* says, and its own words where those differ."""
        piece = self._passage.text[start:end]
        words = self._passage.words
        told = self._told(piece, start) if words is None else applied(words, self._marks(words))
        return told, None if told == " ".join(piece.split()) else piece

    def _told(self, piece: str, start: int) -> str:
        if self._passage.form == "quote":
            said = " ".join(_QUOTE_MARKS.sub(" ", piece).split())
            return applied(said, self._marks(said))
        edits = self._edits(piece) if self._rewrites else ()
        free = [edit for edit in edits if not self._is_kept(edit.start + start)]
        return " ".join(applied(piece, [*free, *self._marks(piece)]).split())

    def _marks(self, text: str) -> list[Edit]:
        return [Edit(start, end, "") for start, end in marks_of(text)] if self._marked else []

    def _edits(self, piece: str) -> Iterator[Edit]:
        if self._passage.speaker:
            yield from third_person(piece, self._passage.speaker)
        for found in relative_dates(piece, self._day):
            yield Edit(found.end, found.end, f" ({found.value.replace('/', ' to ')})")

    def _is_kept(self, position: int) -> bool:
        before = bisect_right(self._kept, (position, sys.maxsize)) - 1
        return before >= 0 and position < self._kept[before][1]


def applied(text: str, edits: Sequence[Edit]) -> str:
    """Return *text* with *edits* made; of two that overlap the earlier one is made."""
    made, position = [], 0
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        if edit.start >= position:
            made += [text[position : edit.start], edit.words]
            position = edit.end
    return "".join([*made, text[position:]])
