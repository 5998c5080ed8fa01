"""What settled queries tell about truth, in words and rows: the answer first."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from memspan.material import Material
from memspan.report.reliability import reliability_told
from memspan.report.shares import share, span
from memspan.report.tables import Table
from memspan.report.trust_reasons import reason, sets_told, sources_told
from memspan.report.wording import counted, percent
from memspan.trust import Doubts, Refit, Terms
from memspan.trust.calibration import Calibration, calibration
from memspan.trust.speaking import Spoken
from memspan.trust.suspects import ErrorRate, Settler

OWNER = "the owner"
SETTLED = "settled claims"
STILL = 0.01
"""Change of a message, in log-odds, that no reader would notice."""
UNRELIABLE, ABOVE = "unreliable", "more errors than taken for granted"


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
    """Return how many claims are probably false and how many settlers look unreliable, in one line.

    What was read is told first where that is not known for most outcomes; and where most settlers err more
    than was taken for granted, that is told in place of who they are.
    """
    found = told.doubts
    claims = counted(len(told.material.claims), "claims")
    read = f"{counted(found.outcomes, 'outcomes')} {'was' if found.outcomes == 1 else 'were'} read."
    if told.mute:
        return f"Nothing can be said about any of {claims}: {_why_mute(told)} {read}"
    false = f"{found.false:,} of {claims} {'is' if found.false == 1 else 'are'} probably false"
    unread = _unread(told)
    return f"{unread}{false}; {_settlers(found)}.{'' if unread else f' {read}'}"


def _unread(told: Told) -> str:
    """Return the condition under which the answer holds, where what was read is mostly not known."""
    found = told.doubts
    unread, about = found.inferred - found.whole, found.outcomes - found.silent
    if 2 * unread <= about:
        return ""
    some = f"{unread:,} of {counted(found.outcomes, 'outcomes')}"
    return f"What was read is not known for {some}. If it was the claims of their questions, "


def _settlers(found: Doubts) -> str:
    if found.noisy:
        wrong, right = found.erring.false_wrong, found.erring.false_right
        return (
            "outcomes err more than was taken for granted: "
            f"{share(wrong.rate)} wrong though all claims are true ({wrong.given:.2g} was taken), "
            f"{share(right.rate)} right though one is false ({right.given:.2g} was taken)"
        )
    bad = sum(each.suspicious for each in found.settlers)
    return f"{counted(bad, 'settlers')} {_look(bad)} unreliable" if bad else "no settler looks unreliable"


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
    yield from _reads(found)
    if found.sets:
        yield sets_told(found)
    yield from sources_told(found.sources)
    if told.calibration is not None:
        yield f"{reliability_told(told.calibration, SETTLED)} {_told_apart(told.calibration)}"
    if told.refit is not None and told.refit.change > STILL:
        yield unsettled(told.refit)


def unsettled(refit: Refit) -> str:
    """Return in plain words how far a refit was from its end when it stopped.

    >>> unsettled(Refit(100, 0.4))[:72]
    'The refit stopped before it came to rest: in the last of 100 sweeps some'
    """
    moved = 1 / (1 + math.exp(-refit.change))
    return (
        f"The refit stopped before it came to rest: in the last of {counted(refit.sweeps, 'sweeps')} some "
        f"outcomes still moved a claim by {refit.change:.2g} in log-odds, as from 0.50 to {share(moved)}. "
        "Take trust as no more exact than that."
    )


def _told_apart(found: Calibration) -> str:
    losses = f"Brier score {found.brier:.3f}, log loss {found.log_loss:.3f}"
    if math.isnan(found.auc):
        return f"{losses}."
    return (
        f"A true claim is trusted more than a false one in {percent(found.auc)} of the pairs (AUC); {losses}."
    )


def _say(count: int) -> str:
    return "says" if count == 1 else "say"


def _reads(found: Doubts) -> Iterator[str]:
    """Yield what was not logged about reads, and what follows from it."""
    if not found.inferred:
        return
    had = f"{found.whole:,} of them" if found.whole < found.inferred else "All of them"
    whole = f" {had} had the whole material before them." if found.whole else ""
    lacked = " What a memory lacked then looks false." if found.whole < found.inferred else ""
    yield (
        f"{counted(found.inferred, 'outcomes')} {'is' if found.inferred == 1 else 'are'} only inferred to be "
        "about a claim: which claims were read was not logged, so the supports of the question are taken."
        f"{whole}{lacked}"
    )


def doubted(found: Doubts) -> str:
    """Return what *doubtful* means, and how many claims are."""
    false = counted(found.false, "claims")
    told = f"Doubtful: {false} {'is' if found.false == 1 else 'are'} probably false (trust below 0.5)"
    if not found.less_sure:
        return f"{told}."
    return f"{told}; outcomes or linked claims make {found.less_sure:,} less sure than their source does."


def claims_table(told: Told, most: int) -> Table:
    """Return the most doubtful claims: trust, what the source gives, what share of questions rests on it."""
    several = told.doubts.claims
    asked = any(each.mass for each in several)
    rows = tuple(
        (
            f"{each.claim} {told.material.claim(each.claim).text}".strip(),
            share(each.trust.tau),
            share(each.trust.prior),
            *((percent(each.mass or 0.0),) if asked else ()),
        )
        for each in several[:most]
    )
    head = ("doubtful claim, and why", "trust", "by source", *(("questions",) if asked else ()))
    return Table(head, rows, told.doubts.more + max(0, len(several) - most))


def reasons(told: Told, most: int) -> tuple[str, ...]:
    """Return why each of the claims in `claims_table` is doubtful."""
    return tuple(reason(each) for each in told.doubts.claims[:most])


def settlers_table(
    settlers: Sequence[Settler], most: int, *, whole: bool = True, flag: str = UNRELIABLE
) -> Table:
    """Return settlers with their expected errors; the *whole* has those of the others beside them.

    Args:
        settlers: the most suspicious first.
        most: rows at most.
        whole: whether the errors of others and flags stand beside.
        flag: what a suspicious one is called.
    """
    rows = tuple(
        (
            who(each.name),
            f"{each.outcomes:,}",
            error(each.false_wrong),
            error(each.false_right),
            *((others(each.false_wrong), others(each.false_right), _flags(each, flag)) if whole else ()),
        )
        for each in settlers[:most]
    )
    beside = ("others: wrong", "others: right", "") if whole else ()
    head = ("settler", "outcomes", "wrong though true", "right though false", *beside)
    return Table(head, rows, max(0, len(settlers) - most))


def _flags(settler: Settler, flag: str) -> str:
    flags = (flag,) if settler.suspicious else ()
    return ", ".join((*flags, *(("untrusted",) if settler.untrusted else ())))


def sources_table(told: Told, most: int) -> Table:
    """Return sources with their reliability, against that of all claims."""
    found = told.doubts
    rows = [
        (
            each.name or "",
            f"{each.claims:,}",
            share(each.reliability),
            span(each.lower, each.upper),
            UNRELIABLE if each.suspicious else "",
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
    head = ("source", "settled claims", "reliability", "may be", "")
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


def outcome(spoken: Spoken) -> str:
    """Return an outcome as a word.

    >>> outcome(Spoken(0, None, "q", None, None, 1.0, ("c",), 1.0, inferred=True))
    'right, inferred'
    """
    told = {1.0: "right", 0.0: "wrong"}.get(spoken.correct, f"right by {percent(spoken.correct)}")
    return f"{told}, inferred" if spoken.inferred else told
