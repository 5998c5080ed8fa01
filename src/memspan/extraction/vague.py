"""Which template questions a reader could not understand without the source."""

from __future__ import annotations

import re
from itertools import pairwise

from memspan.extraction.about import EMPTY
from memspan.extraction.naming import TOKEN, Names
from memspan.extraction.templates import Draft
from memspan.language.words import STOPWORDS, stem, words

_POINTING = """
    i me my mine we us our ours you your yours this these those here it he she they them him such another
    yesterday today tomorrow tonight ago other others thus so myself yourself ourselves sir papa thing things
"""
_OWN = frozenset(("his", "her", "hers", "their", "theirs", "its", "hers"))
_POINTERS = frozenset(_POINTING.split())
_RELATIVE = re.compile(
    r"\b(?:yesterday|to(?:day|morrow|night)|ago|later"
    r"|(?:last|next|this) (?:\w+day|night|week\w*|month|year|summer|winter))\b"
)
_NAMED_SUBJECT = frozenset(("when", "where", "how long", "how many", "why", "what", "whom"))
_WEAK = """
    go come get make take put let have say see look seem begin keep give find tell know think want need up
    down out away back off well good great little long
"""
_SAYING_LITTLE = frozenset(stem(word) for word in _WEAK.split()) | {stem(word) for word in EMPTY}


def is_vague(draft: Draft, names: Names) -> bool:
    """Whether *draft* points at something outside itself, says too little, or gives its answer away.

    >>> nobody = Names(frozenset(), frozenset(), frozenset())
    >>> is_vague(Draft("who", "Who told him about it?", "Ana"), nobody)
    True
    >>> is_vague(Draft("who", "Who put courage into the heart of Nausicaa?", "Minerva"), nobody)
    False
    """
    tokens = TOKEN.findall(draft.question)
    plain = [token.lower() for token in tokens]
    bare = {token.replace("\u2019", "'").split("'")[0] for token in plain}  # it's, I'd, they're
    if not _POINTERS.isdisjoint(bare) or plain[-2] in ("that", "there") or '"' in plain:
        return True
    if _RELATIVE.search(draft.question) or (draft.rule == "when" and _RELATIVE.search(draft.answer)):
        return True
    if not _OWN.isdisjoint(plain) and (draft.rule not in _NAMED_SUBJECT or not _owned(plain)):
        return True
    return _is_thin(draft, tokens, names) or _gives_away(draft)


def _owned(plain: list[str]) -> bool:
    """Whether each his, her or their has a thing behind it: near her is somebody else."""
    return all(after.isalpha() and after not in STOPWORDS for word, after in pairwise(plain) if word in _OWN)


def _is_thin(draft: Draft, tokens: list[str], names: Names) -> bool:
    """Whether fewer than three words say something; a name counts double, but not the one asked about."""
    told = {stem(word) for word in words(draft.question) if word not in STOPWORDS} - _SAYING_LITTLE
    named = sum(token in names.words for token in tokens)
    if draft.rule in ("who is", "about"):
        return len(told) < (1 if draft.rule == "who is" else 2)
    if draft.rule in ("who", "which"):
        return len(told) + bool(named) < 3
    return len(told) < 2


def _gives_away(draft: Draft) -> bool:
    """Whether the question holds its answer, or the answer is no answer."""
    if draft.rule == "about":
        return False
    answer = [word for word in words(draft.answer) if word not in STOPWORDS]
    number = draft.rule in ("how many", "how long", "when")
    lone = words(draft.answer)
    if not answer and not number:
        return True
    if lone and lone[0] in ("he", "she", "it", "they", "i", "we", "you", "this", "that", "my", "your"):
        return draft.rule != "why"
    asked = set(words(draft.question))
    return bool(answer) and asked.issuperset(answer)
