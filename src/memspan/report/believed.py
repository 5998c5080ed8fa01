"""What is believed about claims, in words and rows: how good beliefs are, and the water under each system."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from memspan.diagnosis import Evaluation, Interval, Point
from memspan.diagnosis.trusted import Reliability, together
from memspan.report.league import league_of, place_name, shown_label
from memspan.report.reliability import reliability_told
from memspan.report.tables import Table
from memspan.report.wording import counted, percent, points
from memspan.trust.calibration import Calibration

MOST_MATERIALS = 15
COLUMN = "water expected"
"""The column that the league in a terminal has more where something is believed."""
UNCHECKED = "The truth of no claim is known here: how good the beliefs are cannot be checked."
SETTLED = "settled claims"
"""Claims that a settlement spoke about."""
_NONE = "-"
Value = Callable[[Point], Interval | None]


@dataclass(frozen=True)
class Told:
    """The parts of the page about beliefs.

    Attributes:
        quality: how good beliefs are, in one sentence.
        finding: what the system shown covers, and how much of that is water; empty where nothing is known.
        drawn: the calibration that is drawn; None where no truth is known.
        settled: whether that is about the claims alone that settlements spoke about.
        measures: every measure over claims and materials; no rows where no truth is known.
        water: what each system covers, by true claims, and by false ones alone.
        note: what that table does not say itself.
    """

    quality: str
    finding: str
    drawn: Calibration | None
    settled: bool
    measures: Table
    water: Table
    note: str


def told(evaluation: Evaluation) -> Told | None:
    """Return what is believed in *evaluation*; None where nothing is."""
    if not evaluation.trust:
        return None
    whole = together(evaluation.trust.values())
    return Told(
        quality(evaluation),
        _finding(evaluation),
        whole.touched or whole.known,
        whole.touched is not None,
        _measures(evaluation, whole),
        _water(evaluation),
        _note(evaluation),
    )


def quality(evaluation: Evaluation) -> str:
    """Return how good the beliefs of *evaluation* are, in one sentence; nothing where there are none."""
    if not evaluation.trust:
        return ""
    whole = together(evaluation.trust.values())
    if whole.touched is not None:
        return reliability_told(whole.touched, SETTLED)
    return UNCHECKED if whole.known is None else reliability_told(whole.known)


def with_water(table: Table, evaluation: Evaluation) -> Table:
    """Return the league's *table* with the water expected, where something is believed."""
    if not evaluation.trust:
        return table
    cells = [_percent(_mean(_shown(evaluation, row[0]), _water_expected)) for row in table.rows]
    rows = tuple((*row, cell) for row, cell in zip(table.rows, cells, strict=True))
    return Table((*table.head, COLUMN), rows, table.more)


# --- how good beliefs are -----------------------------------------------------------------------


def _measures(evaluation: Evaluation, whole: Reliability) -> Table:
    """Return the measures over the settled claims and over all, then of each material over what is drawn."""
    several = list(evaluation.trust.items()) if len(evaluation.trust) > 1 else []
    named = [("settled", whole.touched), ("all", whole.known)]
    named += [
        (name, each.known if whole.touched is None else each.touched)
        for name, each in several[:MOST_MATERIALS]
    ]
    rows = tuple(_measured(name, each) for name, each in named if each is not None)
    head = ("claims", "number", "ECE", "Brier", "log loss", "AUC")
    return Table(head, rows, max(0, len(several) - MOST_MATERIALS))


def _measured(name: str, each: Calibration) -> tuple[str, ...]:
    values = (each.ece, each.brier, each.log_loss, each.auc)
    numbers = (_NONE if math.isnan(value) else f"{value:.3f}" for value in values)
    return (name, f"{each.n:,}", *numbers)


# --- water --------------------------------------------------------------------------------------


def _shown(evaluation: Evaluation, label: str) -> list[Point]:
    """Return the points of a system at the capacity shown, else at its own size, that have beliefs."""
    place = league_of(evaluation).place
    found = [each for each in evaluation.points if each.label == label and each.material in evaluation.trust]
    return [each for each in found if each.place == place] or [each for each in found if each.place is None]


def _measurable(evaluation: Evaluation, found: Sequence[Point]) -> list[Point]:
    """Return those of the points *found* whose material knows the truth of some claim."""
    return [each for each in found if evaluation.trust[each.material].known is not None]


def _water(evaluation: Evaluation) -> Table:
    """Return for each system what it covers, expected under the beliefs and measured where truth is known."""
    known = any(each.known is not None for each in evaluation.trust.values())
    # What a column says, whether it is measured, and its value.
    columns: list[tuple[str, bool, Value]] = [
        ("covers", False, lambda point: point.u_cov),
        (COLUMN, False, _water_expected),
        ("water measured", True, lambda point: point.inflation),
        ("true expected", False, lambda point: point.u_prec_expected),
        ("true measured", True, lambda point: point.u_prec),
        ("of the best", True, lambda point: point.share_prec),
    ]
    kept = [each for each in columns if known or not each[1]]
    rows = []
    for label in league_of(evaluation).rows:
        shown = _shown(evaluation, label)
        some = _measurable(evaluation, shown)
        rows.append((label, *(_percent(_mean(some if m else shown, value)) for _, m, value in kept)))
    return Table(("system", *(name for name, _, _ in kept)), tuple(rows))


def _water_expected(point: Point) -> Interval | None:
    return point.water_expected


def _mean(found: Sequence[Point], value: Value) -> float | None:
    known = [each.estimate for point in found if (each := value(point)) is not None]
    return float(np.mean(known)) if known else None


def _percent(share: float | None) -> str:
    return _NONE if share is None else percent(share)


def _finding(evaluation: Evaluation) -> str:
    """Return what the system shown covers, and how much of that is water."""
    label = shown_label(evaluation)
    shown = _shown(evaluation, label)
    covers, expected = _mean(shown, lambda point: point.u_cov), _mean(shown, _water_expected)
    if covers is None or expected is None:
        return ""
    water = _mean(_measurable(evaluation, shown), lambda point: point.inflation)
    measured = "" if water is None else f"; measured: {points(water, water)}"
    text = f"{_at(evaluation, shown[0])}, {label} covers {percent(covers)} of the questions"
    return f"{text}, {points(expected, expected)} of it expected to rest on false claims alone{measured}."


def _at(evaluation: Evaluation, point: Point) -> str:
    if point.place is None:
        return "At its own size"
    shares = {each.place: each.capacity_share for each in evaluation.standings}
    return f"At {place_name(shares[point.place])} of the claims"


def _note(evaluation: Evaluation) -> str:
    """Return what the table is about where that is not all there is, and where truth is not known."""
    found = list(evaluation.trust.values())
    known, claims = sum(len(each.truth) for each in found), sum(each.claims for each in found)
    parts = []
    if len(found) < len(evaluation.grounds):
        some = f"{len(found):,} of {counted(len(evaluation.grounds), 'materials')}"
        parts.append(f"Beliefs are there for {some}; the table is about these.")
    if 0 < known < claims:
        parts.append(
            f"Truth is known of {known:,} of {counted(claims, 'claims')}; the others count as true in what "
            "is measured, so measured water is the least there is."
        )
    return " ".join(parts)
