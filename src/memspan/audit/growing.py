"""How a store grew, and how much of what was written was there already."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from datetime import date, timedelta

from memspan.audit.findings import Finding, Growth, Period
from memspan.audit.reading import Reading

_MOST = 60  # periods that a picture shows with ease
_UNITS: tuple[tuple[str, float], ...] = (("day", 1), ("week", 7), ("month", 30.4), ("year", 365.2))
_FIRST, _LAST = 1980, 2200  # years
_REPEATING = frozenset({"exact", "near", "recalled", "noise"})


def growth_of(readings: Sequence[Reading], tokens: Sequence[int], findings: Collection[Finding]) -> Growth:
    """Return what was written when, by the unit that gives at most 60 periods."""
    dated = [(day, each.position) for each in readings if (day := _day(each.time)) is not None]
    undated = len(readings) - len(dated)
    if not dated:
        return Growth("day", (), undated)
    days = (max(dated)[0] - min(dated)[0]).days
    unit = next((name for name, length in _UNITS if days / length < _MOST), "year")
    again = _repeats(readings, findings)
    start_of, following = _STARTS[unit], _FOLLOWING[unit]
    buckets: defaultdict[date, list[int]] = defaultdict(list)
    for day, position in dated:
        buckets[start_of(day)].append(position)
    periods, start = [], min(buckets)
    while start <= max(buckets):
        some = buckets.get(start, [])
        spent = sum(tokens[i] for i in some)
        periods.append(Period(start.isoformat(), len(some), spent, sum(i in again for i in some)))
        start = start_of(following(start))
    return Growth(unit, tuple(periods), undated)


def _repeats(readings: Sequence[Reading], findings: Collection[Finding]) -> set[int]:
    """Return the positions of memories that said what was there: all of a group but its first."""
    by_id = {each.claim.id: each for each in readings}
    again: set[int] = set()
    for finding in findings:
        if finding.kind in _REPEATING:
            group = sorted((by_id[name] for name in finding.memories), key=lambda each: each.order)
            again.update(each.position for each in group[1:])
    return again


def _day(time: str) -> date | None:
    """Return the day of *time*; None where a program wrote its own first or last day."""
    try:
        day = date.fromisoformat(f"{time}-01"[:10] if len(time) == 7 else time[:10])
    except ValueError:
        return None
    return day if _FIRST <= day.year <= _LAST else None


_STARTS: dict[str, Callable[[date], date]] = {
    "day": lambda day: day,
    "week": lambda day: day - timedelta(days=day.weekday()),
    "month": lambda day: day.replace(day=1),
    "year": lambda day: day.replace(month=1, day=1),
}
_FOLLOWING: dict[str, Callable[[date], date]] = {
    "day": lambda day: day + timedelta(days=1),
    "week": lambda day: day + timedelta(days=7),
    "month": lambda day: day + timedelta(days=31),
    "year": lambda day: day + timedelta(days=366),
}
