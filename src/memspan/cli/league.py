"""What a person sees of an evaluation in a terminal: the finding, the league, where the questions go."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from memspan.cli.grid import grid
from memspan.cli.terminal import line, printable
from memspan.diagnosis import Evaluation
from memspan.report.league import first_fix, headline, losses, shown_points, table, to_do, whole

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
    for left in evaluation.dropped[:MOST_ROWS]:
        line(console, f"{left.record}: {left.reason}")
    if not evaluation.points:
        return
    line(console, whole(evaluation))
    console.print()
    _league(console, evaluation)
    console.print()
    _losses(console, evaluation)
    console.print()
    line(console, first_fix(evaluation))
    for each in to_do(evaluation):
        line(console, each)


def _league(console: Console, evaluation: Evaluation) -> None:
    rows = table(evaluation)
    head, *body = grid(rows.head, [tuple(map(printable, row)) for row in rows.rows], console.width)
    line(console, head, "dim")
    for each in body[:MOST_ROWS]:
        line(console, each)
    if len(body) > MOST_ROWS:
        line(console, f"… {len(body) - MOST_ROWS:,} more: take all with --json or --report", "dim")


def _losses(console: Console, evaluation: Evaluation) -> None:
    """Print where the questions of the best system go, as bars."""
    points = shown_points(evaluation)
    at = points[0].capacity
    size = "its own size" if at is None else f"{at:,} claims" if len(points) == 1 else "that capacity"
    line(console, f"Where the questions of {printable(points[0].label)} go at {size}:", "dim")
    for name, share in losses(points).rows:
        value = float(share.removesuffix(" %").removeprefix("< ").removeprefix("> "))
        console.print(Text(f"{name:<{LEFT}}{share:>8}  {'█' * round(value / 100 * BAR)}"), soft_wrap=True)
