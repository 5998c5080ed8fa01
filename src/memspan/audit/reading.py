"""One memory read once: what every later comparison needs."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from memspan.audit.wording import FLEETING, KIN, MOOD, NEGATION, TURNING, is_dated, is_fleeting, meaning
from memspan.language.dates import iso_time
from memspan.language.verbs import base_of
from memspan.language.words import STOPWORDS, folded, stem
from memspan.material import Claim, Material

_WORD = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)*")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\u0e00-\u0e7f]")
_END = re.compile(r"[.!?\u2026:\u201c\u201d\"(]\s*\Z")
_NAMED = re.compile(r"(?:(?:\b[Uu]ser|USER)'?s?|\b[Mm]y|^) ?[Nn]ame is ((?:[A-Z][\w-]+ ?){1,3})")
_ISO = re.compile(r"\d{4}-(?:0\d|1[0-2])-[0-3]\d(?:T[\d:.]+(?:Z|[+-]\d\d:\d\d)?)?")
_GAPS = re.compile(r"[^a-z0-9'%#&@?$+<=>|~.,:/-]+|[.,:/-](?!\d)")
_MARKS = re.compile(
    r"(?<![\w.])[-+\u2212]\d[\d.,]*|\d\s?[%\u00b0]|[$\u20ac\u00a3\u00a5]\s?\d|\w(?:\+\+?|#)(?!\w)"
    r"|[<>\u2264\u2265\u2260=]+|\b[A-Z]{2,3}\b"
)
_QUOTES = frozenset("'\u2019")
_ROLES = frozenset({"", "user", "human", "assistant", "ai", "bot", "system", "agent", "model", "tool"})
_FIRST_TEXT = "i im ive id my me mine we our us myself"
_FIRST = frozenset(_FIRST_TEXT.split())
_OWNERS_TEXT = "his her their my our its your"
_OWNERS = frozenset(_OWNERS_TEXT.split())
_PLACING_TEXT = "in at on near from of during"
_PLACING = frozenset(_PLACING_TEXT.split())
_HELPING_TEXT = "is are am was were has have had do does did"
_HELPING = frozenset(_HELPING_TEXT.split())
_PRONOUNS_TEXT = "he she they it this that these those"
_PRONOUNS = frozenset(_PRONOUNS_TEXT.split())


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a memory.

    Attributes:
        plain: folded, as `memspan.language.words` gives it.
        capital: whether it starts with a capital behind another word of its sentence.
        owner: whether it owns what follows: ``Ana's``, ``her``.
    """

    plain: str
    capital: bool
    owner: bool


