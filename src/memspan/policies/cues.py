"""What the words of a single claim tell of it: counts and shares that need no other claim."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from math import log1p

from memspan.answering.passages import spoken
from memspan.language.mentions import mentions
from memspan.language.verbs import base_of
from memspan.language.words import STOPWORDS, stemmed, words
from memspan.material import Claim

CUES: Mapping[str, str] = {
    "words": "log(1 + number of words)",
    "sentences": "log(1 + number of sentences)",
    "numbers": "log(1 + numbers written in digits)",
    "dates": "log(1 + months, days of the week and years that are named)",
    "times": "log(1 + words that place something in time: yesterday, last, week, ago)",
    "capitals": "log(1 + capitalised words that follow another word)",
    "quoted": "1 where something stands in quotation marks",
    "first person": "share of the words that are I, my, we, our",
    "second person": "share of the words that are you, your",
    "third person": "share of the words that are he, she, they, his, her, their",
    "questions": "share of the sentences that ask",
    "exclamations": "share of the sentences that exclaim",
    "past": "log(1 + verbs in the past tense)",
    "plans": "log(1 + words of intention: will, plan, going, hope, want)",
    "feelings": "log(1 + words of feeling: love, happy, proud, afraid)",
    "people": "log(1 + words for kin, friends, pets and the like)",
    "events": "log(1 + verbs that change something: bought, moved, joined, won, started)",
    "things": "log(1 + words for work, school, home, health, hobbies and travel)",
    "courtesy": "share of the words that greet, thank, praise or agree",
    "listed": "log(1 + commas)",
    "image": "1 where the claim holds the caption of an image",
}
"""The cues, by name: what each means."""

_TIMES = """
    yesterday today tonight tomorrow ago last next week weekend weeks month months year years day days
    morning evening night recently since spring summer autumn fall winter soon earlier later lately just
"""
_DATES = """
    monday tuesday wednesday thursday friday saturday sunday january february march april june july
    august september october november december
"""
_PLANS = """
    will plan plans planning planned going gonna hope hoping want wants wanted wanna thinking decided goal
    goals dream intend ready upcoming try trying considering
"""
_FEELINGS = """
    love loved loves happy proud excited sad afraid scared angry nervous stressed stress tough hard enjoy
    enjoyed enjoying favorite favourite grateful amazing awesome passion passionate inspired inspiring miss
    missed worried anxious lonely joy fun relax relaxing calm peace therapeutic
"""
_PEOPLE = """
    mom mum mother dad father parent parents son sons daughter daughters brother brothers sister sisters
    grandma grandpa grandmother grandfather aunt uncle cousin cousins niece nephew husband wife partner
    girlfriend boyfriend friend friends kid kids child children baby family neighbor neighbors neighbour
    colleague colleagues coworker coworkers teammates team boss teacher mentor dog dogs cat cats pup puppy
    puppies kitten pet pets roommate fiance
"""
_EVENTS = """
    bought moved joined won started lost got made visited went met adopted signed finished finally took began
    opened hosted attended painted wrote read watched cooked tried learned found built launched received
    quit married died born passed graduated published created set gave left broke hired applied organized
    volunteered performed recorded traveled travelled founded directed starred located named released
"""
_THINGS = """
    job work business career company store studio school college university class classes course degree
    project research book books movie movies film show game games tournament song music band album guitar
    piano painting art dance photo photography recipe dish restaurant trip travel vacation hike camping
    beach mountain park city country car bike house home apartment garden yoga gym running marathon doctor
    hospital health surgery injury accident award prize medal festival concert event competition conference
    charity shelter church
"""
_COURTESY = """
    hi hey hello bye thanks thank congrats congratulations sorry please sure great nice cool awesome glad
    sounds wow yeah yes yep oh ah ok okay good wonderful amazing absolutely definitely totally agree luck
    care welcome lovely exactly course really keep awesome fantastic best support bet
