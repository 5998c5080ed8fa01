"""Dates named in questions, answers and items, as spans of days that can be compared."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np
import numpy.typing as npt

from memspan.language.dates import relative_dates
from memspan.material import Claim

Floats = npt.NDArray[np.float64]

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_SLIPPED = rf"({'|'.join(_MONTHS)})[a-z]*"  # beside a day even Janury is a month
_MONTH = (
    "(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    "|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_FORMS = (  # the most precise first; y, m and d name the groups
    (re.compile(rf"(?<!\d)(\d{{1,2}})(?:st|nd|rd|th)?\s*(?:of\s+)?{_SLIPPED}\.?,?\s*(\d{{4}})(?!\d)"), "dmy"),
    (re.compile(rf"\b{_SLIPPED}\.?\s*(\d{{1,2}})(?:st|nd|rd|th|\b),?\s*(\d{{4}})(?!\d)"), "mdy"),
    (re.compile(r"(?<!\d)(\d{4})-(\d{2})-(\d{2})(?!\d)"), "ymd"),
    (re.compile(rf"\b{_MONTH}\.?,?\s*(\d{{4}})(?!\d)"), "my"),
    (re.compile(r"\b((?:19|20)\d{2})\b"), "y"),
)
_DAYS = {1: 366, 2: 31, 3: 1}  # how many days a date of so many parts may be


@dataclass(frozen=True, slots=True)
class Moment:
    """A date as precise as it was said: its first day, and how many days it may be."""

    first: date
    days: int


def moments(text: str) -> list[Moment]:
    """Return the dates that *text* names, the most precise reading of each place.

    >>> [m.first.isoformat() for m in moments("The week before 3June, 2022; again in May 2023")]
    ['2022-06-03', '2023-05-01']
    """
    rest = text.lower()
    found: list[Moment] = []
    for form, order in _FORMS:
        parts = (dict(zip(order, match.groups(), strict=True)) for match in form.finditer(rest))
        found += [moment for moment in map(_moment, parts) if moment]
        rest = form.sub(" ; ", rest)
    return found


def _moment(parts: dict[str, str]) -> Moment | None:
    month = parts.get("m", "1")
    number = int(month) if month.isdigit() else _MONTHS.index(month[:3]) + 1
    try:
        return Moment(date(int(parts["y"]), number, int(parts.get("d", 1))), _DAYS[len(parts)])
    except ValueError:
        return None


def meant(claim: Claim) -> Iterator[Moment]:
    """Yield the dates that *claim* means: those it names, and relative ones resolved by its time.

    >>> [m.first.isoformat() for m in meant(Claim("c", "I left yesterday.", time="2023-05-08T13:56"))]
    ['2023-05-07']
    """
    yield from moments(claim.text)
    for found in relative_dates(claim.text, claim.time):
        yield _spelled(found.value)


def _spelled(value: str) -> Moment:
    """Return the moment that an ISO 8601 year, month, day or interval of days means."""
    first, _, last = value.partition("/")
    parts = [int(part) for part in first.split("-")]
    year, month, day = (*parts, 1, 1)[:3]
    begin = date(year, month, day)
    end = day_of(last)
    return Moment(begin, (end - begin).days + 1 if end else _DAYS[len(parts)])


def day_of(time: str | None) -> date | None:
    """Return the day of an ISO 8601 *time*, None where there is none."""
    try:
        return date.fromisoformat(time[:10]) if time else None
    except ValueError:
        return None


@dataclass(frozen=True)
class Calendar:
    """The moments of many items, flat: moment i belongs to item ``row[i]``.

    Attributes:
        n: number of items.
        row: item of each moment.
        first, days: first day of each moment (ordinal) and how many days it may be.
    """

    n: int
    row: npt.NDArray[np.int64]
    first: Floats
    days: Floats

    @classmethod
    def of(cls, each: Sequence[Sequence[Moment]]) -> Calendar:
        """Gather the moments of *each* item."""
        flat = [(row, m.first.toordinal(), m.days) for row, found in enumerate(each) for m in found]
        table = np.array(flat, np.float64).reshape(-1, 3)
        return cls(len(each), table[:, 0].astype(np.int64), table[:, 1], table[:, 2])

    def agreement(self, wanted: Sequence[Moment]) -> Floats:
        """Return how well the moments of each item agree with one of *wanted*, in [0, 1].

        1 for the same day; less the wider the wider of both is, and the further they lie apart.
        """
        best = np.zeros(self.n)
        for moment in wanted:
            begin = moment.first.toordinal()
            gap = np.maximum(begin - self.first - self.days + 1, self.first - begin - moment.days + 1)
            wider = np.maximum(self.days, moment.days)
            sharp = np.where(wider <= 2, 1.0, np.where(wider <= 31, 0.8, 0.5))
            np.maximum.at(best, self.row, sharp * np.exp(-np.maximum(gap, 0) / 3))
        return best

    def nearness(self, wanted: Sequence[Moment], reach: float) -> Floats:
        """Return how near each item was said to one of *wanted*: exp(-days / reach), less where before it."""
        best = np.zeros(self.n)
        for moment in wanted:
            late = self.first - moment.first.toordinal()
            gap = np.where(late < 0, late, np.maximum(late - moment.days + 1, 0))
            near = np.exp(-np.abs(gap) / reach) * np.where(gap >= -1, 1.0, 0.6)
            np.maximum.at(best, self.row, near)
        return best
