"""The page of an evaluation: the plane with every system, where questions go, the league, each question."""

from __future__ import annotations

import os
from pathlib import Path

from memspan.diagnosis import Evaluation
from memspan.files import replace_file
from memspan.report.files import refuse_unwritable
from memspan.report.league import headline


def render_evaluation(evaluation: Evaluation) -> str:
    """Return the report on *evaluation* as one HTML page that needs neither network nor JavaScript."""
    return f"<!doctype html><title>memspan</title><h1>{headline(evaluation)}</h1>"


def write_evaluation(evaluation: Evaluation, path: str | os.PathLike[str]) -> None:
    """Write the report on *evaluation* to *path*; the file appears whole or not at all.

    Raises:
        FileError: the disk refuses.
    """
    target = Path(path)
    refuse_unwritable(target)
    replace_file(target, [render_evaluation(evaluation)])
