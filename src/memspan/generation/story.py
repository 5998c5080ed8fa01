"""Sentences and questions of small stories, read: who goes where, takes, drops, gives and is what.

The toy grammar of the bAbI tasks, and nothing more: names and things are single words.

Source: Weston et al., *Towards AI-Complete Question Answering*, 2015.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
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
_QUESTIONS = (
    (r"where is (?:the )?(\w+)", "is in"),
    (r"where was (?:the )?(\w+) before the (\w+)", "before the {} was in"),
    (r"what is (\w+) carrying", "carries"),
    (r"how many objects is (\w+) carrying", "carries how many"),
    (r"what is (\w+) afraid of", "is afraid of"),
    (r"what colou?r is (\w+)", "is coloured"),
)
"""What a question looks like, and the relation that it asks for."""
_ODD = {
    "mice": "mouse",
    "wolves": "wolf",
    "sheep": "sheep",
    "geese": "goose",
    "flies": "fly",
    "swine": "swine",
}

Topic = tuple[str, str]
"""Whom or what, and the relation that is asked for: ``("ana", "is in")``."""


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

    Names are in small letters; kinds are singular. `position` orders the claims as they were given.
    """

    position: dict[str, int] = field(default_factory=dict)
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
    story = Story({claim.id: i for i, claim in enumerate(claims)})
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


def asked(question: str) -> Topic | None:
    """Return what *question* asks for; None where it is outside the grammar.

    >>> asked("Where was the map before the harbour?")
    ('map', 'before the harbour was in')
    """
    for pattern, relation in _QUESTIONS:
        if found := re.fullmatch(pattern, question.strip().rstrip("?").strip().lower()):
            return found[1], relation.format(*found.groups()[1:])
    return None


def topics(story: Story) -> Iterator[Topic]:
    """Yield everything that *story* may tell something about."""
    for who, moves in story.moves.items():
        yield who, "is in"
        yield from ((who, f"before the {place} was in") for place in dict.fromkeys(m.place for m in moves))
    for thing, transfers in story.transfers.items():
        yield thing, "is in"
        visited = (move.place for who in hands(transfers) for move in story.moves.get(who, ()))
        yield from ((thing, f"before the {place} was in") for place in dict.fromkeys(visited))
    for who in dict.fromkeys(who for transfers in story.transfers.values() for who in hands(transfers)):
        yield from ((who, "carries"), (who, "carries how many"))
    for who in story.kinds:
        yield from ((who, "is afraid of"), (who, "is coloured"))


def hands(transfers: Sequence[Transfer]) -> list[str]:
    """Return who had the thing of *transfers*, in order."""
    return list(dict.fromkeys(who for t in transfers for who in (t.by, t.to) if who))
