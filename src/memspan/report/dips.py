"""Where one claim more costs answers: in a sentence and as a table."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import shorten

import numpy as np

from memspan.coverage import covered
from memspan.optimum import Dip, ExactSize
from memspan.report.study import Study
from memspan.report.tables import Table
from memspan.report.wording import between, counted, points

MOST_NAMED = 3  # claims or questions in a sentence
MOST_ROWS = 25


def where_more_is_less(studies: Sequence[Study]) -> str | None:
    r"""Return in one sentence where holding more costs answers; None where it never does.

    >>> import memspan as ms
    >>> from memspan.material import Claim, Material, Query, Support
    >>> from memspan.optimum import exact_size
    >>> q = Query("q1", supports=(Support(("porto",), ("faro",)),))
    >>> one = Material("one", (Claim("porto"), Claim("faro")), queries=(q,))
    >>> print(where_more_is_less([Study(one, ms.frontier(one), exact=exact_size(one))]).replace(": ", ":\n"))
    With every claim held 1 question falls:
    at exactly 2 claims even the best memory answers 100 points less than at 1, because of faro (defeats q1).
    """
    dipping = [(study.exact, dip) for study in studies if study.exact and (dip := study.exact.deepest)]
    if not dipping:
        return None
    exact, dip = max(dipping, key=lambda each: each[1].drop)
    if len(studies) > 1:
        return (
            f"In {len(dipping)} of {len(studies)} materials holding one claim more can cost answers; most "
            f"at exactly {counted(dip.size, 'claims')} of {exact.material}, {_less(dip)}."
        )
    return f"{_fallen(exact)} at exactly {counted(dip.size, 'claims')} {_told(exact, dip)}."


def _fallen(exact: ExactSize) -> str:
    everything = np.ones(exact.coverage.n_claims, np.bool_)
    fallen = int((~covered(exact.coverage, everything)).sum())
    if not fallen:
        return "Holding one claim more can cost answers:"
    falls = "falls" if fallen == 1 else "fall"
    return f"With every claim held {counted(fallen, 'questions')} {falls}:"


def _told(exact: ExactSize, dip: Dip) -> str:
    defeats = "defeats" if len(dip.claims) == 1 else "defeat"
    text = (
        f"even the best memory answers {_less(dip)} than at {dip.size - 1:,}, "
        f"because of {_named(dip.claims)} ({defeats} {_named(dip.queries)})"
    )
    others = len(exact.dips) - 1
    return text if not others else f"{text}; {counted(others, 'dips')} more"


def _less(dip: Dip) -> str:
    return f"{'' if dip.certified else 'at least '}{points(dip.drop, dip.drop)} less"


def _named(names: Sequence[str]) -> str:
    shown = list(names[:MOST_NAMED])
    if len(names) > MOST_NAMED:
        shown.append(f"{len(names) - MOST_NAMED:,} more")
    return " and ".join([", ".join(shown[:-1]), shown[-1]] if len(shown) > 1 else shown)


def dips(study: Study) -> Table | None:
    """Return every dip with the claims to blame and what they defeat; None where nothing can be defeated."""
    exact = study.exact
    if exact is None or not exact.dips:
        return None
    rows = tuple(
        (
            f"{dip.size:,}",
            between(float(exact.lower[dip.size]), float(exact.upper[dip.size])),
            f"{'' if dip.certified else '≥ '}{points(dip.drop, dip.drop)}",
            _texts([(name, study.material.claim(name).text) for name in dip.claims]),
            _texts([(name, study.material.query(name).text) for name in dip.queries]),
        )
        for dip in exact.dips[:MOST_ROWS]
    )
    head = ("exactly", "answered", "lost", "because of", "defeats the answer to")
    return Table(head, rows, len(exact.dips) - len(rows))


def _texts(named: Sequence[tuple[str, str]]) -> str:
    told = [f"{name} {shorten(text, 120, placeholder=' …')}".strip() for name, text in named[:MOST_NAMED]]
    more = [f"{len(named) - MOST_NAMED:,} more"] if len(named) > MOST_NAMED else []
    return "; ".join([*told, *more])
