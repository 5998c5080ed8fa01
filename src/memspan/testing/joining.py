"""Hypothesis strategies: claims over small alphabets, so that they join."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from memspan.material import Claim

ENTITIES = ("Ana", "Rui", "Porto", "Nimbus")
RELATIONS = ("lives in", "parent of", "knows")
_TIMES = ("2024-03-01", "2024-03-02", "2024-04-01")


@st.composite
def claims(
    draw: DrawFn,
    *,
    most: int = 5,
    entities: Sequence[str] = ENTITIES,
    relations: Sequence[str] = RELATIONS,
) -> tuple[Claim, ...]:
    """Draw claims ``c0``… that state triples, or say something of two entities, with speaker and time.

    Few names and relations make chains, repetitions and contradictions likely.

    Args:
        draw: given by Hypothesis.
        most: at most so many claims; none is possible.
        entities: what claims are about.
        relations: what triples state.

    >>> from hypothesis import find
    >>> [claim.triple for claim in find(claims(), lambda drawn: len(drawn) == 1)]
    [('Ana', 'lives in', 'Ana')]
    """
    names, kinds = st.sampled_from(list(entities)), st.sampled_from(list(relations))
    told = draw(st.lists(_stated(names, kinds) | _said(names), max_size=most))
    return tuple(_overriding(draw, i, claim) for i, claim in enumerate(told))


def _stated(names: SearchStrategy[str], kinds: SearchStrategy[str]) -> SearchStrategy[Claim]:
    """Claims that are triples, some with a time."""
    times = st.none() | st.sampled_from(_TIMES)
    return st.builds(
        lambda triple, time: Claim("", f"{' '.join(triple)}.", time=time, triple=triple),
        st.tuples(names, kinds, names),
        times,
    )


def _said(names: SearchStrategy[str]) -> SearchStrategy[Claim]:
    """Claims without a triple, some with a speaker or under a title."""
    maybe = st.none() | names
    return st.builds(
        lambda one, other, speaker, title: Claim(
            "", f"Later {one} saw {other}.", source=title, speaker=speaker
        ),
        names,
        names,
        maybe,
        maybe,
    )


def _overriding(draw: DrawFn, position: int, claim: Claim) -> Claim:
    """Return *claim* with its id; now and then it overrides an earlier one."""
    earlier = draw(st.integers(0, position * 4)) - 1 if position else -1
    supersedes = (f"c{earlier}",) if 0 <= earlier < position else ()
    return replace(claim, id=f"c{position}", supersedes=supersedes)
