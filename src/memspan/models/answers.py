"""Answers of chat models kept on disk, so that no question is paid for twice."""

from __future__ import annotations

import logging
import os
import sqlite3
import sys
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Self, TypeVar

from memspan.errors import Fault, FileError

T = TypeVar("T")

_LOG = logging.getLogger("memspan")
_FILE = "answers.sqlite3"
_BUSY_TRIES, _BUSY_PAUSE = 100, 0.02
_TABLE = """create table if not exists answers
    (key text primary key, model text not null, text text not null, time real not null) without rowid"""


def cache_folder(environ: Mapping[str, str] = os.environ, platform: str = sys.platform) -> Path:
    """Return where memspan keeps what it can make again: MEMSPAN_CACHE, or the system's place for caches.

    >>> cache_folder({"MEMSPAN_CACHE": "/tmp/here"}).as_posix()
    '/tmp/here'
    """
    if named := environ.get("MEMSPAN_CACHE"):
        return Path(named)
    if platform == "win32":
        return Path(environ.get("LOCALAPPDATA") or Path.home() / "AppData/Local") / "memspan" / "Cache"
    if platform == "darwin":
        return Path.home() / "Library/Caches/memspan"
    return Path(environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "memspan"


@dataclass(frozen=True)
class _Open:
    """A connection, and by which process to which file: a fork or a swapped file makes it stale."""

    connection: sqlite3.Connection
    process: int
    file: tuple[int, int]


class Answers:
    """A file of answers by key, for several threads and processes at once.

    A cache must never stop the work: a file that is damaged is set aside and a new one begun, one that
    cannot be read or written is left alone; both are logged under ``memspan``. Answers may hold what
    people said: a folder that is made here is readable by its owner alone.

    Args:
        path: of the file; by default ``answers.sqlite3`` in `cache_folder`.
        clock: seconds since 1970, as kept with each answer.
    """

    def __init__(
        self, path: str | os.PathLike[str] | None = None, *, clock: Callable[[], float] = time.time
    ) -> None:
        """Keep the path; nothing is opened yet."""
        self._path = Path(path) if path is not None else cache_folder() / _FILE
        self._clock = clock
        self._lock = threading.RLock()
        self._open: _Open | None = None
        self._told: set[str] = set()  # problems, each told once

    def __enter__(self) -> Self:
        """Return this cache."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the file."""
        self.close()

    @property
    def location(self) -> Path:
        """The file."""
        return self._path

    @property
    def size(self) -> int:
        """Bytes on disk; 0 where there is no file yet."""
        found = [file.stat().st_size for file in self._files() if file.exists()]
        return sum(found)

    def __len__(self) -> int:
        """Return the number of answers; 0 where the file cannot be read."""
        if not self._path.exists():
            return 0
        return self._lenient(lambda link: int(link.execute("select count(*) from answers").fetchone()[0]), 0)

    def get(self, key: str) -> str | None:
        """Return the answer kept under *key*, or None."""

        def read(link: sqlite3.Connection) -> str | None:
            row = link.execute("select text from answers where key = ?", (key,)).fetchone()
            return None if row is None else str(row[0])

        return self._lenient(read, None)

    def put(self, key: str, model: str, text: str) -> None:
        """Keep *text*, an answer of *model*, under *key*."""
        row = (key, model, text, self._clock())
        self._lenient(
            lambda link: link.execute("insert or replace into answers values (?, ?, ?, ?)", row), None
        )

    def purge(self, before: datetime | None = None) -> int:
        """Forget all answers, or those kept before a moment; return how many.

        Args:
            before: without a zone it is local time.

        Raises:
            FileError: the file cannot be changed.
        """
        if not self._path.exists():
            return 0
        limit = before.timestamp() if before is not None else float("inf")
        try:
            return self._mended(lambda link: _purged(link, limit))
        except (sqlite3.Error, OSError) as error:
            raise FileError(str(self._path), [Fault("", "", f"cannot be purged: {error}")]) from error

    def close(self) -> None:
        """Close the file; a later call opens it again."""
        with self._lock:
            if self._open is not None and self._open.process == os.getpid():
                self._open.connection.close()
            self._open = None

    def _lenient(self, work: Callable[[sqlite3.Connection], T], otherwise: T) -> T:
        try:
            return self._mended(work)
        except (sqlite3.Error, OSError, UnicodeError) as error:
            if str(error) not in self._told:
                _LOG.warning("the answer cache %s is not used: %s", self._path, error)
            self._told.add(str(error))
            return otherwise

    def _mended(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Do *work*; where the file turns out to be damaged, once more on a new one."""
        with self._lock:
            try:
                return work(self._connected())
            except sqlite3.OperationalError:
                raise  # busy, full, not writable: the file itself is sound
            except sqlite3.DatabaseError as error:
                self._set_aside(str(error))
                return work(self._connected())

    def _connected(self) -> sqlite3.Connection:
        now = os.getpid(), self._file()
        if self._open is not None and (self._open.process, self._open.file) != now:
            self.close()
        if self._open is None:
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            connection = sqlite3.connect(
                self._path, timeout=30, isolation_level=None, check_same_thread=False
            )
            self._open = _Open(connection, os.getpid(), self._file())
            try:
                _patiently(connection, "pragma journal_mode = wal")
                _patiently(connection, _TABLE)
            except sqlite3.OperationalError:
                self.close()
                raise
        return self._open.connection

    def _set_aside(self, problem: str) -> None:
        """Rename the damaged file, unless another process did so already."""
        damaged = self._open.file if self._open is not None else None
        self.close()
        if damaged != self._file():
            return
        aside = f".damaged-{time.time_ns()}"
        for file in self._files():
            with suppress(FileNotFoundError):
                file.rename(file.with_name(file.name + aside))
        _LOG.warning(
            "the answer cache %s was damaged (%s); it is set aside as %s%s and a new one begun",
            self._path, problem, self._path.name, aside,
        )  # fmt: skip

    def _file(self) -> tuple[int, int]:
        try:
            found = self._path.stat()
        except FileNotFoundError:
            return (0, 0)
        return found.st_dev, found.st_ino

    def _files(self) -> tuple[Path, ...]:
        return tuple(self._path.with_name(self._path.name + end) for end in ("", "-wal", "-shm"))


def _patiently(link: sqlite3.Connection, statement: str) -> None:
    """Execute what may be refused at once, without SQLite's own waiting, while others open the file too."""
    for tried in range(1, _BUSY_TRIES + 1):
        try:
            link.execute(statement)
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or tried == _BUSY_TRIES:
                raise
            time.sleep(_BUSY_PAUSE)
        else:
            return


def _purged(link: sqlite3.Connection, limit: float) -> int:
    with closing(link.execute("delete from answers where time < ?", (limit,))) as done:
        count = int(done.rowcount)
    with suppress(sqlite3.OperationalError):  # another process reads: the room is given back later
        link.execute("pragma busy_timeout = 1000")
        link.execute("vacuum")
        link.execute("pragma wal_checkpoint(truncate)")
    link.execute("pragma busy_timeout = 30000")
    return count
