"""OR-Library set covering: columns that cover rows at a cost.

Two layouts: by row (``scp*``: costs of all columns, then the columns of each row) and by
column (``rail*``: cost and rows of each column). A column is a claim, a row a query of equal
weight, answered by any one column that covers it.

Source: Beasley, *OR-Library*, J. Opl. Res. Soc. 41 (1990);
https://people.brunel.ac.uk/~mastjjb/jeb/orlib/scpinfo.html.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass

from memspan.datasets.format import Format
from memspan.datasets.json_text import shown
from memspan.datasets.source import Source
from memspan.material import Claim, Dropped, Material, Query, Support

_FIRST_LINE = re.compile(r"\s*\d{1,18}[ \t]+\d{1,18}\s*?\n")
_WIDEST = 40
"""Most bytes that one number and the blanks around it can take."""
_NUMBERS = re.compile(r"[\d\s]+")


@dataclass(frozen=True)
class _Instance:
    """What both layouts say: a cost per column, the columns of each row (from 1)."""

    costs: list[int]
    rows: list[list[int]]


def _detect(source: Source) -> bool:
    return bool(_FIRST_LINE.match(source.head) and _NUMBERS.fullmatch(source.head))


def _read(source: Source, _: str) -> list[Material]:
    _refuse_junk(source)
    words = source.text.split()
    odd = next((word for word in words if not word.isdecimal() or len(word) > 18), None)
    if odd is not None or len(words) < 2:
        seen = f"holds {shown(odd)}" if odd else "holds fewer than two numbers"
        raise source.refuse(f"{seen}; a set covering instance holds whole numbers only")
    numbers = list(map(int, words))
    instance = _by_row(numbers) or _by_column(numbers)
    if instance is None:
        shape = f"{numbers[0]} rows, {numbers[1]} columns and {len(numbers) - 2} further numbers"
        raise source.refuse(f"{shape} fit neither the layout by row nor by column; is the file complete?")
    return [_material(source.path.stem, instance)]


def _refuse_junk(source: Source) -> None:
    """Refuse a file far longer than all its rows and columns could need, before it is read."""
    found = _FIRST_LINE.match(source.head)
    rows, columns = map(int, found[0].split()) if found else (0, 0)
    most = 2 + columns * (2 + rows) + rows
    if found and source.path.stat().st_size > _WIDEST * most:
        raise source.refuse(
            f"{rows} rows and {columns} columns need at most {most} numbers; this is far more"
        )


def _by_row(numbers: list[int]) -> _Instance | None:
    """Read costs of all columns, then a count and columns for each row; None where the counts do not fit."""
    n_rows, n_columns = numbers[:2]
    at = 2 + n_columns
    costs, rows = numbers[2:at], []
    for _ in range(n_rows):
        if at >= len(numbers):
            return None
        end = at + 1 + numbers[at]
        rows.append(numbers[at + 1 : end])
        at = end
    return _Instance(costs, rows) if at == len(numbers) else None


def _by_column(numbers: list[int]) -> _Instance | None:
    """Read a cost, a count and rows for each column; None where the counts do not fit."""
    n_rows, n_columns = numbers[:2]
    if n_rows > len(numbers):
        return None
    at, costs, covering = 2, [], defaultdict(list)
    for column in range(1, n_columns + 1):
        if at + 1 >= len(numbers):
            return None
        end = at + 2 + numbers[at + 1]
        costs.append(numbers[at])
        for row in numbers[at + 2 : end]:
            covering[row].append(column)
        at = end
    beyond = any(not 1 <= row <= n_rows for row in covering)
    rows = [covering[row] for row in range(1, n_rows + 1)]
    return _Instance(costs, rows) if at == len(numbers) and not beyond else None


def _material(name: str, instance: _Instance) -> Material:
    dropped: list[Dropped] = []
    columns = range(1, len(instance.costs) + 1)
    supports = {column: Support((f"c{column}",)) for column in columns}  # shared by all rows
    claims = tuple(
        Claim(f"c{column}", costs={"cost": cost})
        for column, cost in zip(columns, instance.costs, strict=True)
    )
    queries = []
    for number, row in enumerate(instance.rows, start=1):
        known = [column for column in dict.fromkeys(row) if column in supports]
        if len(known) < len(row):
            reason = f"{len(row) - len(known)} of its columns do not exist or repeat; left out"
            dropped.append(Dropped(f"row {number}", "columns", reason, kept=bool(known)))
        elif not row:
            dropped.append(Dropped(f"row {number}", "columns", "is covered by no column"))
        if known:
            queries.append(Query(f"r{number}", supports=tuple(supports[column] for column in known)))
    return Material(name, claims, queries=tuple(queries), dropped=tuple(dropped))


ORLIB = Format("orlib-scp", "OR-Library set covering", _detect, _read)
