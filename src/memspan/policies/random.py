"""A random memory: each claim seen so far is equally likely to be held."""

from __future__ import annotations

import numpy as np

from memspan.policies.kept import Entry, Kept
from memspan.policies.likeness import Likeness


def random(likeness: Likeness, capacity: int | None = None, *, rng: np.random.Generator) -> Kept:
    """Return a memory that is a uniform sample of the claims seen so far, at any time.

    Each claim draws a number when it is first ranked, and the highest stay.

    Source: J. S. Vitter, *Random sampling with a reservoir*, 1985; the form with random keys.

    >>> random(Likeness(), 1, rng=np.random.default_rng(0)).name
    'random'
    """
    drawn = _Drawn(rng)
    return Kept("random", drawn.rank, likeness, capacity)


class _Drawn:
    """A number for each claim, drawn when it is first asked for."""

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng
        self._numbers: dict[str, float] = {}

    def rank(self, entry: Entry) -> tuple[float]:
        if entry.claim.id not in self._numbers:
            self._numbers[entry.claim.id] = float(self._rng.random())
        return (self._numbers[entry.claim.id],)
