"""Numbers that an agent sees of each claim in place of its words."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

from memspan.material import Claim
from memspan.ports import Prior

Floats = npt.NDArray[np.float64]
_WORD = re.compile(r"\w+")


class Features(Protocol):
    """The features of one material, as its claims appear."""

    def observe(self, claims: Sequence[Claim]) -> Floats:
        """Return a row for each of the next claims, shape (k, F); also for none, shape (0, F)."""
        ...


MakesFeatures = Callable[[], Features]
"""Makes features for a new material: a class such as `Surface`, or `judged` of a prior."""

SURFACE: Mapping[str, str] = {
    "length": "log(1 + words)",
    "numbers": "words that hold a digit, as a share",
    "capitals": "words after the first that begin with a capital, as a share",
    "asks": "1 where it holds a question mark",
}
"""The columns of `Surface`: what each means."""


class Surface:
    """A few cheap numbers of each claim, whatever its neighbours: the columns of `SURFACE`.

    >>> Surface().observe([Claim("a", "Did Ana move on 3 May?")]).round(2).tolist()
    [[1.95, 0.17, 0.33, 1.0]]
    """

    def observe(self, claims: Sequence[Claim]) -> Floats:
        """Return the rows of the next *claims*."""
        return np.array([_surface(claim.text) for claim in claims], np.float64).reshape(-1, len(SURFACE))


def _surface(text: str) -> tuple[float, ...]:
    words = _WORD.findall(text)
    count = max(len(words), 1)
    numbers = sum(any(map(str.isdigit, word)) for word in words)
    capitals = sum(word[0].isupper() for word in words[1:])
    return float(np.log1p(len(words))), numbers / count, capitals / count, float("?" in text)


def judged(prior: Prior) -> MakesFeatures:
    """Return features of one column: the chance that *prior*, e.g. a trained rule, gives each claim.

    The column can be given back as it is as the action of an environment.
    """
    return lambda: _Judged(prior)


class _Judged:
    def __init__(self, prior: Prior) -> None:
        self._prior = prior
        prior.start()

    def observe(self, claims: Sequence[Claim]) -> Floats:
        return np.asarray(self._prior.observe(claims), np.float64).reshape(-1, 1)
