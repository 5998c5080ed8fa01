"""A weighted sum of features, and the probability that it means."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

_SUREST = 700.0  # a logit beyond it overflows, and changes no probability that can be told from 0 or 1


@dataclass(frozen=True)
class Linear:
    """A weighted sum: ``bias`` + Σ weight · feature, the logit of a probability."""

    bias: float
    weights: Mapping[str, float]

    def logits(self, names: Sequence[str], table: Floats) -> Floats:
        """Return the sum for each row of *table*, whose columns are *names*: all that count, maybe more."""
        weights = np.array([self.weights.get(name, 0.0) for name in names], np.float64)
        values: Floats = self.bias + table @ weights
        return values


def probability(logits: Floats) -> Floats:
    """Return the probability that each of *logits* means, in [0, 1].

    >>> probability(np.array([0.0, 1e6])).tolist()
    [0.5, 1.0]
    """
    chances: Floats = 1 / (1 + np.exp(-np.maximum(logits, -_SUREST)))
    return chances
