"""The default answerability: words, neighbours, speakers and dates, and an embedder where one is given.

With the right answer known it asks where that answer stands; without, which item the question
speaks of. Which of the two was used is for every output to say.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from memspan.answering.again import LOOKS, look_again
from memspan.answering.features import matrix
from memspan.answering.linear import probability
from memspan.answering.meeting import Meeting
from memspan.answering.passages import Passages
from memspan.answering.rule import ReaderRule, Side, shipped
from memspan.errors import ModelError
from memspan.material import Claim, Query
from memspan.ports import Embedder, Scorer

Floats = npt.NDArray[np.float64]
Vectors = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Hybrid:
    """Answerability by a reading rule; implements `memspan.ports.Answerability`.

    Args:
        rule: weights; the shipped ones where none are given.
        embedder: needed by a rule that weighs cosines.

    >>> claims = [Claim("c1", "Ana moved to Porto."), Claim("c2", "Rui cooks.")]
    >>> score = Hybrid().scorer(claims)
    >>> chances = score(Query("q", "Where does Ana live?", answer="Porto"))
    >>> bool(chances[0] > chances[1])
    True
    """

    rule: ReaderRule = field(default_factory=shipped)
    embedder: Embedder | None = None

    @property
    def name(self) -> str:
        """Name of the rule, and of the embedder where one is used."""
        return f"{self.rule.name} reader" + (
            f" with {self.embedder.name}" if self.embedder is not None else ""
        )

    @property
    def described(self) -> Mapping[str, Any]:
        """What the rule comes from and how reliable it is, as outputs repeat it."""
        return {
            "rule": self.rule.name,
            "fitted_on": self.rule.fitted_on,
            "measured_on": self.rule.measured_on,
            "reliability": {side: dict(found) for side, found in self.rule.reliability.items()},
        }

    def scorer(self, items: Sequence[Claim]) -> Scorer:
        """Prepare *items*; the scores are the probability that each belongs to the support of a query.

        Raises:
            ModelError: the rule weighs cosines of an embedder that is not the one given.
        """
        return self.reading(items).chances

    def reading(self, items: Sequence[Claim]) -> Reading:
        """Prepare *items* for many questions."""
        given = self.embedder.name if self.embedder is not None else None
        if self.rule.embedder is not None and self.rule.embedder != given:
            raise ModelError(
                f"rule {self.rule.name!r} was fitted with the embedder {self.rule.embedder}, "
                f"and {given or 'none'} is given; give that one, or use another rule"
            )
        return Reading(
            self.rule, self.embedder if self.rule.embedder is not None else None, Passages.of(items)
        )


@dataclass(frozen=True)
class Reading:
    """Items prepared: a query to one probability for each."""

    rule: ReaderRule
    embedder: Embedder | None
    passages: Passages

    def side(self, query: Query) -> Side:
        """Return the side that *query* is read by."""
        return self.rule.answered if query.answer else self.rule.asked

    def chances(self, query: Query) -> Floats:
        """Return the probability of each item to belong to the support of *query*, shape (n,)."""
        if not self.passages.claims:
            return np.zeros(0)
        side = self.side(query)
        names, meeting = _features(side), self.meet(query)
        return probability(read(side, meeting, names, matrix(meeting, names)))

    def meet(self, query: Query) -> Meeting:
        """Return the meeting of *query* with all items."""
        return Meeting(self.passages, query, self._closeness(query))

    @cached_property
    def _vectors(self) -> Vectors | None:
        if self.embedder is None:
            return None
        return self.embedder.embed([claim.text for claim in self.passages.claims])

    def _closeness(self, query: Query) -> Mapping[str, Floats]:
        if self.embedder is None or self._vectors is None:
            return {}
        texts = {"asked": query.text, "answer": query.answer, "both": f"{query.text} {query.answer}"}
        told = {side: text for side, text in texts.items() if query.answer or side == "asked"}
        rows = self.embedder.embed([text or "" for text in told.values()])
        return {side: (self._vectors @ row).astype(np.float64) for side, row in zip(told, rows, strict=True)}


def _features(side: Side) -> tuple[str, ...]:
    """Return the features of single items that *side* weighs, at the first look or the second."""
    again = side.again.weights if side.again else ()
    return tuple(dict.fromkeys((*side.first.weights, *(name for name in again if name not in LOOKS))))


def read(side: Side, meeting: Meeting, names: Sequence[str], table: Floats) -> Floats:
    """Return the logit of each item: by the first look, then the best ones by the second.

    Args:
        side: which features count how much.
        meeting: the question and the items.
        names: columns of the table, all features that *side* weighs among them.
        table: the features of each item, shape (n items, n names).

    Returns:
        Shape (n items,). What is not looked at twice stays below what is.
    """
    logits = side.first.logits(names, table)
    if side.again is None or not len(logits):
        return logits
    look = look_again(meeting, logits)
    seen = np.concatenate([table[look.places], look.features], axis=1)
    again = side.again.logits((*names, *LOOKS), seen)
    changed = np.minimum(logits, float(again.min()))
    changed[look.places] = again
    return changed
