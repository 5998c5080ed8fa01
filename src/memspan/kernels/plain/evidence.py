"""Messages between claims and what was settled about their supports: one factor, one claim at a time."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from memspan.kernels.evidence import (
    FALSE_RIGHT,
    FURTHEST,
    LEAST,
    NONE,
    RIVAL,
    TRUE_WRONG,
    Evidence,
    Floats,
    Numbers,
    Rows,
)


def settle(evidence: Evidence, numbers: Numbers, factors: Rows, right: Floats, wrong: Floats) -> None:
    """Count outcomes into *factors*, one after the other, and pass on what follows.

    Args:
        evidence: changed in place.
        numbers: of the model.
        factors: shape (n,), which factor each outcome is about.
        right, wrong: shape (n,), how much it counts each way.
    """
    for factor, in_favour, against in zip(factors.tolist(), right.tolist(), wrong.tolist(), strict=True):
        kept = numbers.drift ** min(1.0, in_favour + against)
        evidence.right[factor] = evidence.right[factor] * kept + in_favour
        evidence.wrong[factor] = evidence.wrong[factor] * kept + against
        _update(evidence, numbers, factor, 0.0)


def sweep(evidence: Evidence, numbers: Numbers, factors: Rows, damping: float) -> float:
    """Send the messages of *factors* again, in that order; return the greatest change of one, in log-odds."""
    return max((_update(evidence, numbers, factor, damping) for factor in factors.tolist()), default=0.0)


def trusts(evidence: Evidence, numbers: Numbers, claims: Rows) -> tuple[Floats, Floats, Floats]:
    """Return of each of *claims* how many true and false ones speak for it beforehand, and its log-odds."""
    counts = [_counts(evidence, numbers, claim) for claim in claims.tolist()]
    in_favour, against = np.array(counts, np.float64).reshape(-1, 2).T
    after = [_log_odds(evidence, numbers, claim, all_in=True) for claim in claims.tolist()]
    return in_favour, against, np.array(after, np.float64)


def lend(evidence: Evidence, numbers: Numbers, claims: Rows) -> None:
    """Count the trust of *claims* into their sources and the pool, in place of what they lent before."""
    for claim in claims.tolist():
        _lend(evidence, numbers, claim)


def beliefs(evidence: Evidence, numbers: Numbers, supports: Rows) -> Floats:
    """Return the probability that all claims of each of *supports* are true."""
    return np.array([_belief(evidence, numbers, support) for support in supports.tolist()], np.float64)


def _belief(evidence: Evidence, numbers: Numbers, support: int) -> float:
    """Return what the claims say without the outcomes of this support, and then these outcomes once."""
    row = _row(evidence, support)
    factors = list(_chain(int(evidence.first_factor[support]), evidence.next_factor))
    sent = [_messages(evidence, factor, len(row)) for factor in factors]
    for factor, messages in zip(factors, sent, strict=True):
        _add(evidence, factor, row, [-message for message in messages])
    cavity = math.prod(_sigmoid(_log_odds(evidence, numbers, claim, all_in=True)) for claim in row)
    for factor, messages in zip(factors, sent, strict=True):
        _add(evidence, factor, row, messages)
    return _sigmoid(_logit(cavity) + sum(_likelihood(evidence, numbers, factor) for factor in factors))


def _update(evidence: Evidence, numbers: Numbers, factor: int, damping: float) -> float:
    """Send the messages of one factor again, the old ones taken back first: nothing counts twice."""
    row = _row(evidence, int(evidence.support[factor]))
    _mark(evidence, factor, row)
    old = _messages(evidence, factor, len(row))
    _add(evidence, factor, row, [-message for message in old])
    ratio = _likelihood(evidence, numbers, factor)
    bound = bool(evidence.bound[factor])
    cavity = [_sigmoid(_log_odds(evidence, numbers, claim, all_in=bound)) for claim in row]
    sent = [_message(ratio, math.prod(cavity[:i] + cavity[i + 1 :])) for i in range(len(row))]
    new = [(1 - damping) * message + damping * before for message, before in zip(sent, old, strict=True)]
    _add(evidence, factor, row, new)
    start = int(evidence.start[factor])
    evidence.messages[start : start + len(row)] = new
    if numbers.learned:
        _teach(evidence, factor, _sigmoid(_logit(math.prod(cavity)) + ratio))
    for claim in [] if bound else row:
        _lend(evidence, numbers, claim)
        for link in _links(evidence, claim):
            _lend(evidence, numbers, int(evidence.link_to[link]))
    return max((abs(a - b) for a, b in zip(new, old, strict=True)), default=0.0)


def _message(ratio: float, others: float) -> float:
    """Return the log-odds that a factor sends to one claim; the rest is true with chance *others*.

    It is ln(1 + (exp(ratio) - 1) * others), written so that neither end of either range loses digits.
    """
    return ratio + math.log(others + (1 - others) * math.exp(-ratio))


def _likelihood(evidence: Evidence, numbers: Numbers, factor: int) -> float:
    """Return how much likelier the outcomes of *factor* are if its support is true, in log-odds, capped.

    Beta-binomial: the error rates on each support are draws from those of the settler.
    """
    right, wrong = float(evidence.right[factor]), float(evidence.wrong[factor])
    a1, b1, a2, b2 = rates(evidence, numbers, factor)
    true = _log_beta(a1 + wrong, b1 + right) - _log_beta(a1, b1)
    false = _log_beta(a2 + right, b2 + wrong) - _log_beta(a2, b2)
    cap = min(float(evidence.cap[factor]), FURTHEST)
    return min(max(true - false, -cap), cap)


def rates(evidence: Evidence, numbers: Numbers, factor: int) -> list[float]:
    """Return Beta parameters of the settler's two errors, without what this factor taught about them.

    Learned ones shrink to the settler's accuracy over both, and that to the rates that were given.
    """
    settler = evidence.settler[factor]
    given: list[float] = evidence.rates[settler].tolist()
    if not numbers.learned:
        return given
    counted = (evidence.errors[settler] - evidence.taught[factor]).tolist()
    others = [max(count, 0.0) for count in counted]
    mistakes = others[TRUE_WRONG] + others[FALSE_RIGHT] + (given[TRUE_WRONG] + given[FALSE_RIGHT]) / 2
    error = mistakes / (sum(others) + sum(given) / 2)
    shares = (error, 1 - error, error, 1 - error)
    return [numbers.settler_weight * share + other for share, other in zip(shares, others, strict=True)]


def _teach(evidence: Evidence, factor: int, truth: float) -> None:
    """Count the outcomes of *factor* into its settler's errors, in place of what it counted before."""
    right, wrong = float(evidence.right[factor]), float(evidence.wrong[factor])
    new = np.array([truth * wrong, truth * right, (1 - truth) * right, (1 - truth) * wrong])
    evidence.errors[evidence.settler[factor]] += new - evidence.taught[factor]
    evidence.taught[factor] = new


