"""Fields that look like times under a name that nobody knows: told, so that their owner can rename them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from memspan.datasets.json_text import shown
from memspan.datasets.stores.intake import WHOLE, Intake
from memspan.datasets.stores.times import time_of
from memspan.datasets.stores.usual import KNOWN, NESTED, TIME, UPDATED, folded_name

_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_MARKED = re.compile(r"\d\D+\d")
_LOOKED_AT = 300
_LONGEST = 40


def tell_unnamed_times(records: Sequence[dict[str, Any]], intake: Intake) -> None:
    """Tell *intake* which fields of *records* look like times, where no field of a known name has one."""
    looked = records[:: max(1, len(records) // _LOOKED_AT)]
    layers = [layer for record in looked for layer in (record, *_inner(record))]
    if any(value for each in layers for name, value in each.items() if folded_name(name) in _TIMES):
        return
    values: dict[str, list[Any]] = {}
    for each in looked:
        for name, value in each.items():
            if value not in (None, "") and folded_name(name) not in KNOWN:
                values.setdefault(name, []).append(value)
    for name, found in values.items():
        if 2 * sum(map(_is_time, found)) > len(found):
            reason = f"{shown(name)} looks like times, but its name is unknown: call it created_at"
            intake.tell(WHOLE, reason, field=str(name), kept=True)


_TIMES = frozenset({*TIME, *UPDATED})


def _inner(record: dict[str, Any]) -> list[dict[Any, Any]]:
    return [value for key in NESTED if isinstance(value := record.get(key), dict)]


def _is_time(value: Any) -> bool:
    """Whether *value* is a written day; a bare number may be anything."""
    if not isinstance(value, str) or len(value) > _LONGEST or not _MARKED.search(value):
        return False
    return _DAY.match(time_of(value) or "") is not None
