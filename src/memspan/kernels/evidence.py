"""What the evidence kernels take and give: claims, supports, factors and settlers as arrays.

A factor holds what one settler said about one support: how often it was settled right and wrong, and the
    message
that follows to each claim of the support. Arrays may be longer than what is used of them.

Source: support-factor expectation propagation, Minka, *Expectation Propagation for Approximate Bayesian
Inference*, 2001; the truth of a claim is a bit, the truth of a support the conjunction of its claims.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Rows = npt.NDArray[np.int32]
Flags = npt.NDArray[np.int8]

NONE = -1
# columns of `Evidence.rates` and `Evidence.errors`: wrong and right though true, right and wrong though false
TRUE_WRONG, TRUE_RIGHT, FALSE_RIGHT, FALSE_WRONG = range(4)
RIVAL, ALLY = -1, 1
FURTHEST = 30.0
"""Log-odds beyond which nothing is told apart."""
LEAST = 0.02
"""Least count of trust and of distrust that a source has."""


class Evidence(NamedTuple):
    """State of a trust model.

    Attributes:
        weight: per claim, the sum of the messages it receives (log-odds), those of bound factors left out.
        hearsay: per claim, the sum of the messages of bound factors.
        source: per claim its source, or NONE.
        touched: per claim, how many factors with outcomes it belongs to, bound ones left out.
        lent: per claim, the trust that it lends to its source; NaN where it lends none.
        pooled: per claim, whether it lends to the pool of all claims as well.
        first_link: per claim its first link, or NONE; links are chained by `next_link`.
        next_link, link_to, link_kind, link_leak: per link: the next one, the claim at the other end, RIVAL
            or ALLY, and what the link lets through: for a rival the share of its odds that leaves both
                true, for an
            ally the probability that both say the same.
        reliable, speaking: per source, the sum of the trust lent and how many claims lend it.
        pool: the same two numbers over all claims that are pooled.
        ptr, members: the supports as rows of claims, ascending.
        first_factor: per support its first factor, or NONE; factors of one support are chained by
            `next_factor`.
        support, settler, start: per factor, which support, whose word, and where its messages start.
        next_factor: per factor the next one of the same support, or NONE.
        right, wrong: per factor, the outcomes counted.
        cap: per factor, the greatest log-odds its outcomes may amount to.
        active: per factor, whether it holds an outcome.
        bound: per factor, whether its settler is untrusted: it moves its own claims and nothing else.
        messages: the message to each claim, per factor in the order of the support's claims.
        taught: per factor, what it counts into its settler's `errors`; no rows where nothing is learned.
        rates: per settler, Beta parameters of its errors before anything is learned.
        errors: per settler, expected counts of wrong and right though true, right and wrong though false.
    """

    weight: Floats
    hearsay: Floats
    source: Rows
    touched: Rows
    lent: Floats
    pooled: Flags
    first_link: Rows
    next_link: Rows
    link_to: Rows
    link_kind: Flags
    link_leak: Floats
    reliable: Floats
    speaking: Floats
    pool: Floats
    ptr: Rows
    members: Rows
    first_factor: Rows
    support: Rows
    settler: Rows
    start: Rows
    next_factor: Rows
    right: Floats
    wrong: Floats
    cap: Floats
    active: Flags
    bound: Flags
    messages: Floats
    taught: Floats
    rates: Floats
    errors: Floats


class Numbers(NamedTuple):
    """The model's numbers that kernels need; see `memspan.trust.Terms`.

    Attributes:
        base, base_weight: trust of a claim of which nothing is known, and how many claims that counts as.
        source_weight: how many claims the pool counts as within one source.
        lowest, highest: limits of the pool's trust.
        drift: what is kept of a factor's counts at each whole outcome; a part of one takes less away.
        learned: 1 where each settler's errors are learned, else 0.
        settler_weight: how many outcomes a settler's accuracy counts as within each of its two errors.
    """

    base: float
    base_weight: float
    source_weight: float
    lowest: float
    highest: float
    drift: float
    learned: float
    settler_weight: float
