"""Very large materials in which every support is one claim: a greedy order and bounds in one sweep.

No presolve and no parts: arrays only. The lower bound at S is what the first S claims of the greedy
order cover. Upper bounds share each query's weight: with a share a_q <= w_q for query q, a memory of
S claims covers at most sum(w - a) plus the S largest sums of shares over a claim's queries. Shares
start from what the greedy order leaves uncovered and are improved by subgradient steps.

Source: Nemhauser, Wolsey and Fisher (1978) for the order; Lagrangian duality for the bounds.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from memspan.coverage.arrays import Coverage
from memspan.optimum.curves import Kinds, kinds_like

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
LARGE = 300_000  # supports from which this replaces the portfolio
RATIO = 2.5  # between the capacities at which bounds are improved
STEPS = 150
STEP = 1.0  # of the way to the lower bound, as Polyak's rule takes it
PLAIN_ENTRIES = 2_000


@dataclass(frozen=True)
class Incidence:
    """Which claim answers which query alone: pairs sorted by claim, only claims that count."""

    claims: npt.NDArray[np.int32]
    queries: npt.NDArray[np.int32]
    ptr: Ints
    weights: Ints

    @cached_property
    def reachable(self) -> Ints:
        """Weight of each query that some claim answers; 0 for the others."""
        weights = np.zeros(len(self.weights), np.int64)
        weights[self.queries] = self.weights[self.queries]
        return weights

    def worth(self, shares: Floats | Ints) -> Floats | Ints:
        """Return the sum of shares over each claim's queries, in the type of *shares*."""
        running = np.concatenate([np.zeros(1, shares.dtype), np.cumsum(shares[self.queries])])
        sums: Floats | Ints = running[self.ptr[1:]] - running[self.ptr[:-1]]
        return sums


@dataclass(frozen=True)
class Ranking:
    """The curve of a large material: claims in greedy order, and the shares that bound it.

    Attributes:
        order: claims picked, in order; `lower` is what each prefix covers.
        upper: bound at each number of claims up to saturation.
        shares: int64 arrays of shape (Q,), each with 0 <= share <= weight, that prove `upper`.
    """

    order: Ints
    lower: Ints
    upper: Ints
    shares: tuple[Ints, ...]

    @property
    def kinds(self) -> Kinds:
        """Multipliers, at every capacity."""
        return kinds_like(self.lower, "multipliers")

    @property
    def curve(self) -> Ranking:
        """A ranking is its own curve."""
        return self

    @property
    def parts(self) -> tuple[Ranking, ...]:
        """A ranking is its own only part."""
        return (self,)

    def claims_at(self, capacities: Ints) -> list[list[int]]:
        """Return the first claims of the order."""
        return [self.order[:capacity].tolist() for capacity in capacities]


def suits(coverage: Coverage, costs: Ints) -> bool:
    """Tell whether *coverage* is large, decomposable and counted in claims."""
    return (
        coverage.n_supports >= LARGE
        and coverage.monotone
        and bool((np.diff(coverage.ptr) == 1).all())
        and bool((costs == 1).all())
    )


def incidence_of(coverage: Coverage, *, true_only: bool) -> Incidence:
    """Read the pairs off a decomposable coverage; false claims are left out on request."""
    claims, queries = coverage.members, coverage.owner
    kept = coverage.weights[queries] > 0
    if true_only:
        kept &= ~(coverage.truth[claims] < 0.5)
    order = np.argsort(claims[kept], kind="stable")
    claims, queries = claims[kept][order], queries[kept][order]
    ptr = np.searchsorted(claims, np.arange(coverage.n_claims + 1)).astype(np.int64)
    return Incidence(claims, queries, ptr, coverage.weights)


def rank(pairs: Incidence, seconds: float) -> Ranking:
    """Order the claims and bound every capacity; *seconds* go into better bounds."""
    deadline = time.perf_counter() + seconds
    order, values = _greedy(pairs)
    lower = np.concatenate([np.zeros(1, np.int64), values])
    found: list[Ints] = []
    upper = np.full(len(lower), int(lower[-1]), np.int64)
    targets = _targets(len(order))
    for number, capacity in enumerate(targets):
        spend = (deadline - time.perf_counter()) / (len(targets) - number)
        if spend < 0 and number:
            break
        start = _uncovered(pairs, order[:capacity])
        shares = _improve(pairs, start, capacity, int(lower[capacity]), time.perf_counter() + spend)
        bound = upper_bound(pairs, shares, len(order))
        if (bound < upper).any():
            upper = np.minimum(upper, bound)
            found.append(shares)
    upper = np.maximum(np.minimum.accumulate(upper[::-1])[::-1], lower)
    return Ranking(order, lower, upper, tuple(found))


def _targets(saturation: int) -> list[int]:
    """Return capacities spread by a constant ratio below *saturation*, 0 first."""
    targets = [0]
    while targets[-1] < saturation:
        targets.append(max(targets[-1] + 1, int(targets[-1] * RATIO)))
    return targets[:-1] or [0]


def upper_bound(pairs: Incidence, shares: Ints, top: int) -> Ints:
    """Return the bound that *shares* prove at each number of claims 0..top."""
    rest = int(pairs.reachable.sum() - shares.sum())
    worth = np.sort(pairs.worth(shares))[::-1][:top]
    bound = rest + np.concatenate([np.zeros(1, np.int64), np.cumsum(worth)])
    return np.concatenate([bound, np.full(max(0, top + 1 - len(bound)), bound[-1], np.int64)])


def _greedy(pairs: Incidence) -> tuple[Ints, Ints]:
    weights = pairs.weights
    if len(pairs.claims) < PLAIN_ENTRIES:
        from memspan.kernels.plain.greedy import rank as plain

        return plain(pairs.ptr, pairs.queries, weights)
    from memspan.kernels.fast.greedy import rank as fast

    small = len(weights) and int(weights.max()) < 1 << 31
    return fast(pairs.ptr, pairs.queries, weights.astype(np.int32) if small else weights)


def _uncovered(pairs: Incidence, held: Ints) -> Floats:
    """Return each query's weight, 0 where one of the claims *held* answers it or none can."""
    left = pairs.reachable.astype(np.float64)
    for claim in held.tolist():
        left[pairs.queries[pairs.ptr[claim] : pairs.ptr[claim + 1]]] = 0.0
    return left


def _improve(pairs: Incidence, start: Floats, capacity: int, reached: int, deadline: float) -> Ints:
    """Take subgradient steps on the bound at *capacity*; return the best shares met, rounded down."""
    whole = pairs.reachable.astype(np.float64)
    total = whole.sum()
    shares, best, least, step = start, start, np.inf, STEP
    for _ in range(STEPS):
        worth = pairs.worth(shares)
        richest = np.argpartition(-worth, min(capacity, len(worth) - 1))[:capacity]
        bound = float(total - shares.sum() + worth[richest].sum())
        if bound < least:
            least, best = bound, shares
        else:
            step *= 0.9
        if time.perf_counter() > deadline or least <= reached:
            break
        chosen = np.zeros(len(worth), np.bool_)
        chosen[richest] = True
        slope = np.bincount(pairs.queries[chosen[pairs.claims]], minlength=len(shares)) - 1.0
        scale = float((slope * slope * whole).sum())
        if scale <= 0:
            break
        shares = np.clip(shares - step * (bound - reached) / scale * slope * whole, 0.0, whole)
    return np.floor(best).astype(np.int64)
