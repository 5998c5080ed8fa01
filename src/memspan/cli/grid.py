"""A table in a terminal: numbers stay whole, and the first column gives way in its middle."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from rich.cells import cell_len

GAP = 2
WHOLE = sys.maxsize
"""A width at which nothing gives way: where lines go to a file or a program."""
NARROWEST = 9  # columns for a name, whatever the terminal


def grid(head: Sequence[str], rows: Sequence[Sequence[str]], width: int) -> list[str]:
    """Return *head* and *rows* as lines of at most *width* columns where the numbers leave room.

    >>> grid(("material", "claims"), [("a-rather-long-name", "419")], 20)
    ['material      claims', 'a-rath…-name     419']
    """
    cells = [head, *rows]
    widths = [max(cell_len(row[i]) for row in cells) for i in range(len(head))]
    rest = sum(widths[1:]) + GAP * (len(widths) - 1)
    widths[0] = min(widths[0], max(width - rest, NARROWEST))
    return [_line(row, widths) for row in cells]


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    name = shortened(row[0], widths[0])
    numbers = [
        " " * (GAP + wide - cell_len(cell)) + cell for cell, wide in zip(row[1:], widths[1:], strict=True)
    ]
    return f"{name}{' ' * (widths[0] - cell_len(name))}{''.join(numbers)}"


def shortened(text: str, width: int) -> str:
    """Return *text* with its middle left out where it is wider than *width* columns.

    >>> shortened("conversation-42", 9), shortened("conv-42", 9)
    ('conv…n-42', 'conv-42')
    """
    if cell_len(text) <= width:
        return text
    tail = _fitting(text[::-1], (width - 1) // 2)[::-1]
    return f"{_fitting(text, width - 1 - cell_len(tail))}…{tail}"


def _fitting(text: str, width: int) -> str:
    """Return the longest start of *text* that fits into *width* columns."""
    used = 0
    for i, character in enumerate(text):
        used += cell_len(character)
        if used > width:
            return text[:i]
    return text
