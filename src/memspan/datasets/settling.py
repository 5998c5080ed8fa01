"""Settlements as a file of their own: a log in JSON Lines that only grows.

Each line is a settlement, or amends one that stands above it::

    {"kind": "settlement", "id": "s1", "query": "q1", "correct": 1, "claims": ["c1"], "settler": "ana"}
    {"kind": "correction", "of": "s1", "correct": 0}
    {"kind": "revocation", "of": "s1"}

The fields of a settlement are those of the native format. A last line that was cut off, because who wrote it
was stopped, is no fault: it is told and passed over.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from io import FileIO
from pathlib import Path

from memspan.datasets.amending import Correction, Entry, Revocation, log_faults
from memspan.datasets.json_text import Parsed, fault_at, parse, shown
from memspan.datasets.source import MOST_FAULTS, open_source
from memspan.datasets.writing import line_of
from memspan.errors import Fault, FileError
from memspan.files import replace_file
from memspan.material import Dropped, Settlement

_KINDS: dict[type[Entry], str] = {
    Settlement: "settlement",
    Correction: "correction",
    Revocation: "revocation",
}
_CUT_OFF = "is cut off: who wrote it was stopped; left out"
_CHUNK = 65_536


@dataclass(frozen=True)
class SettlementLog:
    """What a file of settlements holds; iterating gives its entries.

    Attributes:
        entries: settlements and what amends them, in the order of the file.
        dropped: the last line, where it was cut off.
    """

    entries: tuple[Entry, ...] = ()
    dropped: tuple[Dropped, ...] = ()

    def __iter__(self) -> Iterator[Entry]:
        """Iterate over the entries."""
        return iter(self.entries)


# --- reading --------------------------------------------------------------------------------------


def read_settlements(path: str | os.PathLike[str]) -> SettlementLog:
    """Read a log of settlements; `in_force` tells which of them hold.

    Args:
        path: the file. An empty one is a log without entries.

    Raises:
        FileError: it cannot be read, or lines are at fault: no JSON, an unknown kind, an id that stands
            twice, an amendment of what does not stand above. All faults are named by line.

    >>> import tempfile
    >>> from memspan.datasets import in_force
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = append_settlements(f"{folder}/log.jsonl", [Settlement("q1", 1, ("c1",), "ana", id="s1")])
    ...     _ = append_settlements(f"{folder}/log.jsonl", [Correction("s1", 0)])
    ...     [settlement.correct for settlement in in_force(read_settlements(f"{folder}/log.jsonl"))]
    [0]
    """
    file = Path(path)
    placed: list[tuple[str, Entry]] = []
    faults: list[Fault] = []
    dropped: list[Dropped] = []
    for number, raw in _lines(file):
        line = _parsed(raw, number)
        if not raw.endswith(b"\n") and not _is_whole(line):
            dropped.append(Dropped(f"line {number}", "", _CUT_OFF))
            continue
        entry, more, place = _entry(line, number)
        faults += more
        placed += [(place, entry)] if entry is not None else []
        if len(faults) >= MOST_FAULTS:
            break
    faults += log_faults(placed)
    if faults:
        raise FileError(str(file), list(dict.fromkeys(faults)))
    return SettlementLog(tuple(entry for _, entry in placed), tuple(dropped))


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Yield each line that is not blank, with its number and its end."""
    try:
        with path.open("rb") as file:
            start = file.read(_CHUNK).lstrip(b"\xef\xbb\xbf \t\r\n")[:1]
            if start not in (b"", b"{"):
                open_source(path)  # says so where it is compressed or no text
            file.seek(0)
            for number, raw in enumerate(file, start=1):
                if raw.strip():
                    yield number, raw
    except (OSError, ValueError):  # a folder, nothing there, a NUL inside the name: told in full
        open_source(path)
        raise


def _parsed(raw: bytes, number: int) -> Parsed:
    place = f"line {number}"
    try:
        return parse(raw.decode("utf-8-sig" if number == 1 else "utf-8"), place)
    except UnicodeDecodeError as error:
        problem = f"is not UTF-8: byte 0x{error.object[error.start]:02x} at offset {error.start} of the line"
        return Parsed(None, (Fault(place, "", problem),), complete=False)


def _is_whole(line: Parsed) -> bool:
    """Whether a line without an end is there to its last letter: an object that is closed."""
    return line.complete and isinstance(line.value, dict)


