"""The words that an audit judges by: what means the same, what turns a meaning round, what says little."""

from __future__ import annotations

import re
from functools import cache

from memspan.language.verbs import base_of
from memspan.language.words import NUMBERS, STOPWORDS, folded, stem

_SAME = """
    like love enjoy adore fond, live reside dwell, job employ work, buy purchase, film movie,
    apartment flat, bike bicycle, phone telephone cellphone, mother mom mum mommy mama, father dad daddy papa,
    colour color, favourite favorite, child kid, holiday vacation, big large, small little,
    begin start, end finish complete, car automobile, call name, repair fix mend, physician doctor,
    photo photograph picture, shop store, fridge refrigerator, afraid scared fear, ill sick, quick fast,
    mail email, tv television, cab taxi, trousers pants, programme program, organise organize, study learn,
    weekly week, daily day, monthly month, yearly year, important significant, error mistake, reply answer,
    aunt auntie, grandma grandmother, grandpa grandfather, rubbish garbage trash, lorry truck
"""
_AGAINST = "dislike hate loathe detest"
_ENDING = """
    stop stopped stopping stops quit quits ceased ended cancelled canceled removed deleted sold
    discontinued abandoned
"""
_NEGATING = """
    no not never nor neither cannot cant dont doesnt didnt isnt arent wasnt werent wont wouldnt shouldnt
    couldnt hasnt havent hadnt without none nobody nothing nicht kein keine keinen nie pas jamais nao nunca
    non niet geen inte ikke
"""
_MOOD = """
    want wish hope plan intend consider might may could would should maybe perhaps possibly probably if unless
    try almost decide refuse think believe dream aim will going start begin finish fail forget need must
    almost less fewer half
"""
_KIN = """
    sister brother mother father mom mum dad son daughter wife husband spouse partner girlfriend boyfriend
    friend boss manager colleague coworker neighbour neighbor aunt uncle cousin grandmother grandfather
    grandma grandpa niece nephew roommate flatmate teacher landlord client team family parents children kids
"""
_TURNING = "over than instead rather from before after until since without under above below against"
_LITTLE = "user users every each currently really very now also just still own owns owned owning recently"
_CALENDAR = """
    monday tuesday wednesday thursday friday saturday sunday january february march april june july august
    september october november december
"""
_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth"
_FLEETING = re.compile(
    r"\b(?:today|tonight|yesterday|tomorrow|just now|right now|at the moment|ago"
    r"|(?:this|last|next) (?:morning|afternoon|evening|night|week|weekend|month|year|\w+day))\b"
)

_FLEETING_TEXT = "today tonight yesterday tomorrow now moment ago this last next"
FLEETING = frozenset(_FLEETING_TEXT.split())
"""One of these stands in whatever is fleeting."""
NEGATION = "¬"
"""Stands in a list of stems for every word that negates or ends."""
ENDING = frozenset(_ENDING.split())
MOOD = frozenset(stem(word) for word in _MOOD.split()) | {"will", "might", "may", "could", "would"}
KIN = frozenset(stem(word) for word in _KIN.split())
TURNING = frozenset(_TURNING.split())
COUNTING = NUMBERS | {
    "one": "1",
    "thirteen": "13",
    "fifteen": "15",
    "twenty": "20",
    "thirty": "30",
    "fifty": "50",
}
_NEGATIONS = frozenset(_NEGATING.split()) | ENDING
_DROPPED = (STOPWORDS - _NEGATIONS) | frozenset(_LITTLE.split())


def is_fleeting(text: str) -> bool:
    """Whether *text* says when by pointing from the moment it was said: today, last week.

    >>> is_fleeting("Went for a run today."), is_fleeting("Runs on Mondays.")
    (True, False)
    """
    return _FLEETING.search(folded(text)) is not None


@cache
def meaning(word: str) -> tuple[str, ...]:
    """Return what a *word*, as `words` gives it, adds to a text: one stem for all that mean the same.

    >>> meaning("loves"), meaning("enjoyed"), meaning("the"), meaning("two"), meaning("hates")
    (('like',), ('like',), (), ('2',), ('¬', 'like'))
    """
    if word in _NEGATIONS:
        return (NEGATION,)
    if word in _DROPPED and word not in COUNTING:
        return ()
    verb = base_of(word)
    root = stem(COUNTING.get(word, verb[0] if verb else word))
    if root in _against():
        return NEGATION, _same()["like"]
    return (_same().get(root, root),)


@cache
def is_dated(root: str) -> bool:
    """Whether *root*, one of `meaning`, is a number or a part of a date, which must not differ."""
    return any(character.isdigit() for character in root) or root in _dates()


@cache
def _same() -> dict[str, str]:
    groups = [[stem(word) for word in group.split()] for group in _SAME.split(",")]
    return {root: group[0] for group in groups for root in group}


@cache
def _against() -> frozenset[str]:
    return frozenset(stem(word) for word in _AGAINST.split())


@cache
def _dates() -> frozenset[str]:
    return frozenset(stem(word) for word in (*_CALENDAR.split(), *_ORDINALS.split()))
