"""Which claims answer which question, found in their text: a material gets its supports.

Two ways lead there. With a generation operator, each of its items is judged and those that answer
bring their supports. Without one, the claims themselves are judged, and those that a question
needs together make its support.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from memspan.answering.hybrid import Hybrid
from memspan.answering.meeting import answer_parts
from memspan.answering.passages import Passages
from memspan.answering.sets import SMALLEST, likeliest
from memspan.material import Claim, KnowledgeItem, Material, Query, Support, SupportSource
from memspan.ports import Answerability, GenerationOperator, Scorer
from memspan.span.drawing import CHANCES, READER

Floats = npt.NDArray[np.float64]
Report = Callable[[int, int], None]

MOST_ITEMS = 5
"""Items of an operator that are kept for a question, the likeliest first."""


def needs_supports(material: Material) -> tuple[Query, ...]:
    """Return the questions of *material* that have no support and could have one.

    >>> needs_supports(Material("m", queries=(Query("q", "Who?"), Query("r", answerable=False))))[0].id
    'q'
    """
    return tuple(q for q in material.queries if q.answerable and not material.supports_of(q))


def find_supports(
    material: Material,
    reader: Answerability | None = None,
    report: Report | None = None,
) -> Material:
    """Return *material* with a support for each question that had none, found in the claims' text.

    The likeliest set of claims becomes the support, with its probability; the probability of each
    claim is kept, so that supports can be drawn from it (`memspan.span.draw`). Questions that have
    supports keep them.

    Args:
        material: claims and questions; answers help where they are known.
        reader: how claims are judged; the shipped rule where none is given.
        report: told how many questions are done, and of how many.

    Returns:
        The material, with `support_source` ``found`` unless no question lacked a support.
    """
    open_queries = needs_supports(material)
    if not open_queries or not material.claims:
        return material
    reader = Hybrid() if reader is None else reader
    score, passages = reader.scorer(material.claims), Passages.of(material.claims)
    found: dict[str, Query] = {}
    for done, query in enumerate(open_queries):
        if report:
            report(done, len(open_queries))
        found[query.id] = _read(passages, query, score(query))
    told = {**material.extra, READER: _described(reader, open_queries)}
    queries = tuple(found.get(query.id, query) for query in material.queries)
    return replace(material, queries=queries, support_source=_source(material), extra=told)


def _read(passages: Passages, query: Query, chances: Floats) -> Query:
    claims = passages.claims
    chosen = likeliest(chances, answer_parts(passages, query))
    kept = np.flatnonzero(chances >= SMALLEST)
    support = Support(tuple(claims[i].id for i in chosen), probability=_likelihood(chances, chosen, kept))
    told = {claims[i].id: round(float(chances[i]), 4) for i in np.union1d(kept, chosen).tolist()}
    return replace(query, supports=(support,), extra={**query.extra, CHANCES: told})


def _likelihood(chances: Floats, chosen: npt.NDArray[np.int64], kept: npt.NDArray[np.int64]) -> float:
    """Return the probability that exactly the *chosen* of the *kept* items make the support."""
    others = np.setdiff1d(kept, chosen)
    return float(np.prod(chances[chosen]) * np.prod(1 - chances[others]))


def _described(reader: Answerability, queries: Sequence[Query]) -> dict[str, Any]:
    answered = sum(bool(query.answer) for query in queries)
    return {
        **reader.described,
        "questions_with_answer": answered,
        "questions_alone": len(queries) - answered,
    }


def span_of(
    material: Material,
    operator: GenerationOperator,
    answerability: Answerability | None = None,
    threshold: float = 0.5,
) -> Material:
    """Return *material* with the items that *operator* makes of its claims, and which of them answer what.

    A question without supports is answered by the items whose probability reaches *threshold*, at
    most five, and by the likeliest where none does; their supports carry that probability.

    Args:
        material: claims and questions.
        operator: Φ; caps that it met go to `Material.dropped`.
        answerability: ans(n, q); the shipped reader where none is given.
        threshold: probability from which an item answers.
    """
    generated = operator.generate(material.claims)
    scorer = (Hybrid() if answerability is None else answerability).scorer(
        [_as_claim(material, item) for item in generated.items]
    )
    open_ids = {query.id for query in needs_supports(material)}
    queries = tuple(
        _answered_by(query, generated.items, scorer, threshold) if query.id in open_ids else query
        for query in material.queries
    )
    items = {item.id: item for item in (*material.items, *generated.items)}
    return replace(
        material,
        items=tuple(items.values()),
        queries=queries,
        support_source=_source(material) if open_ids else material.support_source,
        dropped=(*material.dropped, *generated.limits, *generated.rejected),
        extra={**material.extra, "operator": operator.name},
    )


def _source(material: Material) -> SupportSource:
    """Return how supports came to be once some were found: generated ones make the whole generated."""
    return "generated" if material.support_source == "generated" else "found"


def _as_claim(material: Material, item: KnowledgeItem) -> Claim:
    """Return *item* as a reader takes it: the claim itself, or a text where its first claim stands."""
    if item.id in material.claim_position:
        return material.claim(item.id)
    needed = next((support.claims for support in item.supports if support.claims), ())
    return Claim(item.id, item.text, source=material.claim(needed[0]).source if needed else None)


def _answered_by(query: Query, items: Sequence[KnowledgeItem], scorer: Scorer, threshold: float) -> Query:
    chances = scorer(query)
    best = np.argsort(-chances, kind="stable")[:MOST_ITEMS]
    chosen = [i for i in best.tolist() if chances[i] >= threshold] or best[:1].tolist()
    supports: dict[tuple[tuple[str, ...], tuple[str, ...]], Support] = {}
    for i in chosen:
        for support in items[i].supports:  # of two items that rest on the same claims the likelier counts
            found = replace(support, probability=round(float(chances[i]), 4))
            supports.setdefault((support.claims, support.unless), found)
    return replace(query, supports=tuple(supports.values()))
