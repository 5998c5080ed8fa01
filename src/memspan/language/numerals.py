"""The numbers that a text tells, dates aside."""

from __future__ import annotations

import re

from memspan.language.words import NUMBERS, words

_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*"
_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
_DATED = re.compile(
    rf"\b\d{{4}}-\d{{2}}-\d{{2}}(?:T[\d:.+Z-]*)?|\b{_MONTH}\.?\s+{_DAY}\b(?:,?\s*\d{{4}})?"
    rf"|\b{_MONTH}\.?,?\s*(?:19|20)\d{{2}}\b|\b{_DAY}\s*(?:of\s+)?{_MONTH}\b\.?,?(?:\s*\d{{4}})?|\b(?:19|20)\d{{2}}\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


def numerals(text: str) -> frozenset[str]:
    """Return the numbers in *text* as digits, small ones spelled out among them; not those of dates.

    >>> sorted(numerals("On 3 May 2024 two of us paid $1,500.00, or 750.5 each."))
    ['1500', '2', '750.5']
    """
    bare = undated(text)
    digits = (_plain(found) for found in _NUMBER.findall(bare))
    spelled = (NUMBERS[word] for word in words(bare) if word in NUMBERS)
    return frozenset((*digits, *spelled))


def undated(text: str) -> str:
    """Return *text* with a blank for each date.

    >>> undated("seen on 3 May 2024 by two")
    'seen on   by two'
    """
    return _DATED.sub(" ", text)


def _plain(number: str) -> str:
    """Return *number* without commas between thousands and zeros behind the point."""
    bare = re.sub(r",(?=\d{3}\b)", "", number)
    return re.sub(r"\.0+$", "", bare)
