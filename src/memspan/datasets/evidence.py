"""What data sets call evidence, as supports."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import product

from memspan.material import Claim, Dropped, Query, Support

_MOST = 64
"""Most alternative supports that repeated texts may give one question."""


def answered(
    query: Query, answering: tuple[str, ...], place: str, dropped: list[Dropped]
) -> tuple[Query, ...]:
    """Return *query* with its support; an abstention keeps what tempts in `extra`, and supports nothing."""
    if not query.answerable:
        extra = {"evidence": list(answering)} if answering else {}
        return (replace(query, extra={**query.extra, **extra}),)
    if not answering:
        dropped.append(Dropped(place, "evidence", "nothing is marked as holding the answer"))
        return ()
    return (replace(query, supports=(Support(answering),)),)


def choices(groups: Sequence[Sequence[str]]) -> list[tuple[str, ...]]:
    """Return every way to take one claim of each group; only the first claims where that is too many.

    >>> choices([["a"], ["b", "c"]])
    [('a', 'b'), ('a', 'c')]
    """
    if math.prod(map(len, groups)) > _MOST:
        groups = [group[:1] for group in groups]
    return list(dict.fromkeys(tuple(dict.fromkeys(chosen)) for chosen in product(*groups)))


def report_late(place: str, query: Query, evidence: Sequence[Claim], dropped: list[Dropped]) -> None:
    """Report which claims of the *evidence* are dated after the question."""
    late = [claim.id for claim in evidence if _is_later(claim.time, query.time)]
    if late:
        reason = f"lies before the evidence: {', '.join(late)}"
        dropped.append(Dropped(place, "question_date", reason, kept=True))


def _is_later(time: str | None, than: str | None) -> bool:
    """Whether *time* lies after *than*; both in ISO 8601, else unknown and False."""
    return bool(time and than and time[:2] == than[:2] == "20" and time > than)
