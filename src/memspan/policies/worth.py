"""What sets of claims are worth, claim by claim: for policies that weigh a claim against what is held.

Two objectives. `Chances` adds up what a prior gives each claim; it is learned and needs to be told
nothing. `Covering` is an oracle: it is told the supports and how often each query is asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise
from typing import Protocol

import numpy as np
import numpy.typing as npt

from memspan.coverage import Coverage
from memspan.errors import ShapeError
from memspan.material import Claim
from memspan.ports import Prior

Floats = npt.NDArray[np.float64]
_UNIT = (
    2.0**-40
)  # worths are whole multiples of it, so that what is added and taken away again leaves nothing


class Worth(Protocol):
    """A set of claims, by position, and what it is worth."""

    @property
    def value(self) -> float:
        """What the set is worth; 0 for none."""
        ...

    @property
    def claims(self) -> Collection[int]:
        """The set, in the order in which its claims were added."""
        ...

    def gain(self, claim: int) -> float:
        """Return what *claim* would add; 0 where it is in the set."""
        ...

    def loss(self, claim: int) -> float:
        """Return what would be lost with *claim*; 0 where it is not in the set."""
        ...

    def add(self, claim: int) -> None:
        """Put *claim* into the set."""
        ...

    def drop(self, claim: int) -> None:
        """Take *claim* out of the set."""
        ...


class Objective(Protocol):
    """What sets of claims are worth: never less with a claim more."""

    @property
    def name(self) -> str:
        """Short and stable, as outputs name it."""
        ...

    def start(self) -> None:
        """Forget everything: a new material begins."""
        ...

    def observe(self, claims: Sequence[Claim]) -> None:
        """Take the next claims."""
        ...

    def holding(self, claims: Iterable[int] = ()) -> Worth:
        """Return the worth of a set of *claims*, to be changed at will."""
        ...


class Chances:
    """A set is worth the sum of the chances of its claims to be needed, as a prior judges them.

    >>> class Even:
    ...     name = "even"
    ...     def start(self): pass
    ...     def observe(self, claims): return np.full(len(claims), 0.5)
    >>> chances = Chances(Even())
    >>> chances.observe([Claim("a"), Claim("b")])
    >>> chances.holding([0, 1]).value
    1.0
    """

    def __init__(self, prior: Prior) -> None:
        """Judge by *prior*."""
        self._prior = prior
        self.start()

    @property
    def name(self) -> str:
        """The prior's own."""
        return self._prior.name

    def start(self) -> None:
        """Forget everything."""
        self._prior.start()
        self._chances: list[float] = []

    def observe(self, claims: Sequence[Claim]) -> None:
        """Judge the next claims."""
        self._chances.extend(_whole(self._prior.observe(claims)))

    def holding(self, claims: Iterable[int] = ()) -> Worth:
        """Return the sum of the chances of *claims*."""
        return _Sum(self._chances, claims)


def _whole(worths: Floats) -> list[float]:
    units: list[float] = (np.round(worths / _UNIT) * _UNIT).tolist()
    return units


class _Sum:
    """A set that is worth the sum of its claims."""

    def __init__(self, each: Sequence[float], claims: Iterable[int]) -> None:
        self._each, self.value = each, 0.0
        self._set: dict[int, None] = {}
        for claim in claims:
            self.add(claim)

    @property
    def claims(self) -> Collection[int]:
        return self._set.keys()

    def gain(self, claim: int) -> float:
        return 0.0 if claim in self._set else self._each[claim]

    def loss(self, claim: int) -> float:
        return self._each[claim] if claim in self._set else 0.0

    def add(self, claim: int) -> None:
        self.value += self.gain(claim)
        self._set[claim] = None

    def drop(self, claim: int) -> None:
        self.value -= self.loss(claim)
        self._set.pop(claim, None)


class Covering:
    """An oracle: a set is worth the mass of the queries that it covers, which no policy can know.

    Where every support is one claim it is submodular, and the guarantees of the streaming algorithms hold.

    Args:
        coverage: the material's supports.
        law: (Q,) how likely each query is; by default the material's own weights.

    Attributes:
        supports: the claims of each support, by position.

    Raises:
        ShapeError: the law does not have one entry for each query, or a support can be defeated.

    Source: arXiv 2608.11654, Definition 2.5.

    >>> from memspan.coverage import compile_material
    >>> from memspan.datasets import bundled
    >>> held = Covering(compile_material(bundled("odyssey"))).holding([2])
    >>> round(held.value, 9), round(held.gain(1), 9)
    (0.35, 0.1)
    """

    name = "told"

    def __init__(self, coverage: Coverage, law: Floats | None = None) -> None:
        """Be told what covers what."""
        if not coverage.monotone:
            raise ShapeError("a support has 'unless'; give a material whose supports stay")
        if law is not None and law.shape != coverage.weights.shape:
            raise ShapeError(f"the law has shape {law.shape}; give {coverage.weights.shape}, one per query")
        self.masses = _whole(coverage.weights / max(coverage.total, 1) if law is None else law)
        bounds, members = coverage.ptr.tolist(), coverage.members.tolist()
        self.supports = [tuple(members[start:end]) for start, end in pairwise(bounds)]
        self.owner: list[int] = coverage.owner.tolist()
        self.of: list[list[int]] = [[] for _ in range(coverage.n_claims)]
        for s, support in enumerate(self.supports):
            for claim in support:
                self.of[claim].append(s)

    def start(self) -> None:
        """Forget nothing: what was told stays true."""

    def observe(self, claims: Sequence[Claim]) -> None:
        """Learn nothing: all was told."""

    def holding(self, claims: Iterable[int] = ()) -> Worth:
        """Return the mass that *claims* cover."""
        return _Covered(self, claims)


class _Covered:
    """A set of claims, what each support still lacks, and how many whole supports each query has."""

    def __init__(self, told: Covering, claims: Iterable[int]) -> None:
        self._told = told
        self._set: dict[int, None] = {}
        self._lacking = list(map(len, told.supports))
        self._ways = Counter(q for q, lacking in zip(told.owner, self._lacking, strict=True) if not lacking)
        self.value = sum((told.masses[q] for q in self._ways), 0.0)
        for claim in claims:
            self.add(claim)

    @property
    def claims(self) -> Collection[int]:
        return self._set.keys()

    def gain(self, claim: int) -> float:
        if claim in self._set:
            return 0.0
        owner, lacking, ways = self._told.owner, self._lacking, self._ways
        new = {owner[s] for s in self._told.of[claim] if lacking[s] == 1 and not ways[owner[s]]}
        return sum((self._told.masses[q] for q in new), 0.0)

    def loss(self, claim: int) -> float:
        if claim not in self._set:
            return 0.0
        whole = Counter(self._told.owner[s] for s in self._told.of[claim] if not self._lacking[s])
        return sum((self._told.masses[q] for q, ways in whole.items() if self._ways[q] == ways), 0.0)

    def add(self, claim: int) -> None:
        if claim not in self._set:
            self.value += self.gain(claim)
            self._set[claim] = None
            for s in self._told.of[claim]:
                self._lacking[s] -= 1
                self._ways[self._told.owner[s]] += not self._lacking[s]

    def drop(self, claim: int) -> None:
        if claim in self._set:
            self.value -= self.loss(claim)
            del self._set[claim]
            for s in self._told.of[claim]:
                self._ways[self._told.owner[s]] -= not self._lacking[s]
                self._lacking[s] += 1
