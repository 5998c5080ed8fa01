"""Supports drawn by their probability: one material of many that the text may mean."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from memspan.answering.sets import drawn
from memspan.material import Material, Query, Support

CHANCES = "chances"
"""Field of `Query.extra`: the probability of each claim to belong to the support, where it is not small."""
READER = "reader"
"""Field of `Material.extra`: what found the supports, how many questions each way, how reliable that is."""


def is_uncertain(material: Material) -> bool:
    """Return whether some support of *material* may be none: found ones, not annotated ones.

    >>> is_uncertain(Material("m"))
    False
    """
    return material.support_source != "annotated" and any(
        CHANCES in query.extra or any(s.probability is not None for s in query.supports)
        for query in material.queries
    )


def draw(material: Material, rng: np.random.Generator) -> Material:
    """Return *material* with the supports of each question drawn by their probability.

    Where the probability of single claims is known, each claim is in the support by its own chance,
    and at least one is. Else each alternative support is drawn by its own, and at least one is.
    """
    return replace(material, queries=tuple(_drawn(query, rng) for query in material.queries))


def _drawn(query: Query, rng: np.random.Generator) -> Query:
    chances = query.extra.get(CHANCES)
    if isinstance(chances, dict) and chances:
        return replace(query, supports=(_of_claims(chances, rng),))
    if any(support.probability is not None for support in query.supports):
        return replace(query, supports=_of_supports(query.supports, rng))
    return query


def _of_claims(chances: dict[str, Any], rng: np.random.Generator) -> Support:
    names = list(chances)
    places = drawn(np.array([float(chances[name]) for name in names]), rng)
    return Support(tuple(names[i] for i in places.tolist()))


def _of_supports(supports: Sequence[Support], rng: np.random.Generator) -> tuple[Support, ...]:
    chances = np.array([1.0 if s.probability is None else s.probability for s in supports])
    return tuple(supports[i] for i in drawn(chances, rng).tolist())
