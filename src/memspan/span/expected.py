"""A memory for supports that are not sure: claims in the order that expected coverage gains most from."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from memspan.answering.sets import SMALLEST
from memspan.coverage.arrays import offsets, transpose
from memspan.material import Material, Query
from memspan.span.drawing import chances_of

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
        weights: of the Q questions, summing to 1, or all 0.
    """

    claims: tuple[str, ...]
    ptr: Ints
    places: npt.NDArray[np.int32]
    chances: Floats
    weights: Floats

    @classmethod
    def of(cls, material: Material) -> Expectation:
        """Read the chances that `memspan.span.find_supports` left in *material*.

        A question without them needs the claims of its first support for sure; one without supports
        is left out.

        Raises:
            UnknownName: a chance names a claim that is not there.
        """
        asked = [query for query in material.queries if material.supports_of(query)]
        rows = [_row(material, query) for query in asked]
        weights = np.array([query.weight for query in asked], np.float64)
        return cls(
            tuple(claim.id for claim in material.claims),
            offsets(len(row) for row in rows),
            np.array([place for row in rows for place, _ in row], np.int32),
            np.array([chance for row in rows for _, chance in row], np.float64),
            weights / max(float(weights.sum()), 1e-300),
        )

    @cached_property
    def _owner(self) -> Ints:
        return np.repeat(np.arange(len(self.weights)), np.diff(self.ptr))

    def _product(self, factors: Floats) -> Floats:
        """Return for each question the product of its *factors*, one for each of `places`."""
        products = np.ones(len(self.weights))
        np.multiply.at(products, self._owner, factors)
        return products

    def value(self, memory: npt.NDArray[np.bool_]) -> float:
        """Return the expected coverage of *memory*, a boolean array of shape (E,), in [0, 1].

        That a question needs no claim at all is excluded, unless its support is the empty set.
        """
        left = self._product(np.where(memory[self.places], 1.0, 1 - self.chances))
        nothing = self._product(1 - self.chances)
        share = np.divide(left - nothing, 1 - nothing, out=np.ones_like(left), where=nothing < 1)
        return float(share @ self.weights)

    @cached_property
    def order(self) -> tuple[str, ...]:
        """All claims that some question may need, each the one that gains most after those before it.

        Greedy: no guarantee, since claims that are needed together gain little alone.
        """
        by_claim, entries = transpose(np.arange(len(self.places) + 1), self.places, len(self.claims))
        chances = np.minimum(self.chances, _SUREST)
        odds, left = chances / (1 - chances), self._product(1 - chances)
        rate = odds * (self.weights / np.maximum(1 - left, 1e-300))[self._owner]
        gains = np.full(len(self.claims), -np.inf)
        gains[self.places] = 0
        np.add.at(gains, self.places, rate * left[self._owner])
        order: list[int] = []
        while gains.max(initial=-np.inf) > -np.inf:
            best = int(gains.argmax())
            gains[best] = -np.inf
            order.append(best)
            for entry in entries[by_claim[best] : by_claim[best + 1]].tolist():
                question = int(self._owner[entry])
                row = slice(int(self.ptr[question]), int(self.ptr[question + 1]))
                grown = left[question] * odds[entry]
                left[question] += grown
                np.add.at(gains, self.places[row], rate[row] * grown)
        return tuple(self.claims[i] for i in order)

    def memory(self, capacity: int) -> tuple[str, ...]:
        """Return the first *capacity* claims of `order`, in material order."""
        held = set(self.order[:capacity])
        return tuple(name for name in self.claims if name in held)


def _row(material: Material, query: Query) -> list[tuple[int, float]]:
    """Return the claims that *query* may need, and by which chance: as `memspan.span.draw` draws them."""
    chances = chances_of(query) or dict.fromkeys(material.supports_of(query)[0].claims, 1.0)
    drawn = {name: chance for name, chance in chances.items() if chance >= SMALLEST}
    if not drawn and chances:
        drawn = {max(chances, key=lambda name: chances[name]): 1.0}
    return [(_place(material, name), float(chance)) for name, chance in drawn.items()]


def _place(material: Material, name: str) -> int:
    material.claim(name)  # refuses a name that is not there
    return material.claim_position[name]
