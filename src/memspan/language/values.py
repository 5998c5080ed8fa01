"""What can be compared: moments, numbers, countries, in the notations that people use."""

from __future__ import annotations

import re

from memspan.language.countries import country
from memspan.language.words import words

Moment = tuple[int, ...]
"""Year, then month and day where they are known; or one number."""

_MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)


def moment(text: str) -> Moment | None:
    """Return the date or number in *text* so that earlier is less; None where there is none.

    >>> moment("January 13, 1956"), moment("24 August 1886"), moment("1950"), moment("1997-09-02")
    ((1956, 1, 13), (1886, 8, 24), (1950,), (1997, 9, 2))
    """
    numbers = re.findall(r"\d+", text)
    month = next(
        (i for i, name in enumerate(_MONTHS, 1) for word in words(text) if _is_month(word, name)), None
    )
    sign = -1 if re.search(r"\bB\.?C", text) else 1
    if month is not None:
        return _written(numbers, month, sign)
    if len(numbers) == 3 and len(numbers[0]) == 4:
        return tuple(map(int, numbers))
    return (sign * int(numbers[0]),) if numbers else None


def before(one: Moment, other: Moment) -> bool | None:
    """Tell whether *one* comes before *other*; None where what both tell is the same.

    >>> before((1950,), (1950, 3, 1)) is None, before((1949,), (1950, 3, 1))
    (True, True)
    """
    shared = min(len(one), len(other))
    return None if one[:shared] == other[:shared] else one < other


def alike(one: str, other: str) -> bool:
    """Tell whether two values mean the same: the same country, or else the same words.

    >>> alike("American", "U.S."), alike("New York", "new york"), alike("Austria", "Australia")
    (True, True, False)
    """
    home = country(one)
    return home == country(other) if home else words(one) == words(other)


def _is_month(word: str, month: str) -> bool:
    return word == month or (len(word) >= 3 and word == month[:3]) or word == month[:4] == "sept"


def _written(numbers: list[str], month: int, sign: int) -> Moment | None:
    """Return a date whose month is a word: the year is the longest number, else the last."""
    if not numbers:
        return None
    place = max(range(len(numbers)), key=lambda i: (len(numbers[i]), i))
    days = [int(n) for i, n in enumerate(numbers) if i != place and 1 <= int(n) <= 31]
    return (sign * int(numbers[place]), month, *days[:1])
