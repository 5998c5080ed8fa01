"""A memory for supports that are not sure: claims in the order that expected coverage gains most from."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from memspan.coverage.arrays import transpose
from memspan.material import Material
from memspan.span.drawing import CHANCES

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

_SUREST = 0.999  # a chance of one would make all others of its question worthless


@dataclass(frozen=True)
class Expectation:
    """Which claims each question may need: E claims, Q questions.

    A question's support holds each claim independently by its chance, and at least one. A memory
    covers it in expectation by the chance that no claim outside the memory is needed.

    Attributes:
        claims: ids of the E claims.
        ptr, places, chances: question q may need ``places[ptr[q]:ptr[q + 1]]``, by those chances.
        weights: of the Q questions, summing to 1.
    """

    claims: tuple[str, ...]
    ptr: Ints
    places: npt.NDArray[np.int32]
    chances: Floats
    weights: Floats

    @classmethod
    def of(cls, material: Material) -> Expectation:
        """Read the chances that `memspan.span.find_supports` left in *material*; others are sure."""
        rows = [_row(material, query_chances) for query_chances in _each(material)]
        weights = np.array([q.weight for q in material.queries if material.supports_of(q)], np.float64)
        return cls(
            tuple(claim.id for claim in material.claims),
            np.concatenate([[0], np.cumsum([len(row) for row in rows])]).astype(np.int64),
            np.array([place for row in rows for place, _ in row], np.int32),
            np.clip(np.array([chance for row in rows for _, chance in row], np.float64), 0, _SUREST),
            weights / max(float(weights.sum()), 1e-300),
        )

    @cached_property
    def _owner(self) -> Ints:
        return np.repeat(np.arange(len(self.weights)), np.diff(self.ptr))

    @cached_property
    def _nothing(self) -> Floats:
        """Chance that no claim at all would be needed: excluded, since one always is."""
        return self._left(np.zeros(len(self.claims), np.bool_))

    def _left(self, memory: npt.NDArray[np.bool_]) -> Floats:
        """Return for each question the chance that it needs no claim outside *memory*."""
        missing = np.where(memory[self.places], 1.0, 1 - self.chances)
        if not len(missing):
            return np.ones(len(self.weights))
        products: Floats = np.multiply.reduceat(missing, self.ptr[:-1])
        return products

    def value(self, memory: npt.NDArray[np.bool_]) -> float:
        """Return the expected coverage of *memory*, a boolean array of shape (E,), in [0, 1]."""
        share = (self._left(memory) - self._nothing) / (1 - self._nothing)
        return float(share @ self.weights)

    @cached_property
    def order(self) -> tuple[str, ...]:
        """All claims that some question may need, each the one that gains most after those before it.

        Greedy: no guarantee, since claims that are needed together gain little alone.
        """
        by_claim, entries = transpose(np.arange(len(self.places) + 1), self.places, len(self.claims))
        rate = self.chances / (1 - self.chances) * (self.weights / (1 - self._nothing))[self._owner]
        left = self._nothing.copy()
        gains = np.bincount(self.places, rate * left[self._owner], len(self.claims))
        order: list[int] = []
        for _ in range(len(np.unique(self.places))):
            best = int(gains.argmax())
            order.append(best)
            for entry in entries[by_claim[best] : by_claim[best + 1]].tolist():
                question = int(self._owner[entry])
                row = slice(int(self.ptr[question]), int(self.ptr[question + 1]))
                grown = left[question] * self.chances[entry] / (1 - self.chances[entry])
                left[question] += grown
                np.add.at(gains, self.places[row], rate[row] * grown)
            gains[order] = -np.inf
        return tuple(self.claims[i] for i in order)

    def memory(self, capacity: int) -> tuple[str, ...]:
        """Return the first *capacity* claims of `order`, in material order."""
        held = set(self.order[:capacity])
        return tuple(name for name in self.claims if name in held)


def _each(material: Material) -> list[dict[str, float]]:
    """Return the chances of each question that has a support; sure claims where none were found."""
    found = []
    for query in material.queries:
        supports = material.supports_of(query)
        if supports:
            sure = dict.fromkeys(supports[0].claims, 1.0)
            found.append(query.extra.get(CHANCES) or sure)
    return found


def _row(material: Material, chances: dict[str, float]) -> list[tuple[int, float]]:
    at = material.claim_position
    return [(at[name], float(chance)) for name, chance in chances.items()]
