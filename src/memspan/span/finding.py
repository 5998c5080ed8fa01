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
from memspan.span.drawing import ALONE, CHANCES, READER

Floats = npt.NDArray[np.float64]
Report = Callable[[int, int], None]

LEAST = 0.15
"""Chance below which no claim answers: about 3 to 8 % of LoCoMo's answerable questions have no better one,
and half of the questions about another conversation."""
WHOLE = 0.99
"""Share of a known answer that a claim must repeat to tell it alone."""
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
    claim is kept, so that supports can be drawn from it (`memspan.span.draw`). Claims that each tell
    the whole of a known answer become alternatives. A question that no claim is likely to answer
    gets no support; one that has supports keeps them.

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
        answered = _read(passages, query, score(query))
        if answered is not None:
            found[query.id] = answered
    told = {**material.extra, READER: _described(reader, [*found.values()])}
    queries = tuple(found.get(query.id, query) for query in material.queries)
    return replace(material, queries=queries, support_source=_source(material), extra=told)


def _read(passages: Passages, query: Query, chances: Floats) -> Query | None:
    """Return *query* with what answers it; None where no claim seems to."""
    if chances.max(initial=0) < LEAST:
        return None
    claims, parts = passages.claims, answer_parts(passages, query)
    chosen = likeliest(chances, parts)
    kept = np.flatnonzero(chances >= SMALLEST)
    each = {claims[i].id: _rounded(chances[i]) for i in np.union1d(kept, chosen).tolist()}
    told = _alone(chances, chosen, parts)
    if len(told) > 1:
        ways = tuple(Support((claims[i].id,), probability=_rounded(chances[i])) for i in told)
        alone = [claims[i].id for i in told]
        return replace(query, supports=ways, extra={**query.extra, CHANCES: each, ALONE: alone})
    support = Support(tuple(claims[i].id for i in chosen), probability=_likelihood(chances, chosen, kept))
    return replace(query, supports=(support,), extra={**query.extra, CHANCES: each})


def _alone(chances: Floats, chosen: npt.NDArray[np.int64], parts: Sequence[Floats]) -> list[int]:
    """Return those of the *chosen* that tell the whole answer each, the likeliest first: any one will do.

    Only an answer that is known and is no list can be seen whole in one claim.
    """
    if len(parts) != 1:
        return []
    whole = [i for i in chosen.tolist() if parts[0][i] >= WHOLE and chances[i] >= LEAST]
    return sorted(whole, key=lambda i: -chances[i])


def _rounded(chance: float) -> float:
    return round(float(chance), 4)


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
    judge = Hybrid() if answerability is None else answerability
    scorer = judge.scorer([_as_claim(material, item) for item in generated.items])
    opened = needs_supports(material)
    open_ids = {query.id for query in opened}
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
        extra={**material.extra, "operator": operator.name, READER: _described(judge, opened)},
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
