"""The file of a fitted rule, whatever it is for: what is read from it before its form is checked."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from memspan.errors import Fault, FileError


def document_in(path: str | os.PathLike[str], verb: str) -> Any:
    """Return the JSON document in the file at *path*; *verb* is the command that makes such files.

    Raises:
        FileError: no such file, or no JSON in it.
    """
    name = os.fspath(path)
    if Path(path).exists() and not Path(path).is_file():
        raise FileError(name, [Fault("", "", f"is no file; make a rule with: {verb}")])
    try:
        return json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise FileError(name, [Fault("", "", f"cannot be read: {error.strerror or error}")]) from error
    except (ValueError, RecursionError) as error:
        problem = f"is no JSON document ({error}); make a rule with: {verb}"
        raise FileError(name, [Fault("", "", problem)]) from error