def _mark(evidence: Evidence, factor: int, row: list[int]) -> None:
    """Note at each claim of *row* whether *factor* holds an outcome."""
    now = int(evidence.right[factor] + evidence.wrong[factor] > 0)
    for claim in [] if evidence.bound[factor] else row:
        evidence.touched[claim] += now - evidence.active[factor]
    evidence.active[factor] = now


def _lend(evidence: Evidence, numbers: Numbers, claim: int) -> None:
    """Count the trust of *claim* into its source and the pool, in place of what it lent before."""
    near = (evidence.touched[evidence.link_to[link]] for link in _links(evidence, claim))
    counts = evidence.touched[claim] > 0 or any(near)
    new = _sigmoid(_log_odds(evidence, numbers, claim)) if counts else math.nan
    old = float(evidence.lent[claim])
    evidence.lent[claim] = new
    trust = (new if counts else 0.0) - (0.0 if math.isnan(old) else old)
    speaking = int(counts) - (not math.isnan(old))
    source = evidence.source[claim]
    if source != NONE:
        evidence.reliable[source] += trust
        evidence.speaking[source] += speaking
    if evidence.pooled[claim]:
        evidence.pool[:] += (trust, speaking)


def _log_odds(evidence: Evidence, numbers: Numbers, claim: int, *, all_in: bool = False) -> float:
    """Return the log-odds of *claim*; with *all_in* what untrusted settlers say is added."""
    said = float(evidence.weight[claim]) + (float(evidence.hearsay[claim]) if all_in else 0.0)
    return _prior(evidence, numbers, claim) + said + _from_links(evidence, numbers, claim)


