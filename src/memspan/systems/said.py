"""What a text says, word by word and name by name, remembered: systems ask for the same texts again."""

from __future__ import annotations

from functools import lru_cache

from memspan.language.mentions import mentions
from memspan.language.words import stems

KEPT = 20_000
"""Texts that are remembered."""


@lru_cache(maxsize=KEPT)
def said(text: str) -> frozenset[str]:
    """Return the stems of *text* that mean something.

    >>> sorted(said("She was painting the old paintings"))
    ['old', 'paint']
    """
    return frozenset(stems(text))


@lru_cache(maxsize=KEPT)
def named(text: str) -> tuple[str, ...]:
    """Return the names in *text*, each once, in order.

    >>> named("Ana met Rui, and Eva.")
    ('ana', 'rui', 'eva')
    """
    return tuple(mentions(text))
