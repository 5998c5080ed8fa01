"""What a person sees of an evaluation in a terminal: the finding, the league, where the questions go."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from memspan.cli.grid import GAP, WHOLE, grid
from memspan.cli.terminal import line, printable
from memspan.diagnosis import Evaluation
from memspan.report.believed import quality, with_water
from memspan.report.league import (
    first_fix,
    flattery,
    headline,
    losses,
    shown_points,
    sorting,
    table,
    to_do,
    whole,
)
from memspan.report.tables import Table
from memspan.report.wording import counted

MOST_ROWS = 10
BAR = 24
LEFT = 18


def show(evaluation: Evaluation, following: str) -> None:
    """Print *evaluation* on stdout; *following* is the command to try next."""
    console = Console(highlight=False, emoji=False)
    finding(console, evaluation)
    line(console, f"Next: {following}")


def finding(console: Console, evaluation: Evaluation) -> None:
    """Print what was found, without what to do next."""
    line(console, headline(evaluation), "bold")
    for told in flattery(evaluation):
        line(console, told)
    for left in evaluation.dropped[:MOST_ROWS]:
        line(console, f"{left.record}: {left.reason}")
    if not evaluation.points:
        return
    line(console, whole(evaluation))
    console.print()
    _league(console, evaluation)
    if told := quality(evaluation):
        line(console, told)
    console.print()
    _losses(console, evaluation)
    console.print()
    line(console, first_fix(evaluation))
    for each in to_do(evaluation):
        line(console, each)


def _league(console: Console, evaluation: Evaluation) -> None:
    rows = fitting(with_water(table(evaluation), evaluation), console.width, sorting(evaluation))
    width = console.width if console.is_terminal else WHOLE
    head, *body = grid(rows.head, [tuple(map(printable, row)) for row in rows.rows], width)
    line(console, head, "dim")
    for each in body[:MOST_ROWS]:
        line(console, each)
    if len(body) > MOST_ROWS:
        line(console, f"… {len(body) - MOST_ROWS:,} more: take all with --json or --report", "dim")


def fitting(rows: Table, width: int, kept: str) -> Table:
    """Return *rows* with fewer capacities, the smallest left out first but the one *kept*: names stay whole.

    >>> fitting(Table(("system", "at 5 %", "at 20 %"), (("mem0:paper", "1 %", "2 %"),)), 22, "at 5 %").head
    ('system', 'at 5 %')
    """
    while True:
        widths = [max(len(row[i]) for row in (rows.head, *rows.rows)) for i in range(len(rows.head))]
        capacities = [i for i, name in enumerate(rows.head) if name.startswith("at ")]
        if sum(widths) + GAP * (len(widths) - 1) <= width or len(capacities) < 2:
            return rows
        gone = next(i for i in capacities if rows.head[i] != kept)
        rows = Table(_without(rows.head, gone), tuple(_without(row, gone) for row in rows.rows), rows.more)


def _without(row: tuple[str, ...], place: int) -> tuple[str, ...]:
    return (*row[:place], *row[place + 1 :])


def _losses(console: Console, evaluation: Evaluation) -> None:
    """Print where the questions of the best system go, as bars."""
    points = shown_points(evaluation)
    at = points[0].capacity
    size = "its own size" if at is None else counted(at, "claims") if len(points) == 1 else "that capacity"
    line(console, f"Where all questions go, for {printable(points[0].label)} at {size}:", "dim")
    for name, share in losses(points).rows:
        value = float(share.removesuffix(" %").removeprefix("< ").removeprefix("> "))
        console.print(Text(f"{name:<{LEFT}}{share:>8}  {'█' * round(value / 100 * BAR)}"), soft_wrap=True)
