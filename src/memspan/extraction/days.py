"""Diaries: a line that is only a date dates what follows it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from memspan.extraction.blocks import lines_of
from memspan.extraction.document import Block
from memspan.language.dates import iso_time

_YEAR = re.compile(r"(?<!\d)\d{4}(?!\d)")
_BULLET = re.compile(r"\s*[-*+•‣–][ \t]")  # noqa: RUF001 - bullets
_FRAME = " \t-–—=*#_[]:"  # noqa: RUF001 - what people put around a date
_BEGINS = re.compile(
    r"(?:\A|[.!?…。！？][\"'”’»)\]*_]*|[-=*~`]{3}|(?:\r\n|\r(?!\n)|\n)[ \t]*[\r\n])\s*\Z"  # noqa: RUF001
)
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
_WEEKDAY = r"(?:mon|tue(?:s)?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?\.?"
_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
_DATE = re.compile(  # other languages are left to nobody's guess: claims are the same whatever is installed
    rf"(?:{_WEEKDAY},?\s+)?"
    rf"(?:\d{{4}}([-/.])\d\d?\1\d\d?|\d\d?([/.])\d\d?\2\d{{4}}"
    rf"|{_DAY}\s(?:of\s)?{_MONTH},?\s\d{{4}}|{_MONTH}\s{_DAY},?\s\d{{4}})"
    rf"(?:[,\s(]+{_WEEKDAY}\)?)?(?:(?:,|\sat)?[\sT]\d{{1,2}}:\d\d(?::\d\d)?(?:\s?[ap]\.?m\.?)?)?\.?",
    re.IGNORECASE,
)
_LONGEST = 40  # characters of a line that is only a date
_LOOKED_BACK = 80  # characters before a line by which it is told what it follows


def day_of(line: str) -> str | None:
    """Return the day, in ISO 8601, that *line* consists of; None where it says more or less.

    >>> day_of("Monday, 2 March 2026:"), day_of("March 2026"), day_of("Born 2 March 2026")
    ('2026-03-02', None, None)
    """
    bare = line.strip(_FRAME)
    if len(bare) > _LONGEST or not _DATE.fullmatch(bare):
        return None
    time = iso_time(bare)
    return time if time and len(time) >= len("2026-03-02") else None


def dated_blocks(text: str, blocks: Iterable[Block]) -> Iterator[Block]:
    """Yield *blocks* with the lines that are only a date as blocks of their own, of the form ``date``.

    Such a line begins a paragraph or follows the end of a sentence, so that a date at the end of a
    wrapped sentence stays in it; it is no entry of a list with bullets and no quotation.
    """
    fresh = True
    for block in blocks:
        if block.form == "prose" and _YEAR.search(text, block.start, block.end):
            for part in _split(text, block, fresh=fresh):
                fresh = part.form == "date"
                yield part
        else:
            fresh = block.form == "heading"
            yield block


def _split(text: str, block: Block, *, fresh: bool) -> Iterator[Block]:
    """Yield the date lines of *block* and what lies between; *fresh*: it follows a heading or a date."""
    start = block.start
    begins = max(text.rfind("\n", 0, start), text.rfind("\r", 0, start)) + 1  # where a bullet would be
    for first, last in lines_of(text[begins : block.end]):
        line = text[begins + first : begins + last]
        if _is_day(text, begins + first, line, fresh=fresh):
            yield from _between(text, block, start, begins + first)
            yield Block(begins + first, begins + last, "date")
            start, fresh = begins + last, True
        else:
            fresh = False
    yield from _between(text, block, start, block.end)


def _is_day(text: str, start: int, line: str, *, fresh: bool) -> bool:
    if len(line) > 2 * _LONGEST or _BULLET.match(line):
        return False
    begins = fresh or _BEGINS.search(text[max(0, start - _LOOKED_BACK) : start])
    return bool(begins) and day_of(line) is not None


def _between(text: str, block: Block, start: int, end: int) -> Iterator[Block]:
    """Yield the part of *block* from *start* to *end*, without the blanks around it."""
    part = text[start:end] if start < end else ""
    if part.strip():
        yield replace(block, start=end - len(part.lstrip()), end=start + len(part.rstrip()))
