"""What is believed about claims, in words and rows: how good beliefs are, and the water under each system."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from memspan.diagnosis import Evaluation, Interval, Point
from memspan.diagnosis.trusted import Reliability, together
from memspan.report.league import league_of, shown_label
from memspan.report.reliability import reliability_told
from memspan.report.tables import Table
from memspan.report.wording import counted, percent, points
from memspan.trust.calibration import Calibration

MOST_MATERIALS = 15
COLUMN = "water expected"
"""The column that the league in a terminal has more where something is believed."""
UNCHECKED = "The truth of no claim is known here: how good the beliefs are cannot be checked."
_NONE = "-"


@dataclass(frozen=True)
class Told:
    """The parts of the page about beliefs.

    Attributes:
        quality: how good beliefs are, in one sentence.
        drawn: the calibration that is drawn; None where no truth is known.
        which: which claims that is about.
        measures: every measure over claims and materials; no rows where no truth is known.
        water: what each system covers, by true claims, and by false ones alone.
        finding: the same of the system shown, in one sentence.
        note: what the table does not say itself.
    """

    quality: str
    drawn: Calibration | None
    which: str
    measures: Table
    water: Table
    finding: str
    note: str


def told(evaluation: Evaluation) -> Told | None:
    """Return what is believed in *evaluation*; None where nothing is."""
    if not evaluation.trust:
        return None
    whole = together(evaluation.trust.values())
    drawn, which = _drawn(whole)
    return Told(
        quality(evaluation),
        drawn,
        which,
        _measures(evaluation, whole),
        _water(evaluation),
        _finding(evaluation),
        _note(evaluation),
    )


def quality(evaluation: Evaluation) -> str:
    """Return how good the beliefs of *evaluation* are, in one sentence; nothing where there are none."""
    if not evaluation.trust:
        return ""
    drawn, _ = _drawn(together(evaluation.trust.values()))
    return UNCHECKED if drawn is None else reliability_told(drawn)


def with_water(table: Table, evaluation: Evaluation) -> Table:
    """Return the league's *table* with the water expected, where something is believed."""
    if not evaluation.trust:
        return table
    cells = [_percent(_mean(_shown(evaluation, row[0]), _water_expected)) for row in table.rows]
    rows = tuple((*row, cell) for row, cell in zip(table.rows, cells, strict=True))
    return Table((*table.head, COLUMN), rows, table.more)


# --- how good beliefs are -----------------------------------------------------------------------


def _drawn(found: Reliability) -> tuple[Calibration | None, str]:
    """Return the calibration over the claims that settlements spoke about, else over all."""
    if found.touched is not None:
        return found.touched, "claims that settlements spoke about"
    return found.known, "claims whose truth is known"


def _measures(evaluation: Evaluation, whole: Reliability) -> Table:
    named = [("spoken about by settlements", whole.touched), ("all whose truth is known", whole.known)]
    several = list(evaluation.trust.items()) if len(evaluation.trust) > 1 else []
    named += [(name, _drawn(each)[0]) for name, each in several[:MOST_MATERIALS]]
    rows = tuple(_measured(name, each) for name, each in named if each is not None)
    head = ("claims", "how many", "ECE", "Brier", "log loss", "AUC")
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


def _water(evaluation: Evaluation) -> Table:
    """Return for each system what it covers, measured and expected; measured where truth is known."""
    rows = []
    for label in league_of(evaluation).rows:
        shown = _shown(evaluation, label)
        known = [each for each in shown if evaluation.trust[each.material].known is not None]
        rows.append(
            (
                label,
                _percent(_mean(shown, lambda p: p.u_cov)),
                _percent(_mean(known, lambda p: p.inflation)),
                _percent(_mean(shown, _water_expected)),
                _percent(_mean(known, lambda p: p.u_prec)),
                _percent(_mean(shown, lambda p: p.u_prec_expected)),
                _percent(_mean(known, lambda p: p.share_prec)),
            )
        )
    head = ("system", "covers", "water", COLUMN, "by true claims", "expected", "of the best by true claims")
    return Table(head, tuple(rows))


def _water_expected(point: Point) -> Interval | None:
    return point.water_expected


def _mean(found: Sequence[Point], value: Callable[[Point], Interval | None]) -> float | None:
    known = [each.estimate for point in found if (each := value(point)) is not None]
    return float(np.mean(known)) if known else None


def _percent(share: float | None) -> str:
    return _NONE if share is None else percent(share)


def _finding(evaluation: Evaluation) -> str:
    """Return what the system shown covers, and how much of that is water."""
    label = shown_label(evaluation)
    shown = _shown(evaluation, label)
    covers, expected = _mean(shown, lambda p: p.u_cov), _mean(shown, _water_expected)
    if covers is None or expected is None:
        return ""
    known = [each for each in shown if evaluation.trust[each.material].known is not None]
    water = _mean(known, lambda p: p.inflation)
    measured = "" if water is None else f"; measured: {points(water, water)}"
    text = f"{label} covers {percent(covers)} of the questions"
    return f"{text}, {points(expected, expected)} of it expected to rest on false claims alone{measured}."


def _note(evaluation: Evaluation) -> str:
    """Return over what the table is a mean, and where truth is not known."""
    found = list(evaluation.trust.values())
    known = sum(len(each.truth) for each in found)
    claims = sum(each.claims for each in found)
    parts = []
    if len(evaluation.trust) < len(evaluation.grounds):
        some = f"{len(found):,} of {counted(len(evaluation.grounds), 'materials')}"
        parts.append(f"Beliefs are there for {some}, and the table is about these.")
    if 0 < known < claims:
        parts.append(
            f"Truth is known of {known:,} of {counted(claims, 'claims')}; the others count as true in what "
            "is measured, so measured water is the least there is."
        )
    return " ".join(parts)
