"""Names that a text mentions, told by their capitals alone: no model, no list of names.

Works for scripts with capital letters; others mention nothing here. Names are compared as `words`
gives them. Whether a text mentions a name depends on that text only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from memspan.language.words import STOPWORDS, words

_TOKEN = re.compile(r"[^\W_]+(?:['\u2019.\-][^\W_]+)*|[^\s\w]")
_ENDS = frozenset('.!?"\u201c\u201d:\u2026\u2022*')
_SMALL = "of the de van von da di du la le del der and for in y an a on to at"
_MOST_JOINS = 2  # small words in a row within a name: of the, van der
_WHEN = """
    january february march april may june july august september october november december
    monday tuesday wednesday thursday friday saturday sunday today tomorrow yesterday
"""
_OPENING = """
    im ive id ill youre youve weve thats theyre dont didnt cant lets okay ok yes yeah yep oh ah wow
    hi hey hello bye thanks thank congrats sorry please sure great nice cool awesome glad sounds
"""
_JOINS = frozenset(_SMALL.split())
_NO_NAMES = STOPWORDS | frozenset(_WHEN.split()) | frozenset(_OPENING.split())
_BRACKETED = re.compile(r"\s*[(\uff08][^()]*[)\uff09]\s*$")

Mentions = Mapping[str, bool]
"""Name to whether it is surely one: capitals at the start of a sentence alone prove little."""


def mentions(text: str) -> Mentions:
    """Return the names in *text*, without numbers and dates, in the order of their first mention.

    A name with small words inside counts as a whole and in its parts.

    >>> mentions("Yesterday Zoë Lima left the Bank of Porto. Lisbon waited, and Zoë knew.")
    {'zoe lima': True, 'bank of porto': True, 'bank': True, 'porto': True, 'lisbon': False, 'zoe': True}
    """
    found: dict[str, bool] = {}
    for run, opens in _runs(text):
        for part, first in _parts(run):
            bare = _without_small_words(part)
            name = " ".join(words(" ".join(bare)))
            if _is_name(name):
                sure = not (opens and first and len(bare) == len(part) == 1)
                found[name] = found.get(name, False) or sure
    return found


def title_name(title: str) -> str:
    """Return *title* as a name, without what stands in brackets behind it; empty for numbers and dates.

    >>> title_name("The Arrival (film)"), title_name("2024-05-01")
    ('the arrival', '')
    """
    name = " ".join(words(_BRACKETED.sub("", title)))
    return name if _is_name(name) else ""


def _is_name(name: str) -> bool:
    return bool(name) and not all(
        len(word) == 1 or word.isdigit() or word in _NO_NAMES for word in name.split()
    )


def _runs(text: str) -> Iterator[tuple[list[str], bool]]:
    """Yield runs of capitalised words with small words between, and whether each opens a sentence."""
    run: list[str] = []
    between: list[str] = []
    opens, fresh = True, True
    for token in _TOKEN.findall(text):
        if token[0].isupper() and token[0].isalpha():
            opens = opens if run else fresh
            run += [*between, token]
            between = []
        elif run and token in _JOINS and len(between) < _MOST_JOINS:
            between.append(token)
        elif not (token == "." and run and not between and len(run[-1]) == 1):  # noqa: S105 - an initial's point
            if run:
                yield run, opens
            run, between = [], []
        fresh = token in _ENDS
    if run:
        yield run, opens


def _parts(run: list[str]) -> Iterator[tuple[list[str], bool]]:
    """Yield *run*, then what stands between its small words, each with whether it starts the run."""
    yield run, True
    cuts = [i for i, word in enumerate(run) if not word[0].isupper()]
    if cuts:
        for start, end in zip([-1, *cuts], [*cuts, len(run)], strict=True):
            if end > start + 1:
                yield run[start + 1 : end], start < 0


def _without_small_words(part: list[str]) -> list[str]:
    """Drop what opens a sentence rather than a name: In Porto, Yesterday Ana, Hey Rui."""
    start = 0
    while start < len(part) and not set(words(part[start])) - _NO_NAMES:
        start += 1
    return part[start:]
