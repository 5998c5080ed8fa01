"""What questions about relations look like: tables of nouns, kin and patterns, and no code.

Written from a training sample of 2WikiMultihopQA. {D} stands for what a question is about.
"""

from __future__ import annotations

import re

from memspan.language.relations import LIFETIME

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

VALUES = (
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

FIRST, LAST = (
    r"(?:first|earlier|older|oldest|before)",
    r"(?:later|last|younger|youngest|more recently|longer|longest)",
)
ORDERS = (
    (r"\b(?:born|older|younger|oldest|youngest)\b", "date of birth"),
    (r"\b(?:died|die|passed away)\b", "date of death"),
    (r"\blived\b", LIFETIME),
    (r"\b(?:founded|established|started|formed|created|opened|built)\b", "inception"),
    (r"\b(?:released|came out|come out|published|recent|recently)\b", "publication date"),
)
"""Words of a question that compares, and the date that they compare."""

SHARED = (
    (r"born in the same (?:place|city|town)|same place of birth", ("place of birth",)),
    (r"die in the same|same place of death", ("place of death",)),
    (r"same nationality|same citizenship", ("country of citizenship",)),
    (r"located in the same country|situated in the same country", ("country",)),
    (r"same country", ("country of citizenship", "country of origin", "country")),
)
"""Words of a question whether two share something, and what: relations in the order they are tried."""

MAKER = re.compile(r"\b(?:the )?(directors?|composers?|performers?)\b")
COMPANY = re.compile(r"the (?:company|organization|magazine) that published (?P<of>.+)")
FRAME = re.compile(r"^(?:(?:are|is|were|was|do|does|did|have|had) )", re.IGNORECASE)
LEAD = re.compile(r"^[a-z]+[:,]? (?=.)")
TAIL = re.compile(
    r",? (?:both |that |who |are |have |located |situated |born |share |of |from |in |originate |come |the )*"
    r"the (?:directors? )?(?:(?:who|that) (?:are|is|share|have) )?(?:from |of )?(?:the )?same\b.*$"
)
MAKERS_TAIL = re.compile(r",? have the (?:directors?|composers?|performers?)\b.*$")
AS = re.compile(
    r"(?:does|do|did|is|was) (.+) (?:have|share|of|from) the same .+? (?:as|with) (.+)", re.IGNORECASE
)
