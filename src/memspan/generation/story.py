"""Sentences of small stories, read: who goes where, takes, drops and gives what, who is what.

The toy grammar of the bAbI tasks, and nothing more: names and things are single words.

Source: Weston et al., *Towards AI-Complete Question Answering*, 2015.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from operator import attrgetter

from memspan.material import Claim

_DAY = ("yesterday", "this morning", "this afternoon", "this evening")
_WHEN = rf"(?:{'|'.join(_DAY)})"
_MOVED = re.compile(
    rf"(?:(?P<first>{_WHEN}) )?(?P<who>\w+) "
    r"(?:moved|went|went back|travelled|traveled|journeyed|returned|ran|walked)"
    rf" to the (?P<where>\w+)(?: (?P<last>{_WHEN}))?",
    re.IGNORECASE,
)
_GAINED = re.compile(
    r"(?P<to>\w+) (?:took|got|grabbed|picked up) the (?P<what>\w+)(?: there)?", re.IGNORECASE
)
_LOST = re.compile(
    r"(?P<by>\w+) (?:dropped|discarded|left|put down) the (?P<what>\w+)(?: there)?", re.IGNORECASE
)
_GAVE = re.compile(r"(?P<by>\w+) (?:gave|passed|handed) the (?P<what>\w+) to (?P<to>\w+)", re.IGNORECASE)
_FEARS = re.compile(r"(?P<who>\w+) are afraid of (?P<what>\w+)", re.IGNORECASE)
_KIND = re.compile(r"(?P<who>\w+) is an? (?P<what>\w+)", re.IGNORECASE)
_TRAIT = re.compile(r"(?P<who>\w+) is (?P<what>\w+)", re.IGNORECASE)
_ODD = {
    "mice": "mouse",
    "wolves": "wolf",
    "sheep": "sheep",
    "geese": "goose",
    "flies": "fly",
    "swine": "swine",
}


@dataclass(frozen=True, slots=True)
class Move:
    """Somebody is at a place from then on; `time` orders moves."""

    claim: str
    time: tuple[int, int]
    who: str
    place: str


@dataclass(frozen=True, slots=True)
class Transfer:
    """A thing changes hands: lost by one, gained by another, or either; `time` orders transfers."""

    claim: str
    time: tuple[int, int]
    thing: str
    by: str | None
    to: str | None


@dataclass(frozen=True, slots=True)
class Said:
    """Somebody or some kind is something, or fears it; `time` is when it was told."""

    claim: str
    time: int
    who: str
    what: str


@dataclass(frozen=True)
class Story:
    """What some claims tell, in order of time: moves by person, transfers by thing, the rest by who.

    Names are in small letters; kinds are singular.
    """

    moves: dict[str, list[Move]] = field(default_factory=lambda: defaultdict(list))
    transfers: dict[str, list[Transfer]] = field(default_factory=lambda: defaultdict(list))
    kinds: dict[str, list[Said]] = field(default_factory=lambda: defaultdict(list))
    fears: dict[str, list[Said]] = field(default_factory=lambda: defaultdict(list))
    traits: dict[str, list[Said]] = field(default_factory=lambda: defaultdict(list))


def read_story(claims: Sequence[Claim]) -> Story:
    """Return what *claims* tell; a sentence outside the grammar tells nothing.

    >>> story = read_story([Claim("1", "Ana went to the harbour."), Claim("2", "Ana took the map there.")])
    >>> story.moves["ana"][0].place, story.transfers["map"][0].to
    ('harbour', 'ana')
    """
    story = Story()
    for position, claim in enumerate(claims):
        _take(story, claim.id, position, claim.text.strip().rstrip("."))
    for moves in story.moves.values():
        moves.sort(key=attrgetter("time"))
    return story


def _take(story: Story, name: str, position: int, text: str) -> None:
    if found := _MOVED.fullmatch(text):
        day = (found["first"] or found["last"] or _DAY[0]).lower()
        who = found["who"].lower()
        story.moves[who].append(Move(name, (_DAY.index(day), position), who, found["where"].lower()))
    elif found := _GAINED.fullmatch(text) or _LOST.fullmatch(text) or _GAVE.fullmatch(text):
        groups = {key: value.lower() for key, value in found.groupdict().items()}
        thing = groups["what"]
        transfer = Transfer(name, (0, position), thing, groups.get("by"), groups.get("to"))
        story.transfers[thing].append(transfer)
    else:
        _take_said(story, name, position, text)


def _take_said(story: Story, name: str, position: int, text: str) -> None:
    for pattern, home in ((_FEARS, story.fears), (_KIND, story.kinds), (_TRAIT, story.traits)):
        if found := pattern.fullmatch(text):
            who, what = found["who"].lower(), found["what"].lower()
            if pattern is _FEARS:
                who, what = _singular(who), _singular(what)
            home[who].append(Said(name, position, who, what))
            return


def _singular(word: str) -> str:
    return _ODD.get(word, word.removesuffix("s"))
