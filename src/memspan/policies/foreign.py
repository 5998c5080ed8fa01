"""Code of others that is run here: what goes wrong in it is told in one line, with file and line."""

from __future__ import annotations

import sys
import sysconfig
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path

import memspan
from memspan.errors import ContractError, MemspanError

_MOST = 300  # characters of an error of others that are shown


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


def shown(given: object) -> str:
    """Return the type of *given* and the beginning of how it shows itself, if it can.

    >>> shown(3), shown(int)
    ('int 3', "type <class 'int'>")
    """
    try:
        told = printable(repr(given)[:80])
    except Exception:  # noqa: BLE001 - whatever a class of others raises
        told = ""
    name = type(given).__name__
    return told if told.startswith(name) else f"{name} {told}".strip()


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
