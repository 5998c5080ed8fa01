"""Where sentences begin and end, as positions in a text that is not changed."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, Literal

Span = tuple[int, int]
Splitter = Literal["syntok", "plain"]

_WORD = re.compile(r"\S+")
_STOP = re.compile(r"[.!?…。！？｡؟।॥۔։]+[\"'”’»)\]」』》】）]*")  # noqa: RUF001 - marks of many scripts
_WIDE = frozenset("。！？｡")  # noqa: RUF001 - these scripts put no space behind a sentence
_OPENING = "\"'“‘«([{¿¡—–-*_ "  # noqa: RUF001
_CLOSING = "\"'”’»)]」』》】）"  # noqa: RUF001
_LONGEST_WORD = 24  # characters looked at before a full stop; abbreviations are shorter

_TITLES_TEXT = """
    dr mr mrs ms mx messrs prof st capt cpt col gen lt maj sgt cmdr rev hon pres gov sen rep fr sr sra
    mme mlle fig figs eq vol vols pp nos art sec ch approx ca cf viz e.g i.e al vs ed eds esp incl
"""
_TITLES = frozenset(_TITLES_TEXT.split())
_ENDINGS_TEXT = """
    jr etc inc ltd co corp dept est bros assn no a.m p.m am pm u.s u.k u.n e.u d.c ph.d m.d b.a m.a b.c
    a.d jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed thu thur thurs fri sat sun ave
    blvd rd ft oz lb lbs min max hr hrs sq
"""
_ENDINGS = frozenset(_ENDINGS_TEXT.split())
_STARTERS_TEXT = """
    the a an he she it i we they you this that these those there here in on at but and so then when
    while if as after before because my his her our their your its what who how why where no yes not now
    one for from with i'm i've he's she's it's we're they're
"""
_STARTERS = frozenset(_STARTERS_TEXT.split())


def sentences(text: str, splitter: Splitter = "plain") -> list[Span]:
    """Return where the sentences of *text* stand, as (start, end) in characters.

    Line ends count as spaces, so hard-wrapped text is read as it was meant. Sentences stand in
    order, do not overlap, neither begin nor end with blank space, and leave out blank space only.

    Args:
        text: any text of one paragraph.
        splitter: ``plain``: the small rules of this file (abbreviations, initials, decimals,
            ellipses, quotes, scripts without spaces), or ``syntok``, which must be installed.

    Raises:
        ImportError: ``syntok`` was asked for and is not installed.

    >>> text = "Dr. Reis paid 3.50. Was it much?"
    >>> [text[start:end] for start, end in sentences(text)]
    ['Dr. Reis paid 3.50.', 'Was it much?']
    """
    line = " ".join(text.split())
    pieces = _pieces(line, _cuts(line, splitter))
    if len(line) == len(text.strip()):  # every blank is one character wide: positions are those of the text
        shift = len(text) - len(text.lstrip())
        return [(shift + start, shift + end) for start, end in pieces]
    return list(_placed(line, pieces, [word.start() for word in _WORD.finditer(text)]))


def _cuts(line: str, splitter: Splitter) -> list[int]:
    """Return the positions in *line* at which a sentence starts, without the first."""
    if splitter == "plain":
        return [stop.end() for stop in _STOP.finditer(line) if _ends(line, stop)]
    wide = (stop.end() for stop in _STOP.finditer(line) if stop.group()[0] in _WIDE)
    return sorted({*_syntok_cuts(line), *wide})


def _syntok_cuts(line: str) -> Iterator[int]:
    segmenter, tokenizer = _syntok()
    found = iter(segmenter.segment(tokenizer.tokenize(line)))
    next(found, None)
    for tokens in found:
        if tokens[0].value:
            yield tokens[0].offset


@cache
def _syntok() -> tuple[Any, Any]:
    from syntok import segmenter
    from syntok.tokenizer import Tokenizer

    return segmenter, Tokenizer(replace_not_contraction=False)


def _pieces(line: str, cuts: list[int]) -> Iterator[Span]:
    """Yield the pieces of *line* between *cuts*, without blanks around them."""
    for start, end in zip([0, *cuts], [*cuts, len(line)], strict=True):
        first, last = _trimmed(line, start, end)
        if first < last:
            yield first, last


def _placed(line: str, pieces: Iterable[Span], starts: list[int]) -> Iterator[Span]:
    """Yield *pieces* of *line* as spans of the text whose words begin at *starts*."""
    begins = [word.start() for word in _WORD.finditer(line)]

    def original(position: int) -> int:
        word = bisect_right(begins, position) - 1
        return starts[word] + position - begins[word]

    for first, last in pieces:
        yield original(first), original(last - 1) + 1


def _trimmed(line: str, start: int, end: int) -> Span:
    while start < end and line[start] == " ":
        start += 1
    while start < end and line[end - 1] == " ":
        end -= 1
    return start, end


def _ends(line: str, stop: re.Match[str]) -> bool:
    """Tell whether a sentence ends with this *stop*."""
    marks = stop.group().rstrip(_CLOSING)
    if marks[0] in _WIDE:
        return True
    if line[stop.end() : stop.end() + 1].strip():
        return False
    following = _following(line, stop.end())
    if not following or following[0].islower():
        return not following
    return marks != "." or _ends_with_word(line, stop, following)


def _following(line: str, position: int) -> str:
    """Return the word behind *position*, without what opens it."""
    piece = line[position : position + _LONGEST_WORD].lstrip(_OPENING)
    return piece.split(" ", 1)[0] or line[position:].lstrip()[:1]


def _ends_with_word(line: str, stop: re.Match[str], following: str) -> bool:
    """Tell whether the word before a single full stop can be the last of its sentence."""
    before = line[max(0, stop.start() - _LONGEST_WORD) : stop.start()]
    word = before.rsplit(" ", 1)[-1].lstrip(_OPENING)
    plain = word.lower()
    if plain in _TITLES:
        return False
    opens = following.lower().rstrip(",;:.!?") in _STARTERS
    if plain in _ENDINGS or _is_initial(word):
        return opens and not (following[0].isdigit())
    is_number = word.isdigit() and (before == word or before[: -len(word)].rstrip().endswith((".", "!", "?")))
    return not is_number


def _is_initial(word: str) -> bool:
    """Tell whether *word* is a capital, or capitals with full stops between, as in J. or U.S."""
    letters = word.split(".")
    return all(len(letter) == 1 and letter.isupper() for letter in letters) and word != "I"
