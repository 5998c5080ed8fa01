"""Text to blocks: paragraphs, entries of lists and headings of plain text, by its lines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise

from memspan.extraction.document import Block

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")
ITEM = re.compile(r"\s*(?:[-*+•‣–]|\d{1,3}[.)]|[a-z][.)])[ \t]+(?=\S)")  # noqa: RUF001 - bullets
_NUMERAL = r"(?:[IVXLCDM]+|\d+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
_HEADING = re.compile(
    rf"\s*(?P<part>book|part|volume|chapter|canto|act|scene|section|letter|session|episode)\s+{_NUMERAL}\b"
    r"(?P<title>[^\r\n]{0,80})$",
    re.IGNORECASE,
)
_LEVELS = {"volume": 1, "book": 1, "part": 1, "chapter": 2, "canto": 2, "act": 2, "scene": 3, "section": 3}
_LOOKED_AT = 20_000  # lines from which the width of wrapped text is told
_NARROW, _BROAD = 45, 130  # characters between which hard-wrapped lines end


def lines_of(text: str) -> list[tuple[int, int]]:
    """Return where the lines of *text* stand, whatever ends them, without the ends."""
    found = []
    for line in _LINE.finditer(text):
        if line.start() == len(text):
            break
        found.append((line.start(), line.start() + len(line.group().rstrip("\r\n"))))
    return found


def is_wrapped(text: str, lines: Sequence[tuple[int, int]]) -> bool:
    """Tell whether line ends within a paragraph come from a fixed width and mean nothing."""
    inner = sorted(
        end - start
        for (start, end), (start_of_next, end_of_next) in islice(pairwise(lines), _LOOKED_AT)
        if text[start:end].strip() and text[start_of_next:end_of_next].strip()
    )
    return bool(inner) and inner[len(inner) // 2] >= _NARROW and inner[len(inner) * 19 // 20] <= _BROAD


def plain_blocks(text: str) -> Iterator[Block]:
    """Yield the blocks of plain *text*; what lies between them is blank or the mark of a list.

    A blank line ends a paragraph. Where the text is not hard-wrapped, so does each line end, unless
    the next line goes on in lower case. ``BOOK II`` or ``Chapter 3. Home`` behind a blank line is a
    heading.
    """
    lines = lines_of(text)
    wrapped = is_wrapped(text, lines)
    start = end = 0
    after_blank = True
    for first, last in lines:
        line = text[first:last]
        is_blank = not line or line.isspace()
        heading = heading_level(line) if after_blank and not is_blank else 0
        item = None if is_blank else ITEM.match(line)
        after_blank = is_blank
        if start < end and (after_blank or heading or item or not goes_on(line, wrapped=wrapped)):
            yield Block(start, end)
            start = end
        if heading:
            yield Block(first, last, "heading", level=heading)
        elif not after_blank:
            start = start if start < end else first + (item.end() if item else 0)
            end = last
    if start < end:
        yield Block(start, end)


def heading_level(line: str) -> int:
    """Return the level of a heading of plain text, 0 where *line* is none.

    >>> heading_level("BOOK II"), heading_level("Chapter 3: Home"), heading_level("Book two is dull.")
    (1, 2, 0)
    """
    found = _HEADING.match(line) if len(line) <= 120 else None
    if not found:
        return 0
    title = found["title"].strip()
    titled = not title or title[0] in ".:-—–" or (title[0].isupper() and title[-1] not in ".!?;,")  # noqa: RUF001
    return _LEVELS.get(found["part"].lower(), 2) if titled else 0


def goes_on(line: str, *, wrapped: bool) -> bool:
    """Tell whether *line* belongs to the paragraph of the line before it."""
    return wrapped or line.lstrip()[:1].islower()
