"""A file as the loaders see it: opened once, judged by its first bytes, parsed when asked."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from memspan.datasets.json_text import Parsed, first_of_list, parse, shown
from memspan.errors import Fault, FileError, FormatError

Shape = Literal["json", "lines", "text"]

KINDS = frozenset({"material", "claim", "item", "query", "settlement"})

_HEAD = 65_536
MOST_FAULTS = 1_000
_SIGNATURES = (
    (b"\x1f\x8b", "gzip-compressed; decompress it first (gunzip)"),
    (b"PK\x03\x04", "a zip archive; unpack it first"),
    (b"BZh", "bzip2-compressed; decompress it first"),
    (b"\xfd7zXZ", "xz-compressed; decompress it first"),
    (b"SQLite format 3", "an SQLite database; memspan reads text files here"),
    (b"PAR1", "a Parquet file; convert it to JSON Lines first"),
    (b"\xff\xfe", "UTF-16; convert it to UTF-8 first (iconv -f UTF-16 -t UTF-8)"),
    (b"\xfe\xff", "UTF-16; convert it to UTF-8 first (iconv -f UTF-16 -t UTF-8)"),
)


@dataclass(frozen=True)
class Source:
    """A readable text file.

    Attributes:
        path: where it lies.
        head: its first characters, up to 64 KB, without a byte order mark.
    """

    path: Path
    head: str

    def refuse(self, problem: str, record: str = "", name: str = "") -> FileError:
        """Return the error that says *problem* about this file."""
        return FileError(str(self.path), [Fault(record, name, problem)])

    @cached_property
    def shape(self) -> Shape:
        """Whether the file holds one JSON document, one JSON object per line, or other text."""
        start = self.head.lstrip()[:1]
        if start != "{":
            return "json" if start == "[" else "text"
        first, alone = self._first_line
        if not isinstance(first.value, dict):
            return "json"
        return "json" if alone and not is_native_line(first.value) else "lines"

    @cached_property
    def _first_line(self) -> tuple[Parsed, bool]:
        """The first line that is not blank, parsed, and whether nothing follows it."""
        with self.path.open("rb") as file:
            line = next((line for line in file if line.strip()), b"")
            alone = not any(rest.strip() for rest in file)
        return parse(line.decode("utf-8-sig", errors="replace")), alone

    @cached_property
    def text(self) -> str:
        """The whole text.

        Raises:
            FileError: it is not UTF-8.
        """
        return self._decoded(self._bytes(), "")

    def _bytes(self) -> bytes:
        try:
            return self.path.read_bytes()
        except OSError as error:
            raise self.refuse(f"cannot be read: {error.strerror or error}") from error

    def _decoded(self, raw: bytes, record: str) -> str:
        try:
            return raw.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise self.refuse(_not_utf8(error), record) from error

    @cached_property
    def parsed(self) -> Parsed:
        """The whole text as one JSON document, with its faults."""
        text = self.text
        if self.head.startswith("{") and self._first_line[1] and self._first_line[0].complete:
            return self._first_line[0]  # all of it stands on one line, which is parsed already
        return parse(text)

    @cached_property
    def document(self) -> Any:
        """The whole text as one sound JSON document.

        Raises:
            FileError: the text is not sound JSON.
        """
        if self.parsed.faults:
            raise FileError(str(self.path), self.parsed.faults)
        return self.parsed.value

    def lines(self) -> Iterator[tuple[int, Parsed]]:
        """Yield each line that is not blank, parsed, with its number from 1: one line in memory at a time."""
        with self.path.open("rb") as file:
            for number, raw in enumerate(file, start=1):
                if raw.strip():
                    yield number, self._line(raw, number)

    @cached_property
    def parsed_lines(self) -> list[Parsed]:
        """Each line that is not blank, parsed, with its faults: all of them in memory."""
        return [line for _, line in self.lines()]

    def _line(self, raw: bytes, number: int) -> Parsed:
        record = f"line {number}"
        try:
            return parse(self._decoded(raw, record), record)
        except FileError as error:
            return Parsed(None, error.faults, complete=False)

    @cached_property
    def records(self) -> list[Any]:
        """The records of a JSON list, of JSON Lines, or the one document itself.

        Raises:
            FileError: some of the text is not sound JSON; all faults are named.
        """
        if self.shape != "lines":
            return self.document if isinstance(self.document, list) else [self.document]
        values: list[Any] = []
        faults: list[Fault] = []
        for _, line in self.lines():
            values.append(line.value)
            faults += line.faults
            if len(faults) > MOST_FAULTS:
                break
        if faults:
            raise FileError(str(self.path), faults)
        return values

    @cached_property
    def first(self) -> dict[str, Any]:
        """The first record, from which a format is told; empty where there is no object.

        Raises:
            FileError: the file is one JSON document that does not parse.
        """
        if self.shape == "text":
            return {}
        if self.shape == "lines":
            return dict(self._first_line[0].value)
        soon = first_of_list(self.head)
        if soon:
            return soon
        if not self.parsed.complete:
            raise FileError(str(self.path), self.parsed.faults)
        value = self.parsed.value
        value = value[0] if isinstance(value, list) and value else value
        return value if isinstance(value, dict) else {}

    def unknown(self, known: str) -> FormatError:
        """Return the error for content that fits none of the *known* formats."""
        cure = f"memspan reads {known}; save other data in memspan's own JSON (memspan.datasets.schema())"
        return FormatError(str(self.path), [Fault("", "", f"{self._seen()}; {cure}")])

    def _seen(self) -> str:
        if self.first:
            fields = ", ".join(list(self.first)[:8])
            return f"its first record has the fields {fields}, which fits no known format"
        if self.shape == "text":
            return f"begins with {shown(self.head.strip()[:30])}, which fits no known format"
        seen = {list: "an empty list" if self.parsed.value == [] else "a list without objects"}
        return f"holds {seen.get(type(self.parsed.value), 'no record')}"


def is_native_line(record: dict[str, Any]) -> bool:
    """Whether *record* is a line of memspan's own JSON Lines."""
    kind = record.get("kind")
    return isinstance(kind, str) and kind in KINDS


