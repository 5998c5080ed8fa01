"""A stand-in for the language model that writes parts of memory systems: offline, always the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from memspan.language.words import stemmed, stems, words
from memspan.material import Claim
from memspan.ports import Verdict, Written
from memspan.systems.said import KEPT, named, said

TELLING = 4
"""Stems from which on a claim tells something."""
KEYWORDS = 6
"""Keywords of a text at most: "several" in A-MEM's prompt."""
_DENYING_WORDS = "no not never longer anymore dont doesnt didnt isnt wasnt arent wont cant"
_DENYING = frozenset(_DENYING_WORDS.split())


@dataclass(frozen=True)
class PlainAuthor:
    """Writes by counting words, where a model would understand; implements `memspan.ports.Author`.

    A summary is extractive: the claims that share most with the others, word for word, so that what
    it rests on is just what it tells.

    >>> told = [Claim("a", "Rui."), Claim("b", "Rui cooks."), Claim("c", "He cooks")]
    >>> PlainAuthor().summary(told, 1).claims
    ('b',)
    """

    name: str = "plain"

    def importance(self, text: str) -> int:
        """Return 1 to 10: one for each three words that mean something, two for each name."""
        return max(1, min(10, len(said(text)) // 3 + 2 * len(named(text))))

    def summary(self, claims: Sequence[Claim], most: int) -> Written:
        """Return the *most* claims that share most words with the others, in their order."""
        texts = [said(claim.text) for claim in claims]
        spread = Counter(word for words in texts for word in words)
        worth = [sum(spread[word] - 1 for word in words) for words in texts]
        chosen = sorted(sorted(range(len(claims)), key=lambda i: (-worth[i], i))[: max(most, 0)])
        return _told([claims[i] for i in chosen])

    def insights(self, claims: Sequence[Claim], most: int) -> tuple[Written, ...]:
        """Return for each of the *most* named names the two shortest claims that tell of it.

        The shortest, so that what is inferred from inferences does not grow and grow.
        """
        telling: dict[str, list[Claim]] = {}
        for claim in claims:
            for name in named(claim.text):
                telling.setdefault(name, []).append(claim)
        often = sorted(
            (name for name in telling if len(telling[name]) > 1), key=lambda name: -len(telling[name])
        )
        return tuple(_told(sorted(telling[name], key=_length)[:2]) for name in often[: max(most, 0)])

    def keywords(self, text: str) -> tuple[str, ...]:
        """Return the stems of *text* that say most, in order: the six longest, each once."""
        found = list(dict.fromkeys(stems(text)))
        longest = sorted(range(len(found)), key=lambda i: (-len(found[i]), i))[:KEYWORDS]
        return tuple(found[i] for i in sorted(longest))

    def compare(self, text: str, others: Sequence[str]) -> tuple[Verdict, int | None]:
        """Return what *text* does to the first of the *others* that it bears on, else ``add``.

        It is ``none`` where the other says all of it, ``update`` where it says all of the other and
        more, and ``delete`` where one denies just what the other says.
        """
        new, denied = _meant(text)
        for i, other in enumerate(others):
            old, also_denied = _meant(other)
            if denied != also_denied:
                if new == old and new:
                    return "delete", i
            elif new <= old:
                return "none", i
            elif old and old < new:
                return "update", i
        return "add", None

    def relevant(self, query: str, texts: Sequence[str]) -> tuple[int, ...]:
        """Return the positions of the texts that share a word with *query*."""
        asked = said(query)
        return tuple(i for i, text in enumerate(texts) if asked & said(text))


def _length(claim: Claim) -> tuple[bool, int]:
    return len(said(claim.text)) < TELLING, len(claim.text)


@lru_cache(maxsize=KEPT)
def _meant(text: str) -> tuple[frozenset[str], bool]:
    """Return the stems of *text* without the words that deny, and whether there are such words."""
    spoken = words(text)
    meant = [word for word in spoken if word not in _DENYING]
    return frozenset(stemmed(meant)), len(meant) < len(spoken)


def _told(claims: Sequence[Claim]) -> Written:
    return Written(" ".join(claim.text for claim in claims), tuple(claim.id for claim in claims))
