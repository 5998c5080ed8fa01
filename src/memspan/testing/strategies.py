"""Hypothesis strategies: arbitrary but consistent materials.

Every material drawn here can be written and read back; it need not make sense.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any, get_args

from hypothesis import strategies as st

from memspan.material import (
    Claim,
    Dropped,
    KnowledgeItem,
    Material,
    Query,
    Settlement,
    Support,
    SupportSource,
)

_NOUNS = (Claim, Dropped, KnowledgeItem, Material, Query, Settlement, Support)
_OWN = frozenset({f.name for noun in _NOUNS for f in fields(noun)} | {"memspan", "kind", "all"})

_names = st.text(max_size=4)
_texts = st.text(max_size=8)
_maybe = st.none() | _texts
_amounts = st.integers(0, 9) | st.floats(0, 1e9)
_shares = st.sampled_from((0, 1)) | st.floats(0, 1)
_scalars = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | _texts
)
_json = _scalars | st.lists(_scalars, max_size=2) | st.dictionaries(_names, st.lists(_scalars), max_size=2)
_extras: st.SearchStrategy[dict[str, Any]] = st.just({}) | st.dictionaries(
    _names.filter(lambda key: key not in _OWN), _json, max_size=2
)

# References are drawn as positions and become ids once the ids are there.
_positions: st.SearchStrategy[Any] = st.lists(st.integers(0, 9), max_size=3).map(tuple)
_support = st.builds(
    Support,
    claims=_positions,
    unless=st.just(()) | _positions,
    probability=st.none() | _shares,
    extra=_extras,
)
_supports = st.lists(st.builds(Support, claims=_positions) | _support, max_size=2).map(tuple)
_triple = st.none() | st.tuples(_texts, _texts, _texts)
_claim = st.builds(
    Claim,
    id=_names,
    text=_texts,
    source=_maybe,
    time=_maybe,
    costs=st.dictionaries(_names, _amounts, max_size=2),
    truth=st.none() | _shares,
    supersedes=st.just(()) | _positions,
    speaker=_maybe,
    quote=_maybe,
    span=st.none() | st.tuples(st.integers(0, 9), st.integers(9, 99)),
    triple=_triple,
    extra=_extras,
    contradicts=st.just(()) | _positions,
    corroborates=st.just(()) | _positions,
)
_item = st.builds(KnowledgeItem, id=_names, text=_texts, supports=_supports, triple=_triple, extra=_extras)
_query = st.builds(
    Query,
    id=_names,
    text=_texts,
    weight=_amounts,
    answer=_maybe,
    answerable=st.booleans(),
    items=_positions,
    supports=_supports,
    wrong=_supports,
    category=_maybe,
    time=_maybe,
    extra=_extras,
)
_settlement = st.builds(
    Settlement,
    query=_names,
    correct=_shares,
    claims=st.none() | _positions,
    settler=_maybe,
    time=_maybe,
    weight=_amounts,
    extra=_extras,
    id=_maybe,
)
_dropped = st.builds(Dropped, record=_texts, field=_texts, reason=_texts, kept=st.booleans())


def _chosen(positions: Sequence[Any], names: Sequence[str]) -> tuple[str, ...]:
    """Return the names at *positions*, each once."""
    return tuple(dict.fromkeys(names[i % len(names)] for i in positions)) if names else ()


def _resolved(supports: Sequence[Support], claims: Sequence[str]) -> tuple[Support, ...]:
    return tuple(
        replace(s, claims=_chosen(s.claims, claims), unless=_chosen(s.unless, claims)) for s in supports
    )


def _related(claim: Claim, names: Sequence[str]) -> Claim:
    return replace(
        claim,
        supersedes=_chosen(claim.supersedes, names),
        contradicts=_chosen(claim.contradicts, names),
        corroborates=_chosen(claim.corroborates, names),
    )


def _settled(settlement: Settlement, query: str, claims: Sequence[str]) -> Settlement:
    used = None if settlement.claims is None else _chosen(settlement.claims, claims)
    return replace(settlement, query=query, claims=used)


@st.composite
def materials(draw: st.DrawFn, max_claims: int = 4, max_queries: int = 3) -> Material:
    """Draw a consistent material of any content, with every field of every noun in use.

    Args:
        draw: given by Hypothesis.
        max_claims: most claims, and most items.
        max_queries: most queries.

    Returns:
        A material; its `extra` fields hold JSON values under names memspan does not use.

    >>> from hypothesis import given
    >>> @given(materials(max_claims=2))
    ... def at_most_two_claims(material):
    ...     assert len(material.claims) <= 2
    """

    def several(strategy: st.SearchStrategy[Any], most: int) -> list[Any]:
        return draw(st.lists(strategy, max_size=most, unique_by=lambda noun: noun.id))

    claims, items = several(_claim, max_claims), several(_item, max_claims)
    queries = several(_query, max_queries)
    alone = st.lists(_settlement, max_size=2, unique_by=lambda s: object() if s.id is None else s.id)
    settlements = draw(alone) if queries else []
    names, item_names = [c.id for c in claims], [n.id for n in items]
    return Material(
        draw(_names),
        tuple(_related(c, names) for c in claims),
        tuple(replace(n, supports=_resolved(n.supports, names)) for n in items),
        tuple(
            replace(
                q,
                items=_chosen(q.items, item_names),
                supports=_resolved(q.supports, names),
                wrong=_resolved(q.wrong, names),
            )
            for q in queries
        ),
        tuple(_settled(s, queries[i % len(queries)].id, names) for i, s in enumerate(settlements)),
        draw(st.sampled_from(get_args(SupportSource))),
        tuple(draw(st.lists(_dropped, max_size=2))),
        draw(_extras),
    )
