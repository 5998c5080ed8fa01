"""How an answer went, as one cell of a log says it: in words, as a share, or as a thumb up or down."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from memspan.datasets.json_text import shown
from memspan.datasets.question_rows import OUTCOME, Row

_WELL = (
    "true yes y t right correct correctly pass passed ok success good solved up thumbsup positive "
    "\N{THUMBS UP SIGN}"
)
_ILL = (
    "false no n f wrong incorrect incorrectly fail failed failure bad unsolved down thumbsdown negative "
    "\N{THUMBS DOWN SIGN}"
)
_RIGHT, _WRONG = frozenset(_WELL.split()), frozenset(_ILL.split())
_UNSAID = frozenset(("", "unknown", "none", "null", "n/a", "na", "nan", "pending", "-"))
_SHARES = frozenset(("outcome", "correct"))  # a number out of range there is a slip, not another scale
ALLOWED = (
    "allowed are right or wrong, correct or incorrect, true or false, yes or no, good or bad, positive or "
    "negative, up or down, pass or fail, a number from 0 to 1, or -1 and 1 for thumbs"
)


@dataclass(frozen=True)
class Scale:
    """The numbers of one column, so that a 1 among stars is not taken for right.

    Attributes:
        low: the least number.
        high: the largest.
        whole: whether all are -1, 0 or 1.
    """

    low: float
    high: float
    whole: bool


def scales_of(rows: Iterable[Row]) -> dict[str, Scale]:
    """Return the scale of each column of *rows* that may hold an outcome, where it holds numbers."""
    seen: dict[str, set[float]] = {}
    for row in rows:
        for name in row.fields.keys() & set(OUTCOME):
            number = number_of(row.fields[name])
            if number is not None and (name not in _SHARES or -1 <= number <= 1):
                seen.setdefault(name, set()).add(number)
    return {name: Scale(min(all_), max(all_), all_ <= {-1, 0, 1}) for name, all_ in seen.items()}


def outcome_in(name: str, value: Any, scales: Mapping[str, Scale]) -> float | str | None:
    """Return what *value* in column *name* says: a share of right, None for nothing, or why it is refused.

    >>> outcome_in("feedback", "thumbs_up", {}), outcome_in("score", 0.25, {}), outcome_in("correct", "", {})
    (1.0, 0.25, None)
    >>> stars = scales_of([Row("line 1", {"rating": 1}), Row("line 2", {"rating": 5})])
    >>> outcome_in("rating", 1, stars).split(";")[0]
    'holds numbers from 1 to 5'
    """
    number = number_of(value)
    if number is not None:
        return _share(number, value, scales.get(name, Scale(number, number, number in {-1, 0, 1})))
    plain = str(value if value is not None else "").strip().lower()
    if plain in _UNSAID:
        return None
    word = plain.replace("_", "").replace("-", "").replace(" ", "")
    if word in _RIGHT or word in _WRONG:
        return float(word in _RIGHT)
    return f"is {shown(value)}; {ALLOWED}; left out"


def _share(number: float, value: Any, scale: Scale) -> float | str:
    low, high = min(number, scale.low), max(number, scale.high)
    if low >= 0 and high <= 1:
        return number
    if not (scale.whole and number in {-1, 0, 1}):
        seen = f"holds numbers from {low:g} to {high:g}" if low < high else f"is {shown(value)}"
        guess = "memspan does not guess what is right on such a scale: write a share from 0 to 1"
        return f"{seen}; {guess}; {ALLOWED}; left out"
    if number == 0:
        return f"is 0 where others are -1: neither thumb; {ALLOWED}; left out"
    return float(number > 0)


def number_of(value: Any) -> float | None:
    """Return *value* as a finite number, where it is one or is written as one."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None
