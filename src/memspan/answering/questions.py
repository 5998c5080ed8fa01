"""Questions about relations: what they ask for, by the tables in `patterns`.

A question asks for a value (``When was {D} born?``), for the earlier or later of two (``Who is older, {A}
or {B}?``), or whether two share a value (``Are {A} and {B} from the same country?``). What a question is
about is described by a name or by relations from one: ``the director of film X``, ``X's father``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from memspan.answering.patterns import (
    AS,
    COMPANY,
    FIRST,
    FRAME,
    LAST,
    LEAD,
    MAKER,
    MAKERS_TAIL,
    NOUNS,
    ORDERS,
    SHARED,
    TAIL,
    VALUES,
)
from memspan.language.relations import along

Kind = Literal["value", "first", "last", "same"]


@dataclass(frozen=True, slots=True)
class Described:
    """A thing, by the name it starts from and the relations that lead to it."""

    mention: str
    path: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Ask:
    """One reading of a question.

    Attributes:
        kind: a ``value``; which of two comes ``first`` or ``last``; whether two have the ``same``.
        about: the one or two names that the question starts from.
        relation: what is asked for, composed where it leads over others.
    """

    kind: Kind
    about: tuple[str, ...]
    relation: str


def readings(question: str) -> tuple[Ask, ...]:
    """Return the ways to read *question*, the likeliest first; none where no pattern fits.

    >>> readings("When was the director of film Last Ferry born?")[0]
    Ask(kind='value', about=('Last Ferry',), relation="director's date of birth")
    >>> readings("Who is older, Ana Lima or Rui Pinto?")[0]
    Ask(kind='first', about=('Ana Lima', 'Rui Pinto'), relation='date of birth')
    >>> readings("Why is the sky blue?")
    ()
    """
    asked = re.sub(r"\s+", " ", question).strip().rstrip("?").strip()
    found = [*_shared(asked), *_ordered(asked)] or [*_valued(asked)]
    return tuple(dict.fromkeys(found))


def described(words: str) -> Iterator[Described]:
    """Yield what *words* may describe, the longest path first.

    >>> list(described("the director of film Zoë"))[0]
    Described(mention='Zoë', path=('director',))
    """
    published = COMPANY.fullmatch(words)
    if published:
        yield Described(published["of"], ("publisher",))
    for noun, of in splits(re.sub(r"^the ", "", words), " of "):
        if noun in NOUNS:
            yield from _further(of, noun)
    possessive = re.fullmatch(r"(.+?) ?['\u2019]s? ([a-z -]+)", words)
    if possessive and possessive[2] in NOUNS:
        yield from _further(possessive[1], possessive[2])
    if work := re.match(r"(?:the )?(?:film|movie|song|album|novel|book|magazine|band) (?=.)", words):
        yield Described(words[work.end() :])
    yield Described(words)


def _further(words: str, noun: str) -> Iterator[Described]:
    for inner in described(words):
        for relation in NOUNS[noun]:
            yield Described(inner.mention, (*inner.path, relation))


def _valued(asked: str) -> Iterator[Ask]:
    """Yield the ways to read a question for a value by the first pattern that gives any."""
    for pattern, relation in VALUES:
        match = re.fullmatch(pattern.replace("{D}", "(?P<D>.+?)"), asked, re.IGNORECASE)
        asks = [] if match is None else [*_asks(match, relation)]
        if asks:
            yield from asks
            return


def _asks(match: re.Match[str], relation: str | None) -> Iterator[Ask]:
    """Yield what a match asks for: *relation*, or the one that the words themselves name."""
    noun = match[1].lower() if relation is None and match.re.groups > 1 else None
    ends: tuple[tuple[str, ...], ...] = ((relation,),) if relation else ((),)
    for thing in described(match["D"]):
        for end in [(name,) for name in NOUNS[noun]] if noun else ends:
            if path := (*thing.path, *end):
                yield Ask("value", (thing.mention,), along(*path))


def _ordered(asked: str) -> Iterator[Ask]:
    """Yield which-of-two questions: words, a comma, then A or B; or A or B between the words."""
    match = re.fullmatch(
        r"((?:which|who|what) [^,]+?)(?:,| between| out of| -) ?(.+)", asked, re.IGNORECASE
    ) or re.fullmatch(
        r"(?P<pair>(?:was|is|did) .+ or .+?) (born|older|younger|died?|released|founded.*)(.*)",
        asked,
        re.IGNORECASE,
    )
    if match is None:
        return
    groups = match.groupdict()
    pair = FRAME.sub("", groups["pair"]) if groups else match[2]
    told = asked.replace(groups["pair"], "") if groups else match[1]
    relation = next((name for pattern, name in ORDERS if re.search(pattern, told)), None)
    first = re.search(rf"\b{FIRST}\b", told)
    if relation is None or not (first or re.search(rf"\b{LAST}\b", told)):
        return
    made = MAKER.search(told)
    path = (NOUNS[made[1].rstrip("s")][0], relation) if made else (relation,)
    for one, other in splits(pair, " or ", " and "):
        yield Ask("first" if first else "last", (one, other), along(*path))


def _shared(asked: str) -> Iterator[Ask]:
    relations = next((known for pattern, known in SHARED if re.search(pattern, asked)), ())
    if not relations:
        return
    framed = AS.fullmatch(asked)
    pairs = [(framed[1], framed[2])] if framed else [*splits(_middle(asked), " and ")]
    made = MAKER.search(_without(asked, pairs))
    for one, other in pairs:
        for a, b in _both(one, other):
            path = a.path or ((NOUNS[made[1].rstrip("s")][0],) if made else ())
            for relation in relations[:1] if path else relations:
                yield Ask("same", (a.mention, b.mention), along(*path, relation))


def _both(one: str, other: str) -> Iterator[tuple[Described, Described]]:
    """Yield the ways in which both are described by the same relations."""
    ways = [(a, b) for a in described(one) for b in described(other) if a.path == b.path]
    yield from sorted(ways, key=lambda way: -len(way[0].path))


def _middle(asked: str) -> str:
    """Return the pair of names in a question whether two share something, without the words around."""
    middle = TAIL.sub("", MAKERS_TAIL.sub("", FRAME.sub("", asked)))
    while not re.match(r"(?:the )?(?:director|composer|performer) of ", middle) and (
        lead := LEAD.match(middle)
    ):
        middle = middle[lead.end() :]
    return middle.rstrip(", ")


def _without(asked: str, pairs: list[tuple[str, str]]) -> str:
    for pair in pairs[:1]:
        for name in pair:
            asked = asked.replace(name, "")
    return asked


def splits(pair: str, *joints: str) -> Iterator[tuple[str, str]]:
    """Yield every way to split *pair* at one of the *joints*: names hold such words themselves.

    >>> list(splits("War and Peace and Ulysses", " and "))
    [('War', 'Peace and Ulysses'), ('War and Peace', 'Ulysses')]
    """
    for joint in joints:
        parts = pair.split(joint)
        for i in range(1, len(parts)):
            yield joint.join(parts[:i]).strip(" ,"), joint.join(parts[i:]).strip(" ,")
