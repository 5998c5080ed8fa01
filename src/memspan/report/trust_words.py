"""What settled queries tell about truth, in words and rows: the answer first."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from memspan.material import CONTEXT, Material
from memspan.report.reliability import reliability_told
from memspan.report.tables import Table
from memspan.report.wording import counted, percent
from memspan.trust import Doubts, Refit, Terms
from memspan.trust.calibration import Calibration, calibration
from memspan.trust.doubt import DoubtfulClaim
from memspan.trust.speaking import Spoken
from memspan.trust.suspects import ErrorRate, Settler

OWNER = "the owner"
SETTLED = "settled claims"
STILL = 0.01
"""Change of a message, in log-odds, that no reader would notice."""


@dataclass(frozen=True)
class Told:
    """What there is to tell.

    Attributes:
        material: with its settlements.
        doubts: what is doubtful.
        terms: the numbers of the model.
        refit: how the refit went; None where there was none.
    """

    material: Material
    doubts: Doubts
    terms: Terms
    refit: Refit | None

    @property
    def mute(self) -> bool:
        """Whether no outcome says anything about any claim."""
        return self.doubts.silent == self.doubts.outcomes

    @cached_property
    def calibration(self) -> Calibration | None:
        """How good the beliefs are, over claims that outcomes speak about and whose truth is known."""
        trust = self.doubts.trust
        truth = np.array([np.nan if c.truth is None else c.truth for c in self.material.claims], np.float64)
        checked = trust.touched & np.isin(truth, (0, 1))
        return calibration(truth[checked], trust.tau[checked]) if checked.any() else None


def headline(told: Told) -> str:
    """Return how many claims are probably false and how many settlers look unreliable, in one line."""
    found = told.doubts
    claims = counted(len(told.material.claims), "claims")
    read = f"{counted(found.outcomes, 'outcomes')} {'was' if found.outcomes == 1 else 'were'} read."
    if told.mute:
        return f"Nothing can be said about any of {claims}: {_why_mute(told)} {read}"
    bad = [each for each in found.settlers if each.suspicious]
    false = (
        f"{found.false:,} of {claims} {'is' if found.false == 1 else 'are'} probably false{_if_read(told)}"
    )
    if not bad:
        return f"{false}; no settler looks unreliable. {read}"
    return f"{false}; {counted(len(bad), 'settlers')} {_look(len(bad))} unreliable. {read}"


def _if_read(told: Told) -> str:
    """Return the condition under which the answer holds, where nothing is known of what was read."""
    several = told.material.settlements
    unread = all(each.claims is None and each.extra.get(CONTEXT) != "full" for each in several)
    return " if they were read at all" if several and unread else ""


def _look(count: int) -> str:
    return "looks" if count == 1 else "look"


def _why_mute(told: Told) -> str:
    if any(told.material.supports_of(query) for query in told.material.queries):
        return "no outcome is about a question with a support, or about claims that were read."
    return "it is not known which claims were read, nor which ones answer the questions."


def notes(told: Told) -> Iterator[str]:
    """Yield what a reader must know beside the headline."""
    found = told.doubts
    if told.mute:
        yield "Record with each outcome which claims were read, or give the questions supports."
        return
    yield from (f"Alarm: {each}." for each in found.alarms)
    without = len(told.material.claims) - found.touched
    if without:
        yield f"Of {counted(without, 'claims')} nothing was settled: of these only the sources tell."
    if found.silent:
        yield f"{counted(found.silent, 'outcomes')} {_say(found.silent)} nothing about any claim."
    yield from _reads(told)
    if found.sets:
        some = counted(len(found.sets), "sets")
        yield f"In {some} of claims one is probably false, and outcomes do not tell which."
    if bad := sum(each.suspicious for each in found.sources):
        yield f"{counted(bad, 'sources')} {_look(bad)} less reliable than the rest."
    if told.calibration is not None:
        yield f"{reliability_told(told.calibration, SETTLED)} {_told_apart(told.calibration)}"
    if told.refit is not None and told.refit.change > STILL:
        sweeps = counted(told.refit.sweeps, "sweeps")
        yield f"The refit still moved by {told.refit.change:.2g} log-odds after {sweeps}."


def _told_apart(found: Calibration) -> str:
    losses = f"Brier score {found.brier:.3f}, log loss {found.log_loss:.3f}"
    if math.isnan(found.auc):
        return f"{losses}."
    return (
        f"A true claim is trusted more than a false one in {percent(found.auc)} of the pairs (AUC); {losses}."
    )


def _say(count: int) -> str:
    return "says" if count == 1 else "say"


def _reads(told: Told) -> Iterator[str]:
    """Yield what was not recorded about reads, and what follows from it."""
    unread = [each for each in told.material.settlements if each.claims is None]
    full = sum(each.extra.get(CONTEXT) == "full" for each in unread)
    if full:
        yield (
            f"{counted(full, 'outcomes')} had the whole material before them: they are taken as being "
            "about the supports of their question."
        )
    if len(unread) > full:
        yield (
            f"For {counted(len(unread) - full, 'outcomes')} it is not known which claims were read: they are "
            "taken as being about the supports of their question. What a memory lacked then looks false."
        )


def claims_table(told: Told, most: int) -> Table:
    """Return the most doubtful claims: trust, what the source gives, what speaks either way."""
    several = told.doubts.claims
    asked = any(each.mass for each in several)
    rows = tuple(
        (
            f"{each.claim} {told.material.claim(each.claim).text}".strip(),
            share(each.trust.tau),
            share(each.trust.prior),
            f"{each.against:,}",
            f"{each.in_favour:,}",
            *((percent(each.mass or 0.0),) if asked else ()),
        )
        for each in several[:most]
    )
    head = ("doubtful claim", "trust", "by source", "against", "for", *(("questions",) if asked else ()))
    return Table(head, rows, max(0, len(several) - most))


def settlers_table(settlers: Sequence[Settler], most: int, *, whole: bool = True) -> Table:
    """Return settlers with their expected errors; the *whole* has those of the others beside them."""
    rows = tuple(
        (
            who(each.name),
            f"{each.outcomes:,}",
            error(each.false_wrong),
            error(each.false_right),
            *((others(each.false_wrong), others(each.false_right), _flags(each)) if whole else ()),
        )
        for each in settlers[:most]
    )
    beside = ("of others: wrong", "right", "") if whole else ()
    head = ("settler", "outcomes", "wrong though true", "right though false", *beside)
    return Table(head, rows, max(0, len(settlers) - most))


def _flags(settler: Settler) -> str:
    flags = ("unreliable",) if settler.suspicious else ()
    return ", ".join((*flags, *(("untrusted",) if settler.untrusted else ())))


def sources_table(told: Told, most: int) -> Table:
    """Return sources with the trust of their claims, against that of all claims."""
    found = told.doubts
    rows = [
        (
            each.name or "",
            f"{each.claims:,}",
            share(each.reliability),
            span(each.lower, each.upper),
            "unreliable" if each.suspicious else "",
        )
        for each in found.sources[:most]
    ]
    pool = found.pool
    rows.append(
        (
            "all claims without rivals",
            f"{pool.claims:,}",
            share(pool.reliability),
            span(pool.lower, pool.upper),
            "",
        )
    )
    head = ("source", "claims", "reliability", "interval", "")
    return Table(head, tuple(rows), max(0, len(found.sources) - most))


def who(name: str | None) -> str:
    """Return a settler's name, or what stands for none."""
    return OWNER if name is None else name


