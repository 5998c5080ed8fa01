"""Messages between claims and what was settled about their supports, compiled; see the plain twin."""

from __future__ import annotations

import math
from typing import Any

import numba
import numpy as np
from numba.core import cgutils
from numba.extending import intrinsic

from memspan.kernels.evidence import (
    FALSE_RIGHT,
    FALSE_WRONG,
    FURTHEST,
    LEAST,
    NONE,
    RIVAL,
    TRUE_RIGHT,
    TRUE_WRONG,
    Evidence,
    Floats,
    Numbers,
    Rows,
)

inline = numba.njit(cache=True, nogil=True, forceinline=True)
compiled = numba.njit(cache=True, nogil=True)

build: Any = cgutils


def _borrow(_: Any, array: Any) -> Any:
    """Take the same array without a count of references: counting takes longer than what is computed."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        told = build.create_struct_proxy(signature.args[0])(context, builder, value=arguments[0])
        told.meminfo = build.get_null_value(told.meminfo.type)
        return told._getvalue()  # noqa: SLF001 - numba's own extensions do it so

    return array(array), code


_borrowed: Any = intrinsic(_borrow)


@inline
def _bare(evidence: Evidence) -> Evidence:
    return Evidence(
        _borrowed(evidence.weight),
        _borrowed(evidence.hearsay),
        _borrowed(evidence.source),
        _borrowed(evidence.touched),
        _borrowed(evidence.lent),
        _borrowed(evidence.pooled),
        _borrowed(evidence.first_link),
        _borrowed(evidence.next_link),
        _borrowed(evidence.link_to),
        _borrowed(evidence.link_kind),
        _borrowed(evidence.link_leak),
        _borrowed(evidence.reliable),
        _borrowed(evidence.speaking),
        _borrowed(evidence.pool),
        _borrowed(evidence.ptr),
        _borrowed(evidence.members),
        _borrowed(evidence.first_factor),
        _borrowed(evidence.support),
        _borrowed(evidence.settler),
        _borrowed(evidence.start),
        _borrowed(evidence.next_factor),
        _borrowed(evidence.right),
        _borrowed(evidence.wrong),
        _borrowed(evidence.cap),
        _borrowed(evidence.active),
        _borrowed(evidence.bound),
        _borrowed(evidence.messages),
        _borrowed(evidence.taught),
        _borrowed(evidence.rates),
        _borrowed(evidence.errors),
    )


def settle(evidence: Evidence, numbers: Numbers, factors: Rows, right: Floats, wrong: Floats) -> None:
    """Count outcomes into *factors*, one after the other, and pass on what follows."""
    _send(evidence, numbers, factors, right, wrong, 0.0)


def sweep(evidence: Evidence, numbers: Numbers, factors: Rows, damping: float) -> float:
    """Send the messages of *factors* again, in that order; return the greatest change of one, in log-odds."""
    none = np.empty(0)
    change: float = _send(evidence, numbers, factors, none, none, damping)
    return change


@compiled
def _send(
    evidence: Evidence, numbers: Numbers, factors: Rows, right: Floats, wrong: Floats, damping: float
) -> float:
    """Count outcomes where there are some, send messages; what it calls is inlined: calls copy arrays."""
    bare, most, counts = _bare(evidence), 0.0, len(right) > 0
    for i in range(len(factors)):
        factor = factors[i]
        if counts:
            kept = numbers.drift ** min(1.0, right[i] + wrong[i])
            bare.right[factor] = bare.right[factor] * kept + right[i]
            bare.wrong[factor] = bare.wrong[factor] * kept + wrong[i]
        most = max(most, _update(bare, numbers, factor, damping))
    return most


@compiled
def trusts(evidence: Evidence, numbers: Numbers, claims: Rows) -> tuple[Floats, Floats, Floats]:
    """Return of each of *claims* how many true and false ones speak for it beforehand, and its log-odds."""
    bare = _bare(evidence)
    in_favour, against, after = np.empty(len(claims)), np.empty(len(claims)), np.empty(len(claims))
    for i in range(len(claims)):
        in_favour[i], against[i] = _counts(bare, numbers, claims[i])
        after[i] = _log_odds(bare, numbers, claims[i]) + bare.hearsay[claims[i]]
    return in_favour, against, after


@compiled
def beliefs(evidence: Evidence, numbers: Numbers, supports: Rows) -> Floats:
    """Return the probability that all claims of each of *supports* are true."""
    bare = _bare(evidence)
    found = np.empty(len(supports))
    for i in range(len(supports)):
        found[i] = _belief(bare, numbers, supports[i])
    return found


@inline
def _belief(evidence: Evidence, numbers: Numbers, support: int) -> float:
    ratio, cavity = 0.0, 1.0
    factor = evidence.first_factor[support]
    while factor != NONE:
        ratio += _likelihood(evidence, numbers, factor)
        _add(evidence, factor, -1.0)
        factor = evidence.next_factor[factor]
    for place in range(evidence.ptr[support], evidence.ptr[support + 1]):
        claim = evidence.members[place]
        cavity *= _sigmoid(_log_odds(evidence, numbers, claim) + evidence.hearsay[claim])
    factor = evidence.first_factor[support]
    while factor != NONE:
        _add(evidence, factor, 1.0)
        factor = evidence.next_factor[factor]
    return _sigmoid(_logit(cavity) + ratio)


@inline
def _update(evidence: Evidence, numbers: Numbers, factor: int, damping: float) -> float:
    support, start = evidence.support[factor], evidence.start[factor]
    first, end = evidence.ptr[support], evidence.ptr[support + 1]
    _mark(evidence, factor, first, end)
    _add(evidence, factor, -1.0)
    ratio = _likelihood(evidence, numbers, factor)
    cavity = np.empty(end - first)
    bound = evidence.bound[factor] != 0
    for i in range(end - first):
        claim = evidence.members[first + i]
        hearsay = evidence.hearsay[claim] if bound else 0.0
        cavity[i] = _sigmoid(_log_odds(evidence, numbers, claim) + hearsay)
    most = 0.0
    for i in range(end - first):
        others = 1.0
        for j in range(end - first):
            if j != i:
                others *= cavity[j]
        before = evidence.messages[start + i]
        new = (1 - damping) * _message(ratio, others) + damping * before
        evidence.messages[start + i] = new
        most = max(most, abs(new - before))
    _add(evidence, factor, 1.0)
    if numbers.learned > 0:
        _teach(evidence, factor, _sigmoid(_logit(cavity.prod()) + ratio))
    for place in range(first, first if bound else end):
        claim = evidence.members[place]
        _lend(evidence, numbers, claim)
        link = evidence.first_link[claim]
        while link != NONE:
            _lend(evidence, numbers, evidence.link_to[link])
            link = evidence.next_link[link]
    return most


@inline
def _add(evidence: Evidence, factor: int, sign: float) -> None:
    """Add the messages of *factor* to its claims, or take them back."""
    support, start = evidence.support[factor], evidence.start[factor]
    first = evidence.ptr[support]
    for i in range(evidence.ptr[support + 1] - first):
        claim, message = evidence.members[first + i], sign * evidence.messages[start + i]
        if evidence.bound[factor] != 0:
            evidence.hearsay[claim] += message
        else:
            evidence.weight[claim] += message


@inline
def _message(ratio: float, others: float) -> float:
    return ratio + math.log(others + (1 - others) * math.exp(-ratio))


@inline
def _likelihood(evidence: Evidence, numbers: Numbers, factor: int) -> float:
    right, wrong, cap = evidence.right[factor], evidence.wrong[factor], min(evidence.cap[factor], FURTHEST)
    a1, b1, a2, b2 = _rates(evidence, numbers, factor)
    if right == 1 and wrong == 0:
        true, false = math.log(b1 / (a1 + b1)), math.log(a2 / (a2 + b2))
    elif right == 0 and wrong == 1:
        true, false = math.log(a1 / (a1 + b1)), math.log(b2 / (a2 + b2))
    else:
        true = _log_beta(a1 + wrong, b1 + right) - _log_beta(a1, b1)
        false = _log_beta(a2 + right, b2 + wrong) - _log_beta(a2, b2)
    ratio: float = min(max(true - false, -cap), cap)
    return ratio


@inline
def _rates(evidence: Evidence, numbers: Numbers, factor: int) -> tuple[float, float, float, float]:
    given = evidence.rates[evidence.settler[factor]]
    if numbers.learned == 0:
        return given[0], given[1], given[2], given[3]
    errors = evidence.errors[evidence.settler[factor]]
    taught = evidence.taught[factor]
    true_wrong = max(errors[TRUE_WRONG] - taught[TRUE_WRONG], 0.0)
    true_right = max(errors[TRUE_RIGHT] - taught[TRUE_RIGHT], 0.0)
    false_right = max(errors[FALSE_RIGHT] - taught[FALSE_RIGHT], 0.0)
    false_wrong = max(errors[FALSE_WRONG] - taught[FALSE_WRONG], 0.0)
    mistakes = true_wrong + false_right + (given[TRUE_WRONG] + given[FALSE_RIGHT]) / 2
    error = mistakes / (true_wrong + true_right + false_right + false_wrong + given.sum() / 2)
    wrong, right = numbers.settler_weight * error, numbers.settler_weight * (1 - error)
    return wrong + true_wrong, right + true_right, wrong + false_right, right + false_wrong


@inline
def _teach(evidence: Evidence, factor: int, truth: float) -> None:
    right, wrong = evidence.right[factor], evidence.wrong[factor]
    new = (truth * wrong, truth * right, (1 - truth) * right, (1 - truth) * wrong)
    for i in range(4):
        evidence.errors[evidence.settler[factor], i] += new[i] - evidence.taught[factor, i]
        evidence.taught[factor, i] = new[i]


@inline
def _mark(evidence: Evidence, factor: int, first: int, end: int) -> None:
    now = 1 if evidence.right[factor] + evidence.wrong[factor] > 0 else 0
    if evidence.bound[factor] == 0:
        for place in range(first, end):
            evidence.touched[evidence.members[place]] += now - evidence.active[factor]
    evidence.active[factor] = now


@inline
def _lend(evidence: Evidence, numbers: Numbers, claim: int) -> None:
    counts = evidence.touched[claim] > 0
    link = evidence.first_link[claim]
    while link != NONE and not counts:
        counts = evidence.touched[evidence.link_to[link]] > 0
        link = evidence.next_link[link]
    old = evidence.lent[claim]
    trust, speaking = (0.0, 0.0) if math.isnan(old) else (-old, -1.0)
    if counts:
        new = _sigmoid(_log_odds(evidence, numbers, claim))
        trust, speaking = trust + new, speaking + 1
        evidence.lent[claim] = new
    else:
        evidence.lent[claim] = math.nan
    source = evidence.source[claim]
    if source != NONE:
        evidence.reliable[source] += trust
        evidence.speaking[source] += speaking
    if evidence.pooled[claim] != 0:
        evidence.pool[0] += trust
        evidence.pool[1] += speaking


@inline
def _log_odds(evidence: Evidence, numbers: Numbers, claim: int) -> float:
    evidenced: float = evidence.weight[claim] + _from_links(evidence, numbers, claim)
    return _prior(evidence, numbers, claim) + evidenced


@inline
def _prior(evidence: Evidence, numbers: Numbers, claim: int) -> float:
    in_favour, against = _counts(evidence, numbers, claim)
    return math.log(in_favour / against)


@inline
def _counts(evidence: Evidence, numbers: Numbers, claim: int) -> tuple[float, float]:
    size = numbers.base_weight + evidence.pool[1]
    pool = (numbers.base_weight * numbers.base + evidence.pool[0]) / size
    pool = min(max(pool, numbers.lowest), numbers.highest)
    source = evidence.source[claim]
    if source == NONE:
        return size * pool, size * (1 - pool)
    own, trust, speaking = evidence.lent[claim], evidence.reliable[source], evidence.speaking[source]
    if not math.isnan(own):
        trust, speaking = trust - own, speaking - 1
    in_favour = numbers.source_weight * pool + trust
    against = numbers.source_weight * (1 - pool) + speaking - trust
    return max(in_favour, LEAST), max(against, LEAST)


@inline
def _from_links(evidence: Evidence, numbers: Numbers, claim: int) -> float:
    link = evidence.first_link[claim]
    if link == NONE:
        return 0.0
    both, rivals, said = 0.0, 0.0, 0.0
    while link != NONE:
        other, leak = evidence.link_to[link], evidence.link_leak[link]
        known = _prior(evidence, numbers, other) + evidence.weight[other]
        odds = math.exp(min(max(known, -FURTHEST), FURTHEST))
        if evidence.link_kind[link] == RIVAL:
            rivals, both = rivals + odds, both + leak * odds
        else:
            said += math.log((leak * odds + 1 - leak) / ((1 - leak) * odds + leak))
        link = evidence.next_link[link]
    return said + math.log((1 + both) / (1 + rivals))


@inline
def _log_beta(a: float, b: float) -> float:
    return math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)


@inline
def _sigmoid(log_odds: float) -> float:
    return 1 / (1 + math.exp(-min(max(log_odds, -FURTHEST), FURTHEST)))


@inline
def _logit(share: float) -> float:
    kept = min(max(share, 1e-12), 1 - 1e-12)
    return math.log(kept / (1 - kept))
