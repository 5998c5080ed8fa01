"""Three plain ways to learn from settled queries, for the trust model to be compared with.

Each takes a material and its settlements, in order, and returns one belief for each claim. None knows
sources or links. What a support is worth to them is the product of the beliefs in its claims: they have
nothing better.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from memspan.coverage import Coverage
from memspan.material import Material, Settlement

Floats = npt.NDArray[np.float64]
Read = tuple[list[int], float, float]
BASE = 0.8
"""Belief in a claim that was never read: that of the trust model."""
WEIGHT = 1.0
"""Settlements that this belief is worth. On seeds 0 to 2, of 0.5, 1, 2, 4 and 8, it and 0.5 lose least for
equal blame (mean log loss .449 and .448); the trust model's prior is worth 4, with which it loses more."""
NEAREST = 1e-9
"""A belief comes no nearer to 0 or 1: from there nothing would move it."""


def counted(material: Material, settlements: Iterable[Settlement], weight: float = WEIGHT) -> Floats:
    """Return the means of Beta counters where all claims of a wrong answer share the blame equally.

    A right answer counts 1 for each claim that was read, a wrong one 1 / m against each of m.
    """
    right, wrong = _counters(material, weight)
    for members, correct, times in reads(material, settlements):
        for e in members:
            right[e] += times * correct
            wrong[e] += times * (1 - correct) / len(members)
    return _means(right, wrong)


def fractional(
    material: Material, settlements: Iterable[Settlement], noise: float = 0.1, weight: float = WEIGHT
) -> Floats:
    """Return the means of Beta counters where each claim is blamed as much as it is believed to be at fault.

    Each settlement counts q for a claim and 1 - q against it, q being the probability that the claim is true
    given the outcome and the present beliefs in the other claims that were read.
    """
    right, wrong = _counters(material, weight)
    for members, correct, times in reads(material, settlements):
        before = [right[e] / (right[e] + wrong[e]) for e in members]
        for e, q in zip(members, _updated(before, correct, noise), strict=True):
            right[e] += times * q
            wrong[e] += times * (1 - q)
    return _means(right, wrong)


def adf(material: Material, settlements: Iterable[Settlement], noise: float = 0.1) -> Floats:
    """Return what Bayes' rule gives settlement by settlement, claims taken as independent after each.

    Source: assumed-density filtering, T. Minka, *Expectation propagation for approximate Bayesian
    inference*, UAI 2001.
    """
    belief = [BASE] * len(material.claims)
    for members, correct, _ in reads(material, settlements):
        updated = _updated([belief[e] for e in members], correct, noise)
        for e, q in zip(members, updated, strict=True):
            belief[e] = min(max(q, NEAREST), 1 - NEAREST)
    return np.array(belief)


def reads(material: Material, settlements: Iterable[Settlement]) -> Iterator[Read]:
    """Yield the claim positions that were read, the outcome and its weight; unknown reads are left out."""
    at = material.claim_position
    for each in settlements:
        if each.claims:
            yield [at[name] for name in dict.fromkeys(each.claims)], each.correct, each.weight


def products(coverage: Coverage, tau: npt.NDArray[Any]) -> Floats:
    """Return the product of the beliefs in its claims for each support."""
    logs = np.concatenate([[0.0], np.cumsum(np.log(np.maximum(tau, 1e-12))[coverage.members])])
    return np.exp(logs[coverage.ptr[1:]] - logs[coverage.ptr[:-1]])


def _updated(before: list[float], correct: float, noise: float) -> list[float]:
    """Return the probability of each claim given the outcome; an outcome in doubt mixes the two."""
    return [
        correct * _given_right(q, rest, noise) + (1 - correct) * _given_wrong(q, rest, noise)
        for q, rest in zip(before, _others(before), strict=True)
    ]


def _others(before: list[float]) -> list[float]:
    return [math.prod(q for j, q in enumerate(before) if j != i) for i in range(len(before))]


def _given_right(q: float, rest: float, noise: float) -> float:
    """Bayes' rule for a right answer: *rest* is the probability that all other claims are true."""
    if_true = noise + (1 - 2 * noise) * rest
    return q * if_true / (q * if_true + (1 - q) * noise)


def _given_wrong(q: float, rest: float, noise: float) -> float:
    if_true = 1 - noise - (1 - 2 * noise) * rest
    return q * if_true / (q * if_true + (1 - q) * (1 - noise))


def _counters(material: Material, weight: float) -> tuple[list[float], list[float]]:
    n = len(material.claims)
    return [weight * BASE] * n, [weight * (1 - BASE)] * n


def _means(right: list[float], wrong: list[float]) -> Floats:
    a, b = np.array(right), np.array(wrong)
    return a / (a + b)
