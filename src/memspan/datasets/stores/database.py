"""A foreign SQLite file, read without changing or holding up anything.

A file is read where it lies and without a lock; where it changed meanwhile, it is read again. Where
SQLite would have to write to read it (a log of changes beside it, a file in WAL mode), a copy is read.
"""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from memspan.errors import Fault, FileError

T = TypeVar("T")

MAGIC = b"SQLite format 3\x00"
_WAL_MODE = 2
_LOGS = ("-wal", "-journal")
_TRIES = 5


@dataclass(frozen=True)
class Database:
    """An open SQLite file.

    Attributes:
        path: where it lies.
        connection: read-only.
        copied: why a copy is read; empty where the file itself is.
    """

    path: Path
    connection: sqlite3.Connection
    copied: str = ""

    @property
    def note(self) -> str:
        """What to tell of the way it is read; empty where there is nothing to tell."""
        return f"a copy is read, since {self.copied}; the store itself is left alone" if self.copied else ""

    def tables(self) -> dict[str, frozenset[str]]:
        """Return the columns of each table by name.

        Raises:
            FileError: the file is damaged.
        """
        try:
            names = [
                row[0]
                for row in self.connection.execute(
                    "select name from sqlite_master where type = 'table' order by name"
                )
            ]
            return {name: self._columns(name) for name in names if isinstance(name, str)}
        except sqlite3.Error as error:
            raise refused(self.path, _said(error)) from error

    def _columns(self, table: str) -> frozenset[str]:
        found = self.connection.execute("select name from pragma_table_info(?)", (table,))
        return frozenset(str(row[0]) for row in found)

    def rows(self, table: str, columns: Sequence[str], order: str) -> Iterator[tuple[Any, ...]]:
        """Yield the *columns* of each row of *table*; names come from this package, never from a file.

        Raises:
            sqlite3.Error: the file is damaged from here on.
        """
        known = self.tables()[table]
        chosen = ", ".join(f'"{name}"' if name in known else f"null as {name}" for name in columns)
        yield from self.connection.execute(f'select {chosen} from "{table}" order by {order}')  # noqa: S608


def read_database(path: Path, read: Callable[[Database], T]) -> T:
    """Return what *read* makes of the SQLite file at *path*; nothing in its folder changes, nobody waits.

    Args:
        path: the file.
        read: is called again from the start where the file changed under its hands.

    Raises:
        FileError: not readable, damaged, or written to without a pause.
    """
    place = _resolved(path)
    for _ in range(_TRIES):
        before = _moment(place)
        try:
            why = _why_copy(place)
            made = _from_copy(path, place, why, read) if why else _in_place(path, place, read)
        except FileError:
            if _moment(place) == before:
                raise
        else:
            if why or _moment(place) == before:
                return made
    raise refused(path, f"is written to without a pause ({_TRIES} tries); stop the writer, or read a backup")


def _in_place(path: Path, place: Path, read: Callable[[Database], T]) -> T:
    """Read the file where it lies, without a lock: the caller sees to it that it did not change."""
    with closing(_connected(f"{place.as_uri()}?mode=ro&immutable=1")) as connection:
        return read(Database(path, connection))


def _from_copy(path: Path, place: Path, why: str, read: Callable[[Database], T]) -> T:
    with tempfile.TemporaryDirectory(prefix="memspan-") as folder:
        copy = _copied(place, Path(folder))
        with closing(_connected(f"{copy.as_uri()}?mode=rw")) as connection:
            return read(Database(path, connection, why))


def refused(path: Path, problem: str) -> FileError:
    """Return the error that says *problem* about the store at *path*."""
    return FileError(str(path), [Fault("", "", problem)])


def damage(error: sqlite3.Error) -> str:
    """Return what became of a database, in short words."""
    return f"the database is damaged here ({error}); what follows is lost"


def _said(error: sqlite3.Error) -> str:
    return f"is a damaged SQLite file ({error}); restore it from a backup, or try: sqlite3 FILE .recover"


def _resolved(path: Path) -> Path:
    try:
        return path.resolve(strict=True)
    except (OSError, RuntimeError) as error:
        raise refused(path, f"cannot be read: {getattr(error, 'strerror', None) or error}") from error


def _why_copy(place: Path) -> str:
    """Return why SQLite would have to write to read the file at *place*; empty where it need not."""
    for end in _LOGS:
        log = place.with_name(place.name + end)
        if log.is_file() and log.stat().st_size:
            return f"{log.name} lies beside it, which may hold newer changes than the file"
    try:
        with place.open("rb") as file:
            head = file.read(20)
    except OSError as error:
        raise refused(place, f"cannot be read: {error.strerror or error}") from error
    return "it is in WAL mode, which cannot be read without writing" if _WAL_MODE in head[18:20] else ""


def _connected(uri: str) -> sqlite3.Connection:
    connection = sqlite3.connect(uri, uri=True, isolation_level=None)
    connection.text_factory = lambda raw: raw.decode("utf-8", "replace")
    for guard in ("trusted_schema = off", "query_only = on", "cell_size_check = on"):
        connection.execute(f"pragma {guard}")
    return connection


def _copied(place: Path, folder: Path) -> Path:
    """Copy a file with its logs, all of one moment.

    Raises:
        FileError: it changed each time while it was copied, or cannot be read.
    """
    for _ in range(_TRIES):
        before = _moment(place)
        try:
            for file in _files(place):
                target = folder / f"copy{file.name.removeprefix(place.name)}"
                target.unlink(missing_ok=True)
                if file.is_file():
                    shutil.copyfile(file, target)
        except OSError as error:
            raise refused(place, f"cannot be copied to be read: {error.strerror or error}") from error
        if _moment(place) == before:
            return folder / "copy"
    raise refused(place, f"is written to without a pause ({_TRIES} tries); stop the writer, or read a backup")


def _files(place: Path) -> tuple[Path, ...]:
    return (place, *(place.with_name(place.name + end) for end in _LOGS))


def _moment(place: Path) -> list[tuple[int, int] | None]:
    """Return size and time of a file and its logs: equal before and after, nothing was written between."""
    seen = [file.stat() if file.is_file() else None for file in _files(place)]
    return [(each.st_size, each.st_mtime_ns) if each else None for each in seen]
