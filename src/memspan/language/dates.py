"""Times as people write them: notations to ISO 8601, and relative expressions to dates."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache

_YEAR_ROUND = "January February March April May June July August September October November December"
_NAMED = tuple(_YEAR_ROUND.split())
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_COUNTED = "one two three four five six seven eight nine ten eleven twelve"
_NUMBERS = {word: number for number, word in enumerate(_COUNTED.split(), 1)} | {
    "a": 1,
    "an": 1,
    "a couple of": 2,
}

_MONTH = r"(?P<word>[A-Za-z]{3,9})\.?"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>\d{4})"
_ABSOLUTE = tuple(
    re.compile(pattern)
    for pattern in (
        rf"{_YEAR}[-/.](?P<month>\d\d?)[-/.](?P<day>\d\d?)(?!\d)",
        rf"\b{_DAY}(?: of)? {_MONTH},? {_YEAR}\b",
        rf"\b{_MONTH} {_DAY},? {_YEAR}\b",
        r"\b(?P<first>\d{1,2})[/.](?P<second>\d{1,2})[/.](?P<year>\d{4}|\d\d)\b",
        rf"\b{_MONTH},? {_YEAR}\b",
        rf"\A{_YEAR}-(?P<month>0[1-9]|1[0-2])\Z",
    )
)
_CLOCK = re.compile(
    r"(?<!\d)(?P<hour>\d{1,2}):(?P<minute>\d\d)(?::(?P<second>\d\d)(?:[.,]\d+)?)?"
    r"(?:\s?(?P<half>[ap])\.?m\b\.?)?\s?(?P<zone>Z\b|UTC\b|GMT\b|[+-]\d\d:?\d\d\b)?",
    re.IGNORECASE,
)
_FILLER = re.compile(
    rf"(?:\bon\b|\bat\b|T|\b(?:{'|'.join(w[:3] for w in _WEEKDAYS)})[a-z]*\b|[\s,()\-.])*",
    re.IGNORECASE,
)
_LONGEST_TIME = 80  # characters; what is longer is no time but a text


def iso_time(given: str | float | None, *, day_first: bool | None = None) -> str | None:
    """Return a time in ISO 8601, or None where *given* is no whole date.

    Numbers are seconds or milliseconds since 1970 and come back in UTC; a month without a day
    stays a month. ``3/4/2024`` is read only where *day_first* says how, or one number is above 12.
    Notations that are unknown here go to dateparser where that is installed.

    >>> iso_time("4:04 pm on 20 January, 2023"), iso_time("March 2, 2024"), iso_time(1709374500)
    ('2023-01-20T16:04', '2024-03-02', '2024-03-02T10:15:00Z')
    >>> iso_time("02/03/2024 10:15"), iso_time("in spring")
    (None, None)
    """
    if given is None or isinstance(given, bool):
        return None
    text = str(given).strip()
    if re.fullmatch(r"\d{9,14}(\.\d+)?", text):
        return _since_1970(float(text))
    if not text or len(text) > _LONGEST_TIME or not re.search(r"\d{2}", text):
        return None
    return _read(text, day_first)


def _since_1970(number: float) -> str | None:
    seconds = number / 1000 if number >= 1e11 else number
    return f"{datetime.fromtimestamp(int(seconds), UTC):%Y-%m-%dT%H:%M:%S}Z" if seconds < 1e11 else None


def _read(text: str, day_first: bool | None) -> str | None:
    for pattern in _ABSOLUTE:
        found = pattern.search(text)
        if found:
            day = _day_of(found.groupdict(), day_first)
            value = day and _with_clock(day, f"{text[: found.start()]} {text[found.end() :]}")
            if value or "first" in found.groupdict():  # nobody guesses which of two numbers is the month
                return value
    return _by_dateparser(text) if re.search(r"\d{4}", text) else None


def _day_of(part: dict[str, str | None], day_first: bool | None) -> str | None:
    year = int(part["year"] or 0)
    if part.get("first"):
        first, second = int(part["first"] or 0), int(part["second"] or 0)
        by_day = day_first if day_first is not None and max(first, second) <= 12 else first > 12
        if day_first is None and max(first, second) <= 12 and first != second:
            return None
        return _valid(year + 2000 if year < 100 else year, *((second, first) if by_day else (first, second)))
    month = int(part.get("month") or 0) or _month(part.get("word") or "")
    if not month:
        return None
    return _valid(year, month, int(part["day"] or 0)) if part.get("day") else f"{year:04}-{month:02}"


def _month(word: str) -> int:
    short = "sep" if word.lower() == "sept" else word.lower()
    return next((i for i, name in enumerate(_NAMED, 1) if short in {name.lower(), name[:3].lower()}), 0)


def _valid(year: int, month: int, day: int) -> str | None:
    try:
        return date(year, month, day).isoformat()
    except ValueError:
        return None


def _with_clock(day: str, rest: str) -> str | None:
    """Return *day* with the clock time in *rest*; None where anything else stands there."""
    clock = _CLOCK.search(rest)
    left = f"{rest[: clock.start()]} {rest[clock.end() :]}" if clock else rest
    if not _FILLER.fullmatch(left):
        return None
    if clock is None or len(day) < 10:
        return day
    hour = int(clock["hour"])
    if clock["half"]:
        hour = hour % 12 + (12 if clock["half"].lower() == "p" else 0)
    if hour > 23 or int(clock["minute"]) > 59:
        return day
    zone = re.sub(r"(\d\d)(\d\d)$", r"\1:\2", re.sub("UTC|GMT", "Z", (clock["zone"] or "").upper()))
    return f"{day}T{hour:02}:{clock['minute']}{':' + clock['second'] if clock['second'] else ''}{zone}"


@lru_cache(maxsize=10_000)
def _by_dateparser(text: str) -> str | None:
    """Return what dateparser makes of a whole date in another notation or language."""
    try:
        import dateparser
    except ImportError:
        return None
    found = dateparser.parse(text, settings={"REQUIRE_PARTS": ["day", "month", "year"]})
    if found is None:
        return None
    return str(found.isoformat() if re.search(r"\d:\d\d", text) else found.date().isoformat())


# --- relative expressions -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Resolved:
    """A relative expression and the time it means.

    Attributes:
        start, end: where it stands in the text.
        value: a day, month or year in ISO 8601, or the first and last day of a week or weekend
            with a slash between, as ISO 8601 writes intervals.
    """

    start: int
    end: int
    value: str


_COUNT = rf"(?:{'|'.join(sorted(_NUMBERS, key=len, reverse=True))}|\d{{1,3}})".replace(" ", r"\s+")
_RELATIVE = re.compile(
    r"\b(?:"
    r"(?P<before>the\s+day\s+before\s+yesterday)|(?P<after>the\s+day\s+after\s+tomorrow)"
    r"|(?P<yesterday>yesterday|last\s+night)|(?P<tomorrow>tomorrow)"
    r"|(?P<today>today|tonight|this\s+(?:morning|afternoon|evening))"
    rf"|(?P<count>{_COUNT})\s+(?P<unit>day|week|month|year)s?\s+(?P<way>ago|from\s+now)"
    r"|(?P<which>last|next|this|this\s+past|this\s+coming)\s+"
    rf"(?:(?P<period>week|weekend|month|year)|(?P<weekday>{'|'.join(_WEEKDAYS)})|(?P<named>(?-i:{'|'.join(_NAMED)})))"
    r"(?!\s+(?:of|in)\b)"
    r")\b(?:['\u2019]s\b)?",
    re.IGNORECASE,
)
_DAYS_AWAY = {"before": -2, "yesterday": -1, "today": 0, "tomorrow": 1, "after": 2}


def relative_dates(text: str, anchor: str | None) -> list[Resolved]:
    """Return the relative expressions of *text* with what they mean when said at *anchor*.

    Only what has one reading is resolved: ``last Tuesday`` is the latest before the anchor, ``last
    week`` Monday to Sunday, ``two months ago`` a month. ``on Friday``, ``in two weeks`` and ``a few
    days ago`` are left alone. English; without a day in *anchor* (ISO 8601) nothing is resolved.

    >>> [found.value for found in relative_dates("Yesterday, or two weeks ago?", "2023-05-08T13:56")]
    ['2023-05-07', '2023-04-24']
    >>> relative_dates("We met last weekend.", "2023-05-08")
    [Resolved(start=7, end=19, value='2023-05-06/2023-05-07')]
    """
    try:
        day = date.fromisoformat((anchor or "")[:10])
    except ValueError:
        return []
    found = []
    for match in _RELATIVE.finditer(text):
        value = _meant(match, day)
        if value and not _is_duration(text, match):
            found.append(Resolved(match.start(), match.end(), value))
    return found


def _is_duration(text: str, match: re.Match[str]) -> bool:
    """Tell whether ``the`` before ``last week`` makes it a stretch of time, or one in another's story."""
    before = text[max(0, match.start() - 8) : match.start()].split()
    return bool(match["which"] and before and before[-1].lower() in {"the", "every", "each"})


