"""Where a quote stands in a text: word for word, up to blanks and marks, or nearly."""

from __future__ import annotations

import re
from collections import Counter
from difflib import SequenceMatcher

from memspan.language.words import folded

NEAR = 0.85  # likeness, 0 to 1, from which a quote counts as found
_FEWEST = 4  # words that a quote needs to be looked for by likeness
_LONGEST = 400  # words; a longer quote is compared by its beginning
_WORD = re.compile(r"\w+")


def located(quote: str, text: str) -> tuple[int, int, float] | None:
    r"""Return where *quote* stands in *text* as (start, end, likeness); None where it does not.

    Likeness is 1 where the words are the same, whatever blanks, case, accents or marks; else the
    share of characters in common, at least 0.85 and for four words or more.

    >>> located("moved to PORTO", "Ana moved\nto Porto, in March.")
    (4, 18, 1.0)
    """
    bare = quote.strip()
    if not _WORD.search(bare):
        return None
    exact = re.search(_whole(bare), text)
    if exact:
        return exact.start(), exact.end(), 1.0
    wanted = [_plain(word) for word in _WORD.findall(bare)]
    there = list(_WORD.finditer(text))
    return _by_words(wanted, there) or _by_likeness(wanted[:_LONGEST], there)


def _whole(quote: str) -> str:
    """Return the pattern of *quote* where it does not begin or end inside a word of Latin letters."""
    before, after = (r"(?<![A-Za-z0-9])", r"(?![A-Za-z0-9])")
    opens, closes = (bool(re.match("[A-Za-z0-9]", edge)) for edge in (quote[0], quote[-1]))
    return f"{before if opens else ''}{re.escape(quote)}{after if closes else ''}"


def _plain(word: str) -> str:
    return folded(word).replace(" ", "")  # one ligature can stand for several words


def _by_words(wanted: list[str], there: list[re.Match[str]]) -> tuple[int, int, float] | None:
    """Find the same words in the same order."""
    known = [_plain(word.group()) for word in there]
    places = f" {' '.join(known)} ".find(f" {' '.join(wanted)} ")
    if places < 0:
        return None
    first = f" {' '.join(known)} "[:places].count(" ")
    return there[first].start(), there[first + len(wanted) - 1].end(), 1.0


def _by_likeness(wanted: list[str], there: list[re.Match[str]]) -> tuple[int, int, float] | None:
    """Find the stretch of as many words that shares most of them, and compare it letter by letter."""
    size = len(wanted)
    if size < _FEWEST or len(there) < size // 2:
        return None
    known = [_plain(word.group()) for word in there]
    first = _richest(Counter(wanted), known, size)
    found = known[first : first + size]
    likeness = SequenceMatcher(None, " ".join(wanted), " ".join(found), autojunk=False).ratio()
    if likeness < NEAR:
        return None
    return there[first].start(), there[first + len(found) - 1].end(), round(likeness, 3)


def _richest(wanted: Counter[str], known: list[str], size: int) -> int:
    """Return where the *size* words begin that hold most of the *wanted* ones; one pass."""
    open_, shared, best, place = Counter(wanted), 0, -1, 0
    for i, word in enumerate(known):
        open_[word] -= 1
        shared += open_[word] >= 0
        if i >= size:
            gone = known[i - size]
            open_[gone] += 1
            shared -= open_[gone] > 0
        if shared > best:
            best, place = shared, max(0, i - size + 1)
    return place