def error(found: ErrorRate) -> str:
    """Return an error rate with its interval.

    >>> error(ErrorRate(0.123, 0.05, 0.25, 0.1, None, 2, 20))
    '0.12 (0.05 to 0.25)'
    """
    return f"{share(found.rate)} ({span(found.lower, found.upper)})"


def others(found: ErrorRate) -> str:
    """Return the rate of the other settlers."""
    return "-" if found.others is None else share(found.others)


def span(lower: float, upper: float) -> str:
    """Return an interval of shares."""
    return f"{share(lower)} to {share(upper)}"


def share(value: float) -> str:
    """Return a probability to two digits; only 0 and 1 themselves are shown as such.

    >>> share(0.123), share(0.001), share(0.9999)
    ('0.12', '< 0.01', '> 0.99')
    """
    if 0 < value < 0.005:
        return "< 0.01"
    return "> 0.99" if 0.995 <= value < 1 else f"{value:.2f}"


def pull(weight: float) -> str:
    """Return log-odds with their sign.

    >>> pull(-2.25), pull(0.4)
    ('−2.2', '+0.4')
    """
    return f"{'+' if weight >= 0 else '−'}{abs(weight):.1f}"  # noqa: RUF001 - a minus sign


def outcome(spoken: Spoken) -> str:
    """Return an outcome as a word.

    >>> outcome(Spoken(0, None, "q", None, None, 1.0, ("c",), 1.0))
    'right'
    """
    return {1.0: "right", 0.0: "wrong"}.get(spoken.correct, f"right by {percent(spoken.correct)}")


def reckoning(claim: DoubtfulClaim) -> str:
    """Return what makes up the trust in a claim, in log-odds."""
    parts = [f"its source {pull(claim.prior)}", f"settlements {pull(claim.settled)}"]
    if claim.rivals or claim.allies:
        parts.append(f"linked claims {pull(claim.linked)}")
    return f"log-odds: {', '.join(parts)}"
