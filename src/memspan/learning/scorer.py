"""Scores of claims from their traits: the same for a claim wherever it stands.

Parameters are one flat vector, so that any way of climbing fits any scorer. Claims of a material are
scored by the same function, and what it sees of the others is their mean: permuted claims give
permuted scores.

Source: Zaheer et al., *Deep Sets*, 2017.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Scorer:
    """A weighted sum of traits; with *hidden* units, plus what they make of a claim and of its material.

    Attributes:
        traits: number of traits F.
        hidden: number of hidden units H, each tanh(a · traits + c · mean traits + d); 0 for none.

    >>> table = np.array([[[1.0, 0.0], [0.0, 2.0]]])
    >>> Scorer(2).scores(np.array([3.0, 0.5]), table, np.ones((1, 2), np.bool_)).tolist()
    [[3.0, 1.0]]
    """

    traits: int
    hidden: int = 0

    @property
    def size(self) -> int:
        """Number of parameters: F weights; then H outputs, H · F for claims, H · F for means, H offsets."""
        return self.traits + self.hidden * (2 * self.traits + 2)

    def start(self, rng: np.random.Generator) -> Floats:
        """Return parameters under which all claims score 0."""
        parameters = np.zeros(self.size)
        inner = 2 * self.hidden * self.traits
        begun = self.traits + self.hidden
        parameters[begun : begun + inner] = rng.normal(size=inner) / max(self.traits, 1) ** 0.5
        return parameters

    def scores(self, parameters: Floats, tables: Floats, valid: Bools) -> Floats:
        """Return scores of K materials, shape (K, N), from *tables* (K, N, F); -inf where not *valid*."""
        weights, outputs, *inner = self._parts(parameters)
        scores = tables @ weights
        if self.hidden:
            scores = scores + self._units(inner, tables, valid) @ outputs
        return np.where(valid, scores, -np.inf)

    def slope(self, parameters: Floats, tables: Floats, valid: Bools, slopes: Floats) -> Floats:
        """Return the slope in the parameters from *slopes* in the scores, (K, N), 0 where not valid."""
        direct: Floats = np.einsum("kn,knf->f", slopes, tables)
        if not self.hidden:
            return direct
        _, outputs, *inner = self._parts(parameters)
        units = self._units(inner, tables, valid)
        into = slopes[..., None] * outputs * (1 - units**2)
        by_claim = np.einsum("knh,knf->hf", into, tables)
        by_mean = np.einsum("kh,kf->hf", into.sum(axis=1), _means(tables, valid))
        to_outputs = np.einsum("kn,knh->h", slopes, units)
        return np.concatenate([direct, to_outputs, by_claim.ravel(), by_mean.ravel(), into.sum(axis=(0, 1))])

    def _units(self, inner: list[Floats], tables: Floats, valid: Bools) -> Floats:
        claims, means, offsets = inner
        units: Floats = np.tanh(tables @ claims.T + (_means(tables, valid) @ means.T + offsets)[:, None, :])
        return units

    def _parts(self, parameters: Floats) -> list[Floats]:
        """Return weights, outputs, weights of claims and of means, and offsets."""
        f, h = self.traits, self.hidden
        weights, outputs, claims, means, offsets = np.split(parameters, np.cumsum([f, h, h * f, h * f]))
        return [weights, outputs, claims.reshape(h, f), means.reshape(h, f), offsets]


def _means(tables: Floats, valid: Bools) -> Floats:
    means: Floats = (tables * valid[..., None]).sum(axis=1) / np.maximum(valid.sum(axis=1), 1)[:, None]
    return means
