"""Which questions count, why others do not, and why a material may have nothing to show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from memspan.report.study import Study


@dataclass(frozen=True)
class Tally:
    """The questions of one or several materials.

    Attributes:
        asked: all of them.
        count: those that have a support.
        refused: those whose right answer is a refusal.
    """

    asked: int
    count: int
    refused: int

    @property
    def bare(self) -> int:
        """Those that have no support."""
        return self.asked - self.count - self.refused


def tally(studies: Sequence[Study]) -> Tally:
    """Count the questions of *studies*."""
    queries = [query for study in studies for query in study.material.queries]
    return Tally(
        asked=len(queries),
        count=sum(len(study.frontier.coverage.queries) for study in studies),
        refused=sum(not query.answerable for query in queries),
    )


def which_count(studies: Sequence[Study]) -> str | None:
    """Return in one sentence how many questions count and why the others do not; None where all do.

    >>> import memspan as ms
    >>> from memspan.material import Claim, Material, Query, Support
    >>> asked = (Query("q1", supports=(Support(("a",)),)), Query("q2"), Query("q3", answerable=False))
    >>> one = Material("one", (Claim("a"),), queries=asked)
    >>> which_count([Study(one, ms.frontier(one))])
    '1 of 3 questions counts; 1 has no support, 1 is a refusal.'
    """
    found = tally(studies)
    if found.count == found.asked:
        return None
    reasons = [
        _several(found.bare, "has no support", "have no support"),
        _several(found.refused, "is a refusal", "are refusals"),
    ]
    noun = "question" if found.asked == 1 else "questions"
    start = f"{found.count:,} of {found.asked:,} {noun} {'counts' if found.count == 1 else 'count'}"
    end = f"; shares are of all {found.asked:,}" if studies[0].frontier.over == "all" else ""
    return f"{start}; {', '.join(reason for reason in reasons if reason)}{end}."


def _several(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}" if number else ""


def nothing(studies: Sequence[Study]) -> str:
    """Return why none of *studies*, all of them empty, has a frontier to show."""
    free = any(study.frontier.coverage.weights.any() for study in studies)
    start = f"Nothing to {'measure' if free else 'cover'} in"
    if len(studies) == 1:
        return f"{start} {studies[0].material.id}: {_reason(studies[0])}."
    reasons = Counter(_reason(study) for study in studies)
    told = [f"{reason} ({n:,})" if len(reasons) > 1 else reason for reason, n in reasons.items()]
    return f"{start} any of these {len(studies):,} materials: {'; '.join(told)}."


def _reason(study: Study) -> str:
    queries, unit = study.material.queries, study.frontier.unit
    if study.frontier.coverage.weights.any():
        return _free(study, unit)
    if not queries:
        return "there is no question"
    if study.frontier.coverage.queries:
        return "every question that has a support has weight 0"
    if all(not query.answerable for query in queries):
        return "the right answer to every question is a refusal"
    return "no question has a support yet"


def _free(study: Study, unit: str) -> str:
    claims = study.material.claims
    if not claims:
        return "there are no claims"
    textless = not any(claim.text or unit in claim.costs for claim in claims)
    why = f"no claim has a text, so each costs 0 {unit}" if textless else f"every claim costs 0 {unit}"
    return f"{why}; count claims instead"
