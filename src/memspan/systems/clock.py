"""Time as a memory system sees it: by what its claims say, or by how many came."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import lru_cache

HOURS = 24
"""Hours in a day."""
_START = datetime(1970, 1, 1, tzinfo=UTC)


class Clock:
    """The latest time that was told, in hours; where no claim tells a time, each takes an hour.

    A claim without a time among others with one comes when the latest of them came.

    >>> clock = Clock()
    >>> first = clock.tick("2026-03-02T10:00")
    >>> clock.tick("2026-03-03T12:00") - first, clock.tick(None) - first
    (26.0, 26.0)
    """

    def __init__(self) -> None:
        """Start before the first claim."""
        self.now = 0.0
        self._shift: float | None = None
        self._begun = False

    @property
    def today(self) -> int:
        """The day of the latest time, as a count of days."""
        return int(self.now // HOURS)

    def tick(self, time: str | None) -> float:
        """Return when something of that *time* stands, in hours, and let the clock follow."""
        told = None if time is None else _hours(time)
        if told is None:
            self.now += self._shift is None
            self._begun = True
            return self.now
        if self._shift is None:  # whole days, so that midnight stays midnight
            self._shift = (told - self.now) // HOURS * HOURS if self._begun else 0.0
            self.now = told - self._shift
        return self.follow(time)

    def follow(self, time: str | None) -> float:
        """Return when something of that *time* stands; the clock follows, where it goes by times."""
        told = None if time is None or self._shift is None else _hours(time)
        if told is None or self._shift is None:
            return self.now
        self.now = max(self.now, told - self._shift)
        return told - self._shift


@lru_cache(maxsize=4096)
def _hours(time: str) -> float | None:
    for notation in (time, f"{time}-01"):  # a month without a day is its first
        try:
            told = datetime.fromisoformat(notation)
        except ValueError:
            continue
        placed = told if told.tzinfo else told.replace(tzinfo=UTC)
        return (placed - _START).total_seconds() / 3600
    return None
