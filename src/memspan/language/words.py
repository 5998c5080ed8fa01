"""Words and their stems: what lexical comparison rests on."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import cache
from typing import Any

_WORD = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)*")
_LONGEST = 64  # characters; what is longer is no word but a token of some encoding

_SAYING_LITTLE = """
    a about after again all also am an and any are as at be because been before being between both
    but by can could did do does doing down during each few for from further get had has have having
    he her here hers him his how i if in into is it its itself just me more most my no nor not now
    of off on once only or other our ours out over own same she should so some such than that the
    their theirs them then there these they this those through to too under until up us very was we
    were what when where which while who whom whose why will with would you your yours
"""
STOPWORDS = frozenset(_SAYING_LITTLE.split())

_COUNTED = "two three four five six seven eight nine ten eleven twelve"
NUMBERS = {word: str(number) for number, word in enumerate(_COUNTED.split(), 2)} | {"once": "1", "twice": "2"}


def words(text: str) -> list[str]:
    """Return the words of *text* in order: case folded, accents dropped, possessive ``'s`` dropped.

    >>> words("Zoë's café opened at 9, didn't it?")
    ['zoe', 'cafe', 'opened', 'at', '9', 'didnt', 'it']
    """
    return [_plain(word) for word in _WORD.findall(folded(text))]


def folded(text: str) -> str:
    """Return *text* case folded and without accents, so that é, É and e compare equal."""
    if text.isascii():
        return text.lower()
    apart = unicodedata.normalize("NFKD", text.casefold())
    return "".join(character for character in apart if not unicodedata.combining(character))


def stems(text: str) -> list[str]:
    """Return the stems of the words of *text* that mean something, in order; small numbers as digits.

    >>> stems("She was painting the old paintings again")
    ['paint', 'old', 'paint']
    """
    return stemmed(words(text))


def stemmed(said: Iterable[str]) -> list[str]:
    """Return the stems of those words, as `words` gives them, that mean something.

    >>> stemmed(["two", "of", "them", "were", "painting"])
    ['2', 'paint']
    """
    return [stem(NUMBERS.get(word, word)) for word in said if word not in STOPWORDS]


@cache
def stem(word: str) -> str:
    """Return the English stem of a *word* as `words` gives it.

    Source: Porter, *Snowball: A language for stemming algorithms*, 2001; the English stemmer.
    """
    return str(_stemmer().stemWord(word)) if len(word) <= _LONGEST else word


@cache
def _stemmer() -> Any:
    import snowballstemmer

    return snowballstemmer.stemmer("english")


def _plain(word: str) -> str:
    bare = word.replace("\u2019", "'")
    return bare.removesuffix("'s").replace("'", "")
