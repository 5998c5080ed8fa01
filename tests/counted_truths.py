"""All truth vectors of a few claims, one by one: the oracle of the oracle."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import betaln, logsumexp

from latent_truths import Floats, Latent

MOST = 12


@dataclass(frozen=True)
class Exact:
    """Posterior probabilities: of each claim, of each support to be true throughout, of each base."""

    tau: Floats
    supports: Floats
    base: Floats


def exact(world: Latent) -> Exact:
    """Enumerate all truths of *world*, which has at most twelve claims."""
    if world.n > MOST:
        raise ValueError(f"{world.n} claims; enumeration takes at most {MOST}")
    x = (np.arange(2**world.n)[:, None] >> np.arange(world.n)) & 1 == 1
    whole = np.stack([x[:, list(row)].all(axis=1) for row in world.rows], axis=1)
    seen = whole @ world.evidence + _linked(world, x)
    joint = _prior(world, x) + seen[:, None]
    share = np.exp(joint - logsumexp(joint))
    return Exact(share.sum(axis=1) @ x, share.sum(axis=1) @ whole, share.sum(axis=0))


def _prior(world: Latent, x: npt.NDArray[np.bool_]) -> Floats:
    """Return the logarithm of each truth vector (rows) with each base (columns)."""
    bases, weights = world.numbers.bases()
    a, b = world.numbers.source_weight * bases, world.numbers.source_weight * (1 - bases)
    joint = np.broadcast_to(weights, (len(x), len(bases))).copy()
    for source in np.unique(world.source):
        said = x[:, world.source == source]
        true = said.sum(axis=1)[:, None]
        joint += betaln(a + true, b + said.shape[1] - true) - betaln(a, b)
    return joint


def _linked(world: Latent, x: npt.NDArray[np.bool_]) -> Floats:
    total = np.zeros(len(x))
    for (one, other), agree in zip(world.links, world.agree, strict=True):
        total += world.factors(agree)[x[:, one].astype(int) + x[:, other]]
    return total
