"""The names in a text, found once however many systems ask."""

from __future__ import annotations

from functools import lru_cache

from memspan.language.mentions import mentions


@lru_cache(maxsize=20_000)
def names_in(text: str) -> tuple[str, ...]:
    """Return the names that *text* mentions, as `memspan.language.words` gives words, in their order.

    >>> names_in("Zoë met Rui Lima.")
    ('zoe', 'rui lima')
    """
    return tuple(mentions(text))
