"""Whether a composed item says only what the claims it cites say, as far as words can show it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from memspan.language.words import STOPWORDS, stem, words
from memspan.material import Claim

_WRITTEN = re.compile(r"\w[\w'\u2019]*")
_FREE = 6  # one word in so many may be the composer's own; shorter items have none
_TELLING = 2  # letters; shorter words without a digit are no content
_LINKING = frozenset(
    ["altogether", "combined", "hence", "meanwhile", "overall", "therefore", "thus", "together"]
)
_NOT = frozenset(
    ["no", "not", "never", "none", "nobody", "nothing", "nowhere", "neither", "nor", "without", "cannot"]
)
_NOT_JOINED = re.compile(r"(?:do|does|did|is|are|was|were|has|had|have|ca|could|wo|would|should|must|need)nt")
_NUMBERS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
    " sixteen seventeen eighteen nineteen twenty"
)
_DIGITS = {
    word: str(value) for value, word in enumerate(_NUMBERS.split()) if value != 1
}  # "one" counts little
_MONTHS = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
]
_DATE = re.compile(r"\d{4}-(\d\d)(?:-(\d\d))?")


@dataclass(frozen=True)
class Content:
    """What the words of a text say.

    Attributes:
        told: stems of the words that mean something, and numbers as digits, in order.
        names: those of `told` that are written with a capital.
        denied: whether it denies something.
    """

    told: tuple[str, ...]
    names: frozenset[str]
    denied: bool

    @property
    def key(self) -> tuple[str, ...]:
        """What tells this from other content."""
        return (*self.told, "not") if self.denied else self.told


def content(text: str) -> Content:
    """Return what the words of *text* say.

    >>> content("Ana never lived in Porto for seven years").told
    ('ana', 'live', 'porto', '7', 'year')
    """
    plain = words(text)
    told = [_reduced(word) for word in plain if _counts(word)]
    written = [part for part in _WRITTEN.findall(text) if part[0].isupper()]
    capital = [word for part in written for word in words(part)]
    names = frozenset(_reduced(word) for word in capital if _counts(word))
    denied = any(_denies(word) for word in plain)
    return Content(tuple(told), names, denied)


def fault(item: Content, cited: Sequence[Claim]) -> str:
    """Say why *item* cannot be taken as following from the *cited* claims; empty where it can.

    An item is turned down where it

    - cites fewer than two claims, or one of which it says nothing;
    - says no more than one of them;
    - holds a name that none of them holds;
    - holds a number that none of them holds, except one that is the sum or the difference of numbers
      in two of them;
    - holds more than one other content word in six that none of them holds (an item of less than six
      content words: any), compared by stem;
    - denies something where none of them does.

    Words are all that is compared: an item that passes may still be false, as one that drops a "not".

    >>> cited = Claim("c1", "Calypso held him seven years."), Claim("c2", "Circe held him a year.")
    >>> fault(content("Calypso and Circe held him 7 years and a year."), cited)
    ''
    >>> fault(content("Calypso and Athena held him for years."), cited)
    "holds the name 'athena', which no cited claim holds"
    """
    known = [_known(claim) for claim in cited]
    everything = set().union(*known)
    return _thin(item, cited, known) or _strange(item, known, everything) or _denial(item, cited)


def _thin(item: Content, cited: Sequence[Claim], known: Sequence[set[str]]) -> str:
    told = set(item.told)
    if not told:
        return "says nothing"
    if len(cited) < 2:
        return f"cites {len(cited)} of the claims; an item that is composed cites two or more"
    for claim, own in zip(cited, known, strict=True):
        if told <= own:
            return f"says no more than claim {claim.id!r}"
        if not told & own:
            return f"cites claim {claim.id!r}, of which it says nothing"
    return ""


def _strange(item: Content, known: Sequence[set[str]], everything: set[str]) -> str:
    new = [word for word in dict.fromkeys(item.told) if word not in everything]
    for word in new:
        if _number(word) and word not in _derived(known):
            return f"holds the number {word}, which neither stands in a cited claim nor follows from two"
        if word in item.names:
            return f"holds the name {word!r}, which no cited claim holds"
    own = [word for word in new if not _number(word)]
    if len(own) > len(item.told) // _FREE:
        return f"holds {', '.join(repr(word) for word in own)}, which no cited claim holds"
    return ""


def _denial(item: Content, cited: Sequence[Claim]) -> str:
    if item.denied and not any(content(claim.text).denied for claim in cited):
        return "denies something, which no cited claim does"
    return ""


def _known(claim: Claim) -> set[str]:
    """Return what an item may take from *claim*: its words, who said it and when."""
    told = " ".join((claim.text, claim.quote or "", claim.speaker or "", claim.time or ""))
    known = {_reduced(word) for word in words(told)}
    for month, day in _DATE.findall(claim.time or ""):
        known |= {stem(_MONTHS[(int(month) - 1) % 12]), str(int(month)), str(int(day or 0))}
    return known


def _derived(known: Sequence[set[str]]) -> set[str]:
    numbers = [{int(word) for word in own if _number(word)} for own in known]
    pairs = [(a, b) for i, some in enumerate(numbers) for more in numbers[:i] for a in some for b in more]
    return {str(value) for a, b in pairs for value in (a + b, abs(a - b))}


def _number(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) < 10


def _counts(word: str) -> bool:
    if word in STOPWORDS or word in _LINKING or word == "one" or _denies(word):
        return False
    return len(word) >= _TELLING or not word.isascii() or word.isdigit()


def _denies(word: str) -> bool:
    return word in _NOT or _NOT_JOINED.fullmatch(word) is not None


def _reduced(word: str) -> str:
    return _DIGITS.get(word) or stem(word)
