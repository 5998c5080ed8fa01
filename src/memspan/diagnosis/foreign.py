"""Chances as they are in a store of which little is of a material: a prior for each store."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

USUAL = 0.15  # share of the memories that tell something; stores of which more does are as those fitted on
_BELIEF = 10.0  # memories that the usual share counts as: a few that tell nothing prove little
_STEPS = 12  # by then the share hardly moves


def damped(chances: Floats, memory: Ints, n: int, certain: int = 0) -> Floats:
    """Return *chances* by the share of a store's memories that tell anything, where that is small.

    The odds are multiplied by that share over the usual one, at most by 1, and the share is found anew,
    until both agree. In a store of somebody else likely pairs are chance; in one that is half of it
    from elsewhere nothing changes.

    Args:
        chances: shape (n pairs,), each in [0, 1).
        memory: position of each pair's memory.
        n: memories of the store, with those certain and those without any pair.
        certain: memories known to tell something, not among the pairs.

    >>> few = damped(np.array([0.3, 0.2, 0.2]), np.array([4, 7, 9]), 100)
    >>> bool((few < 0.05).all())
    True
    >>> damped(np.array([0.3, 0.9]), np.array([0, 1]), 4).tolist()
    [0.3, 0.9]

    Source: Saerens, Latinne and Decaestecker, *Adjusting the outputs of a classifier to new a priori
    probabilities*, Neural Computation 14 (2002), with a prior on the share.
    """
    now = chances
    for _ in range(_STEPS):
        now = scaled(chances, factor(certain + _telling(now, memory, n), n))
    return now


def factor(telling: float, n: int) -> float:
    """Return what odds are multiplied by where *telling* of a store's *n* memories tell something.

    >>> factor(3, 100) < 0.3 < factor(0, 2) < factor(1, 4) == 1
    True
    """
    return min(1.0, (_BELIEF * USUAL + telling) / (_BELIEF + n) / USUAL)


def scaled(chances: Floats, by: float) -> Floats:
    """Return *chances* with their odds multiplied.

    >>> scaled(np.array([0.5, 0.0]), 1 / 3).tolist()
    [0.25, 0.0]
    """
    return chances if by == 1 else chances * by / (1 - chances + chances * by)


def _telling(chances: Floats, memory: Ints, n: int) -> float:
    """Return the expected number of memories that tell something, by the likeliest claim of each."""
    best = np.zeros(n)
    np.maximum.at(best, memory, chances)
    return float(best.sum())
