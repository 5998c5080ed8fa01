"""Level 1a: what queries rest on and how likely each is are known, and the memory is the best there is.

An oracle: it gives bounds and tests something to be held against, and is told what no policy may see.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from memspan.coverage import compile_material
from memspan.material import Claim, Material
from memspan.optimum import frontier
from memspan.ports import Outcome, View

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]


class Optimal:
    """Holds an optimal memory, M*(S); a `WritePolicy` that is told everything.

    Args:
        material: with its queries, and what they rest on.
        law: how likely each query is, shape (Q,), in the order of ``compile_material(material).queries``;
            the material's own weights where it is not given.
        seconds: for an optimum; a memory found in time that is not proven best is held all the same.

    >>> from memspan.datasets import bundled
    >>> policy = Optimal(bundled("odyssey"))
    >>> none, every = np.zeros(6, bool), np.ones(6, bool)
    >>> policy.score(View(none, every, every, np.ones(6), 3)).tolist()
    [1.0, 0.0, 1.0, 1.0, 0.0, 0.0]
    """

    name = "optimum"

    def __init__(self, material: Material, law: Floats | None = None, seconds: float = 10.0) -> None:
        """Take in what is asked."""
        self._material = material if law is None else _weighted(material, law)
        self._seconds = seconds
        self.start(0)

    def start(self, seed: int) -> None:  # noqa: ARG002 - nothing is left to chance
        """Forget which memory was best before."""
        self._known: dict[tuple[bytes, float, bytes], Floats] = {}

    def observe(self, claims: Sequence[Claim]) -> None:
        """Learn nothing: all of them are known."""

    def settle(self, outcome: Outcome) -> None:
        """Learn nothing."""

    def score(self, view: View) -> Floats:
        """Return 1 for each claim of an optimal memory among those that may be held, 0 for the others."""
        key = view.open.tobytes(), view.capacity, view.costs.tobytes()
        if key not in self._known:
            self._known = {key: self._best(view)}
        return self._known[key].copy()

    def _best(self, view: View) -> Floats:
        material = _open(self._material, view)
        found = frontier(material, cost=_COST, capacities=[int(view.capacity)], seconds=self._seconds)
        scores = np.zeros(len(view.open))
        scores[[self._material.claim_position[name] for name in found.memory(int(view.capacity))]] = 1.0
        return scores


_COST = "held"


def _weighted(material: Material, law: Floats) -> Material:
    weights = dict(zip(compile_material(material).queries, law.tolist(), strict=True))
    queries = [replace(q, weight=weights[q.id]) for q in material.queries if q.id in weights]
    return replace(material, queries=tuple(queries), settlements=())


def _open(material: Material, view: View) -> Material:
    """Return *material* with the supports that may be held, and what holding each claim costs."""
    allowed = {claim.id for claim, may in zip(material.claims, view.open, strict=False) if may}
    queries = []
    for query in material.queries:
        ways = tuple(each for each in material.supports_of(query) if allowed.issuperset(each.claims))
        queries.append(replace(query, items=(), supports=ways))
    costs = [*view.costs.tolist(), *[0.0] * (len(material.claims) - len(view.costs))]
    claims = [replace(c, costs={_COST: cost}) for c, cost in zip(material.claims, costs, strict=True)]
    return replace(material, claims=tuple(claims), items=(), queries=tuple(queries), settlements=())
