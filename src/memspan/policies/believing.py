"""What a write policy believes to be true: trust that settled queries teach, kept up while they come."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

from memspan.growing import Table
from memspan.material import Claim, Settlement
from memspan.policies.valuing import Set
from memspan.trust import Terms, TrustModel
from memspan.trust.beliefs import beliefs_of

Floats = npt.NDArray[np.float64]
EVERY = 10
"""Settlements after which the belief in all claims is taken anew; in between in those that they reach."""


class Believing(Protocol):
    """Belief in the truth of claims, by their position; claims come with their links as positions, too."""

    def start(self) -> None:
        """Forget everything."""
        ...

    def add(self, claims: Sequence[Claim]) -> None:
        """Take the next claims: ids and links are positions as text, and lead to claims that are there."""
        ...

    def settle(self, used: Set, correct: float) -> None:
        """Learn that an answer which rested on *used* was settled as right (1), as wrong (0), or between."""
        ...

    def singles(self) -> Floats:
        """Return the probability of each claim to be true, shape (n,); not to be changed."""
        ...

    def whole(self, support: Set) -> float:
        """Return the probability that all claims of *support* are true."""
        ...


class Learned:
    """Trust from outcomes, by `memspan.trust.TrustModel`; implements `Believing`.

    What outcomes say of the claims that they rest on, and of those linked with these, counts at once; what
    follows for other claims of the same source counts with every tenth settlement, since looking at all
    takes longer than all else.

    Args:
        terms: the numbers of the trust model.
    """

    def __init__(self, terms: Terms | None = None) -> None:
        """Start with nothing seen."""
        self._terms = terms
        self.start()

    def start(self) -> None:
        """Forget everything."""
        self._model = TrustModel(terms=self._terms)
        self._rows = Table(tau=(np.float64, 0))
        self._likes: dict[tuple[str | None, bool], list[int]] = defaultdict(list)
        self._apart: set[int] = set()  # claims of which more is known than their source
        self._near: dict[int, set[int]] = defaultdict(set)
        self._settled: dict[Set, float] = {}
        self._sets: dict[int, set[Set]] = defaultdict(set)
        self._sources: list[str | None] = []
        self._count = 0

    def add(self, claims: Sequence[Claim]) -> None:
        """Take the next claims."""
        self._model.add(claims)
        self._rows.extend(len(claims))
        for claim in claims:
            self._sources.append(claim.source)
            here = int(claim.id)
            for name in (*claim.contradicts, *claim.corroborates, *claim.supersedes):
                self._near[here].add(int(name))
                self._near[int(name)].add(here)
                self._apart |= {here, int(name)}
        self._look()

    def settle(self, used: Set, correct: float) -> None:
        """Count one outcome."""
        names = tuple(map(str, used))
        self._model.settle(Settlement("", correct, names))
        self._apart |= set(used)
        if len(used) > 1:
            self._settled.setdefault(used, 0.0)
            for e in used:
                self._sets[e].add(used)
        self._count += 1
        if self._count % EVERY == 0:
            self._look()
            return
        reached = set(used).union(*(self._near.get(e, ()) for e in used))
        self._look_at(reached)

    def singles(self) -> Floats:
        """Return the trust in each claim."""
        tau: Floats = self._rows["tau"].used
        return tau

    def whole(self, support: Set) -> float:
        """Return the belief in a settled support, the product of its claims' trust for another."""
        if support in self._settled:
            return self._settled[support]
        cells = self._rows["tau"].cells
        return math.prod(float(cells[e]) for e in support)

    def _look(self) -> None:
        """Take the belief in everything anew; claims of which only the source is known are all alike."""
        sources: dict[str | None, list[int]] = defaultdict(list)
        for e, source in enumerate(self._sources):
            if e not in self._apart:
                sources[source].append(e)
        first = [places[0] for places in sources.values()]
        for places, belief in zip(sources.values(), self._beliefs([(e,) for e in first]), strict=True):
            self._rows["tau"].data[places] = belief
        self._look_at(self._apart)

    def _look_at(self, places: set[int]) -> None:
        order = sorted(places)
        self._rows["tau"].data[order] = self._beliefs([(e,) for e in order])
        sets = sorted({each for e in order if e in self._sets for each in self._sets[e]})
        self._settled.update(zip(sets, self._beliefs(sets).tolist(), strict=True))

    def _beliefs(self, rows: Sequence[Set]) -> Floats:
        return beliefs_of(self._model.engine, rows) if rows else np.zeros(0)


class Certain:
    """Takes everything for true, or what it was told to be; implements `Believing`.

    Args:
        truth: whether each claim is true, by position; all of them are where it is not given.
    """

    def __init__(self, truth: npt.NDArray[np.bool_] | None = None) -> None:
        """Start with nothing seen."""
        self._truth = truth
        self.start()

    def start(self) -> None:
        """Forget what has appeared."""
        self._count = 0

    def add(self, claims: Sequence[Claim]) -> None:
        """Take the next claims."""
        self._count += len(claims)

    def settle(self, used: Set, correct: float) -> None:
        """Learn nothing: it is certain."""

    def singles(self) -> Floats:
        """Return 1 for each claim that is taken for true, else 0."""
        return np.ones(self._count) if self._truth is None else self._truth[: self._count].astype(np.float64)

    def whole(self, support: Set) -> float:
        """Return 1 where all of *support* is taken for true, else 0."""
        return float(self._truth is None or self._truth[list(support)].all())