@dataclass(frozen=True, eq=False)
class Reading:
    """A memory as the audit compares it.

    Attributes:
        claim: the memory itself.
        position: in the store.
        scope: whose it is; memories of different scopes are never compared.
        time: ISO 8601, or empty.
        words: its words in order.
        own: plain words that name the person whose memory it is.
        names: words that stand with a capital within a sentence somewhere in the store.
    """

    claim: Claim
    position: int
    scope: str
    time: str
    words: tuple[Word, ...]
    own: frozenset[str]
    names: frozenset[str]

    def retold(self, text: str) -> Reading:
        """Return the same memory as if it said *text*."""
        return Reading(
            replace(self.claim, text=text),
            self.position,
            self.scope,
            self.time,
            tuple(_words(text)),
            self.own,
            self.names,
        )

    @property
    def text(self) -> str:
        """The text of the memory."""
        return self.claim.text

    @cached_property
    def order(self) -> tuple[int, str, int]:
        """When it got its text: by time where there is one, what has none last, then by place."""
        changed = self.claim.extra.get("updated")
        time = changed if isinstance(changed, str) and _ISO.fullmatch(changed) else self.time
        return (0, time, self.position) if time else (1, "", self.position)

    @cached_property
    def key(self) -> str:
        """What is left of the text without case, space, punctuation and forms of a character."""
        return content_key(self.text)

    @cached_property
    def marks(self) -> frozenset[str]:
        """Signs that change what is meant: -5 is not 5, C++ not C, 10 % not $10, US not us."""
        found = {re.sub(r"\s", "", mark) for mark in _MARKS.findall(self.text)}
        small = any(character.islower() for character in self.text)
        words = (mark.lower() in STOPWORDS and small for mark in found)  # US and us, IT and it
        return frozenset(m for m, kept in zip(found, words, strict=True) if kept or not m.isalpha())

    @cached_property
    def said(self) -> frozenset[str]:
        """The plain words without order."""
        return frozenset(word.plain for word in self.words)

    @cached_property
    def meanings(self) -> tuple[tuple[str, ...], ...]:
        """What each of `words` adds: stems; the user's own name adds nothing."""
        return tuple(() if word.plain in self.own else meaning(word.plain) for word in self.words)

    @cached_property
    def stems(self) -> tuple[str, ...]:
        """All that the words add, in order, negation left out."""
        return tuple(each for told in self.meanings for each in told if each != NEGATION)

    @cached_property
    def bag(self) -> frozenset[str]:
        """The stems without order."""
        return frozenset(self.stems)

    @cached_property
    def negated(self) -> bool:
        """Whether an odd number of words negates."""
        return sum(told.count(NEGATION) for told in self.meanings) % 2 == 1

    @cached_property
    def mood(self) -> frozenset[str]:
        """What makes it less than a plain statement: might, wants, plans; a question."""
        said = {stem(plain) for plain in self.said} & MOOD
        return frozenset(said | ({"?"} if self.text.rstrip().endswith("?") else set()))

    @cached_property
    def dated(self) -> frozenset[str]:
        """Its numbers, days and months."""
        return frozenset(each for each in self.bag if is_dated(each))

    @cached_property
    def turned(self) -> frozenset[tuple[str, str]]:
        """Each word that gives what follows another part, with what follows: over tea, before noon."""
        pairs: list[tuple[str, str]] = []
        if self.said.isdisjoint(TURNING):
            return frozenset()
        for i, word in enumerate(self.words):
            if word.plain in TURNING:
                after = next((told[-1] for told in self.meanings[i + 1 :] if told), "")
                pairs.append((word.plain, after))
        return frozenset(pairs)

    @cached_property
    def voice(self) -> str:
        """Who says I, where somebody but the user does."""
        speaker = folded(self.claim.speaker or "")
        foreign = speaker not in _ROLES and not self.own.intersection(speaker.split())
        return speaker if foreign and any(word.plain in _FIRST for word in self.words) else ""

    @cached_property
    def actors(self) -> tuple[str, ...]:
        """The names in it that may do something, in order: not those that own or that say where."""
        return tuple(
            word.plain
            for before, word in zip((None, *self.words[:-1]), self.words, strict=True)
            if (word.plain in self.names or word.plain in self.own)
            and not word.owner
            and (before is None or before.plain not in _PLACING)
        )

    @cached_property
    def owned(self) -> frozenset[str]:
        """What stands behind an owner in it: the dog of Ana's dog."""
        pairs = zip(self.words[:-1], self.meanings[1:], strict=True) if self.words else ()
        return frozenset(each for word, told in pairs if word.owner for each in told)

    @cached_property
    def fleeting(self) -> bool:
        """Whether it says today, last week and the like."""
        return not self.said.isdisjoint(FLEETING) and is_fleeting(self.text)

    @cached_property
    def happened(self) -> bool:
        """Whether its first verb is past: a happening rather than a state."""
        for word in self.words:
            found = base_of(word.plain)
            if word.plain in _HELPING:
                return False
            if found is not None:
                return found[1]
        return False

    @cached_property
    def unspaced(self) -> bool:
        """Whether it is written in a script without spaces between words."""
        return _UNSPACED.search(self.text) is not None

    @property
    def kin(self) -> frozenset[str]:
        """The relatives, friends and colleagues in it."""
        return self.bag & KIN

    @property
    def pronoun(self) -> str:
        """The pronoun it starts with; empty where it starts otherwise."""
        first = self.words[0].plain if self.words else ""
        return first if first in _PRONOUNS else ""


