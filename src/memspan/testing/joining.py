"""Hypothesis strategies: claims over small alphabets, so that they join."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from memspan.material import Claim

ENTITIES = ("Ana", "Rui", "Porto", "Nimbus")
RELATIONS = ("lives in", "parent of", "knows")
_TIMES = (None, "2024-03-01", "2024-03-02", "2024-04-01")
_FARTHEST = 7  # how far back a claim is overridden; longer than most lists, so that few are


def claims(
    *, most: int = 5, entities: Sequence[str] = ENTITIES, relations: Sequence[str] = RELATIONS
) -> SearchStrategy[tuple[Claim, ...]]:
    """Claims ``c0``… that state triples, or say something of two entities, with speaker, title and time.

    Few names and relations make chains, repetitions and contradictions likely; now and then a claim
    overrides an earlier one.

    Args:
        most: at most so many claims; none is possible.
        entities: what claims are about.
        relations: what triples state.

    >>> from hypothesis import find
    >>> [claim.triple for claim in find(claims(), lambda drawn: len(drawn) == 1)]
    [('Ana', 'lives in', 'Ana')]
    """
    stated, said = list(_stated(entities, relations)), list(_said(entities))
    return _several(stated * 2 + said, most)


@st.composite
def _several(draw: DrawFn, every: Sequence[Claim], most: int) -> tuple[Claim, ...]:
    """Draw some of *every*. One number makes a claim: a strategy for each field is slow to make simpler."""
    count = draw(st.integers(0, most))  # drawn first: lists of free length are mostly short
    numbers = [(draw(st.integers(0, len(every) - 1)), draw(st.integers(0, _FARTHEST))) for _ in range(count)]
    return tuple(
        replace(every[number], id=f"c{i}", supersedes=(f"c{i - back}",) if 0 < back <= i else ())
        for i, (number, back) in enumerate(numbers)
    )


def _stated(entities: Sequence[str], relations: Sequence[str]) -> Iterator[Claim]:
    """Yield claims that are triples, with and without a time."""
    for time, *triple in product(_TIMES, entities, relations, entities):
        subject, relation, thing = (str(part) for part in triple)
        text = f"{subject} {relation} {thing}."
        yield Claim("", text, time=time, triple=(subject, relation, thing))


def _said(entities: Sequence[str]) -> Iterator[Claim]:
    """Yield claims without a triple, with and without a speaker and a title."""
    maybe = (None, *entities)
    for speaker, title, one, other in product(maybe, maybe, entities, entities):
        yield Claim("", f"Later {one} saw {other}.", source=title, speaker=speaker)
