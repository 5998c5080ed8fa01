"""`memspan demo`: the frontier and its report, on the bundled Odyssey or on a file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from memspan.cli.frontier import JsonOption, run
from memspan.cli.task import Task


def demo(
    path: Annotated[
        str, typer.Argument(metavar="[PATH]", help="A data file, or a bundled material.")
    ] = "odyssey",
    as_json: JsonOption = False,
    report: Annotated[
        Path, typer.Option("--report", metavar="FILE.html", help="Where to write the report.")
    ] = Path("report.html"),
) -> None:
    """Show the frontier of the bundled Odyssey, or of PATH, and write the report on it."""
    run(Task(path), report, as_json=as_json)
