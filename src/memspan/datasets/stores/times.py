"""When a memory was written, in ISO 8601 where the store's notation is known."""

from __future__ import annotations

import math
import re
from datetime import UTC, date, datetime
from typing import Any

from memspan.datasets.fields import iso

_NUMBER = re.compile(r"\d{9,19}(\.\d+)?")
_COMPACT = re.compile(r"(?:19|20)\d{6}(?:\d{4}(?:\d\d)?)?")
_LONGEST = 64
_SCALES = ((1e17, 1e9), (1e14, 1e6), (1e11, 1e3), (1e8, 1.0))
"""From which number on it counts so many parts of a second since 1970."""


def time_of(value: Any) -> str | None:
    """Return *value* in ISO 8601 where it can be read, else as it stands; None where there is nothing.

    >>> time_of("2026-03-02 10:15:00"), time_of(1709374500), time_of(1709374500250)
    ('2026-03-02T10:15:00', '2024-03-02T10:15:00Z', '2024-03-02T10:15:00.250000Z')
    >>> time_of("202603021015"), time_of("in spring"), time_of("")
    ('2026-03-02T10:15', 'in spring', None)
    """
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _compact(str(value)) or _since_1970(value) or f"{value:g}"
    if not isinstance(value, str) or not value.strip():
        return None
    text = value.strip()[:_LONGEST]
    if _NUMBER.fullmatch(text) or _COMPACT.fullmatch(text):
        return _compact(text) or _since_1970(float(text)) or text
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return iso(text)
    return f"{text[:10]}T{text[11:]}" if len(text) > 10 and text[10] == " " else text


def _compact(text: str) -> str | None:
    """Return a time written in digits alone, as A-MEM does; None where *text* is none since 1900."""
    if not _COMPACT.fullmatch(text):
        return None
    try:
        datetime.strptime(text.ljust(14, "0"), "%Y%m%d%H%M%S")  # noqa: DTZ007 - it has no zone
    except ValueError:
        return None
    day, clock = f"{text[:4]}-{text[4:6]}-{text[6:8]}", ":".join(re.findall("..", text[8:]))
    return f"{day}T{clock}" if clock else day


def _since_1970(number: float) -> str | None:
    parts = next((parts for start, parts in _SCALES if start <= number < start * 1e3), None)
    if parts is None or not math.isfinite(number):
        return None
    return datetime.fromtimestamp(number / parts, UTC).isoformat().replace("+00:00", "Z")
