"""An audit in the terminal: the answer, how the store grew, what was found, what to do next."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from memspan.cli.following import typed
from memspan.cli.grid import grid
from memspan.cli.plot import BLOCKS, GUTTER, WIDTH
from memspan.cli.terminal import line
from memspan.report.audit_words import headline, kinds_table, notes
from memspan.report.wording import counted, percent

if TYPE_CHECKING:
    from memspan.audit import Audit, Growth, Period
    from memspan.cli.audit import Looked
    from memspan.diagnosis import Evaluation
    from memspan.report.audit_words import Needs

ROWS = 6


def show(
    audits: Sequence[Audit], needs: Needs | None, looked: Looked, placed: Evaluation | None = None
) -> None:
    """Print *audits* on stdout, what the store was *placed* at, and the command to try next."""
    console = Console(highlight=False, emoji=False)
    line(console, headline(audits), "bold")
    for note in notes(audits, needs):
        line(console, note)
    console.print()
    if len(audits) == 1 and len(audits[0].growth.periods) > 1:
        for each in growth_plot(audits[0].growth):
            console.print(Text(each, "blue"), soft_wrap=True)
        line(console, f"        {_legend(audits[0])}", "dim")
        console.print()
    table = kinds_table(audits)
    if table.rows:
        head, *rows = grid(table.head, table.rows, console.width)
        line(console, head, "dim")
        for row in rows:
            line(console, row)
        console.print()
    if placed is not None:
        from memspan.cli.league import finding

        finding(console, placed)
        console.print()
    line(console, f"Next: {_next(looked, bool(sum(len(each.removals) for each in audits)))}")


def growth_plot(growth: Growth) -> list[str]:
    """Return bars of what was written in each period: solid what was new, shaded what was there already.

    >>> from memspan.audit import Growth, Period
    >>> written = Growth("day", (Period("2024-03-01", 4, 20, 0), Period("2024-03-02", 2, 9, 1)))
    >>> print(growth_plot(written)[0])
          4 ┤██
    """
    top = max(period.memories for period in growth.periods)
    wide = 2 if len(growth.periods) * 3 < WIDTH - GUTTER - 1 else 1
    lines = []
    for row in range(ROWS, 0, -1):
        name = f"{top:,}" if row == ROWS else ""
        cells = (_cell(period, top, row) * wide for period in growth.periods)
        lines.append(f"{name:>7} {'┤' if name else '│'}{(' ' if wide > 1 else '').join(cells)}".rstrip())
    span = len(growth.periods) * wide + (len(growth.periods) - 1) * (wide > 1)
    first, last = growth.periods[0].start, growth.periods[-1].start
    lines.append(f"{'0':>7} └{'─' * span}")
    lines.append(f"{'':{GUTTER + 1}}{first}{last:>{max(span - len(first), len(last) + 1)}}")
    return lines


def _cell(period: Period, top: int, row: int) -> str:
    """Return the block of *period* in *row*, from the bottom up: what is new below what is not."""
    eighths = round(8 * ROWS * period.memories / top) or 1
    new = round(8 * ROWS * (period.memories - period.repeats) / top)
    below = 8 * (row - 1)
    if new - below >= 8 or (new == eighths and new > below):
        return BLOCKS[min(new - below, 8)]
    if eighths - below >= 4:
        return "░"
    return BLOCKS[max(min(eighths - below, 8), 0)]


def _legend(audit: Audit) -> str:
    written = sum(period.memories for period in audit.growth.periods)
    again = sum(period.repeats for period in audit.growth.periods)
    undated = f"   {counted(audit.growth.undated, 'memories')} without a time" if audit.growth.undated else ""
    share = percent(again / max(written, 1))
    return f"written by {audit.growth.unit}: █ new   ░ there already ({share}){undated}"


def _next(looked: Looked, anything: bool) -> str:
    return typed(*_words(looked, anything))


def _words(looked: Looked, anything: bool) -> Iterator[str]:
    """Yield the command that takes the reader further: the page, the list, then the questions."""
    if looked.questions is not None and looked.transcript is not None:
        yield from ("evaluate", looked.transcript, "--union", "--questions", looked.questions)
        yield from ("--store", looked.path, "--report", "evaluate.html")
        return
    if looked.questions is not None and looked.report is not None:
        yield from ("frontier", looked.path, "--questions", looked.questions)
        return
    yield from ("audit", looked.path)
    for name in looked.materials:
        yield from ("--material", name)
    if looked.report is None:
        yield from (("--questions", looked.questions) if looked.questions else ())
        yield from ("--report", "audit.html")
    elif looked.delete is None and anything:
        yield from ("--delete", "delete.csv")
    else:
        yield from ("--questions", "FILE")
