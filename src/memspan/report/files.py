"""Where a page can be written."""

from __future__ import annotations

from collections.abc import Iterable
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


def refuse_overwriting(outputs: Iterable[Path | None], inputs: Iterable[str | Path | None]) -> None:
    """Refuse to write over what is read, or two things into one file; what is None is left out.

    Raises:
        FileError: an output is an input, lies in one that is a folder, or is another output.
    """
    read = [Path(each).resolve() for each in inputs if each is not None and Path(each).exists()]
    seen: set[Path] = set()
    for target in (each for each in outputs if each is not None):
        place = target.resolve()
        if any(place == one or (one.is_dir() and one in place.parents) for one in read):
            raise _fault(target, "is read by this command and would be lost; name another file")
        if place in seen:
            raise _fault(target, "is named twice; give each output a file of its own")
        seen.add(place)


def _fault(target: Path, problem: str) -> FileError:
    return FileError(str(target), [Fault("", "", problem)])
