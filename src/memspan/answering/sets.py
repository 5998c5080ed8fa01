"""From the probability of single items to supports: the likeliest set, and sets drawn by chance."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Places = npt.NDArray[np.int64]

SMALLEST = 0.01  # chances below it are never drawn: they are too many, and too badly known


def likeliest(chances: Floats, threshold: float) -> Places:
    """Return the positions of the items that make the support: the best one, and all above *threshold*.

    >>> likeliest(np.array([0.2, 0.9, 0.6]), 0.5).tolist()
    [1, 2]
    """
    chosen = chances >= threshold
    if len(chances):
        chosen[int(chances.argmax())] = True
    return np.flatnonzero(chosen)


def drawn(chances: Floats, rng: np.random.Generator) -> Places:
    """Draw a support: each item by its own chance, until at least one is in it.

    Drawing again until the set is not empty is the same as drawing the first item of the set in
    proportion to the chance that no item before it is in, so no loop is needed.

    >>> drawn(np.array([0.0, 1.0, 0.0]), np.random.default_rng(0)).tolist()
    [1]
    """
    places = np.flatnonzero(chances >= SMALLEST)
    if not len(places):
        return likeliest(chances, 1.0)
    kept = np.clip(chances[places], 0, 1)
    opening = kept * np.concatenate([[1.0], np.cumprod(1 - kept[:-1])])
    first = int(rng.choice(len(places), p=opening / opening.sum()))
    later = rng.random(len(places) - first - 1) < kept[first + 1 :]
    found: Places = np.concatenate([[places[first]], places[first + 1 :][later]]).astype(np.int64)
    return found


def mask(places: Places, n: int) -> npt.NDArray[np.bool_]:
    """Return a boolean array of length *n* that is true at *places*."""
    chosen = np.zeros(n, np.bool_)
    chosen[places] = True
    return chosen
