"""Claims that a memory system is tried on: everyday ones, and odd ones."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from memspan.material import Claim

_WHO = ("Ana", "Rui", "Eva", "Nimbus")
_DOES = ("moved to", "wrote to", "dreams of", "left")
_WHAT = ("Porto", "the harbour", "a red boat", "Rui", "the choir")
_MOST = 9  # claims in a list that is drawn
_LONG = 4_000  # words
_MANY = 60  # claims in the one list that fills what a short one does not


def told(examples: int, seed: int) -> list[tuple[Claim, ...]]:
    """Return *examples* lists of everyday claims, none, one and several, the same for the same *seed*.

    >>> [len(claims) for claims in told(3, 0)][:2]
    [0, 1]
    """
    draw = random.Random(seed)  # noqa: S311 - a choice of examples
    sizes = [0, 1, *(draw.randint(2, _MOST) for _ in range(max(examples - 2, 0)))]
    return [tuple(_claim(draw, i, i) for i in range(size)) for size in sizes[:examples]]


def many(seed: int) -> tuple[Claim, ...]:
    """Return a list of everyday claims that is long.

    >>> len(many(0))
    60
    """
    draw = random.Random(seed)  # noqa: S311 - a choice of examples
    return tuple(_claim(draw, i % 28, i) for i in range(_MANY))


def parts(claims: Sequence[Claim], examples: int, seed: int) -> list[tuple[Claim, ...]]:
    """Return all *claims*, and *examples* - 1 small parts of them in their order."""
    draw = random.Random(seed)  # noqa: S311 - a choice of examples
    sizes = [draw.randint(0, min(len(claims), _MOST)) for _ in range(max(examples - 1, 0))]
    chosen = [sorted(draw.sample(range(len(claims)), size)) for size in sizes]
    return [tuple(claims), *(tuple(claims[i] for i in places) for places in chosen)]


def odd() -> Mapping[str, tuple[Claim, ...]]:
    """Return what a source may hold as well, by what is odd about it.

    >>> [claim.id for claim in odd()["one id twice"]]
    ['c0', 'c1', 'c1', 'c2']
    """
    first, last = Claim("c0", "Ana left Porto.", time="2026-01-01"), Claim("c2", "Rui sings.")

    def among(*claims: Claim) -> tuple[Claim, ...]:
        return (first, *claims, last)

    return {
        "empty text": among(Claim("c1"), Claim("c3", " \n ")),
        "one text twice": among(Claim("c1", "Ana left Porto.", time="2026-01-02")),
        "one id twice": among(Claim("c1", "Eva wrote."), Claim("c1", "Eva wrote again.")),
        "no time": among(Claim("c1", "Eva wrote.")),
        "times in reverse": (Claim("c1", "later", time="2026-01-03"), first, Claim("c3", time="2025-01-01")),
        "a time in words": among(Claim("c1", "Eva wrote.", time="last spring")),
        "very long text": among(Claim("c1", "harbour " * _LONG)),
        "other scripts": among(
            Claim("c1", "安娜搬到波尔图"), Claim("c3", "انتقلت آنا 🛶"), Claim("c4", "e\u0301\u200d\x00")
        ),
        "signs only": among(Claim("c1", "!!! ... ???"), Claim("c3", "%s {0} {text} \\ \"'")),
        "odd ids": among(
            Claim("", "no id"), Claim("a/b c", "path"), Claim("12", "a number"), Claim("ü", "sign")
        ),
    }


def _claim(draw: random.Random, day: int, number: int) -> Claim:
    text = f"{draw.choice(_WHO)} {draw.choice(_DOES)} {draw.choice(_WHAT)}."
    time = draw.choice((None, f"2026-03-{day + 1:02d}", f"2026-03-{day + 1:02d}T09:00:00"))
    return Claim(
        f"c{number}",
        text,
        source=draw.choice((None, "session 1")),
        time=time,
        speaker=draw.choice((None, *_WHO)),
    )
