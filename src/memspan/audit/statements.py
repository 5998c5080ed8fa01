"""What a short English statement says: whose attribute has which value.

Only attributes that have one value at a time: two values of one are versions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from memspan.audit.reading import Reading
from memspan.audit.wording import ENDING, NEGATION, meaning
from memspan.language.words import words

_NOW = r"(?:(?:has|have|had|is|are|was|just|now|recently|currently|also|since) )*"
_PERSON = r"(?P<who>[^,;:.]*?)"
_RULES: tuple[tuple[str, re.Pattern[str], bool], ...] = tuple(
    (attribute, re.compile(rf"^{_PERSON}\b{_NOW}(?:{cue})\b\s*(?P<value>.*)$", re.IGNORECASE), named)
    for attribute, cue, named in (
        (
            "home",
            (
                r"(?:lives?|living|resides?|residing|settled)(?: now)? (?:in|at|on)|based in"
                r"|(?:moved|relocated)(?: (?:back|over|out|house))?(?: from .*?)? (?:in)?to"
            ),
            True,
        ),
        (
            "job",
            r"(?:works?|working)(?: now)? (?:at|for)|joined|employed (?:at|by)|got a job (?:at|with)",
            True,
        ),
        ("role", r"works as|working as|promoted to|job title is|employed as", False),
        ("weight", r"weighs?", False),
        ("car", r"(?:drives|driving)(?= an? | (?-i:[A-Z]))", False),
        ("age", r"(?:is|turned|turns) (?=\d+(?: years?(?: old)?)?\W*$)", False),
    )
)
_TRIGGERS_TEXT = """
    live lives living reside resides residing based settled moved relocated work works working joined
    employed job promoted weigh weighs drives driving is turned turns
"""
_TRIGGERS = frozenset(_TRIGGERS_TEXT.split())
_COUPLING_TEXT = "single married divorced engaged widowed separated dating broke split relationship"
_COUPLING = frozenset(_COUPLING_TEXT.split())
_LOVE = re.compile(
    rf"^{_PERSON}\b(?:(?:is|are|was|got|has|have|been|now) )*"
    r"(?P<value>single|married|divorced|engaged|widowed|separated|dating|broke up|split up"
    r"|in a relationship)\b",
    re.IGNORECASE,
)
_IS = re.compile(
    r"^(?P<noun>[^,;:.?]+?) (?:(?:is|are|was|were|has been) (?:now |currently )?"
    r"(?:(?:changed|moved|set|raised|lowered|scheduled|updated|postponed) (?:from .*? )?(?:to|for|on|at) )?"
    r"|(?:now )?takes place |changed to |moved to |rose to |fell to )(?P<value>.+)$",
    re.IGNORECASE,
)
_OFFICE = re.compile(
    r"^(?P<value>[A-Z]\w+(?: [A-Z]\w+)?) is (?:now )?the (?P<noun>[a-z]\w+(?: \w+)? (?:of|at|for) .+)$"
)
_ONE_VALUE = """
    password code pin number phone address email mail colour color favourite favorite birthday deadline
    date time rent price budget salary wage weight height size title employer username nickname surname
    status timezone language version port branch capital fee cost limit goal target name appointment
    meeting flight interview exam wedding party reservation booking launch release evening checkup
"""
ONE_VALUE = frozenset(root for word in _ONE_VALUE.split() for root in meaning(word))
_VERBAL = re.compile(
    r"\b(?:which|who|that|if|when|because|has|have|wants?|likes?|said|says?|thinks?|told)\b", re.IGNORECASE
)
_USER = frozenset({"user", "i", "im", "ive"})
_OTHERS = frozenset({"he", "she", "they", "it", "we", "you"})
_LONGEST = 18  # words; what is longer says more than one thing


@dataclass(frozen=True)
class Statement:
    """One attribute and its value.

    Attributes:
        about: whose attribute and which one.
        value: its stems.
        names: names among them; two homes differ only where both have one.
        named: whether only named values count.
    """

    about: tuple[str, ...]
    value: frozenset[str]
    names: frozenset[str]
    named: bool

    def differs(self, other: Statement) -> bool:
        """Whether the values exclude each other: neither says the other and more."""
        if self.named:
            return bool(self.names and other.names) and not self.names & other.names
        told = bool(self.value and other.value)
        return told and not (self.value <= other.value or other.value <= self.value)


def statements(reading: Reading) -> Iterator[Statement]:
    """Yield what *reading* states, nothing where it asks, denies, wishes or says too much."""
    text = reading.text.strip().rstrip(".!")
    denied = any(
        NEGATION in told and word.plain not in ENDING
        for word, told in zip(reading.words, reading.meanings, strict=True)
    )
    if (
        reading.mood
        or denied
        or not 1 < len(reading.words) <= _LONGEST
        or ". " in f"{text} ".replace("Mr. ", "")
    ):
        return
    for attribute, rule, named in _RULES if not reading.said.isdisjoint(_TRIGGERS) else ():
        found = rule.match(text)
        if found:
            yield _statement(reading, _who(reading, found["who"]), attribute, found["value"], named=named)
    found = None if reading.said.isdisjoint(_COUPLING) else _LOVE.match(text)
    if found:
        yield _statement(reading, _who(reading, found["who"]), "love", found["value"], named=False)
    yield from _nouns(reading, text)


def _nouns(reading: Reading, text: str) -> Iterator[Statement]:
    if "is" not in reading.said and reading.bag.isdisjoint(ONE_VALUE):
        return
    found = _OFFICE.match(text)
    if found:
        yield _statement(reading, "", found["noun"], found["value"], named=True)
    found = _IS.match(text)
    if found is None or _VERBAL.search(found["noun"]):
        return
    noun = tuple(_roots(reading, found["noun"]))
    if ONE_VALUE.intersection(noun):
        yield _statement(reading, "", " ".join(sorted(noun)), found["value"], named=False)


def _statement(reading: Reading, who: str, attribute: str, value: str, *, named: bool) -> Statement:
    bare = re.split(r",? (?:which|who|because|since|where|as of|starting)\b", value)[0]
    roots = frozenset(_roots(reading, bare))
    names = frozenset(each for word in words(bare) if word in reading.names for each in meaning(word))
    return Statement((who, attribute.lower()), roots, names, named)


def _who(reading: Reading, subject: str) -> str:
    """Return the first name or noun of *subject*; empty for the user."""
    said = words(subject)
    for i, word in enumerate(said):
        owner = i < len(reading.words) and reading.words[i].owner
        if word in _USER or word in reading.own:
            if not owner:
                return ""
        elif word in _OTHERS or meaning(word):
            return word if word in _OTHERS else meaning(word)[-1]
    return ""


def _roots(reading: Reading, text: str) -> list[str]:
    return [
        each for word in words(text) if word not in reading.own for each in meaning(word) if each != NEGATION
    ]
