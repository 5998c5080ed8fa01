"""Truths drawn one claim at a time, sources' reliabilities integrated out: the reference of trust.

Each sweep draws every claim given all others, and then the base, if it is not known, on its grid.

Source: the collapsed sampler, Liu, J. Am. Stat. Assoc. 89 (1994).
"""

from dataclasses import dataclass

import numba
import numpy as np
from scipy.special import gammaln

from latent_truths import Floats, Latent


@dataclass(frozen=True)
class Drawn:
    """Posterior means: of each claim's truth, of each support to be true throughout, of the base."""

    tau: Floats
    supports: Floats
    base: float


def gibbs(world: Latent, *, sweeps: int = 2000, burn: int = 200, chains: int = 4, seed: int = 0) -> Drawn:
    """Return the means of *chains* chains of *sweeps* sweeps each, after *burn* that do not count.

    Even chains begin with all claims true, odd ones with each true or false by chance.
    """
    at_ptr, at = _transposed(world.rows, world.n)
    link_ptr, sibling, agree = _neighbours(world)
    factors = np.stack([world.factors(agree=False), world.factors(agree=True)])
    bases, weights = world.numbers.bases()
    k = world.numbers.source_weight
    most = np.arange(np.bincount(world.source).max() + 1)[:, None]
    true, false = (gammaln(k * share + most) - gammaln(k * share) for share in (bases, 1 - bases))
    means = [
        _chain(
            (world.source, int(world.source.max()) + 1, k),
            (at_ptr, at, world.evidence),
            (link_ptr, sibling, agree, factors),
            (bases, weights, true, false),
            burn,
            _start(world.n, chain, np.random.default_rng((seed, chain)), sweeps + burn),
        )
        for chain in range(chains)
    ]
    tau, supports, base = (np.mean([mean[i] for mean in means], axis=0) for i in range(3))
    return Drawn(tau, supports, float(base))


@numba.njit(cache=True)
def _chain(claims, rows, links, bases, burn, start):
    source, sources, k = claims
    at_ptr, at, evidence = rows
    grid = bases[0]
    x, chance = start
    n = len(source)
    missing = np.zeros(len(evidence), np.int64)
    counts = np.zeros((sources, 2), np.int64)
    for e in range(n):
        _shift(e, 1 - x[e], missing, at_ptr, at)
        counts[source[e], x[e]] += 1
    tau, whole, mean, base = np.zeros(n), np.zeros(len(missing)), 0.0, grid[len(grid) // 2]
    for sweep in range(len(chance)):
        counted = sweep >= burn
        for e in range(n):
            counts[source[e], x[e]] -= 1
            true, false = counts[source[e], 1] + k * base, counts[source[e], 0] + k * (1 - base)
            z = np.log(true / false) + _linked(e, x, links)
            for t in range(at_ptr[e], at_ptr[e + 1]):
                if missing[at[t]] == 1 - x[e]:
                    z += evidence[at[t]]
            p = 1 / (1 + np.exp(-z))
            drawn = 1 if chance[sweep, e] < p else 0
            if drawn != x[e]:
                _shift(e, x[e] - drawn, missing, at_ptr, at)
                x[e] = drawn
            counts[source[e], drawn] += 1
            if counted:
                tau[e] += p
        base = _base(counts, bases, chance[sweep, n])
        if counted:
            mean += base
            for f in range(len(missing)):
                whole[f] += missing[f] == 0
    swept = len(chance) - burn
    return tau / swept, whole / swept, mean / swept


@numba.njit(cache=True)
def _shift(e, by, missing, at_ptr, at):
    for t in range(at_ptr[e], at_ptr[e + 1]):
        missing[at[t]] += by


@numba.njit(cache=True)
def _linked(e, x, links):
    ptr, sibling, agree, factors = links
    z = 0.0
    for t in range(ptr[e], ptr[e + 1]):
        other = x[sibling[t]]
        z += factors[agree[t], 1 + other] - factors[agree[t], other]
    return z


@numba.njit(cache=True)
def _base(counts, bases, chance):
    grid, weights, true, false = bases
    share = weights.copy()
    for s in range(len(counts)):
        for g in range(len(grid)):
            share[g] += true[counts[s, 1], g] + false[counts[s, 0], g]
    most, total, drawn = share.max(), 0.0, 0
    for g in range(len(grid)):
        share[g] = np.exp(share[g] - most)
        total += share[g]
    below = share[0]
    while below < chance * total and drawn < len(grid) - 1:
        drawn += 1
        below += share[drawn]
    return grid[drawn]


def _start(n, chain, rng, sweeps):
    x = rng.integers(0, 2, n) if chain % 2 else np.ones(n, np.int64)
    return x, rng.random((sweeps, n + 1))


def _flat(rows):
    ptr = np.concatenate([[0], np.cumsum([len(row) for row in rows], dtype=np.int64)])
    return ptr.astype(np.int64), np.array([e for row in rows for e in row], np.int64)


def _transposed(rows, n):
    at = [[] for _ in range(n)]
    for f, row in enumerate(rows):
        for e in row:
            at[e].append(f)
    return _flat(at)


def _neighbours(world):
    near = [[] for _ in range(world.n)]
    for (one, other), agree in zip(world.links, world.agree, strict=True):
        near[one].append((other, int(agree)))
        near[other].append((one, int(agree)))
    ptr, _ = _flat(near)
    return (
        ptr,
        np.array([e for row in near for e, _ in row], np.int64),
        np.array([a for row in near for _, a in row], np.int64),
    )
