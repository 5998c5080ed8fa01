"""Systems that users bring, guarded: what goes wrong in their code is told in one line."""

from __future__ import annotations

import sys
import sysconfig
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

import memspan
from memspan.errors import ContractError, MemspanError
from memspan.material import Claim, Note, Query
from memspan.ports import MemorySystem
from memspan.systems.kind import Setting, SystemKind

_MOST = 300  # characters of an error of others that are shown
_ALSO = ("settle", "shrink", "close")
_NOTE = "a memory system gives memspan.material.Note(id, text, claims): two texts and a tuple of claim ids"


def guarded(kind: SystemKind) -> SystemKind:
    """Return *kind* with systems whose every failure is a `ContractError` that names the call and the line.

    What their code prints goes to the standard error, so that it does not mix with results. They offer
    ``shrink``, ``settle`` and ``close`` where the system has them, and can be pickled where it can.

    >>> class Broken:
    ...     name = "broken"
    ...     def observe(self, claim):
    ...         raise ValueError("no room")
    >>> system = guarded(SystemKind("broken", "", lambda setting: Broken(), 10)).make(Setting())
    >>> system.observe(Claim("a"))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    memspan.errors.ContractError: broken: observe raised ValueError: no room (...)
    """
    return replace(kind, make=_Guarding(kind.label, kind.make))


@contextmanager
def told_plainly(what: str) -> Iterator[None]:
    """Let code of others run: its prints go to the standard error, its failures are told after *what*.

    Raises:
        ContractError: it raised what is no `MemspanError`, or wanted to end the program.
    """
    try:
        with redirect_stdout(sys.stderr):
            yield
    except MemspanError:
        raise
    except (Exception, SystemExit) as error:
        raise ContractError(f"{what} raised {_said(error)}") from error


def printable(text: str) -> str:
    r"""Return *text* on one line, with signs that would steer a terminal written out.

    >>> printable("two\nlines \x1b[31m")
    'two lines \\x1b[31m'
    """
    line = " ".join(text.split())
    return "".join(
        sign if sign.isprintable() else sign.encode("unicode_escape").decode("ascii") for sign in line
    )


@dataclass(frozen=True)
class _Guarding:
    """Makes guarded systems."""

    label: str
    make: Callable[[Setting], MemorySystem]

    def __call__(self, setting: Setting) -> _Guarded:
        with told_plainly(f"{self.label}: make"):
            return _Guarded(self.label, self.make(setting))


class _Guarded:
    """A system of others; implements `memspan.ports.MemorySystem`, and what else it does."""

    def __init__(self, label: str, system: MemorySystem) -> None:
        self._label, self._system = label, system
        for name in _ALSO:
            if callable(getattr(system, name, None)):
                setattr(self, name, partial(self._asked, name))

    @property
    def name(self) -> str:
        with told_plainly(f"{self._label}: name"):
            return getattr(self._system, "name", self._label)

    def observe(self, claim: Claim) -> None:
        self._asked("observe", claim)

    def read(self, query: Query, k: int) -> tuple[Note, ...]:
        return self._notes("read", self._asked("read", query, k))

    def held(self) -> tuple[Note, ...]:
        return self._notes("held", self._asked("held"))

    def _asked(self, method: str, *given: Any) -> Any:
        with told_plainly(f"{self._label}: {method}"):
            return getattr(self._system, method)(*given)

    def _notes(self, method: str, answer: Any) -> tuple[Note, ...]:
        if not isinstance(answer, list | tuple):
            self._refuse(method, answer)
        for note in answer:
            if not _is_note(note):
                self._refuse(method, note)
        return tuple(answer)

    def _refuse(self, method: str, seen: object) -> NoReturn:
        raise ContractError(f"{self._label}: {method} gave {shown(seen)}; {_NOTE}, in a tuple")


def shown(given: object) -> str:
    """Return the type of *given* and the beginning of how it shows itself, if it can.

    >>> shown(3), shown(Claim)
    ('int 3', "type <class 'memspan.material.Claim'>")
    """
    try:
        told = printable(repr(given)[:80])
    except Exception:  # noqa: BLE001 - whatever a class of others raises
        told = ""
    name = type(given).__name__
    return told if told.startswith(name) else f"{name} {told}".strip()


def _is_note(note: Any) -> bool:
    if not isinstance(note, Note) or not isinstance(note.claims, tuple):
        return False
    return all(isinstance(text, str) for text in (note.id, note.text, *note.claims))


def _said(error: BaseException) -> str:
    try:
        told = str(error)
    except Exception:  # noqa: BLE001 - an error of others may fail to tell itself
        told = ""
    line = printable(told)
    line = line if len(line) <= _MOST else f"{line[: _MOST - 1]}…"
    where = _where(error)
    return f"{type(error).__name__}{f': {line}' if line else ''}{f' ({where})' if where else ''}"


def _where(error: BaseException) -> str:
    """Return file and line where the user's own code failed, not the library that it called."""
    if isinstance(error, SyntaxError):
        return ""  # its message ends with them
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if not _is_foreign(frame.filename)] or list(frames)
    return f"{printable(Path(own[-1].filename).name)}, line {own[-1].lineno}" if own else ""


def _is_foreign(filename: str) -> bool:
    libraries = (str(Path(memspan.__file__).parent), sysconfig.get_path("stdlib"), "<frozen")
    return "site-packages" in filename or filename.startswith(libraries)
