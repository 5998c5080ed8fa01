"""What a person sees in a terminal: the finding, a plot, a table of at most ten rows, and what to do next."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from memspan.cli.grid import grid
from memspan.cli.plot import legend, plot
from memspan.cli.task import Task
from memspan.report.asides import asides
from memspan.report.plane import Plane, plane_of, plane_of_mean
from memspan.report.study import Study
from memspan.report.tables import Table, overview, sizes
from memspan.report.wording import finding

MOST_ROWS = 10


def show(studies: Sequence[Study], task: Task, following: str) -> None:
    """Print *studies* on stdout; *following* is the command to try next."""
    console = Console(highlight=False, emoji=False)
    line(console, finding(studies, task.targets), "bold")
    for aside in asides(studies):
        line(console, aside)
    console.print()
    if not all(study.empty for study in studies):
        _show_plot(console, _plane(studies, task.targets))
        console.print()
        several = "pick with --material ID, or take all with --json or --report"
        _show_table(console, _rows(studies, task), several if len(studies) > 1 else "take all with --json")
        console.print()
    line(console, f"Next: {following}")


def line(console: Console, text: str, style: str = "") -> None:
    """Print *text* as one line whatever the width, with nothing in it that could steer the terminal."""
    console.print(Text(printable(text), style), soft_wrap=True)


def printable(text: str) -> str:
    """Return *text* with every character that is not printable replaced."""
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)


def _plane(studies: Sequence[Study], targets: Sequence[float]) -> Plane:
    return plane_of_mean(studies, targets) if len(studies) > 1 else plane_of(studies[0], targets)


def _rows(studies: Sequence[Study], task: Task) -> Table:
    if len(studies) > 1:
        return overview(studies, task.targets)
    return sizes(studies[0], task.targets, task.capacities or ())


def _show_plot(console: Console, plane: Plane) -> None:
    for each in plot(plane):
        console.print(Text(each, "blue"), soft_wrap=True)
    told = "   ".join(note for note in (legend(plane), _whose(plane)) if note)
    if told:
        line(console, f"        {told}", "dim")


def _whose(plane: Plane) -> str | None:
    if not plane.crowd:
        return None
    shown, there = plane.of
    if shown == there:
        return f"mean of {there:,} materials"
    return f"mean of {shown:,} of {there:,} materials; {there - shown:,} left out: nothing to cover"


def _show_table(console: Console, rows: Table, hint: str) -> None:
    """Print at most ten of *rows*; *hint* says how to see what was left out. The last one holds totals."""
    cells = [tuple(printable(cell) for cell in row) for row in rows.rows]
    head, *body = grid(rows.head, cells, console.width)
    line(console, head, "dim")
    hidden = len(body) - MOST_ROWS + 1
    for each in body if hidden <= 1 else body[: MOST_ROWS - 2]:
        line(console, each)
    if hidden > 1:
        line(console, f"… {hidden:,} more: {hint}", "dim")
        line(console, body[-1])
