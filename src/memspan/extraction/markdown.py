"""Markdown to blocks: headings, lists, quotations, tables and code each in their own way."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import zip_longest

from memspan.extraction.blocks import ITEM, goes_on, is_wrapped, lines_of
from memspan.extraction.document import Block

_FENCE = re.compile(r"\s*(?P<mark>`{3,}|~{3,})")
_ATX = re.compile(r" {0,3}(?P<marks>#{1,6})[ \t]+(?=\S)")
_UNDERLINE = re.compile(r"(?:=+|-{3,})\s*\Z")
_RULE = re.compile(r"\s*(?:(?:\*\s*){3,}|(?:-\s*){3,}|(?:_\s*){3,})\Z")
_QUOTE = re.compile(r"\s*(?:>[ \t]?)+")
_DIVIDER = re.compile(r"\s*\|?(?:\s*:?-+:?\s*\|)+\s*(?::?-+:?)?\s*\Z")
_SIGNS = re.compile(
    r"^(?: {0,3}#{1,6}[ \t]+\S|[ \t]*(?:```|~~~)|[ \t]*\|?(?:[ \t]*:?-{3,}:?[ \t]*\|)+)"
    r"|\[[^\]\n]{1,80}\]\([^)\n]{1,300}\)",
    re.MULTILINE,
)
_EMPHASIS = re.compile(
    r"(?P<code>`[^`\n]+`)"
    r"|(?<![\w*\\/])(?P<stars>\*{1,3})(?=[^\s*])[^*`\n]{0,400}(?<=[^\s*\\])(?P=stars)(?![\w*/])"
    r"|(?<![\w\\/])(?P<lines>_{1,3})(?=[^\W_])[^_`\n]{0,400}(?<=[^\s_\\])(?P=lines)(?![\w/])"
)
_LOOKED_AT = 200_000  # characters from which Markdown is told
_SHORT_LINE = 1_000  # a longer line is prose whatever it begins with


def looks_like_markdown(text: str) -> bool:
    """Tell whether *text* has headings, fences, tables or links of Markdown."""
    return _SIGNS.search(text[:_LOOKED_AT]) is not None


def marks_of(text: str) -> Iterator[tuple[int, int]]:
    """Yield where marks of emphasis stand around words, and backticks around a single word.

    >>> text = "**north**, _not_ `south`; but a_b, 2 * 3 and `x = 1` stay"
    >>> [text[start:end] for start, end in marks_of(text)]
    ['**', '**', '_', '_', '`', '`']
    """
    for found in _EMPHASIS.finditer(text):
        if found["code"] and " " in found["code"]:
            continue
        width = len(found["stars"] or found["lines"] or "`")
        yield found.start(), found.start() + width
        yield found.end() - width, found.end()


@dataclass(frozen=True, slots=True)
class _Line:
    """A line and where it stands."""

    text: str
    start: int
    end: int


@dataclass
class _State:
    """What is open while lines go by."""

    text: str
    wrapped: bool
    start: int = 0
    end: int = 0
    lines: int = 0
    form: str = "prose"
    fence: str = ""
    columns: list[str] = field(default_factory=list)

    def close(self) -> Iterator[Block]:
        """Yield the open block, if any, and open none."""
        if self.start < self.end:
            yield Block(self.start, self.end, "quote" if self.form == "quote" else "prose")
        self.start = self.end
        self.lines = 0

    def take(self, first: int, last: int, form: str) -> None:
        """Let the open block reach to *last*; open one at *first* where none is open."""
        if self.start >= self.end:
            self.start, self.form, self.lines = first, form, 0
        self.end = last
        self.lines += 1


def markdown_blocks(text: str) -> Iterator[Block]:
    """Yield the blocks of Markdown; what lies between them is blank or markup.

    A fence of code is one block and so is each row of a table, told with the names of its columns.
    """
    places = lines_of(text)
    state = _State(text, is_wrapped(text, places))
    for first, last in places:
        line = _Line(text[first:last], first, last)
        yield from _READERS["fenced" if state.fence else _kind(state, line.text)](state, line)
    if state.fence and state.start < state.end:
        yield Block(state.start, state.end, "code")
    else:
        yield from state.close()


def _kind(state: _State, line: str) -> str:
    """Return what kind of line this is."""
    if len(line) > _SHORT_LINE:
        return "prose"
    if _FENCE.match(line):
        return "fence"
    if _ATX.match(line):
        return "atx"
    if _UNDERLINE.match(line) and state.lines == 1 and state.form == "prose":
        return "underline"
    if _RULE.match(line) or not line.strip():
        return "blank"
    return "row" if line.lstrip().startswith("|") else "prose"


def _prose(state: _State, line: _Line) -> Iterator[Block]:
    state.columns = []
    quote = _QUOTE.match(line.text)
    form = "quote" if quote else "prose"
    mark = quote.end() if quote else 0
    item = ITEM.match(line.text, mark)
    lazy = state.form == "quote" and not quote and state.lines > 0 and state.wrapped
    apart = item or (form != state.form and not lazy)
    if apart or not goes_on(line.text[mark:], wrapped=state.wrapped):
        yield from state.close()
    begins = item.end() if item else mark
    if line.text[begins:].strip():
        state.take(line.start + begins, line.end, form)
    else:
        yield from state.close()


def _fence(state: _State, line: _Line) -> Iterator[Block]:
    yield from state.close()
    found = _FENCE.match(line.text)
    state.fence = found["mark"] if found else ""
    state.start = state.end = line.end


def _fenced(state: _State, line: _Line) -> Iterator[Block]:
    bare = line.text.strip()
    if bare.startswith(state.fence) and not bare.strip(state.fence[0]):
        if state.start < state.end:
            yield Block(state.start, state.end, "code")
        state.fence = ""
        state.start = state.end
    elif bare:
        state.start = state.start if state.start < state.end else line.start
        state.end = line.end


def _atx(state: _State, line: _Line) -> Iterator[Block]:
    yield from state.close()
    found = _ATX.match(line.text)
    marks, begins = (len(found["marks"]), found.end()) if found else (1, 0)
    title = line.text[begins:].rstrip().rstrip("#").rstrip()
    yield Block(line.start + begins, line.start + begins + len(title), "heading", level=marks)


def _underline(state: _State, line: _Line) -> Iterator[Block]:
    """Yield the one open line as a heading, which is what ``===`` or ``---`` under it makes it."""
    yield Block(state.start, state.end, "heading", level=1 if line.text.startswith("=") else 2)
    state.start = state.end
    state.lines = 0


def _blank(state: _State, _line: _Line) -> Iterator[Block]:
    state.columns = []
    yield from state.close()


def _row(state: _State, line: _Line) -> Iterator[Block]:
    """Yield a row of a table; the first one names the columns, and the line of dashes is markup.

    The first is a block itself only where no line of dashes and row follow, which would say it again.
    """
    yield from state.close()
    if _DIVIDER.match(line.text):
        return
    cells = [cell.strip() for cell in line.text.strip().strip("|").split("|")]
    if not state.columns:
        state.columns = cells
        if not _heads_rows(state.text, line.end):
            yield Block(line.start, line.end, "row")
        return
    named = zip_longest(state.columns[: len(cells)], cells, fillvalue="")
    told = "; ".join(f"{column}: {cell}" if column else cell for column, cell in named if cell)
    yield Block(line.start, line.end, "row", " ".join(told.split()))


def _heads_rows(text: str, end: int) -> bool:
    """Tell whether a line of dashes and a row follow the line that ends at *end*."""
    below = re.split(r"\r\n|\r|\n", text[end : end + 2 * _SHORT_LINE], maxsplit=3)[1:3]
    return len(below) == 2 and bool(_DIVIDER.match(below[0])) and below[1].lstrip().startswith("|")


_READERS = {
    "prose": _prose,
    "fence": _fence,
    "fenced": _fenced,
    "atx": _atx,
    "underline": _underline,
    "blank": _blank,
    "row": _row,
}
