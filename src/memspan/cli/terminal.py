"""What a person sees in a terminal: the finding, a plot, a table of at most ten rows, and what to do next."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from memspan.cli.plot import plot, shading
from memspan.report.plane import Plane, plane_of, plane_of_mean
from memspan.report.study import Study, comparable
from memspan.report.tables import Table as Rows
from memspan.report.tables import overview, sizes
from memspan.report.wording import finding

MOST_ROWS = 10


def show(studies: Sequence[Study], targets: Sequence[float], following: str) -> None:
    """Print *studies* on stdout; *following* is the command to try next."""
    console = Console(highlight=False, emoji=False)
    line(console, finding(studies, targets), "bold")
    console.print()
    _show_plot(console, _plane(studies, targets), studies)
    console.print()
    rows = sizes(studies[0], targets) if len(studies) == 1 else overview(studies, targets)
    console.print(_table(rows))
    console.print()
    line(console, f"Next: {following}")


def line(console: Console, text: str, style: str = "") -> None:
    """Print *text* as one line whatever the width, with nothing in it that could steer the terminal."""
    console.print(Text(printable(text), style), soft_wrap=True)


def printable(text: str) -> str:
    """Return *text* with every character that is not printable replaced."""
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)


def _plane(studies: Sequence[Study], targets: Sequence[float]) -> Plane:
    """Return the mean of several studies where they share capacities, else the picture of the first."""
    if len(studies) > 1 and comparable([study.frontier for study in studies]):
        return plane_of_mean(studies, targets)
    return plane_of(studies[0], targets)


def _show_plot(console: Console, plane: Plane, studies: Sequence[Study]) -> None:
    for each in plot(plane):
        console.print(Text(each, "blue"), soft_wrap=True)
    notes = [shading(plane), _whose(plane, studies)]
    told = "   ".join(note for note in notes if note)
    if told:
        line(console, f"        {told}", "dim")


def _whose(plane: Plane, studies: Sequence[Study]) -> str | None:
    if len(studies) == 1:
        return None
    return f"mean of {len(studies)} materials" if plane.crowd else f"{studies[0].material.id} alone"


def _table(rows: Rows) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim")
    for i, name in enumerate(rows.head):
        table.add_column(name, justify="left" if i == 0 else "right", no_wrap=True, overflow="ellipsis")
    for row in _few(rows.rows):
        table.add_row(*(Text(printable(cell)) for cell in row))
    return table


def _few(rows: Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Return at most ten rows: the first ones, how many were left out, and the last, which holds totals."""
    if len(rows) <= MOST_ROWS:
        return list(rows)
    hidden = f"… {len(rows) - MOST_ROWS + 1} more"
    return [*rows[: MOST_ROWS - 2], (hidden, *("" for _ in rows[0][1:])), rows[-1]]
