"""A replay in words: which memory would have served best, how sure that is, and how it was told."""

from __future__ import annotations

import math
from collections.abc import Iterator

from memspan.intervals import Interval
from memspan.report.replay_cells import BASELINE, Cell, Row, Told
from memspan.report.tables import Table
from memspan.report.wording import between, counted, percent

COLUMNS = {
    "outcome": "outcome only",
    "text": "outcome and question",
    "hits": "claims used",
    "supports": "supports disclosed",
}
"""How much is told of a settled query; figures of different columns are never compared."""
TOLD = {
    "outcome": "told right or wrong alone",
    "text": "told the question and right or wrong",
    "hits": "told the claims used",
    "supports": "told all supports",
}
ORDERS = {
    "iid": "drawn by their own weights",
    "uniform": "drawn alike",
    "zipf": "drawn by popularity: a few are asked often",
    "mix": "half about the newest session, half by popularity",
    "once": "each asked once",
}
BOUNDS = {
    "iid": "iid optimum: the best memory of that capacity under the law that questions are drawn from",
    "remaining": "remaining queries: the best memory of that capacity for the questions not yet asked",
    "clairvoyant": "clairvoyant: the best of one who knows all questions beforehand, where what is let go is "
    "lost; it bounds the sum over the steps, not each one",
}
WRITES = {
    "stream": "what is let go is lost",
    "full": "any claim that has appeared can be taken in again",
    "swap": "some claims can be taken in again",
}
REWARDS = {
    "coverage": "a support is held",
    "precision": "a support of true claims is held",
    "end-to-end": "a support of true claims is held, and read",
}


def headline(told: Told) -> str:
    """Return the answer in one sentence."""
    cell = told.first
    setting = f"queries {cell.order}, {TOLD[told.setting.disclosure]}"
    where = counted(len(told.materials), "materials") if len(told.materials) > 1 else told.materials[0].id
    if math.isnan(cell.best.attained.estimate):
        size = capacity_told(told, cell)
        return f"No memory of {size} answers any question: each needs more ({where}, {setting})."
    other = f" ({cell.other.policy} {percent(cell.other.attained.estimate)})" if cell.other else ""
    share = percent(cell.best.attained.estimate)
    answers = f"{cell.best.policy} holds what answers {share} of what {_could(told, cell)}{other}"
    return f"{answers}: {where}, {setting}."


def _could(told: Told, cell: Cell) -> str:
    size = capacity_told(told, cell)
    if cell.kind == "clairvoyant":
        return f"one who knew every question could with {size}"
    rest = " of the questions that remain" if cell.kind == "remaining" else ""
    return f"any memory of {size} could{rest}"


def capacity_told(told: Told, cell: Cell) -> str:
    """Return the capacity of *cell* in words, e.g. ``10 % of the claims``."""
    unit = told.setting.cost
    return (
        counted(cell.share, unit) if isinstance(cell.share, int) else f"{percent(cell.share)} of the {unit}"
    )


def named(cell: Cell) -> str:
    """Return the name of *cell*, e.g. ``uniform 10 %``."""
    return (
        f"{cell.order} {cell.share:,}"
        if isinstance(cell.share, int)
        else f"{cell.order} {percent(cell.share)}"
    )


def notes(told: Told) -> Iterator[str]:
    """Yield what must stand beside the answer."""
    yield lead(told)
    yield f"Bound: {BOUNDS[told.first.kind]}. Column: {COLUMNS[told.setting.disclosure]}."
    if told.setting.reward != "coverage":
        yield f"A question counts as answered where {REWARDS[told.setting.reward]}."
    yield from _doubts(told)
    if told.left_out:
        some = "; ".join(f"{name}: {why}" for name, why in told.left_out[:3])
        yield f"Left out: {counted(len(told.left_out), 'materials')}, e.g. {some}"


def lead(told: Told) -> str:
    """Return whether the best is told apart from what it is shown beside."""
    best, other = told.first.best, told.first.other
    if other is None:
        return f"No other policy was played; {BASELINE} is what others are held against."
    times = told.replay.ratio(best.policy, other.policy, told.first.order, told.first.share)
    if not times.known:
        return (
            "One material says nothing about others: there are no intervals."
            if len(told.materials) == 1
            else ""
        )
    apart = "it is ahead on materials like these" if times.lower > 1 else "the two are not told apart"
    return f"That is {times.estimate:.2f} times {other.policy} ({limits(times, 2)}): {apart}."


def _doubts(told: Told) -> Iterator[str]:
    played = [row.policy for row in told.first.rows if row.policy in told.asks]
    if played and told.judged.flattered:
        several = ", ".join(told.judged.flattered[:5])
        yield f"The rule {told.judged.name} was fitted on {several}: what asks it is flattered there."
    elif played and told.judged.fitted_on:
        yield f"Claims were judged by the rule {told.judged.name} ({told.judged.fitted_on})."
    if played and not told.judged.fitted_on:
        yield f"No rule judged the claims: to {', '.join(played)} all unused ones look alike."
    unsure = sorted({each.certainty for each in told.materials} - {"annotated"})
    if unsure:
        yield f"Some supports were {' and '.join(unsure)}, not annotated: an estimate."
    made = sorted({each.question_source for each in told.materials} - {"given", "log"})
    if made:
        yield f"Some questions come from a {' and a '.join(made)}: near to circular."


# --- tables -----------------------------------------------------------------------------------------


def ranking(cell: Cell) -> Table:
    """Return one row for each policy, the best first."""
    head = (
        "policy",
        "of the bound",
        "95 % interval",
        f"\N{MULTIPLICATION SIGN} {BASELINE}",
        "regret",
        "growth",
    )
    return Table(head, tuple(_ranked(row) for row in cell.rows))


def _ranked(row: Row) -> tuple[str, ...]:
    return (
        row.policy,
        shown(row.attained.estimate),
        spread(row.attained),
        decimals(row.ratio.estimate, 2),
        decimals(row.regret.end.estimate, 1),
        decimals(row.regret.growth.estimate, 2),
    )


def across(told: Told) -> Table:
    """Return the share of the bound of each policy in each cell."""
    head = ("policy", *(named(cell) for cell in told.cells))
    rows = (
        (row.policy, *(shown(cell.row(row.policy).attained.estimate) for cell in told.cells))
        for row in told.first.rows
    )
    return Table(head, tuple(rows))


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