def _meant(match: re.Match[str], day: date) -> str | None:
    try:
        for name, away in _DAYS_AWAY.items():
            if match[name]:
                return (day + timedelta(days=away)).isoformat()
        if match["count"]:
            sign = -1 if match["way"].lower() == "ago" else 1
            return _away(day, sign * _number(match["count"]), match["unit"].lower())
        return _of_which(match, day)
    except (OverflowError, ValueError):  # beyond the calendar
        return None


def _number(word: str) -> int:
    plain = " ".join(word.lower().split())
    return _NUMBERS.get(plain) or int(plain)


def _away(day: date, count: int, unit: str) -> str:
    """Return *count* units away: as exact as the unit is."""
    if unit in {"day", "week"}:
        return (day + timedelta(days=count * (7 if unit == "week" else 1))).isoformat()
    return _month_away(day, count) if unit == "month" else f"{date(day.year + count, 1, 1):%Y}"


def _month_away(day: date, count: int) -> str:
    months = day.year * 12 + day.month - 1 + count
    return date(months // 12, months % 12 + 1, 1).isoformat()[:7]


def _of_which(match: re.Match[str], day: date) -> str:
    which = match["which"].lower().split()
    step = {"last": -1, "past": -1, "next": 1}.get(which[-1], 0)
    if match["weekday"]:
        return _weekday(day, _WEEKDAYS.index(match["weekday"].lower()), step)
    if match["named"]:
        return _named_month(day, _month(match["named"]), step)
    return _PERIODS[match["period"].lower()](day, step)


def _weekday(day: date, wanted: int, step: int) -> str:
    ahead = (wanted - day.weekday()) % 7
    if step < 0:
        return (day - timedelta(days=(day.weekday() - wanted) % 7 or 7)).isoformat()
    return (day + timedelta(days=ahead or (7 if step else 0))).isoformat()


def _named_month(day: date, wanted: int, step: int) -> str:
    year = day.year
    if step < 0:
        year -= wanted >= day.month
    elif step > 0:
        year += wanted <= day.month
    return date(year, wanted, 1).isoformat()[:7]


def _week(day: date, step: int) -> str:
    monday = day - timedelta(days=day.weekday()) + timedelta(weeks=step)
    return f"{monday}/{monday + timedelta(days=6)}"


def _weekend(day: date, step: int) -> str:
    """Return a weekend: the last is over or the one before today's, the next lies wholly ahead."""
    saturday = day - timedelta(days=day.weekday()) + timedelta(days=5)
    if step < 0 or (step > 0 and day >= saturday):
        saturday += timedelta(weeks=step)
    return f"{saturday}/{saturday + timedelta(days=1)}"


_PERIODS: dict[str, Callable[[date, int], str]] = {
    "week": _week,
    "weekend": _weekend,
    "month": _month_away,
    "year": lambda day, step: f"{date(day.year + step, 1, 1):%Y}",
}
