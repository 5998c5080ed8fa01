"""Shapley values of a game that is won once some support is complete."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from memspan.learning.settled import Parts, Settled

Bools = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]
Row = tuple[int, ...]

EXACT = 12
"""Exact up to so many supports, or so many claims in them all; beyond both, orders are drawn."""


@dataclass(frozen=True)
class Shares:
    """How one success is shared.

    Attributes:
        claims: those of the supports, ascending.
        values: the share of each; they sum to 1.
        errors: standard error of each share, 0 where it is exact.
    """

    claims: Row
    values: Floats
    errors: Floats


def shapley(supports: Sequence[Row], rng: np.random.Generator | None = None, orders: int = 1000) -> Shares:
    """Share one success among the claims of *supports*, each of which would have been enough.

    The share of a claim is the chance that it completes the first support when the claims come in
    random order. Exact up to 12 supports or 12 claims; beyond, *orders* are drawn with *rng*.

    Args:
        supports: sets of claims that held; an empty one shares nothing, the success came for free.
        rng: draws the orders; None is a generator with seed 0.
        orders: how many, where they are drawn.

    Source: Shapley, *A Value for n-Person Games*, 1953; Castro et al., *Polynomial calculation of the
    Shapley value based on sampling*, 2009.

    >>> shares = shapley([(3,), (5, 7)])
    >>> shares.claims, shares.values.round(3).tolist()
    ((3, 5, 7), [0.667, 0.167, 0.167])
    """
    distinct = sorted({frozenset(support) for support in supports}, key=sorted)
    minimal = [row for row in distinct if not any(other < row for other in distinct)]
    claims = tuple(sorted(frozenset().union(*minimal)))
    needs = np.array([[claim in row for claim in claims] for row in minimal], np.bool_)
    needs = needs.reshape(len(minimal), len(claims))
    if not claims:
        return Shares((), np.zeros(0), np.zeros(0))
    if len(minimal) <= EXACT:
        return Shares(claims, _by_unions(needs), np.zeros(len(claims)))
    if len(claims) <= EXACT:
        return Shares(claims, _by_subsets(needs), np.zeros(len(claims)))
    return Shares(claims, *_by_orders(needs, rng or np.random.default_rng(0), orders))


def _by_unions(needs: Bools) -> Floats:
    """Inclusion and exclusion: each union of supports is a game in which all its claims are needed."""
    unions, signs = np.zeros((1, needs.shape[1]), np.bool_), -np.ones(1)
    for row in needs:
        unions, signs = np.concatenate([unions, unions | row]), np.concatenate([signs, -signs])
    sizes = unions[1:].sum(axis=1)
    values: Floats = (signs[1:] / sizes) @ unions[1:]
    return values


def _by_subsets(needs: Bools) -> Floats:
    """Go through all sets of claims: what each claim would add to each."""
    k = needs.shape[1]
    sets = (np.arange(1 << k)[:, None] >> np.arange(k)) & 1 == 1
    won = (sets[:, None, :] | ~needs[None]).all(axis=2).any(axis=1)
    weights = _of_sizes(k)[sets.sum(axis=1)]
    added = [won[np.arange(1 << k) | (1 << i)] & ~won & ~sets[:, i] for i in range(k)]
    return np.array([float(weights[each].sum()) for each in added])


def _of_sizes(k: int) -> Floats:
    """Return |A|! (k - |A| - 1)! / k! by the size of A; the full set, to which nothing is added, gets 0."""
    from math import comb

    return np.array([1 / (k * comb(k - 1, size)) for size in range(k)] + [0.0])


def _by_orders(needs: Bools, rng: np.random.Generator, orders: int) -> tuple[Floats, Floats]:
    """Draw orders, and count who completes the first support."""
    k = needs.shape[1]
    ranks = rng.permuted(np.tile(np.arange(k), (orders, 1)), axis=1)
    completed = np.array([ranks[:, row].max(axis=1) for row in needs]).min(axis=0)
    values: Floats = (ranks == completed[:, None]).mean(axis=0)
    return values, np.sqrt(values * (1 - values) / max(orders - 1, 1))


def shared(told: Settled, rng: np.random.Generator | None = None, orders: int = 1000) -> tuple[Parts, Floats]:
    """Share each success of *told* among the claims of the supports that held, and give the errors.

    Returns:
        The entries, and the standard error of each from drawing orders.
    """
    rng = rng or np.random.default_rng(0)
    alone = _alone(told)
    several = np.flatnonzero((told.held > 1) & (told.correct > 0))
    first = np.searchsorted(told.owner, several), np.searchsorted(told.owner, several, side="right")
    parts, errors = [alone], [np.zeros(len(alone.value))]
    known: dict[tuple[Row, ...], Shares] = {}
    for t, start, end in zip(several.tolist(), *(edge.tolist() for edge in first), strict=True):
        rows = tuple(_row(told, s) for s in range(start, end) if not told.lacking[s])
        if rows not in known:
            known[rows] = shapley(rows, rng, orders)
        shares, correct = known[rows], told.correct[t]
        claims = np.array(shares.claims, np.int64)
        parts.append(Parts(np.full(len(claims), t), claims, correct * shares.values))
        errors.append(correct * shares.errors)
    return (
        Parts(
            *(np.concatenate([getattr(p, name) for p in parts]) for name in ("settlement", "claim", "value"))
        ),
        np.concatenate(errors),
    )


def _row(told: Settled, support: int) -> Row:
    return tuple(told.members[told.ptr[support] : told.ptr[support + 1]].tolist())


def _alone(told: Settled) -> Parts:
    """Share the successes that rest on one support: equally among its claims."""
    holds = (told.lacking == 0) & (told.held[told.owner] == 1) & (told.correct[told.owner] > 0)
    entries = holds[told.support]
    settlement = told.owner[told.support[entries]]
    sizes = np.diff(told.ptr)[told.support[entries]]
    return Parts(settlement, told.members[entries], told.correct[settlement] / sizes)