"""
_FIRST = frozenset(
    ["i", "me", "my", "mine", "myself", "we", "us", "our", "ours", "im", "ive", "id", "ill", "weve"]
)
_SECOND = frozenset(["you", "your", "yours", "yourself", "youre", "youve", "youll"])
_THIRD = frozenset(
    ["he", "she", "they", "him", "her", "them", "his", "hers", "their", "theirs", "hes", "shes", "theyre"]
)
_IMAGE = re.compile(r"\(image: ([^)]*)\)")
_SENTENCE_END = re.compile(r"[.!?…]+(?=\s|$)")
_CAPITAL = re.compile(r"(?<=\w )[A-Z]\w+")
_NUMBER = re.compile(r"\d+")
_YEAR = re.compile(r"\b(?:1\d|20)\d\d\b")
_QUOTED = re.compile(r"[\"“«][^\"”»]{2,80}[\"”»]")


@dataclass(frozen=True, slots=True)
class Reading:
    """A claim as the traits see it.

    Attributes:
        cues: one number for each of `CUES`.
        stems: what its words mean, each once, in the order of the text.
        names: that it mentions.
        asks: whether its last sentence is a question.
    """

    cues: tuple[float, ...]
    stems: tuple[str, ...]
    names: tuple[str, ...]
    asks: bool


def read(claim: Claim) -> Reading:
    """Return what the words of *claim* tell.

    >>> reading = read(Claim("c", "Ana: Did Zoë move to Porto in 2021?", speaker="Ana"))
    >>> reading.names, reading.asks
    (('zoe', 'porto'), True)
    """
    return _read(spoken(claim))


@lru_cache(maxsize=1 << 15)
def _read(text: str) -> Reading:
    bare = _IMAGE.sub(" ", text)
    said = words(bare)
    shown = [word for caption in _IMAGE.findall(text) for word in words(caption)]
    stems = tuple(dict.fromkeys(stemmed([*said, *shown])))
    ends = [end[0] for end in _SENTENCE_END.findall(bare)]
    return Reading(
        (*_counted(bare, said, ends), float(bare != text)),
        stems,
        tuple(name for name, sure in mentions(bare).items() if sure),
        bare.rstrip(" \"')”").endswith("?"),
    )


def _counted(text: str, said: Sequence[str], ends: Sequence[str]) -> tuple[float, ...]:
    n, sentences = max(len(said), 1), max(len(ends), 1)
    held = [0] * len(_lists())
    for word in said:
        for i in _homes().get(word, ()):
            held[i] += 1
    times, dates, plans, feelings, people, events, things, courtesy, first, second, third = held
    past = sum(1 for word in said if (found := base_of(word)) and found[1] and word not in STOPWORDS)
    return (
        log1p(len(said)),
        log1p(len(ends)),
        log1p(len(_NUMBER.findall(text))),
        log1p(dates + len(_YEAR.findall(text))),
        log1p(times),
        log1p(len(_CAPITAL.findall(text))),
        float(bool(_QUOTED.search(text))),
        first / n,
        second / n,
        third / n,
        ends.count("?") / sentences,
        ends.count("!") / sentences,
        log1p(past),
        log1p(plans),
        log1p(feelings),
        log1p(people),
        log1p(events),
        log1p(things),
        courtesy / n,
        log1p(text.count(",")),
    )


@cache
def _lists() -> tuple[frozenset[str], ...]:
    told = (_TIMES, _DATES, _PLANS, _FEELINGS, _PEOPLE, _EVENTS, _THINGS, _COURTESY)
    return (*(frozenset(text.split()) for text in told), _FIRST, _SECOND, _THIRD)


@cache
def _homes() -> Mapping[str, tuple[int, ...]]:
    """Return for each listed word the lists that hold it."""
    homes: dict[str, tuple[int, ...]] = {}
    for i, each in enumerate(_lists()):
        for word in each:
            homes[word] = (*homes.get(word, ()), i)
    return homes