def _entry(line: Parsed, number: int) -> tuple[Entry | None, list[Fault], str]:
    """Return the entry on *line*, its faults and its place."""
    from memspan.datasets.native_records import noun_of  # it needs pydantic, which is heavy

    place = f"line {number}"
    if not line.complete:
        return None, list(line.faults), place
    if not isinstance(line.value, dict):
        return None, [Fault(place, "", f"is {shown(line.value)}; allowed is one object per line")], place
    kind = line.value.get("kind")
    raw = {key: value for key, value in line.value.items() if key != "kind"}
    if not isinstance(kind, str) or kind not in _KINDS.values():
        seen = f"is {shown(kind)}" if "kind" in line.value else "is missing"
        problem = f"{seen}; allowed are {', '.join(_KINDS.values())}"
        return None, [*line.faults, Fault(place, "kind", problem)], place
    place = fault_at(raw, (), "", place).record
    noun, faults = noun_of(kind, raw, place)
    entry = noun if isinstance(noun, Settlement | Correction | Revocation) else None
    return entry, [*line.faults, *faults], place


# --- writing --------------------------------------------------------------------------------------


def write_settlements(path: str | os.PathLike[str], entries: Iterable[Entry]) -> None:
    """Write a log anew: the file appears whole or not at all.

    Args:
        path: the file to make or to replace.
        entries: settlements, and what amends those before them.

    Raises:
        FileError: entries contradict each other, JSON cannot hold a value, or the disk refuses.
    """
    log = list(entries)
    faults = list(log_faults((f"entries[{i}]", entry) for i, entry in enumerate(log)))
    if faults:
        raise FileError(os.fspath(path), faults)
    replace_file(Path(path), map(_line, log))


def append_settlements(path: str | os.PathLike[str], entries: Iterable[Entry]) -> tuple[Dropped, ...]:
    """Add whole lines at the end of a log; what stands there stays as it is.

    Where an earlier writer was stopped in the middle of a line, that piece is cut off first. Several
    processes may append at a time, where the system has file locks (POSIX). Ids are not held against
    those of the file, which may be long: reading does that.

    Args:
        path: the file; made where missing.
        entries: settlements, and what amends them or those in the file.

    Returns:
        The piece that was cut off, where there was one. The lines are on the disk then.

    Raises:
        FileError: an outcome is out of range, an id stands twice among *entries*, JSON cannot hold a
            value, or the disk refuses: then nothing is added.
    """
    place, log = os.fspath(path), list(entries)
    found = log_faults((f"entries[{i}]", entry) for i, entry in enumerate(log))
    faults = [fault for fault in found if fault.field != "of"]  # what is amended may stand in the file
    if faults:
        raise FileError(place, faults)
    try:
        added = "".join(map(_line, log)).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise FileError(place, [Fault("", "", f"cannot be saved: {error}")]) from error
    try:
        with FileIO(place, "a+") as file:
            _lock(file)
            return _append(file, added)
    except OSError as error:
        raise FileError(place, [Fault("", "", f"cannot be written: {error.strerror or error}")]) from error


def _line(entry: Entry) -> str:
    return line_of(_KINDS[type(entry)], entry)


def _lock(file: FileIO) -> None:
    """Wait until no one else appends; closing the file frees it."""
    with suppress(ImportError):  # Windows has no such locks
        import fcntl

        fcntl.flock(file.fileno(), fcntl.LOCK_EX)


def _append(file: FileIO, added: bytes) -> tuple[Dropped, ...]:
    end, tail = _tail(file)
    dropped: tuple[Dropped, ...] = ()
    if tail.strip() and _is_whole(_parsed(tail, 0)):
        added = b"\n" + added
    elif tail:
        file.truncate(end - len(tail))
        dropped = (Dropped("the last line", "", _CUT_OFF),) if tail.strip() else ()
    start = file.seek(0, os.SEEK_END)
    try:
        while added:
            added = added[file.write(added) :]
        os.fsync(file.fileno())
    except OSError:
        file.truncate(start)
        raise
    return dropped


def _tail(file: FileIO) -> tuple[int, bytes]:
    """Return the length of the file, and what stands behind its last end of a line."""
    end = at = file.seek(0, os.SEEK_END)
    pieces: list[bytes] = []
    while at > 0 and not (pieces and b"\n" in pieces[-1]):
        step = min(at, _CHUNK)
        at -= step
        file.seek(at)
        pieces.append(file.read(step))
    return end, b"".join(reversed(pieces)).rpartition(b"\n")[2]
