"""When two sources say the same: notations of times, numbers, gates, names and words.

Each relation of a table has one notation, chosen by most of its values. A value becomes a key; two values
with the same key are one claim. What says nothing (empty, a dash, *not available*) has no key, nor has what
does not fit the notation.

- **yes or no**: the values are 0 and 1, or yes and no, or true and false, and nothing else.
- **time**: at least half hold a clock time. The key is month, day and minute, in 24 hours: the year and the
  time zone are left out (clocks are those of the place), as is what stands around (*on time*, *estimated*).
  Of several dates in one value the last counts; figures alone are month first.
- **gate**: the relation is called so. The terminal is left out (``Terminal 3 - E7``, ``E7/T3``), with blanks,
  hyphens and leading zeros.
- **number**: at least nine in ten are numbers. They are rounded, halves up, to as many decimals as most of
  the values have; commas between thousands are left out.
- **names**: see `memspan.datasets.votes.authors`.
- **words**: anything else, without case, accents, HTML, and marks at the ends.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from typing import Literal

from memspan.datasets.votes.authors import key_of_names
from memspan.language.words import folded

Kind = Literal["yes or no", "time", "gate", "number", "names", "words"]

_UNSAID = frozenset(
    ("", "?", "n/a", "na", "nan", "none", "null", "tba", "tbd", "unknown", "not available", "not applicable")
)
_NOTHING = re.compile(r"not provided by \w+|contact \w+|[-\u2013\u2014_. ]*")
_YES, _NO = ("1", "yes", "true"), ("0", "no", "false")
_TAG = re.compile(r"<[a-zA-Z/][^<>]{0,200}>")
_ENDS = " \t.,;:!?\"'*()[]"
_NUMBER = re.compile(r"[-+]?(?:\d{1,3}(?:,\d{3})+|\d{1,30})?(?:\.(\d{1,30}))?")
_CLOCK = re.compile(r"(?<![\d:+-])(\d{1,2}):(\d\d)(?::\d\d)?(?!\d)\s*(?:([apAP])(?:\.?[mM]\.?)?(?![a-z]))?")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_WORD = rf"(?i:{'|'.join(_MONTHS)})"
_DATE = re.compile(
    rf"\d{{4}}-(?P<m1>\d\d)-(?P<d1>\d\d)(?!\d)"
    rf"|(?<!\d)(?P<d2>\d{{1,2}})[- ](?P<m2>{_WORD})[a-z]*"
    rf"|(?P<m3>{_WORD})[a-z]*\.?[ -]?(?P<d3>\d{{1,2}})(?![\d:])"
    r"|(?<![\d/-])(?P<m4>\d{1,2})(?P<by>[/-])(?P<d4>\d{1,2})(?:(?P=by)\d{2,4})?(?![\d/-])"
)
_TERMINAL = re.compile(r"(?i)term(?:inal)?\b")
_FEWEST_TIMES, _FEWEST_NUMBERS = 0.5, 0.9
_LONGEST = 200


@dataclass(frozen=True)
class Notation:
    """How the values of one relation are written; `decimals` counts for numbers."""

    kind: Kind
    decimals: int = 0

    def key(self, raw: str) -> str | None:
        """Return what values that say the same have in common; None where *raw* says nothing that fits.

        >>> times = Notation("time")
        >>> times.key("Sun, Dec 4 9:05 PM   On Time"), times.key("2011-12-04 21:05"), times.key("Cancelled")
        ('12-04 21:05', '12-04 21:05', None)
        >>> Notation("gate").key("Terminal 3 - E07"), Notation("number", 0).key("1,234.5")
        ('E7', '1235')
        """
        text = cleaned(raw)
        if is_unsaid(text):
            return None
        if self.kind == "number":
            return _number(text, self.decimals)
        return _KEYS[self.kind](text)

    def shown(self, raw: str, key: str) -> str:
        """Return the value as people read it."""
        if self.kind == "number":
            return f"{Decimal(key):,}"
        return cleaned(raw) if self.kind in ("names", "words") else key


def notation_of(relation: str, values: Iterable[str]) -> Notation:
    """Return the notation in which most of the *values* of *relation* are written."""
    said = [text for text in map(cleaned, values) if not is_unsaid(text)]
    if _two_sided({text.lower() for text in said}):
        return Notation("yes or no")
    if "gate" in relation.lower():
        return Notation("gate")
    if sum(_time(text) is not None for text in said) > _FEWEST_TIMES * len(said):
        return Notation("time")
    decimals = Counter(places for text in said if (places := _decimals(text)) is not None)
    if said and decimals.total() >= _FEWEST_NUMBERS * len(said):
        return Notation("number", decimals.most_common(1)[0][0])
    return Notation("words")


def cleaned(raw: str) -> str:
    """Return *raw* without HTML and with single blanks.

    >>> cleaned("Aho &amp;  <b>Lam</b>")
    'Aho & Lam'
    """
    text = raw.replace("andapos;", "'")  # an entity whose sign was spelled out before it was stripped
    return " ".join(_TAG.sub(" ", html.unescape(text)).split())


def is_unsaid(text: str) -> bool:
    """Whether *text* stands where nothing is known."""
    plain = text.lower()
    return plain in _UNSAID or bool(_NOTHING.fullmatch(plain))


def _two_sided(values: set[str]) -> bool:
    return any(values == {yes, no} for yes, no in zip(_YES, _NO, strict=True))


def _yes(text: str) -> str | None:
    plain = text.lower()
    return "yes" if plain in _YES else "no" if plain in _NO else None


def _decimals(text: str) -> int | None:
    found = _NUMBER.fullmatch(text) if len(text) < _LONGEST else None
    if found is None or not any(map(str.isdecimal, text)):
        return None
    return len(found[1] or "")


def _number(text: str, decimals: int) -> str | None:
    if _decimals(text) is None or not text.isascii():
        return None
    unit = Decimal(1).scaleb(-decimals)
    exact = Decimal(text.replace(",", ""))
    return str(exact.quantize(unit, ROUND_HALF_UP) + 0)  # adding 0 makes 0 of -0


def _time(text: str) -> str | None:
    if len(text) > _LONGEST:
        return None
    clock = _CLOCK.search(text)
    if clock is None:
        return None
    hour, half = int(clock[1]), (clock[3] or "").lower()
    if half:
        hour = hour % 12 + (12 if half == "p" else 0)
    if hour > 23 or int(clock[2]) > 59:
        return None
    day = _day(text)
    return f"{day} {hour:02}:{clock[2]}" if day else f"{hour:02}:{clock[2]}"


def _day(text: str) -> str:
    """Return the last date in *text* as month and day; empty where there is none."""
    last = ""
    for found in _DATE.finditer(text):
        part = found.groupdict()
        month = next(value for n in "1234" if (value := part[f"m{n}"]))
        day = next(value for n in "1234" if (value := part[f"d{n}"]))
        number = int(month) if month.isdecimal() else _MONTHS.index(month.lower()) + 1
        if 1 <= number <= 12 and 1 <= int(day) <= 31:
            last = f"{number:02}-{int(day):02}"
    return last


def _gate(text: str) -> str | None:
    last = text.rpartition(" - ")[2].partition("/")[0]
    if _TERMINAL.match(last):
        return None
    return re.sub(r"(?<![0-9])0+(?=[0-9])", "", re.sub(r"[^0-9A-Z]", "", last.upper())) or None


def _words(text: str) -> str:
    return folded(text.strip(_ENDS)) or text


_KEYS = {"yes or no": _yes, "time": _time, "gate": _gate, "names": key_of_names, "words": _words}
