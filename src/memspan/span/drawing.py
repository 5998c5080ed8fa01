"""Supports drawn by their probability: one material of many that the text may mean."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from memspan.answering.sets import drawn
from memspan.material import Material, Query, Support

CHANCES = "chances"
"""Field of `Query.extra`: the probability of each claim to belong to the support, where it is not small."""
ALONE = "alone"
"""Field of `Query.extra`: claims that each tell the whole of the known answer; where there are several."""
READER = "reader"
"""Field of `Material.extra`: what found the supports, how many questions each way, how reliable that is."""


def is_uncertain(material: Material) -> bool:
    """Return whether some support of *material* may be none: found ones, not annotated ones.

    >>> is_uncertain(Material("m"))
    False
    """
    return material.support_source != "annotated" and any(
        chances_of(query) or any(s.probability is not None for s in material.supports_of(query))
        for query in material.queries
    )


def chances_of(query: Query) -> Mapping[str, float]:
    """Return the probability of each claim to belong to the support of *query*; empty where it is not known.

    What stands in the field and is no such mapping is not memspan's, and is left alone.

    >>> chances_of(Query("q", extra={"chances": {"c1": 0.5}}))
    {'c1': 0.5}
    """
    told = query.extra.get(CHANCES)
    if not isinstance(told, Mapping) or not all(map(_is_share, told.values())):
        return {}
    return told


def _is_share(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1


def draw(material: Material, rng: np.random.Generator) -> Material:
    """Return *material* with the supports of each question drawn by their probability.

    Where the probability of single claims is known, each claim is in the support by its own chance,
    and at least one is; drawn claims that each tell the answer alone are alternatives. Else each
    alternative support is drawn by its own, and at least one is.

    Raises:
        MaterialError: a chance names a claim that is not there.
    """
    return replace(material, queries=tuple(_drawn(material, query, rng) for query in material.queries))


def _drawn(material: Material, query: Query, rng: np.random.Generator) -> Query:
    supports = material.supports_of(query)
    if supports and chances_of(query):
        return replace(query, items=(), supports=_of_claims(query, rng))
    if any(support.probability is not None for support in supports):
        return replace(query, items=(), supports=_of_supports(supports, rng))
    return query


def _of_claims(query: Query, rng: np.random.Generator) -> tuple[Support, ...]:
    """Return the claims that are drawn, as one support; those that tell the answer alone as one each."""
    chances = chances_of(query)
    names = list(chances)
    places = drawn(np.array([float(chances[name]) for name in names]), rng)
    needed = tuple(names[i] for i in places.tolist())
    alone = [name for name in needed if name in _told_alone(query)]
    return tuple(Support((name,)) for name in alone) or (Support(needed),)


def _told_alone(query: Query) -> Sequence[str]:
    told = query.extra.get(ALONE)
    return told if isinstance(told, list) else []


def _of_supports(supports: Sequence[Support], rng: np.random.Generator) -> tuple[Support, ...]:
    chances = np.array([1.0 if s.probability is None else s.probability for s in supports])
    return tuple(supports[i] for i in drawn(chances, rng).tolist())
