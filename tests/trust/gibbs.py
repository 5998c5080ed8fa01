"""Truths drawn one claim at a time, sources' reliabilities integrated out: the reference of trust.

Each sweep draws every claim given all others. If the base is not known, the reliability of each source is
drawn next, and the base from its values on the grid; both chains leave the joint of `latent_truths` as it is.

Source: the collapsed sampler, Liu, J. Am. Stat. Assoc. 89 (1994).
"""

from dataclasses import dataclass

import numba
import numpy as np
from scipy.special import betaln

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
    means = [
        _chain(
            (world.source, int(world.source.max()) + 1, k),
            (at_ptr, at, world.evidence),
            (link_ptr, sibling, agree, factors),
            (bases, weights, betaln(k * bases, k * (1 - bases))),
            (sweeps, burn),
            _start(world.n, chain, seed),
        )
        for chain in range(chains)
    ]
    tau, supports, base = (np.mean([mean[i] for mean in means], axis=0) for i in range(3))
    return Drawn(tau, supports, float(base))


@numba.njit(cache=True)
def _chain(claims, rows, links, bases, length, start):
    source, sources, k = claims
    at_ptr, at, evidence = rows
    grid, _, _ = bases
    n = len(source)
    x, rng = start
    missing = np.zeros(len(evidence), np.int64)
    counts = np.zeros((sources, 2), np.int64)
    for e in range(n):
        _shift(e, 1 - x[e], missing, at_ptr, at)
        counts[source[e], x[e]] += 1
    tau, whole, mean, base = np.zeros(n), np.zeros(len(missing)), 0.0, grid[len(grid) // 2]
    for sweep in range(length[0] + length[1]):
        counted = sweep >= length[1]
        for e in range(n):
            counts[source[e], x[e]] -= 1
            true, false = counts[source[e], 1] + k * base, counts[source[e], 0] + k * (1 - base)
            z = np.log(true / false) + _linked(e, x, links)
            for t in range(at_ptr[e], at_ptr[e + 1]):
                if missing[at[t]] == 1 - x[e]:
                    z += evidence[at[t]]
            p = 1 / (1 + np.exp(-z))
            drawn = 1 if rng.random() < p else 0
            if drawn != x[e]:
                _shift(e, x[e] - drawn, missing, at_ptr, at)
                x[e] = drawn
            counts[source[e], drawn] += 1
            if counted:
                tau[e] += p
        base = _base(counts, k, base, bases, rng)
        if counted:
            mean += base
            for f in range(len(missing)):
                whole[f] += missing[f] == 0
    return tau / length[0], whole / length[0], mean / length[0]


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
def _base(counts, k, base, bases, rng):
    grid, weights, norms = bases
    if len(grid) == 1:
        return grid[0]
    true, false = 0.0, 0.0
    for s in range(len(counts)):
        theta = rng.beta(k * base + counts[s, 1], k * (1 - base) + counts[s, 0])
        theta = min(max(theta, 1e-12), 1 - 1e-12)
        true += np.log(theta)
        false += np.log(1 - theta)
    log = weights + k * grid * true + k * (1 - grid) * false - len(counts) * norms
    share = np.cumsum(np.exp(log - log.max()))
    return grid[min(np.searchsorted(share, rng.random() * share[-1]), len(grid) - 1)]


def _start(n, chain, seed):
    rng = np.random.default_rng((seed, chain))
    return (rng.integers(0, 2, n) if chain % 2 else np.ones(n, np.int64)), rng


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
