"""A stand-in for the language model that writes parts of memory systems: offline, always the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from memspan.language.mentions import mentions
from memspan.language.words import stemmed, stems, words
from memspan.material import Claim
from memspan.ports import Verdict, Written

KEYWORDS = 6  # "several" in A-MEM's prompt
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
        return max(1, min(10, len(set(stems(text))) // 3 + 2 * len(set(_names(text)))))

    def summary(self, claims: Sequence[Claim], most: int) -> Written:
        """Return the *most* claims that share most words with the others, in their order."""
        spread = Counter(word for claim in claims for word in set(stems(claim.text)))
        worth = [sum(spread[word] - 1 for word in set(stems(claim.text))) for claim in claims]
        chosen = sorted(sorted(range(len(claims)), key=lambda i: (-worth[i], i))[: max(most, 0)])
        return _told([claims[i] for i in chosen])

    def insights(self, claims: Sequence[Claim], most: int) -> tuple[Written, ...]:
        """Return for each of the *most* named names the first two claims that name it."""
        named: dict[str, list[Claim]] = {}
        for claim in claims:
            for name in dict.fromkeys(_names(claim.text)):
                named.setdefault(name, []).append(claim)
        often = sorted((name for name in named if len(named[name]) > 1), key=lambda name: -len(named[name]))
        return tuple(_told(named[name][:2]) for name in often[: max(most, 0)])

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
        new, denied = _said(text)
        for i, other in enumerate(others):
            old, also_denied = _said(other)
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
        asked = _said(query)[0]
        return tuple(i for i, text in enumerate(texts) if asked & _said(text)[0])


def _names(text: str) -> tuple[str, ...]:
    return tuple(mentions(text))


@lru_cache(maxsize=20_000)
def _said(text: str) -> tuple[frozenset[str], bool]:
    """Return the stems of *text* without the words that deny, and whether there are such words."""
    said = words(text)
    meant = [word for word in said if word not in _DENYING]
    return frozenset(stemmed(meant)), len(meant) < len(said)


def _told(claims: Sequence[Claim]) -> Written:
    return Written(" ".join(claim.text for claim in claims), tuple(claim.id for claim in claims))
