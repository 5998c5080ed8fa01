"""Questions about relations: what they ask for, as a table of patterns.

A question asks for a value (``When was {D} born?``), for the earlier or later of two (``Who is older, {A}
or {B}?``), or whether two share a value (``Are {A} and {B} from the same country?``). What a question is
about is described by a name or by relations from one: ``the director of film X``, ``X's father``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from memspan.language.relations import LIFETIME, along

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


# --- the tables ---------------------------------------------------------------------------------

_NOUNS = {
    "director": "director", "film director": "director", "performer": "performer", "singer": "performer",
    "composer": "composer", "screenwriter": "screenwriter", "writer": "author", "author": "author",
    "producer": "producer", "editor": "editor", "creator": "creator", "presenter": "presenter",
    "founder": "founded by", "publisher": "publisher", "manufacturer": "manufacturer",
    "father": "father", "mother": "mother", "child": "child", "son": "child", "daughter": "child",
    "husband": "spouse", "wife": "spouse", "spouse": "spouse",
    "sibling": "sibling", "brother": "sibling", "sister": "sibling",
    "employer": "employer", "doctoral advisor": "doctoral advisor", "teacher": "student of",
    "date of birth": "date of birth", "birthday": "date of birth", "birth date": "date of birth",
    "date of death": "date of death", "death date": "date of death", "cause of death": "cause of death",
    "place of birth": "place of birth", "birthplace": "place of birth", "place of death": "place of death",
    "place of burial": "place of burial", "burial place": "place of burial",
    "nationality": "country of citizenship", "country of citizenship": "country of citizenship",
    "occupation": "occupation", "country": "country", "country of origin": "country of origin",
    "publication date": "publication date", "release date": "publication date", "inception": "inception",
}  # fmt: skip
"""A noun to its relation; what Wikidata calls the relation where it has a name for it."""

KINSHIP = """
compose father + father = paternal grandfather
compose father + mother = paternal grandmother
compose mother + father = maternal grandfather
compose mother + mother = maternal grandmother
compose spouse + father = father-in-law
compose spouse + mother = mother-in-law
compose mother + spouse = stepfather
compose father + spouse = stepmother
compose father + sibling = uncle
compose mother + sibling = uncle
compose father + sibling = aunt
compose mother + sibling = aunt
compose child + spouse = child-in-law
compose spouse + sibling = sibling-in-law
compose sibling + spouse = sibling-in-law
compose child + child = grandchild
sibling(x, y) :- father(x, z), father(y, z), x != y.
sibling(x, y) :- mother(x, z), mother(y, z), x != y.
"""
"""Kin by composition, as rules. A triple does not tell the sex of kin, so uncles and aunts are one here."""

_KIN = {
    "grandfather": ("paternal grandfather", "maternal grandfather"),
    "grandmother": ("paternal grandmother", "maternal grandmother"),
    "son-in-law": ("child-in-law",), "daughter-in-law": ("child-in-law",),
    "brother-in-law": ("sibling-in-law",), "sister-in-law": ("sibling-in-law",),
    "grandson": ("grandchild",), "granddaughter": ("grandchild",),
}  # fmt: skip
_HEADS = re.findall(r"= ([\w -]+)", KINSHIP)
NOUNS: dict[str, tuple[str, ...]] = {
    **{noun: (relation,) for noun, relation in _NOUNS.items()},
    **{head: (head,) for head in _HEADS},
    **_KIN,
}

_VALUES = (
    (r"(?:when|in (?:what|which) year|on (?:what|which) date) (?:was|is) {D} born", "date of birth"),
    (r"(?:when|what day) (?:is|was) {D} ?'s birthday", "date of birth"),
    (r"(?:when|in (?:what|which) year) did {D} die", "date of death"),
    (r"when was {D} (?:founded|established|created|formed|started)", "inception"),
    (r"when (?:was|did) {D} (?:released|published|come out)", "publication date"),
    (r"(?:where|in (?:what|which) (?:city|place|town|country)) (?:was|is) {D} born", "place of birth"),
    (r"where (?:was|is) the (place of (?:birth|death|burial)) of {D}", None),
    (r"(?:where|in (?:what|which) (?:city|place|town|country)) did {D} die", "place of death"),
    (r"where (?:was|is) {D} buried", "place of burial"),
    (r"where (?:did|does) {D} (?:study|graduate|graduate from|study at)", "educated at"),
    (r"where (?:did|does) {D} work(?: at| for)?", "employer"),
    (r"(?:why|how) did {D} die", "cause of death"),
    (r"what (?:nationality|citizenship) (?:is|was) {D}", "country of citizenship"),
    (r"(?:which|what) country (?:is |was )?{D} (?:is |was |comes? |came )?from", "country of citizenship"),
    (r"(?:which|what) (?:award|prize) (?:did )?{D} (?:win|won|got|get|received?|earned?)", "award received"),
    (
        r"what (?:is|was) the (?:award|prize) that {D} (?:won|got|received|earned|was awarded)",
        "award received",
    ),
    (r"(?:who|what|which|when|where) (?:is|was|are|were) {D}", None),
)
"""What a question looks like, with {D} for what it is about, and the relation that it asks for: None
where that is a noun in the words themselves."""

_FIRST, _LAST = (
    r"(?:first|earlier|older|oldest|before)",
    r"(?:later|last|younger|youngest|more recently|longer|longest)",
)
_ORDERS = (
    (r"\b(?:born|older|younger|oldest|youngest)\b", "date of birth"),
    (r"\b(?:died|die|passed away)\b", "date of death"),
    (r"\blived\b", LIFETIME),
    (r"\b(?:founded|established|started|formed|created|opened|built)\b", "inception"),
    (r"\b(?:released|came out|come out|published|recent|recently)\b", "publication date"),
)
"""Words of a question that compares, and the date that they compare."""

_SHARED = (
    (r"born in the same (?:place|city|town)|same place of birth", ("place of birth",)),
    (r"die in the same|same place of death", ("place of death",)),
    (r"same nationality|same citizenship", ("country of citizenship",)),
    (r"located in the same country|situated in the same country", ("country",)),
    (r"same country", ("country of citizenship", "country of origin", "country")),
)
"""Words of a question whether two share something, and what: relations in the order they are tried."""

_MAKER = re.compile(r"\b(?:the )?(directors?|composers?|performers?)\b")
_COMPANY = re.compile(r"the (?:company|organization|magazine) that published (?P<of>.+)")
_FRAME = re.compile(r"^(?:(?:are|is|were|was|do|does|did|have|had) )", re.IGNORECASE)
_LEAD = re.compile(r"^[a-z]+[:,]? (?=.)")
_TAIL = re.compile(
    r",? (?:both |that |who |are |have |located |situated |born |share |of |from |in |originate |come |the )*"
    r"the (?:directors? )?(?:(?:who|that) (?:are|is|share|have) )?(?:from |of )?(?:the )?same\b.*$"
)
_DIRECTORS_TAIL = re.compile(r",? have the (?:directors?|composers?|performers?)\b.*$")
_AS = re.compile(
    r"(?:does|do|did|is|was) (.+) (?:have|share|of|from) the same .+? (?:as|with) (.+)", re.IGNORECASE
)


# --- reading ------------------------------------------------------------------------------------


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
    published = _COMPANY.fullmatch(words)
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
    for pattern, relation in _VALUES:
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
    pair = _FRAME.sub("", groups["pair"]) if groups else match[2]
    told = asked.replace(groups["pair"], "") if groups else match[1]
    relation = next((name for pattern, name in _ORDERS if re.search(pattern, told)), None)
    first = re.search(rf"\b{_FIRST}\b", told)
    if relation is None or not (first or re.search(rf"\b{_LAST}\b", told)):
        return
    made = _MAKER.search(told)
    path = (NOUNS[made[1].rstrip("s")][0], relation) if made else (relation,)
    for one, other in splits(pair, " or ", " and "):
        yield Ask("first" if first else "last", (one, other), along(*path))


def _shared(asked: str) -> Iterator[Ask]:
    relations = next((known for pattern, known in _SHARED if re.search(pattern, asked)), ())
    if not relations:
        return
    framed = _AS.fullmatch(asked)
    pairs = [(framed[1], framed[2])] if framed else [*splits(_middle(asked), " and ")]
    made = _MAKER.search(_without(asked, pairs))
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
    middle = _TAIL.sub("", _DIRECTORS_TAIL.sub("", _FRAME.sub("", asked)))
    while not re.match(r"(?:the )?(?:director|composer|performer) of ", middle) and (
        lead := _LEAD.match(middle)
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