def content_key(text: str) -> str:
    """Return *text* without case, space, punctuation and forms of a character; telling signs stay.

    >>> content_key("Ana LIKES  tea!") == content_key("ana likes tea"), content_key("C++") == content_key("C")
    (True, False)
    """
    if text.isascii():
        return " ".join(_GAPS.sub(" ", text.lower()).replace("'", "").split())
    plain = unicodedata.normalize("NFKC", text).casefold()
    kept = (c if _says(c, plain[i + 1 : i + 2]) else " " for i, c in enumerate(plain))
    joined = "".join(c for c in kept if c not in "'\u2019")
    return " ".join(joined.split())


def _says(character: str, after: str) -> bool:
    if character.isalnum() or character in "'\u2019%#&@?":
        return True
    if character in ".,:-/" and after.isdigit():
        return True  # 3.5, 7:40, -5
    kind = unicodedata.category(character)
    return kind[0] == "M" or kind in {"Sm", "Sc", "So"}


def readings_of(material: Material) -> list[Reading]:
    """Return a reading of each memory, in the order of the store."""
    spoken = [tuple(_words(claim.text)) for claim in material.claims]
    scopes = [scope_of(claim) for claim in material.claims]
    own = _own_names(material.claims, scopes, spoken)
    names = frozenset(word.plain for said in spoken for word in said if word.capital)
    return [
        Reading(claim, i, scopes[i], _time(claim), spoken[i], own[scopes[i]], names)
        for i, claim in enumerate(material.claims)
    ]


def scope_of(claim: Claim) -> str:
    """Return whose memory it is, as the store says; empty where it does not."""
    told = claim.extra.get("scope")
    return "" if told is None else str(told)


def _time(claim: Claim) -> str:
    given = claim.time or ""
    return given if _ISO.fullmatch(given) else iso_time(given) or ""


def _words(text: str) -> Iterator[Word]:
    end = 0
    opens = True
    for found in _WORD.finditer(text):
        gap = text[end : found.start()]
        opens = opens or (gap != " " and _END.search(gap) is not None)
        end = found.end()
        owning = text[end : end + 1] in _QUOTES and text[end + 1 : end + 2] == " "
        yield _word(found.group(), opens, owning)
        opens = False


@lru_cache(maxsize=200_000)
def _word(raw: str, opens: bool, owning: bool) -> Word:
    bare = folded(raw).replace("\u2019", "'")
    plain = bare.removesuffix("'s").replace("'", "")
    capital = raw[0].isupper() and not opens and plain not in STOPWORDS and len(plain) > 1
    return Word(plain, capital, bare.endswith("'s") or (owning and bare.endswith("s")) or plain in _OWNERS)


def _own_names(
    claims: Sequence[Claim], scopes: Sequence[str], spoken: Sequence[Sequence[Word]]
) -> Mapping[str, frozenset[str]]:
    """Return by scope the words that name its user: told once and not twice differently, or in the scope."""
    told: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for claim, scope in zip(claims, scopes, strict=True):
        for name in _NAMED.findall(claim.text) if "ame is" in claim.text else ():
            told[scope][folded(name).strip()] += 1
    found = {
        scope: set(" ".join(names).split()) if len(names) == 1 else set[str]()
        for scope, names in told.items()
    }
    vocabulary = {word.plain for said in spoken for word in said}
    for scope in set(scopes):
        parts = set(re.split(r"[^\w]+", folded(scope))) & vocabulary - _ROLES
        found[scope] = found.get(scope, set()) | (parts - STOPWORDS)
    return defaultdict(frozenset, {scope: frozenset(names) for scope, names in found.items()})
