"""Memories that only point: their object is a bare pronoun, and nothing in them says what it stands for."""

from __future__ import annotations

from memspan.audit.reading import Reading
from memspan.audit.wording import ENDING
from memspan.language.verbs import base_of, known_verbs
from memspan.language.words import STOPWORDS

_POINTING_TEXT = "it this that these those them him one"
_POINTING = frozenset(_POINTING_TEXT.split())
_TRAILING_TEXT = """
    anymore any more now again much lot alot a very too really all at so often still either though well
    already always sometimes
"""
_TRAILING = frozenset(_TRAILING_TEXT.split())
_SUBJECTS_TEXT = "user he she they i we you"
_SUBJECTS = frozenset(_SUBJECTS_TEXT.split())
_LONGEST = 8  # words


def pointer_of(reading: Reading) -> str:
    """Return the pronoun that is all of a memory's object, as in *Likes it*; else an empty text."""
    plain = [word.plain for word in reading.words]
    while plain and plain[-1] in _TRAILING:
        plain.pop()
    if not 1 < len(plain) <= _LONGEST or plain[-1] not in _POINTING:
        return ""
    subject = 1 if plain[0] in reading.names else 0
    return plain[-1] if all(_says_no_thing(word, reading) for word in plain[subject:-1]) else ""


def _says_no_thing(word: str, reading: Reading) -> bool:
    """Whether *word* is a verb, the one who does it, or says little."""
    little = word in _SUBJECTS or word in STOPWORDS or word in _TRAILING or word in ENDING
    negates = word in {"doesnt", "dont", "didnt", "isnt", "not", "never", "longer"}
    return little or negates or word in reading.own or base_of(word) is not None or word in known_verbs()
