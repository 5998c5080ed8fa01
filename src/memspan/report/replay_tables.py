"""Tables of a replay: the policies of one cell, every policy in every cell, and how numbers are written."""

from __future__ import annotations

import math
from collections.abc import Iterator

from memspan.intervals import Interval
from memspan.report.replay_cells import BASELINE, Cell, Row, Told
from memspan.report.tables import Table
from memspan.report.wording import between, counted, percent


def ranking(told: Told, cell: Cell) -> Table:
    """Return one row for each policy, the best first."""
    around = around_named(told)
    head = (
        "policy",
        "of the bound",
        *([around] if around else []),
        f"\N{MULTIPLICATION SIGN} {BASELINE}",
        "regret",
        *(["growth"] if told.grows else []),
        "answered",
    )
    return Table(head, tuple(tuple(_ranked(told, row)) for row in cell.rows))


def _ranked(told: Told, row: Row) -> Iterator[str]:
    yield row.policy
    yield shown(row.attained.estimate)
    if around_named(told):
        yield around(told, row)
    yield decimals(row.ratio.estimate, 2)
    yield decimals(row.regret.end.estimate, 1)
    if told.grows:
        yield decimals(row.regret.growth.estimate, 2)
    yield shown(row.collected.estimate)


def around_named(told: Told) -> str:
    """Return what stands around a share: its interval, the spread over draws of one material, or nothing."""
    if len(told.materials) > 1:
        return "95 % interval"
    return f"over {len(told.seeds)} draws" if len(told.seeds) > 1 else ""


def around(told: Told, row: Row) -> str:
    """Return the interval of a share over materials; of one material, the least and the most over draws."""
    if len(told.materials) > 1:
        return spread(row.attained)
    known = [share for share in row.draws if not math.isnan(share)]
    return between(min(known), max(known)) if len(known) > 1 else "-"


def across(told: Told) -> Table:
    """Return the share of the bound of each policy in each cell."""
    head = ("policy", *(brief(told, cell) for cell in told.cells))
    rows = (
        (row.policy, *(shown(cell.row(row.policy).attained.estimate) for cell in told.cells))
        for row in told.first.rows
    )
    return Table(head, tuple(rows))


def brief(told: Told, cell: Cell) -> str:
    """Return the name of *cell* for the head of a column, e.g. ``once, 8 claims``."""
    if len(told.replay.shares) == 1:
        return cell.order
    share = cell.share
    size = counted(share, told.setting.cost) if isinstance(share, int) else percent(share)
    return f"{cell.order}, {size}"


def shown(share: float) -> str:
    """Return a share in percent, a dash where it is not known."""
    return "-" if math.isnan(share) else percent(share)


def decimals(value: float, digits: int) -> str:
    """Return a number with so many *digits*, a dash where it is not known."""
    return f"{value:,.{digits}f}" if math.isfinite(value) else "-"


def spread(value: Interval) -> str:
    """Return the limits of a share, a dash where they are not known."""
    return between(value.lower, value.upper) if value.known else "-"


def limits(value: Interval, digits: int) -> str:
    """Return the limits of a number, a dash where they are not known."""
    return f"{value.lower:,.{digits}f} to {value.upper:,.{digits}f}" if value.known else "-"
