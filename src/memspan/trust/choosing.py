"""Memories chosen under noise: the greatest expected precision that beliefs promise, and no filler."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from memspan.coverage import Coverage, Memory, u_prec
from memspan.errors import ShapeError
from memspan.trust.filling import Filling, Floats, wanted

Ints = npt.NDArray[np.int64]
Stopped = Literal["full", "fit", "water", "all"]

FLOOR = 0.05  # chosen in benchmarks/trust_floor.py


@dataclass(frozen=True)
class Chosen:
    """A memory chosen under beliefs.

    Attributes:
        memory: boolean array, shape (n_claims,).
        expected: expected precision, a mass in [0, 1].
        water: expected mass that is covered, but by false claims only.
        order: positions of the claims held, in the order taken.
        spare: places left empty, in claims, or in the unit of the costs.
        stopped: why no more was taken. ``full``: no place is left. ``fit``: what is left needs more
            places than are free. ``water``: supports are left, but all are believed less than the floor.
            ``all``: nothing that is left adds expected precision.
    """

    memory: Memory
    expected: float
    water: float
    order: Ints
    spare: float
    stopped: Stopped


@dataclass(frozen=True)
class BelievedCurve:
    """Memories of every capacity along one order: point i holds the first ``claims[i]`` of `order`.

    Attributes:
        order: positions of claims in the order taken.
        claims: number of claims held at each point, ascending from 0.
        sizes: capacity that each point needs: `claims`, or their costs.
        expected: expected precision at each point, a mass in [0, 1]; never falls.
        water: expected mass covered by false claims only, at each point.
        n_claims: claims of the material.
    """

    order: Ints
    claims: Ints
    sizes: Floats
    expected: Floats
    water: Floats
    n_claims: int

    def point(self, capacity: float) -> int:
        """Return the last point that fits into *capacity*."""
        return int(np.searchsorted(self.sizes, _capacity(capacity), "right")) - 1

    def memory(self, capacity: float) -> Memory:
        """Return the memory at *capacity*, as a boolean array of shape (n_claims,)."""
        held = np.zeros(self.n_claims, np.bool_)
        held[self.order[: self.claims[self.point(capacity)]]] = True
        return held


def believed(
    coverage: Coverage,
    beliefs: npt.ArrayLike,
    capacity: float,
    *,
    costs: npt.ArrayLike | None = None,
    floor: float = FLOOR,
) -> Chosen:
    """Fill a memory greedily, by expected precision gained for each place.

    A query is served with probability 1 - Π (1 - belief) over its supports that hold, as if they were
    independent: where supports share a claim that is more than what it gets. Each step takes the claims
    that complete supports of the greatest gain per claim (or cost), all supports counted that they
    complete; claims that need more places than are free are passed over. Ties go to the lowest claim
    positions. With supports of one claim each and no costs it reaches at least 1 - 1/e of the best
    memory; no bound holds for larger supports.

    Args:
        coverage: compiled material, monotone: no support has `unless`.
        beliefs: one for each support, that all its claims are true, in [0, 1]; `optimistic` ones explore.
        capacity: claims at most, or their costs; >= 0.
        costs: one for each claim, >= 0; default 1 each.
        floor: a support believed less is never taken for its own sake, so that places stay empty rather
            than hold filler; 0 fills all.

    Raises:
        ShapeError: *beliefs*, *costs*, *floor* or *capacity* do not fit, or a support can be defeated.
        CostError: a cost that is negative or not finite.

    Source: arXiv 2608.11654, section 4; for the bound Nemhauser, Wolsey and Fisher, *An analysis of
    approximations for maximizing submodular set functions I*, Mathematical Programming 14 (1978).

    >>> from memspan.coverage import compile_material
    >>> from memspan.datasets import bundled
    >>> odyssey = compile_material(bundled("odyssey-noise"))
    >>> chosen = believed(odyssey, known_beliefs(odyssey), 2)
    >>> [odyssey.claims[e] for e in chosen.order], round(chosen.expected, 2)
    (['e3', 'e1'], 0.6)
    """
    sought = wanted(coverage, beliefs, costs, floor)
    filling, free = Filling(coverage, sought), _capacity(capacity)
    least = 1.0 if sought.costs is None else float(sought.costs.min(initial=math.inf))
    unfit = False
    for key, price in filling.offers():
        if price <= free:
            filling.take(key)
            free -= price
            continue
        unfit = True
        if free < least:
            break
    stopped: Stopped = "full" if not free else "fit" if unfit else "water" if filling.doubtful else "all"
    order = np.array(filling.order, np.int64)
    return Chosen(filling.memory, *filling.masses(), order, free, stopped)


def believed_curve(
    coverage: Coverage,
    beliefs: npt.ArrayLike,
    *,
    costs: npt.ArrayLike | None = None,
    floor: float = FLOOR,
) -> BelievedCurve:
    """Return memories of every capacity from one greedy order, as `believed` takes claims without a bound.

    Between two points nothing is added: a capacity that cuts a support of several claims keeps the
    memory before it, where `believed` may find smaller ones that still fit.

    Raises:
        ShapeError, CostError: as `believed`.

    >>> from memspan.coverage import compile_material
    >>> from memspan.datasets import bundled
    >>> odyssey = compile_material(bundled("odyssey-noise"))
    >>> curve = believed_curve(odyssey, known_beliefs(odyssey))
    >>> curve.claims.tolist(), curve.expected.round(2).tolist()
    ([0, 1, 2, 3, 4, 5, 6], [0.0, 0.35, 0.6, 0.8, 0.9, 0.95, 1.0])
    """
    filling = Filling(coverage, wanted(coverage, beliefs, costs, floor))
    points = [(0, 0.0, *filling.masses())]
    for key, price in filling.offers():
        filling.take(key)
        points.append((len(filling.order), points[-1][1] + price, *filling.masses()))
    claims, sizes, expected, water = map(np.array, zip(*points, strict=True))
    return BelievedCurve(np.array(filling.order, np.int64), claims, sizes, expected, water, coverage.n_claims)


def optimistic(beliefs: npt.ArrayLike, beta: float = 1.0) -> Floats:
    """Return belief + beta · sqrt(belief · (1 - belief)), at most 1: the uncertain is worth a try.

    Hand it to `believed` in place of beliefs, where what is stored is settled and so found out. What
    `believed` then expects is as optimistic.

    Raises:
        ShapeError: a belief outside [0, 1], or *beta* below 0 or not finite.

    Source: Auer, Cesa-Bianchi and Fischer, *Finite-time analysis of the multiarmed bandit problem*,
    Machine Learning 47 (2002), for optimism; the spread is that of a bit with this belief.

    >>> optimistic([0.0, 0.1, 0.5, 1.0]).tolist()
    [0.0, 0.4, 1.0, 1.0]
    """
    array = np.asarray(beliefs, np.float64)
    if not ((array >= 0) & (array <= 1)).all() or not 0 <= beta < math.inf:
        raise ShapeError(f"beta is {beta}; beliefs must lie in 0 to 1 and beta be finite and >= 0")
    return np.minimum(array + beta * np.sqrt(array * (1 - array)), 1.0)


def known_beliefs(coverage: Coverage) -> Floats:
    """Return 1 for each support without a false claim and 0 for the others, shape (n_supports,).

    As for `u_prec`, a truth below one half is false and an unknown one counts as true.
    """
    false = (coverage.truth < 0.5)[coverage.members]
    rows = np.repeat(np.arange(coverage.n_supports), np.diff(coverage.ptr))
    beliefs = np.ones(coverage.n_supports)
    beliefs[rows[false]] = 0.0
    return beliefs


def oracle_share(
    coverage: Coverage, memory: Memory, *, capacity: int | None = None, best: float | None = None
) -> float:
    """Return U_prec(*memory*) as a share of the best at its capacity: how much it reaches of what can be had.

    Args:
        coverage: compiled material whose truth is known.
        memory: boolean array, shape (n_claims,).
        capacity: claims that the memory may hold; default those that it holds.
        best: the best precision at that capacity, e.g. the lower bound of
            ``memspan.frontier(material, utility="precision")``; default what `believed` finds when it
            knows the truth. That is no upper bound, so that a share can lie a little above 1.

    Returns:
        A share >= 0; 1 where nothing can be attained.

    Raises:
        ShapeError: *memory* or *capacity* do not fit.
    """
    reached = u_prec(coverage, memory)
    if best is None:
        held = int(memory.sum()) if capacity is None else capacity
        best = believed(coverage, known_beliefs(coverage), held).expected
    return reached / best if best else 1.0


def _capacity(value: float) -> float:
    if not value >= 0:
        raise ShapeError(f"capacity is {value}; give a number >= 0")
    return value
