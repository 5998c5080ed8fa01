"""Whatever a store holds, as plain JSON: nothing that breaks a file, nothing without end."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from datetime import date
from typing import Any
from uuid import UUID

_DEEPEST = 40
_MOST_PARTS = 20_000
_LONGEST_NUMBER = 1 << 1024
_HALF = re.compile("[\ud800-\udfff]")
_CUT = "…"


def plain(value: Any) -> Any:
    """Return *value* as JSON can hold it; what is too deep or too much is cut with a mark.

    >>> plain({"when": date(2026, 3, 2), 1: (b"ab", float("nan"))})
    {'when': '2026-03-02', '1': ['2 bytes', None]}
    """
    return _plain(value, 0, [_MOST_PARTS])


def text_of(value: str) -> str:
    r"""Return *value* without half characters, which no file in UTF-8 can hold.

    >>> text_of("a\ud800") == "a\N{REPLACEMENT CHARACTER}"
    True
    """
    return value if value.isascii() else _HALF.sub("\N{REPLACEMENT CHARACTER}", value)


def _plain(value: Any, depth: int, left: list[int]) -> Any:
    left[0] -= 1  # a value that holds one part many times can be far larger than its file
    if left[0] < 0 or depth > _DEEPEST:
        return _CUT
    if isinstance(value, str):
        return text_of(value)
    if isinstance(value, dict):
        return _members(value, depth, left)
    if isinstance(value, list | tuple | set | frozenset):
        return _entries(value, depth, left)
    return _number(value) if isinstance(value, int | float) else _odd(value)


def _number(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value if abs(value) < _LONGEST_NUMBER else f"a whole number of {value.bit_length()} bits"


def _members(value: dict[Any, Any], depth: int, left: list[int]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for key, inner in value.items():
        if left[0] < 0:
            made[_CUT] = _CUT
            break
        made[text_of(key) if isinstance(key, str) else str(_plain(key, depth + 1, left))] = _plain(
            inner, depth + 1, left
        )
    return made


def _entries(value: Iterable[Any], depth: int, left: list[int]) -> list[Any]:
    made = []
    for inner in value:
        made.append(_plain(inner, depth + 1, left))
        if left[0] < 0:
            break
    return made


def _odd(value: Any) -> str | None:
    if value is None:
        return None
    if isinstance(value, date):  # a datetime is one
        return value.isoformat()
    if isinstance(value, bytes | bytearray | memoryview):
        return f"{len(value)} bytes"
    return str(value) if isinstance(value, UUID) else type(value).__name__
