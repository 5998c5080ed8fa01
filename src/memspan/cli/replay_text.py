"""A replay in the terminal: the answer, regret over time, the policies, what to do next."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
from rich.console import Console
from rich.text import Text

from memspan.cli.following import typed
from memspan.cli.grid import GAP, grid
from memspan.cli.plot import GUTTER, ROWS, WIDTH, Bars
from memspan.cli.replay_asked import Asked
from memspan.cli.terminal import MOST_ROWS, line, printable
from memspan.report.replay_cells import Cell, Told
from memspan.report.replay_tables import across, ranking
from memspan.report.replay_words import COUNTS, headline, named, notes
from memspan.report.tables import Table

Floats = npt.NDArray[np.float64]
TALL = ROWS - 1  # rows of bars: with what stands around them no more than 12 lines


def show(asked: Asked, told: Told) -> None:
    """Print what was *told* on stdout, and the command to try next."""
    console = Console(highlight=False, emoji=False)
    line(console, headline(told), "bold")
    for note in notes(told):
        line(console, note)
    console.print()
    for each in regret_plot(told.first):
        console.print(Text(each, "blue"), soft_wrap=True)
    line(console, f"{'':{GUTTER}}{_legend(told.first)}", "dim")
    console.print()
    if len(told.cells) > 1:
        line(console, f"{named(told, told.first)}:", "dim")
    _table(console, ranking(told, told.first), COUNTS)
    if len(told.cells) > 1:
        line(console, "Share of the bound:", "dim")
        _table(console, _narrowed(across(told), console.width))
    line(console, f"Next: {typed(*_words(asked, told))}")


def _table(console: Console, table: Table, note: str = "") -> None:
    rows = [tuple(printable(cell) for cell in row) for row in table.rows]
    head, *body = grid(table.head, rows, console.width)
    line(console, head, "dim")
    fits = len(body) if len(body) <= MOST_ROWS else MOST_ROWS - 1  # the last line says how many are left
    for each in body[:fits]:
        line(console, each)
    if len(body) > fits:
        line(console, f"… {len(body) - fits:,} more: take all with --json or --report", "dim")
    console.print()
    if note:
        line(console, note, "dim")
        console.print()


def _narrowed(table: Table, width: int) -> Table:
    """Return *table* without the last columns where they do not fit; the last heading says how many."""
    widths = [max(len(row[i]) for row in (table.head, *table.rows)) + GAP for i in range(len(table.head))]
    fits = int((np.cumsum(widths) <= width).sum())
    kept = max(2, fits if fits == len(widths) else fits - 1)
    left = len(widths) - kept
    if not left:
        return table
    head = (*table.head[:kept], f"+ {left}")
    return Table(head, tuple((*row[:kept], "") for row in table.rows), table.more)


def regret_plot(cell: Cell) -> list[str]:
    """Return bars of how far the best policy, and behind it the other, lag behind the bound by each step."""
    best, other = _thinned(cell.best.regret.mean), _thinned(_behind(cell))
    top = max(float(best.max(initial=0.0)), float(other.max(initial=0.0)), 1e-9)
    bars = Bars(*(np.floor(curve / top * TALL * 8 + 1e-9).astype(np.int64) for curve in (best, other)))
    names = {TALL: f"{top:,.1f}"}
    rows = bars.rows(TALL)
    plot = [f"{'':{GUTTER}}regret: questions lost against the bound, summed"]
    plot += [
        f"{names.get(TALL - i, ''):>7} {'┤' if TALL - i in names else '│'}{row}".rstrip()
        for i, row in enumerate(rows)
    ]
    steps = f"{len(cell.bound):,} steps"
    return [*plot, f"{'0':>7} └{'─' * len(best)}", f"{'':{GUTTER + 1}}0{steps:>{len(best) - 1}}"]


def _behind(cell: Cell) -> Floats:
    return (cell.other or cell.best).regret.mean


def _thinned(curve: Floats) -> Floats:
    """Return *curve* at as many places as there are columns, its end last."""
    if not len(curve):
        return np.zeros(WIDTH - GUTTER - 1)
    places = np.linspace(0, len(curve) - 1, WIDTH - GUTTER - 1).round().astype(int)
    thinned: Floats = np.maximum(curve[places], 0.0)
    return thinned


def _legend(cell: Cell) -> str:
    other = f"   ░ {cell.other.policy}" if cell.other else ""
    return f"█ {cell.best.policy}{other}"


def _words(asked: Asked, told: Told) -> Iterator[str]:
    """Yield the command that takes the reader further: the page, then other orders, then everything."""
    if asked.report is None:
        yield from replace(asked, report=Path("replay.html")).words
    elif len(told.replay.orders) == 1:
        others = "iid,zipf,mix" if asked.drift is not None else "iid,zipf,mix,once"
        yield from replace(asked, queries=others).words
    else:
        yield from (*asked.words, "--json")
