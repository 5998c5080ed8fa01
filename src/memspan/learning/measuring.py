"""How well a reader finds annotated supports: the same figures for a rule and for a judge."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import numpy as np
import numpy.typing as npt

from memspan.answering.hybrid import Hybrid
from memspan.answering.meeting import answer_parts
from memspan.answering.passages import Passages
from memspan.answering.reliability import Reliability, reliability
from memspan.answering.sets import likeliest, mask
from memspan.material import Material, Query

if TYPE_CHECKING:
    from memspan.answering.rule import ReaderRule
    from memspan.ports import Answerability, Embedder

SideName = Literal["answered", "asked"]
SIDES: tuple[SideName, ...] = ("answered", "asked")
Told = Callable[[str], None]


@dataclass(frozen=True)
class Asked:
    """A material and those of its questions that some reader is measured on.

    Attributes:
        material: its claims are read.
        queries: with the answer where it may be used, else without.
    """

    material: Material
    queries: tuple[Query, ...]


def asked_on(material: Material, side: SideName) -> Asked:
    """Return the questions of *material* that have a support with a claim in it, as *side* sees them.

    ``answered`` takes those whose answer is known; ``asked`` takes all of them and hides the answer.

    >>> from memspan.datasets import bundled
    >>> len(asked_on(bundled("odyssey"), "asked").queries)
    8
    """
    queries = [query for query in material.queries if any(s.claims for s in material.supports_of(query))]
    if side == "answered":
        return Asked(material, tuple(query for query in queries if query.answer))
    return Asked(material, tuple(replace(query, answer=None) for query in queries))


def measure(
    rule: ReaderRule,
    materials: Sequence[Material],
    embedder: Embedder | None = None,
    told: Told = lambda _: None,
) -> dict[SideName, Reliability]:
    """Return how well *rule* finds the annotated supports of *materials*, by side.

    Materials that the rule was fitted on say little about it: `memspan.learning.reader.train_reader` measures
    what it fits on what it left out.

    Args:
        rule: a fitted one, or the shipped one.
        materials: with annotated supports; a side without questions is left out.
        embedder: the one whose cosines the rule weighs, if it weighs any.
        told: told what is being measured, before each material of each side.

    Raises:
        ModelError: the rule weighs cosines of an embedder that is not the one given.
    """
    reader, found = Hybrid(rule, embedder), {}
    for side in SIDES:
        asked = [each for m in materials if (each := asked_on(m, side)).queries]
        if asked:
            found[side] = agreement(reader, asked, lambda m: told(f"{side}: {m}"))  # noqa: B023 - called at once
    return found


def agreement(
    answerability: Answerability,
    asked: Sequence[Asked],
    told: Told = lambda _: None,
) -> Reliability:
    """Return how well *answerability* finds the annotated supports of the questions *asked*.

    A question with several supports counts with the first that holds a claim.

    Args:
        answerability: a reader, or a chat model as judge.
        asked: questions as `asked_on` gives them.
        told: told the id of each material before it is read.

    Raises:
        ValueError: no question.
    """
    chances, truths, found = [], [], []
    for each in asked:
        told(each.material.id)
        score, passages = answerability.scorer(each.material.claims), Passages.of(each.material.claims)
        for query in each.queries:
            chances.append(score(query))
            truths.append(evidence(each.material, query))
            found.append(mask(likeliest(chances[-1], answer_parts(passages, query)), len(chances[-1])))
    return reliability(chances, truths, found)


def evidence(material: Material, query: Query) -> npt.NDArray[np.bool_]:
    """Return which claims are in the first support of *query* that holds any, shape (n_claims,)."""
    needed = next(support.claims for support in material.supports_of(query) if support.claims)
    return mask(np.array([material.claim_position[name] for name in needed]), len(material.claims))
