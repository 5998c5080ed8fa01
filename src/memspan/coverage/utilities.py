"""Utilities of one memory: coverage, precision, water, and what one more claim would add.

A memory is a boolean array of shape (E,). Results are masses in [0, 1].
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

from memspan.coverage.arrays import Coverage, Memory
from memspan.errors import ShapeError
from memspan.material import Material

EXACT_SUPPORTS = 12  # inclusion and exclusion over 2**12 unions at most


def holding(coverage: Coverage, memory: Memory) -> npt.NDArray[np.bool_]:
    """Return which supports hold under *memory*: all claims held and no defeater held.

    Raises:
        ShapeError: *memory* is not a boolean array with one entry per claim.
    """
    if memory.shape != (coverage.n_claims,) or memory.dtype != np.bool_:
        raise ShapeError(
            f"memory has shape {memory.shape} and type {memory.dtype}; "
            f"give a boolean array of shape ({coverage.n_claims},), e.g. coverage.memory(ids)"
        )
    complete: npt.NDArray[np.bool_] = _row_sums(memory[coverage.members], coverage.ptr) == np.diff(
        coverage.ptr
    )
    if not coverage.monotone:
        complete &= _row_sums(memory[coverage.unless], coverage.unless_ptr) == 0
    return complete


def _row_sums(values: npt.NDArray[np.bool_], ptr: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    running = np.concatenate([np.zeros(1, np.int64), np.cumsum(values, dtype=np.int64)])
    sums: npt.NDArray[np.int64] = running[ptr[1:]] - running[ptr[:-1]]
    return sums


def covered(coverage: Coverage, memory: Memory, *, true_only: bool = False) -> npt.NDArray[np.bool_]:
    """Return which queries *memory* covers, as a boolean array of shape (Q,).

    With *true_only*, supports that rest on a false claim (truth below one half) count for nothing.
    """
    holds = holding(coverage, memory)
    if true_only:
        false = coverage.truth < 0.5
        holds &= _row_sums(false[coverage.members], coverage.ptr) == 0
    answered = np.zeros(len(coverage.weights), np.bool_)
    answered[coverage.owner[holds]] = True
    return answered


def covered_weight(coverage: Coverage, memory: Memory, *, true_only: bool = False) -> int:
    """Return the exact integer weight of the queries that *memory* covers, see `covered`."""
    return int(coverage.weights[covered(coverage, memory, true_only=true_only)].sum())


def u_cov(coverage: Coverage, memory: Memory) -> float:
    """Return the query mass that *memory* covers; it never falls when a claim is added (monotone Φ).

    Source: arXiv 2608.11654, Definition 2.5.

    >>> from memspan.datasets import bundled
    >>> from memspan.coverage import compile_material
    >>> odyssey = compile_material(bundled("odyssey"))
    >>> u_cov(odyssey, odyssey.memory(["e1", "e3"]))
    0.6
    """
    return coverage.mass(covered_weight(coverage, memory))


def u_prec(coverage: Coverage, memory: Memory) -> float:
    """Return the query mass covered by true claims alone.

    Claims of unknown truth count as true; a truth strictly between 0 and 1 is an estimate and
    belongs to `expected_precision`: here it must be at least one half to count.

    Source: arXiv 2608.11654, section 4.
    """
    return coverage.mass(covered_weight(coverage, memory, true_only=True))


def inflation(coverage: Coverage, memory: Memory) -> float:
    """Return the water Δ(M) = U_cov(M) - U_prec(M): mass that only false claims cover; >= 0.

    Source: arXiv 2608.11654, Proposition 4.1.
    """
    return u_cov(coverage, memory) - u_prec(coverage, memory)


def expected_precision(coverage: Coverage, memory: Memory) -> float:
    """Return the expected query mass covered by true claims, claims being independently true.

    Exact by inclusion and exclusion over the supports that hold; a query with more than 12 of them
    is served by its 12 most trusted, which makes the result a lower bound. Unknown truth is 1.

    Source: arXiv 2608.11654, section 4.
    """
    trust = np.where(np.isnan(coverage.truth), 1.0, coverage.truth)
    by_query: dict[int, list[frozenset[int]]] = {}
    for s in np.flatnonzero(holding(coverage, memory)).tolist():
        needed = coverage.members[coverage.ptr[s] : coverage.ptr[s + 1]]
        by_query.setdefault(int(coverage.owner[s]), []).append(frozenset(needed.tolist()))
    expected = sum(float(coverage.weights[q]) * _any_true(found, trust) for q, found in by_query.items())
    return expected / coverage.total if coverage.total else 0.0


def _any_true(supports: list[frozenset[int]], trust: npt.NDArray[np.float64]) -> float:
    """Return the probability that all claims of some support are true."""

    def all_true(claims: frozenset[int]) -> float:
        return float(np.prod(trust[list(claims)]))

    best = sorted(supports, key=all_true, reverse=True)[:EXACT_SUPPORTS]
    return math.fsum(
        -((-1.0) ** size) * all_true(frozenset().union(*chosen))
        for size in range(1, len(best) + 1)
        for chosen in combinations(best, size)
    )


def gains(coverage: Coverage, memory: Memory) -> npt.NDArray[np.float64]:
    """Return the marginal gain of each claim: U_cov(M + e) - U_cov(M), shape (E,).

    A claim already held gains 0. Under a non-monotone Φ a gain can be negative.
    """
    if not coverage.monotone:
        return _gains_by_trial(coverage, memory)
    missing = np.diff(coverage.ptr) - _row_sums(memory[coverage.members], coverage.ptr)
    open_supports = (missing == 1) & ~covered(coverage, memory)[coverage.owner]
    rows = np.repeat(np.arange(coverage.n_supports), np.diff(coverage.ptr))
    lacking = open_supports[rows] & ~memory[coverage.members]
    pairs = np.stack([coverage.members[lacking], coverage.owner[rows[lacking]]])
    claims, queries = np.unique(pairs, axis=1)
    added = np.zeros(coverage.n_claims, np.int64)
    np.add.at(added, claims, coverage.weights[queries])
    return added / max(coverage.total, 1)


def _gains_by_trial(coverage: Coverage, memory: Memory) -> npt.NDArray[np.float64]:
    """Return the same by trying each claim: the plain twin of `gains`."""
    base = covered_weight(coverage, memory)
    trial = memory.copy()
    added = np.zeros(coverage.n_claims, np.int64)
    for claim in np.flatnonzero(~memory):
        trial[claim] = True
        added[claim] = covered_weight(coverage, trial) - base
        trial[claim] = False
    return added / max(coverage.total, 1)


@dataclass(frozen=True)
class SpanGap:
    """What a memory cannot entail of what the full material entails.

    Attributes:
        gap: share of the knowledge items that are lost, in [0, 1].
        lost: their ids.
    """

    gap: float
    lost: tuple[str, ...]


def span_gap(material: Material, memory: frozenset[str]) -> SpanGap:
    """Compare Φ(M) with Φ(Ê): every claim is an item, and every declared item counts once.

    Source: arXiv 2608.11654, section 3.
    """

    def spanned(held: frozenset[str]) -> set[str]:
        claims = {f"claim {claim.id}" for claim in material.claims if claim.id in held}
        return claims | {
            f"item {item.id}"
            for item in material.items
            if any(held.issuperset(s.claims) and held.isdisjoint(s.unless) for s in item.supports)
        }

    everything = spanned(frozenset(claim.id for claim in material.claims))
    lost = tuple(sorted(everything - spanned(memory)))
    return SpanGap(len(lost) / len(everything) if everything else 0.0, lost)
