"""Names in claims, told by their capitals alone: who and where, as far as the text shows it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from memspan.language.verbs import is_finite
from memspan.material import Claim

TOKEN = re.compile(
    r"\d{1,3}(?:,\d{3})+|\d+(?:[.:/-]\d+)*|[^\W\d_]+(?:['\u2019.-](?=[^\W\d_])[^\W\d_]+)*['\u2019]?|[^\w\s]"
)
_STOP = re.compile(r"(?<=[.!?])[\"'\u201d\u2019)\]]*\s+(?=[\"'\u201c\u2018(\[]?[A-Z\d])|\n\s*\n")
_OPENING = frozenset("\"'\u201c\u201d\u2018\u2019:;-\u2013\u2014([{*\u2026.!?")
_CALENDAR = """
    January February March April May June July August September October November December
    Monday Tuesday Wednesday Thursday Friday Saturday Sunday Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec
    North South East West Spring Summer Autumn Winter Christmas Easter
    I I'm I've I'll I'd It's O A The An Mr Mrs Ms Dr St Hello Hi Yes No Ok OK Oh Thanks
"""
CALENDAR = frozenset(_CALENDAR.split())
_AT = frozenset(
    ("in", "at", "near", "towards", "outside", "inside", "around", "across", "through", "reached")
)
_TO = frozenset(("to", "from", "into", "via", "for"))
_GOING = """
    go goes going went gone come comes came travel travels travelled sail sails sailed fly flies flew drive
    drives drove move moves moved return returns returned trip train bus way home walk walked ride rode reach
    journey voyage flight arrive arrived leave left
"""
_MOTION = frozenset(_GOING.split())


@dataclass(frozen=True)
class Names:
    """What is known of the capitalised words of a material.

    Attributes:
        words: words that are names, or parts of one.
        places: those of them where something happens or one goes, more often than they act.
        people: those that speak or act.
    """

    words: frozenset[str]
    places: frozenset[str]
    people: frozenset[str]

    def run(self, tokens: Sequence[str], start: int) -> int:
        """Return where the name that begins at *start* ends; *start* where there is none."""
        end = start
        while end < len(tokens) and tokens[end] in self.words:
            end += 1
        return end


def sentences(text: str) -> list[str]:
    """Return the sentences of *text*, roughly: cut behind a full stop before a capital.

    >>> sentences('He slept. "Alas," said he. 3 men came')
    ['He slept.', '"Alas," said he.', '3 men came']
    """
    return [part.strip() for part in _STOP.split(text) if part and part.strip()]


def names_in(claims: Iterable[Claim]) -> Names:
    """Return the names in *claims*: speakers, and words with a capital not only where a sentence begins.

    >>> found = names_in([Claim("c", "So Ana went to Porto. Then Ana slept in Porto.")])
    >>> sorted(found.people), sorted(found.places)
    (['Ana'], ['Porto'])
    """
    large: Counter[str] = Counter()
    inside: Counter[str] = Counter()
    small: Counter[str] = Counter()
    near: Counter[tuple[str, str]] = Counter()
    speakers: set[str] = set()
    for claim in claims:
        speakers.update(word for word in TOKEN.findall(claim.speaker or "") if word[:1].isupper())
        for sentence in sentences(claim.text):
            _count(TOKEN.findall(sentence), large, inside, small, near)
    found = {word for word, n in large.items() if inside[word] and n > small[word.lower()]} | speakers
    words = frozenset(word for word in found if word not in CALENDAR)
    places = frozenset(word for word in words if word not in speakers and _is_place(word, near))
    acting = frozenset(word for word in words - places if near["acts", word] or word in speakers)
    return Names(words, places, acting)


def _is_place(word: str, near: Counter[tuple[str, str]]) -> bool:
    weight = 2 * near["at", word] + near["to", word]
    return weight >= 1 and weight > 2 * near["acts", word]


def _count(
    tokens: Sequence[str],
    large: Counter[str],
    inside: Counter[str],
    small: Counter[str],
    near: Counter[tuple[str, str]],
) -> None:
    for i, token in enumerate(tokens):
        if not token[0].isalpha():
            continue
        if not token[0].isupper():
            small[token] += 1
            continue
        before = tokens[i - 1].lower() if i else ""
        large[token] += 1
        inside[token] += bool(i) and before not in _OPENING
        after = tokens[i + 1] if i + 1 < len(tokens) else ""
        if not after[:1].isupper():  # the last word of a name tells what it names
            near["at", token] += before in _AT
            near["to", token] += before in _TO and not _MOTION.isdisjoint(tokens[max(0, i - 5) : i - 1])
        near["acts", token] += is_finite(after) and after not in ("is", "was", "are", "were", "has", "had")
