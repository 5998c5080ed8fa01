"""From the probability of single items to supports: the likeliest set, and sets drawn by chance."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Places = npt.NDArray[np.int64]

SMALLEST = 0.01  # chances below it are never drawn: they are too many, and too badly known
LARGEST = 60  # items in a support
COVERED = 0.5  # share of a part that an item must repeat to cover it
NEEDED = 0.05  # chance that an item needs to be taken for a part that nothing else covers


def likeliest(chances: Floats, parts: Sequence[Floats] = ()) -> Places:
    """Return the positions of the items that make the support most likely meant, at least one.

    It is the set whose expected F1 against the support is highest. Where the answer is a list,
    each of its parts is to be covered, and what adds no part must be likelier than not.

    Args:
        chances: probability of each item to belong to the support, shape (n,).
        parts: for each part of a listed answer how much of it each item repeats, shape (n,) each.

    >>> likeliest(np.array([0.2, 0.9, 0.6])).tolist()
    [1, 2]
    >>> likeliest(np.array([0.2, 0.9, 0.6]), [np.array([1.0, 0, 0]), np.array([0, 1.0, 1.0])]).tolist()
    [0, 1, 2]
    """
    chosen = _most_agreeing(chances)
    return _covering(chances, chosen, parts) if len(parts) > 1 else np.sort(chosen)


def _most_agreeing(chances: Floats) -> Places:
    """Return the best k items, k by the ratio of expectations 2 · E[hits] / (k + E[size of the support])."""
    best = np.argsort(-chances, kind="stable")[:LARGEST]
    possible = chances[chances >= SMALLEST]
    nothing = float(np.prod(1 - possible))  # excluded: a support is never empty
    scale = 1 / (1 - nothing) if nothing < 1 else 1.0
    size = scale * float(possible.sum())
    agreement = 2 * scale * np.cumsum(chances[best]) / (np.arange(1, len(best) + 1) + size)
    return best[: int(agreement.argmax()) + 1] if len(best) else best


def _covering(chances: Floats, chosen: Places, parts: Sequence[Floats]) -> Places:
    open_parts = list(parts)
    kept: list[int] = []
    for place in chosen.tolist():
        left = [part for part in open_parts if part[place] < COVERED]
        if len(left) < len(open_parts) or not kept or chances[place] >= 0.5:
            kept.append(place)
            open_parts = left
    while open_parts:
        part = open_parts.pop(0)
        best = int(np.where(part >= COVERED, chances * part, 0).argmax())
        if chances[best] >= NEEDED and part[best] >= COVERED:
            kept.append(best)
            open_parts = [other for other in open_parts if other[best] < COVERED]
    return np.array(sorted(set(kept)), np.int64)


def drawn(chances: Floats, rng: np.random.Generator) -> Places:
    """Draw a support: each item by its own chance, until at least one is in it.

    Drawing again until the set is not empty is the same as drawing the first item of the set in
    proportion to the chance that no item before it is in, so no loop is needed.

    >>> drawn(np.array([0.0, 1.0, 0.0]), np.random.default_rng(0)).tolist()
    [1]
    """
    places = np.flatnonzero(chances >= SMALLEST)
    if not len(places):
        return likeliest(chances)[:1]
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
