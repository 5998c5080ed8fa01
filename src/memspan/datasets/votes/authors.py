"""Lists of authors as sets of words, and ISBNs in one form.

Shops write the same authors in many ways: surname first or last, parted by commas, semicolons, slashes,
*and*, or by nothing. No rule parts them all, so a list is compared as the set of its words: without case,
accents, order, initials, apostrophes, titles and what is said in brackets; names in capitals inside a word
(``AndrewWeafer``) are parted. A list that lacks an author, or gives a surname alone, says something else.
"""

from __future__ import annotations

import re

from memspan.language.words import folded

_BRACKETS = re.compile(r"\([^()]{0,60}\)")
_GLUED = re.compile(r"(?<=[a-z])(?:BR)?(?=[A-Z])")
_PREFIX = re.compile(r"(?:^|[^A-Za-z])(?:Mc|Mac|De|Di|Du|Da|La|Le|Van|Von|Fitz|Del|Des|Ph)$")
_ET_AL = re.compile(r"\bet\.? al\b")
_SAYING_LITTLE = """
    and with by author authors editor editors edited eds jr sr ii iii dr prof phd professor
"""
_NOT_NAMES = frozenset(_SAYING_LITTLE.split())
_MANY = 2_000


def key_of_names(text: str) -> str | None:
    """Return the words of a list of authors, sorted; None where it holds no word.

    >>> key_of_names("Conry-Murray, AndrewWeafer, Vincent (Author)")
    'andrew conry murray vincent weafer'
    >>> key_of_names("KNUTH, DONALD E."), key_of_names("0")
    ('donald knuth', None)
    """
    parted = _parted(_BRACKETS.sub(" ", text[:_MANY]))
    plain = _ET_AL.sub(" ", folded(re.sub(r"['\u2019`]", "", parted)))
    words = {word for word in re.findall(r"[^\W\d_]+", plain) if len(word) > 1}
    return " ".join(sorted(words - _NOT_NAMES)) or None


def _parted(text: str) -> str:
    """Return *text* with a blank between names that run into each other, but none inside McGraw."""
    made, start = [], 0
    for found in _GLUED.finditer(text):
        piece = text[start : found.start()]
        joined = _PREFIX.search(piece)
        made.append(piece if joined else f"{piece} ")
        start = found.end()
    return "".join(made) + text[start:]


def isbn(text: str) -> str:
    """Return an ISBN in 13 digits; what is none stays as it is.

    >>> isbn("0-201-85394-9"), isbn("978-0201853940"), isbn("0201853940")
    ('9780201853940', '9780201853940', '0201853940')
    """
    plain = re.sub(r"[\s-]", "", text).upper()
    if re.fullmatch(r"[0-9]{9}[0-9X]", plain):
        digits = [10 if letter == "X" else int(letter) for letter in plain]
        sound = sum((10 - i) * digit for i, digit in enumerate(digits)) % 11 == 0
        return _checked(f"978{plain[:9]}") if sound else text
    return plain if re.fullmatch(r"[0-9]{13}", plain) and _checked(plain[:12]) == plain else text


def _checked(twelve: str) -> str:
    total = sum((3 if i % 2 else 1) * int(digit) for i, digit in enumerate(twelve))
    return f"{twelve}{-total % 10}"