def open_source(path: Path) -> Source:
    """Open the file at *path* and judge its first bytes.

    Raises:
        FileError: nothing there, no file, empty, not readable, compressed, binary or not UTF-8.
    """
    try:
        kind = path.stat().st_mode
        if not stat.S_ISREG(kind):
            raise FileError(str(path), [Fault("", "", _not_a_file(kind))])
        with path.open("rb") as file:
            raw = file.read(_HEAD)
    except OSError as error:
        raise FileError(str(path), [Fault("", "", _unreadable(error))]) from error
    except ValueError as error:  # a NUL inside the name
        raise FileError(repr(str(path)), [Fault("", "", f"is no file name: {error}")]) from error
    return Source(path, _head(path, raw))


def _not_a_file(kind: int) -> str:
    if stat.S_ISDIR(kind):
        return "is a directory; name one file in it"
    return "is not a regular file; save its content to a file first"


def _unreadable(error: OSError) -> str:
    if isinstance(error, FileNotFoundError):
        return "does not exist; check the path"
    return f"cannot be read: {error.strerror or error}"


def _head(path: Path, raw: bytes) -> str:
    problem = _binary(raw)
    if problem:
        raise FileError(str(path), [Fault("", "", problem)])
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if not (len(raw) == _HEAD and error.start > len(raw) - 4):  # the cut may fall inside a letter
            raise FileError(str(path), [Fault("", "", _not_utf8(error))]) from error
        text = raw[: error.start].decode("utf-8-sig")
    if not text.strip():
        seen = "is empty" if len(raw) < _HEAD else "begins with 64 KB of blank space"
        raise FileError(str(path), [Fault("", "", f"{seen}; a data file holds at least one record")])
    return text


def _binary(raw: bytes) -> str:
    for signature, meaning in _SIGNATURES:
        if raw.startswith(signature):
            return f"is {meaning}"
    if b"\x00" in raw:
        return f"is binary (a zero byte at offset {raw.index(0)}); memspan reads text in UTF-8"
    return ""


def _not_utf8(error: UnicodeDecodeError) -> str:
    seen = f"is not UTF-8: byte 0x{error.object[error.start]:02x} at offset {error.start}"
    if error.reason == "unexpected end of data":
        return f"{seen}; the text looks cut off there"
    return f"{seen}; convert it to UTF-8 first (iconv)"