def _prior(evidence: Evidence, numbers: Numbers, claim: int) -> float:
    in_favour, against = _counts(evidence, numbers, claim)
    return math.log(in_favour / against)


def _counts(evidence: Evidence, numbers: Numbers, claim: int) -> tuple[float, float]:
    """Return how many true and false claims speak for *claim*: those of its source, and some of the pool.

    The claim itself is left out of its source. A claim without a source is taken as the pool is.
    """
    trust, speaking = evidence.pool.tolist()
    size = numbers.base_weight + speaking
    pool = min(max((numbers.base_weight * numbers.base + trust) / size, numbers.lowest), numbers.highest)
    source = evidence.source[claim]
    if source == NONE:
        return size * pool, size * (1 - pool)
    own = float(evidence.lent[claim])
    trust, speaking = float(evidence.reliable[source]), float(evidence.speaking[source])
    if not math.isnan(own):
        trust, speaking = trust - own, speaking - 1
    in_favour = numbers.source_weight * pool + trust
    against = numbers.source_weight * (1 - pool) + speaking - trust
    return max(in_favour, LEAST), max(against, LEAST)


def _from_links(evidence: Evidence, numbers: Numbers, claim: int) -> float:
    """Return what its rivals and allies say of *claim*, each by all it knows but this claim.

    Of a claim and its rivals one at most is true, but for the leak.
    """
    both = rivals = said = 0.0
    for link in _links(evidence, claim):
        other, leak = int(evidence.link_to[link]), float(evidence.link_leak[link])
        known = _prior(evidence, numbers, other) + float(evidence.weight[other])
        odds = math.exp(min(max(known, -FURTHEST), FURTHEST))
        if evidence.link_kind[link] == RIVAL:
            rivals, both = rivals + odds, both + leak * odds
        else:
            said += math.log((leak * odds + 1 - leak) / ((1 - leak) * odds + leak))
    return said + math.log((1 + both) / (1 + rivals))


def _links(evidence: Evidence, claim: int) -> Iterator[int]:
    return _chain(int(evidence.first_link[claim]), evidence.next_link)


def _chain(first: int, following: Rows) -> Iterator[int]:
    while first != NONE:
        yield first
        first = int(following[first])


def _row(evidence: Evidence, support: int) -> list[int]:
    """Return the claims of *support*."""
    row: list[int] = evidence.members[evidence.ptr[support] : evidence.ptr[support + 1]].tolist()
    return row


def _messages(evidence: Evidence, factor: int, count: int) -> list[float]:
    start = int(evidence.start[factor])
    messages: list[float] = evidence.messages[start : start + count].tolist()
    return messages


def _add(evidence: Evidence, factor: int, row: list[int], messages: list[float]) -> None:
    sums = evidence.hearsay if evidence.bound[factor] else evidence.weight
    for claim, message in zip(row, messages, strict=True):
        sums[claim] += message


def _log_beta(a: float, b: float) -> float:
    return math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)


def _sigmoid(log_odds: float) -> float:
    return 1 / (1 + math.exp(-min(max(log_odds, -FURTHEST), FURTHEST)))


def _logit(share: float) -> float:
    kept = min(max(share, 1e-12), 1 - 1e-12)
    return math.log(kept / (1 - kept))
