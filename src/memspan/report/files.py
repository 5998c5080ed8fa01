"""Where a page can be written."""

from __future__ import annotations

from pathlib import Path

from memspan.errors import Fault, FileError


def refuse_unwritable(target: Path) -> None:
    """Refuse a place that cannot be written, before anything is computed for it.

    Raises:
        FileError: its folder is missing, or the place is taken by something that is no file.
    """
    try:
        folder_there = target.parent.is_dir()
        taken = target.exists() and not target.is_file()
    except OSError as error:
        raise _fault(target, f"cannot be written: {error.strerror or error}") from error
    if not folder_there:
        raise _fault(target, f"its folder {str(target.parent)!r} does not exist; make it first")
    if taken:
        raise _fault(target, "is no regular file; give the name of a file")


def _fault(target: Path, problem: str) -> FileError:
    return FileError(str(target), [Fault("", "", problem)])
