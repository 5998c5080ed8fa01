"""A prior that knows nothing: every claim is as likely to be needed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from memspan.material import Claim

CHANCE = 0.25
"""About as many claims of a conversation are needed by some question."""


class Even:
    """The same chance for every claim; a `Prior`.

    >>> Even().observe([Claim("a"), Claim("b")]).tolist()
    [0.25, 0.25]
    """

    name = "even"

    def __init__(self, chance: float = CHANCE) -> None:
        """Take *chance*, in (0, 1)."""
        self._chance = chance

    def start(self) -> None:
        """Nothing to forget."""

    def observe(self, claims: Sequence[Claim]) -> npt.NDArray[np.float64]:
        """Return the chance for each of *claims*."""
        return np.full(len(claims), self._chance)
