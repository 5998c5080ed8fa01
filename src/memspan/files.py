"""Files that appear whole or not at all."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

from memspan.errors import Fault, FileError


def replace_file(target: Path, pieces: Iterable[str | bytes | memoryview]) -> None:
    """Write *pieces*, texts as UTF-8, beside *target* and move them over it: no reader ever sees half a file.

    Raises:
        FileError: the disk refuses, or a piece cannot be made.
    """
    place = target.resolve() if target.is_symlink() else target
    if place.exists() and not place.is_file():
        raise FileError(
            str(target), [Fault("", "", "cannot be written: it is no regular file; give the name of one")]
        )
    beside = place.with_name(f".{place.name[:100]}.{uuid4().hex[:8]}.tmp")
    try:
        with beside.open("xb") as file:
            file.writelines(piece.encode() if isinstance(piece, str) else piece for piece in pieces)
            file.flush()
            os.fsync(file.fileno())
        if place.exists():
            shutil.copymode(place, beside)
        beside.replace(place)
    except OSError as error:
        raise FileError(
            str(target), [Fault("", "", f"cannot be written: {error.strerror or error}")]
        ) from error
    except (TypeError, ValueError, RecursionError) as error:
        raise FileError(str(target), [Fault("", "", f"cannot be saved: {error}")]) from error
    finally:
        with suppress(OSError):
            beside.unlink(missing_ok=True)
