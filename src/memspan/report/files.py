"""A page onto the disk: whole or not at all."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from uuid import uuid4

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


def replace_file(target: Path, content: str) -> None:
    """Write *content* beside *target* and move it over, so that no reader sees half a file.

    Raises:
        FileError: the disk refuses.
    """
    refuse_unwritable(target)
    place = target.resolve()
    beside = place.with_name(f".{place.name[:100]}.{uuid4().hex[:8]}.tmp")
    try:
        beside.write_text(content, encoding="utf-8", newline="\n")
        beside.replace(place)
    except OSError as error:
        raise _fault(target, f"cannot be written: {error.strerror or error}") from error
    finally:
        with suppress(OSError):
            beside.unlink(missing_ok=True)


def _fault(target: Path, problem: str) -> FileError:
    return FileError(str(target), [Fault("", "", problem)])
