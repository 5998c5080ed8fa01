"""Hypothesis strategies for what utilities and frontiers depend on: supports, weights, truth.

Small on purpose: a law that fails does so on a handful of claims, and an oracle can try all subsets.
"""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from memspan.material import Claim, KnowledgeItem, Material, Query, Support


def counts(most: int = 6) -> SearchStrategy[float]:
    """Weights as whole numbers from 0 to *most*."""
    return st.integers(0, most)


def decimals(places: int = 3) -> SearchStrategy[float]:
    """Weights as decimals in [0, 1] with at most *places* digits behind the point."""
    return st.integers(0, 10**places).map(lambda n: n / 10**places)


def truths() -> SearchStrategy[float | None]:
    """Truth of a claim: unknown, false, true, or an estimate in quarters."""
    return st.sampled_from([None, 0, 1, 0.25, 0.5, 0.75])


COUNTS = counts()
UNKNOWN: SearchStrategy[float | None] = st.none()


@st.composite
def problems(
    draw: DrawFn,
    *,
    most_claims: int = 7,
    most_queries: int = 6,
    weights: SearchStrategy[float] = COUNTS,
    truth: SearchStrategy[float | None] = UNKNOWN,
    defeaters: bool = False,
) -> Material:
    """Draw a material with claims ``c0``…, items ``n0``… and queries ``q0``….

    Supports hold up to three claims, also none; queries have them directly, through items, twice,
    or not at all, and some are unanswerable.

    Args:
        draw: given by Hypothesis.
        most_claims: at most so many claims; none is possible.
        most_queries: at most so many queries; none is possible.
        weights: of the queries; small counts by default.
        truth: of the claims; unknown by default.
        defeaters: supports may carry `unless` claims, so that Φ need not be monotone.

    >>> from hypothesis import find
    >>> find(problems(), lambda material: True).id
    'drawn'
    """
    names = [f"c{i}" for i in range(draw(st.integers(0, most_claims)))]
    claims = tuple(Claim(name, truth=draw(truth)) for name in names)
    alternatives = st.lists(_supports(names, defeaters=defeaters), max_size=3).map(tuple)
    items = tuple(KnowledgeItem(f"n{i}", supports=draw(alternatives)) for i in range(draw(st.integers(0, 3))))
    used = _some([item.id for item in items], most=2)
    queries = tuple(
        Query(
            f"q{i}",
            weight=draw(weights),
            answerable=draw(st.integers(0, 9)) < 9,
            items=draw(used),
            supports=draw(alternatives),
        )
        for i in range(draw(st.integers(0, most_queries)))
    )
    return Material("drawn", claims, items, queries)


def memories(material: Material) -> SearchStrategy[frozenset[str]]:
    """Memories of *material*: any set of its claims, by id."""
    return _some([claim.id for claim in material.claims], most=len(material.claims)).map(frozenset)


def _supports(names: list[str], *, defeaters: bool) -> SearchStrategy[Support]:
    unless = _some(names, most=2) if defeaters else st.just(())
    return st.builds(Support, _some(names, most=3), unless)


def _some(names: list[str], most: int) -> SearchStrategy[tuple[str, ...]]:
    """Distinct *names*, at most so many; the empty choice where there are none."""
    if not names:
        return st.just(())
    return st.lists(st.sampled_from(names), max_size=most, unique=True).map(tuple)
