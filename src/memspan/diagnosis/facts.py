"""What a text states that can be compared hard: numbers, dates, names, and whether it denies."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

from memspan.answering.moments import Moment, meant
from memspan.answering.passages import spoken
from memspan.language.mentions import mentions
from memspan.language.numerals import numerals
from memspan.language.words import stemmed, words
from memspan.material import Claim

Conflict = Literal["number", "date", "name", "denial"]
Name = frozenset[str]
"""The words of one name."""

_NEAR = 0.6  # of the words, names and numbers aside: from here on two texts say the same of something
_SLACK = 1  # days: a date told a day later, or in another time zone, is no other date

_DENYING = re.compile(
    r"\b(?:not|no|never|none|nobody|nothing|neither|nor|without|cannot|refus\w+|stopped|quit"
    r"|dislik\w+|hat(?:e|es|ed)|avoid\w*|unable|unlike\w*|lacks?|lacked)\b|n['\u2019]t\b",
    re.IGNORECASE,
)
_NO_DENIAL = re.compile(
    r"\b(?:not only|no doubt|no matter|cannot wait|can['\u2019]t wait|why not|no wonder)\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Facts:
    """What can be compared hard.

    Attributes:
        words: all words.
        stems: of the words that mean something, names and numbers aside.
        numbers: as digits, those of dates aside.
        days: the dates that are named, relative ones resolved where the time is known.
        names: the names, each as its words, none part of another; the speaker is one.
        sure: those of them that are names wherever they stand.
        denies: whether some word denies.
    """

    words: frozenset[str]
    stems: frozenset[str]
    numbers: frozenset[str]
    days: tuple[Moment, ...]
    names: tuple[Name, ...]
    sure: frozenset[Name]
    denies: bool

    @property
    def name_words(self) -> frozenset[str]:
        """The words of all names."""
        return frozenset(part for name in self.names for part in name)


def facts(claim: Claim) -> Facts:
    """Return what the text of *claim* states.

    >>> found = facts(Claim("c", "Yesterday Ana paid $1,500 and never told Rui.", time="2024-05-04"))
    >>> sorted(found.numbers), [day.first.day for day in found.days], found.denies
    (['1500'], [3], True)
    """
    text = spoken(claim)
    named = {frozenset(name.split()): sure for name, sure in mentions(text).items()}
    if claim.speaker:
        named[frozenset(words(claim.speaker))] = True
    parts = frozenset(part for name in named for part in name)
    whole = [name for name in named if not any(name < other for other in named)]
    return Facts(
        frozenset(words(text)),
        _stems(text, parts),
        numerals(text),
        tuple(meant(claim)),
        tuple(whole),
        frozenset(name for name in whole if named[name]),
        _denies(text),
    )


def conflict(memory: Facts, clause: str, claim: Facts) -> Conflict | None:
    """Return in what a memory says something else than a claim; None where nothing speaks against it.

    Numbers, dates and names: both tell some, and none of one is among the other's. Where a clause of
    the memory says else the same as the claim, one that differs is enough, and so is a denial.

    Args:
        memory: the whole memory.
        clause: the text of that part of it which is nearest to the claim.
        claim: what the memory may tell.
    """
    near = _near(_stems(clause, memory.name_words), claim.stems)
    if _other_numbers(memory, claim, near=near):
        return "number"
    if memory.days and claim.days and not _share_a_day(memory.days, claim.days):
        return "date"
    if _other_names(memory, claim, near=near):
        return "name"
    return "denial" if near and _denies(clause) != claim.denies else None


def _near(some: Collection[str], others: frozenset[str]) -> bool:
    """Whether two texts are alike but for names and numbers: Dice's coefficient of their stems."""
    both = len(some) + len(others)
    return both == 0 or 2 * len(others.intersection(some)) >= _NEAR * both


def _stems(text: str, names: frozenset[str]) -> frozenset[str]:
    return frozenset(stemmed(word for word in words(text) if word not in names and not word.isdigit()))


def _denies(text: str) -> bool:
    return bool(_DENYING.search(_NO_DENIAL.sub(" ", text)))


def _other_numbers(memory: Facts, claim: Facts, *, near: bool) -> bool:
    if not memory.numbers or not claim.numbers:
        return False
    missing, new = claim.numbers - memory.numbers, memory.numbers - claim.numbers
    return bool(missing and new) if near else not memory.numbers & claim.numbers


def _share_a_day(some: Collection[Moment], others: Collection[Moment]) -> bool:
    return any(_overlap(one, other) for one in some for other in others)


def _overlap(one: Moment, other: Moment) -> bool:
    begin, start = one.first.toordinal(), other.first.toordinal()
    return begin - _SLACK < start + other.days and start - _SLACK < begin + one.days


def _other_names(memory: Facts, claim: Facts, *, near: bool) -> bool:
    """Whether both name what the other does not: all of it, or where they are near, some of it."""
    missing = [name for name in claim.names if not _told(name, memory)]
    new = [name for name in memory.names if not _told(name, claim)]
    if near:
        return bool(missing and new)
    surely = claim.sure and memory.sure and {*claim.names} == {*missing} and {*memory.names} == {*new}
    return bool(surely)


def _told(name: Name, other: Facts) -> bool:
    """Whether *other* tells *name*, or a shorter form of it."""
    return name <= other.words or any(shorter <= name or name <= shorter for shorter in other.names)
