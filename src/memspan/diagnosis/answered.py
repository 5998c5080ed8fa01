"""Which stored memories answer which questions, where it cannot be told what claims they rest on."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from memspan.answering.hybrid import Hybrid
from memspan.answering.linear import probability
from memspan.language.numerals import numerals
from memspan.material import Claim, Material
from memspan.ports import Answerability

Floats = npt.NDArray[np.float64]

BEST = 5  # memories that are considered for a question: on these the chances were measured
_LEAST = 0.01
_BIAS, _SLOPE = 0.083, 1.418  # of the reader's logits, as its chances were on LoCoMo 1-3's observations


@dataclass(frozen=True)
class Answered:
    """The memories that may answer a question.

    Attributes:
        memories: their ids, in the order of the store.
        chances: the probability that each answers it alone.
    """

    memories: tuple[str, ...]
    chances: tuple[float, ...]

    @property
    def probability(self) -> float:
        """The probability that some of them answers it, taken as independent."""
        return 1 - math.prod(1 - chance for chance in self.chances)


def answered(
    memories: Sequence[Claim], material: Material, reader: Answerability | None = None
) -> Mapping[str, Answered]:
    """Return for each question with a known answer which *memories* may answer it.

    ans(n, q) with the answer known, for the five likeliest memories; questions without one are left
    out. One that tells numbers, but not those of the answer, does not answer.

    Args:
        memories: stored memories as claims.
        material: questions with their answers; unanswerable ones are passed over.
        reader: ans(n, q); by default the shipped reader, its chances as they turned out on whole memories.

    >>> from memspan.material import Query
    >>> trip = Material("trip", queries=(Query("q", "Where does Ana live?", answer="Porto"),))
    >>> found = answered([Claim("m", "Ana lives in Porto."), Claim("n", "Rui cooks.")], trip)
    >>> found["q"].memories[0], found["q"].probability > 0.5
    ('m', True)
    """
    if not memories:
        return {}
    score = (Hybrid() if reader is None else reader).scorer(memories)
    told = [numerals(memory.text) for memory in memories]
    found: dict[str, Answered] = {}
    for query in material.queries:
        if not query.answerable or not query.answer:
            continue
        chances = score(query) if reader is not None else _as_measured(score(query))
        wanted = numerals(query.answer)
        places = np.sort(np.argsort(-chances, kind="stable")[:BEST]).tolist()
        likely = [i for i in places if chances[i] >= _LEAST and not (told[i] and wanted - told[i])]
        if likely:
            names = tuple(memories[i].id for i in likely)
            found[query.id] = Answered(names, tuple(float(chances[i]) for i in likely))
    return found


def _as_measured(chances: Floats) -> Floats:
    """Return what chances of the shipped reader came to mean on memories."""
    p = np.clip(chances, 1e-9, 1 - 1e-9)
    return probability(_BIAS + _SLOPE * np.log(p / (1 - p)))
