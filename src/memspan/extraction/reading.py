"""Files to documents: decoded with a clear word on what cannot be, and told apart by their content."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime
from itertools import takewhile
from pathlib import Path
from typing import Any

from memspan.errors import MemspanError, UnknownName
from memspan.extraction.blocks import plain_blocks
from memspan.extraction.chat import read_chat
from memspan.extraction.days import dated_blocks, day_of
from memspan.extraction.decoding import decoded, refusal
from memspan.extraction.document import KINDS, Block, Document, Kind, Passage
from memspan.extraction.markdown import looks_like_markdown, markdown_blocks
from memspan.extraction.transcript import looks_like_transcript, read_transcript
from memspan.material import Dropped

_JSON = re.compile(r"\s*(?:\{\s*[\"}]|\[\s*[\[{\"\]])")
_HTML = re.compile(r"\s*(?:<!doctype html|<html)\b", re.IGNORECASE)
_OWN = frozenset({"memspan"})


def read(
    path: str | os.PathLike[str],
    *,
    kind: str | None = None,
    encoding: str = "utf-8",
    time: str | None = None,
) -> list[Document]:
    """Read the documents of a file: one for a text, one for each conversation of a JSON file.

    Args:
        path: plain text, Markdown, a transcript, or conversations in JSON or JSON Lines.
        kind: one of `KINDS` where the content should not decide.
        encoding: of the file, as Python names it.
        time: when it was said or written, in ISO 8601; relative dates of what has no time of its
            own are resolved from it. In a text, a line or heading that is only a date dates what
            follows, and counts for more.

    Returns:
        At least one document, in the order of the file.

    Raises:
        FileError: the file cannot be read, is no text, or holds no message where it is JSON.
        UnknownName: there is no such kind.
        MemspanError: *time* is no date.
    """
    place = Path(path)
    return read_text(decoded(place, encoding), name=place.name, kind=kind, time=time, shown=str(place))


def read_text(
    text: str, *, name: str = "text", kind: str | None = None, time: str | None = None, shown: str = ""
) -> list[Document]:
    r"""Read the documents in *text* itself, as `read` does those of a file.

    Args:
        text: what the file would hold.
        name: how sources call it.
        kind: one of `KINDS` where the content should not decide.
        time: the anchor of relative dates, in ISO 8601.
        shown: how messages call it; *name* where it is empty.

    Raises:
        FileError: nothing in it, or JSON without a message.
        UnknownName: there is no such kind.
        MemspanError: *time* is no date.

    >>> [passage.speaker for passage in read_text("Ana: Hi!\nRui: Hello.\nAna: So?")[0].passages]
    ['Ana', 'Rui', 'Ana']
    """
    shown = shown or name
    if kind is not None and kind not in KINDS:
        raise UnknownName(f"there is no kind {kind!r} of text; choose one of {', '.join(KINDS)}")
    if not text.strip():
        raise refusal(shown, "is empty; give a text with at least one word")
    _check_time(time)
    ident = Path(name).stem or name
    value = _json_of(text, shown, kind)
    if value is not None:
        return _chats(name, ident, value, (shown, time))
    chosen = kind or _kind_of(text)
    if chosen == "transcript":
        return [read_transcript(name, ident, text, time)]
    reader = markdown_blocks if chosen == "markdown" else plain_blocks
    return [_blocked(name, ident, text, reader, time)]


def _check_time(time: str | None) -> None:
    try:
        datetime.fromisoformat(time or "2000-01-01")
    except ValueError as error:
        raise MemspanError(f"time {time!r} is no date; give it in ISO 8601, e.g. 2024-03-02") from error


# --- text to documents ----------------------------------------------------------------------------


def _kind_of(text: str) -> Kind:
    if looks_like_transcript(text):
        return "transcript"
    return "markdown" if looks_like_markdown(text) else "text"


def _json_of(text: str, shown: str, kind: str | None) -> Any:
    """Return the JSON in *text*: a document, or the records of JSON Lines; None where it is other text."""
    bare = text.removeprefix("\ufeff")
    if kind is None and _HTML.match(bare):
        raise refusal(shown, "is HTML; save its text first, or give kind='text' (--kind text)")
    if kind != "chat" and (kind or not _JSON.match(bare)):
        return None
    try:
        return json.loads(bare)
    except RecursionError as error:
        raise refusal(shown, "is nested too deeply to be a conversation") from error
    except ValueError as error:
        lines = _Lines(bare)
        if lines.values and len(lines.values) >= len(lines.faults):
            return lines
        cure = "give sound JSON, or say what else it is with --kind text (kind='text')"
        raise refusal(shown, f"is not sound JSON: {error}; {cure}") from error


class _Lines:
    """The records of JSON Lines, and the lines that hold none."""

    def __init__(self, text: str) -> None:
        """Parse each line that is not blank."""
        self.values: list[Any] = []
        self.faults: list[Dropped] = []
        for number, line in enumerate(re.split(r"\r\n|\r|\n", text), 1):
            if line.strip():
                self._take(number, line)

    def _take(self, number: int, line: str) -> None:
        try:
            value = json.loads(line)
        except (ValueError, RecursionError) as error:
            self.faults.append(Dropped(f"line {number}", "", f"is not sound JSON: {error}"))
        else:
            self.values.append(value)


def _chats(name: str, ident: str, value: Any, given: tuple[str, str | None]) -> list[Document]:
    shown, time = given
    faults = tuple(value.faults) if isinstance(value, _Lines) else ()
    records = value.values if isinstance(value, _Lines) else value
    if isinstance(records, dict) and _OWN & records.keys():
        raise refusal(shown, "is a material already; use it as it is, e.g. with memspan frontier")
    documents = read_chat(name, ident, records, time)
    if not any(document.passages for document in documents):
        raise refusal(shown, f"is JSON without a message: {_seen(records)}; {_CURE}")
    first, *rest = documents
    return _apart([_with(first, faults), *rest]) if faults else _apart(documents)


_CURE = "a message is an object with a speaker (role, speaker, name, from) and a text (content, text, value)"


def _seen(value: Any) -> str:
    one = value[0] if isinstance(value, list) and value else value
    if isinstance(one, dict):
        return f"its first object has the fields {', '.join(list(one)[:8]) or 'none'}"
    return f"it holds {type(one).__name__}"


def _with(document: Document, dropped: tuple[Dropped, ...]) -> Document:
    return replace(document, dropped=(*dropped, *document.dropped))


def _apart(documents: list[Document]) -> list[Document]:
    """Return *documents* with a number behind each id that stood before."""
    taken: set[str] = set()
    made = []
    for document in documents:
        ident, number = document.id, 2
        while ident in taken:
            ident, number = f"{document.id}#{number}", number + 1
        taken.add(ident)
        made.append(replace(document, id=ident))
    return made


def _blocked(
    name: str, ident: str, text: str, blocks: Callable[[str], Iterator[Block]], time: str | None
) -> Document:
    """Return *text* as a document of blocks, each with the headings and the day above it in its source."""
    above = _Above(name, time)
    passages, headings = [], []
    kind: Kind = "markdown" if blocks is markdown_blocks else "text"
    for block in dated_blocks(text, blocks(text)):
        if block.form in {"heading", "date"}:
            headings.append((block.start, block.end))
            above.take(block, " ".join(text[block.start : block.end].split()))
            continue
        place = Passage(text, block.start, block.end, above.source, form=block.form, words=block.words)
        passages.append(replace(place, time=above.time))
    return Document(ident, kind, tuple(passages), tuple(headings), time)


class _Above:
    """The headings and the day that hold for what follows."""

    def __init__(self, name: str, time: str | None) -> None:
        """Start with the document's *name* and its *time*."""
        self._name, self._time = name, time
        self._headings: list[tuple[int, str]] = []
        self._date = ""

    def take(self, block: Block, title: str) -> None:
        """Let a heading end those below it, and a date the date before it."""
        if block.form == "date":
            self._date = title
            self._headings = list(takewhile(lambda entry: day_of(entry[1]) is None, self._headings))
            return
        self._headings = [entry for entry in self._headings if entry[0] < block.level]
        self._headings.append((block.level, title))
        if day_of(title):
            self._date = ""

    @property
    def source(self) -> str:
        """The place in words."""
        path = " > ".join([*(title for _, title in self._headings), *([self._date] if self._date else [])])
        return f"{self._name}, {path}" if path else self._name

    @property
    def time(self) -> str | None:
        """The nearest day above, else the time of the document."""
        days = (day_of(title) for title in [self._date, *(title for _, title in reversed(self._headings))])
        return next((day for day in days if day), self._time)
