"""Surface cues as a prior: claims with numbers, names, times and many words are thought to be needed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from memspan.material import Claim
from memspan.policies.traits import TRAITS, Traits

Floats = npt.NDArray[np.float64]

_PLACE = {name: i for i, name in enumerate(TRAITS)}
_WEIGHED = {"numbers": 1.5, "capitals": 0.8, "times": 2.0, "dates": 2.0, "words": 0.03}
"""Of counts: about one over what each usually deviates by in a conversation, .3 of that for words."""


class Important:
    """An order of claims rather than probabilities; a `Prior` that was fitted to nothing.

    >>> few, many = Important().observe([Claim("a", "Yes."), Claim("b", "Ana moved to Porto in May 2019.")])
    >>> bool(0 < few < many < 1)
    True
    """

    name = "importance"

    def __init__(self) -> None:
        """Start with nothing seen."""
        self.start()

    def start(self) -> None:
        """Forget everything."""
        self._traits = Traits()

    def observe(self, claims: Sequence[Claim]) -> Floats:
        """Return a number in (0, 1) for each of *claims*, higher for more cues."""
        counts = np.expm1(self._traits.observe(claims)[:, [_PLACE[name] for name in _WEIGHED]])
        cues = counts @ np.array([*_WEIGHED.values()])
        chances: Floats = (1 + cues) / (3 + cues)
        return chances
