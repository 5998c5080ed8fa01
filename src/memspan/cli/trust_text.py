"""Trust in the terminal: the answer, how trust is spread, what is doubtful, what to do next."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest

import numpy as np
import numpy.typing as npt
from rich.console import Console
from rich.text import Text

from memspan.cli.following import typed
from memspan.cli.grid import grid
from memspan.cli.plot import BLOCKS, GUTTER
from memspan.cli.terminal import MOST_ROWS, line, printable
from memspan.cli.trusting import Asked, Weighed
from memspan.report.tables import Table
from memspan.report.trust_words import (
    Told,
    claims_table,
    doubted,
    headline,
    notes,
    reasons,
    settlers_table,
)
from memspan.report.wording import counted

BINS, WIDE, ROWS = 20, 3, 6
MOST_SETTLERS = 4


def show(asked: Asked, found: Weighed) -> None:
    """Print what was *found* on stdout, and the command to try next."""
    console = Console(highlight=False, emoji=False)
    told = found.told
    line(console, headline(told), "bold")
    for note in notes(told):
        line(console, note)
    console.print()
    if not told.mute:
        for each in trust_plot(told.doubts.trust.tau[told.doubts.trust.touched]):
            console.print(Text(each, "blue"), soft_wrap=True)
        touched = counted(told.doubts.touched, "claims")
        line(console, f"        {touched} that outcomes speak about, by trust", "dim")
        console.print()
        _tables(console, told)
    line(console, f"Next: {typed(*_words(asked, told))}")


def _tables(console: Console, told: Told) -> None:
    bad = [] if told.doubts.noisy else [each for each in told.doubts.settlers if each.suspicious]
    suspects = settlers_table(bad, MOST_SETTLERS, whole=False)
    most = MOST_ROWS - len(suspects.rows)
    claims = claims_table(told, most)
    if claims.rows:
        line(console, doubted(told.doubts))
    _table(console, claims, _more(told), reasons(told, most))
    _table(console, suspects, "take all with --json or --report")


def _more(told: Told) -> str:
    """Return how to see all doubtful claims; a greater limit is needed where some are listed nowhere."""
    every = len(told.doubts.claims) + told.doubts.more
    limit = f"--limit {every} and " if told.doubts.more else ""
    return f"take all with {limit}--json or --report"


def _table(console: Console, table: Table, more: str, under: Sequence[str] = ()) -> None:
    """Print a table; *under* each row what else there is to say of it."""
    if not table.rows:
        return
    rows = [tuple(printable(cell) for cell in row) for row in table.rows]
    head, *body = grid(table.head, rows, console.width)
    line(console, head, "dim")
    for each, said in zip_longest(body, under, fillvalue=""):
        line(console, each.rstrip())
        if said:
            line(console, f"  {said}", "dim")
    if table.more:
        line(console, f"… {table.more:,} more: {more}", "dim")
    console.print()


def trust_plot(tau: npt.NDArray[np.float64]) -> list[str]:
    """Return bars of how many claims are trusted how much, in twentieths from 0 to 1.

    >>> print(trust_plot(np.array([0.01, 0.9, 0.9]))[0])
          2 ┤                                                      ███
    """
    counts, _ = np.histogram(tau, BINS, (0.0, 1.0))
    top = max(int(counts.max()), 1)
    eighths = np.ceil(8 * ROWS * counts / top).astype(int).tolist()
    lines = []
    for row in range(ROWS, 0, -1):
        name = f"{top:,}" if row == ROWS else ""
        cells = (BLOCKS[min(max(each - 8 * (row - 1), 0), 8)] * WIDE for each in eighths)
        lines.append(f"{name:>7} {'┤' if name else '│'}{''.join(cells)}".rstrip())
    span = BINS * WIDE
    lines.append(f"{'0':>7} └{'─' * span}")
    lines.append(f"{'':{GUTTER + 1}}0{'false   0.5   true':^{span - 2}}1")
    return lines


def _words(asked: Asked, told: Told) -> Iterator[str]:
    """Yield the command that takes the reader further: the page, then other noise, or without who errs."""
    yield "trust"
    yield from ([asked.settlements] if asked.settlements else [])
    yield from ("--material", asked.path)
    noise = _measured(told) if told.doubts.noisy else None
    yield from given(asked if noise is None else replace(asked, noise=None))
    bad = [each.name for each in told.doubts.settlers if each.suspicious and each.name and not each.untrusted]
    if noise is not None:
        yield from ("--noise", noise)
    elif asked.report is None and not told.mute:
        yield from ("--report", "trust.html")
    elif bad and not told.doubts.noisy:
        yield from ("--untrusted", bad[0])
    else:
        yield "--json"


def _measured(told: Told) -> str | None:
    """Return the rates that were found, as `--noise` takes them; None where that leads nowhere."""
    found = (told.doubts.erring.false_wrong, told.doubts.erring.false_right)
    rates = [min(max(round(each.rate, 2), 0.01), 0.99) for each in found]
    if sum(rates) >= 1 or all(abs(rate - each.given) < 0.01 for rate, each in zip(rates, found, strict=True)):
        return None
    return ",".join(f"{rate:g}" for rate in rates)


def given(asked: Asked) -> Iterator[str]:
    """Yield the options that were given, as they would be typed again."""
    for option, names in (("--only", asked.only), ("--untrusted", asked.untrusted)):
        yield from (part for name in names for part in (option, name))
    if asked.claims is not None:
        yield from ("--claims", asked.claims)
    if asked.learned:
        yield "--learn"
    if asked.noise is not None:
        yield from ("--noise", f"{asked.noise.false_wrong.mean:g},{asked.noise.false_right.mean:g}")
    usual = Asked("")
    for option, value, without in (
        ("--drift", asked.drift, usual.drift),
        ("--limit", asked.limit, usual.limit),
        ("--seed", asked.seed, usual.seed),
    ):
        if value != without:
            yield from (option, f"{value:g}")
    if not asked.refit:
        yield "--no-refit"
    for option, path in (("--report", asked.report), ("--save", asked.save)):
        if path is not None:
            yield from (option, str(path))
