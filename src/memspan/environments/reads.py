"""What is read of a memory for a query: the held claims whose texts are most like its own."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from memspan.errors import ShapeError
from memspan.material import Claim, Query
from memspan.policies import Likeness

Bools = npt.NDArray[np.bool_]


class Reads:
    """Reads the *k* held claims most like the question; of equal ones the first.

    Args:
        claims: all that can be held.
        k: claims read for a query.
        likeness: how alike texts are.

    Raises:
        ShapeError: *k* is negative.

    >>> reads = Reads([Claim("a", "Ana paints."), Claim("b", "Rain in Porto.")], k=1)
    >>> reads(Query("", "What does Ana paint?"), np.array([True, True])).tolist()
    [True, False]
    """

    def __init__(self, claims: Sequence[Claim], k: int = 10, likeness: Likeness | None = None) -> None:
        """Learn the texts."""
        if k < 0:
            raise ShapeError(f"{k} claims to read; give 0 or more")
        self._k, self._likeness = k, Likeness() if likeness is None else likeness
        self._places = self._likeness.places([claim.text for claim in claims])

    def __call__(self, query: Query, held: Bools) -> Bools:
        """Return which of the claims *held* are read for *query*, shape (n,)."""
        places = np.flatnonzero(held)
        if len(places) > self._k:
            alike = self._likeness.to(query.text)[self._places[places]]
            places = places[np.argsort(-alike, kind="stable")[: self._k]]
        read = np.zeros(len(held), np.bool_)
        read[places] = True
        return read
