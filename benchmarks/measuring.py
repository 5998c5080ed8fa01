"""Clocks and tables: a measurement is the minimum and the median of several runs."""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any, TypeVar

T = TypeVar("T")


@dataclass(frozen=True)
class Timing:
    """Seconds of several runs of the same thing."""

    least: float
    median: float
    runs: int

    def __str__(self) -> str:
        """Show minimum and median."""
        return f"{figure(self.least)} / {figure(self.median)}" if self.runs > 1 else figure(self.least)


def timing(seconds: Sequence[float]) -> Timing:
    """Summarise *seconds*."""
    return Timing(min(seconds), statistics.median(seconds), len(seconds))


def clock(work: Callable[[], T]) -> tuple[float, T]:
    """Return the seconds that *work* takes, and what it returns."""
    started = time.perf_counter()
    result = work()
    return time.perf_counter() - started, result


@dataclass(frozen=True)
class Section:
    """A heading, what its columns mean, and rows that are all of one dataclass."""

    name: str
    title: str
    rows: tuple[Any, ...]

    def record(self) -> dict[str, Any]:
        """Return the section for ``--json``."""
        return {"section": self.name, "title": self.title, "rows": [asdict(row) for row in self.rows]}

    def text(self) -> str:
        """Return the section as a Markdown table with aligned columns."""
        names = [field.name for field in fields(self.rows[0])]
        head = [name.replace("_", " ").replace("percent", "%") for name in names]
        body = [[cell(getattr(row, name)) for name in names] for row in self.rows]
        widths = [max(map(len, column)) for column in zip(head, *body, strict=True)]
        lines = [head, ["-" * width for width in widths], *body]
        shown = [" | ".join(w.ljust(n) for w, n in zip(line, widths, strict=True)) for line in lines]
        return "\n".join([f"## {self.name}: {self.title}", "", *(f"| {line} |" for line in shown), ""])


def cell(value: object) -> str:
    """Show one value of a table."""
    if value is None:
        return "-"
    if isinstance(value, float):
        return figure(value)
    return f"{value:,}" if isinstance(value, int) else str(value)


def figure(value: float) -> str:
    """Show three significant digits, without an exponent.

    >>> [figure(x) for x in (0, 0.0012345, 12.345, 100.0, 12345.6)]
    ['0', '0.00123', '12.3', '100', '12,300']
    """
    if not value:
        return "0"
    digits = 2 - math.floor(math.log10(abs(value)))
    rounded = round(value, digits)
    return f"{rounded:,.{max(digits, 0)}f}"
