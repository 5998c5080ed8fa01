"""What proves an upper bound. `verify` believes none of these and checks each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memspan.optimum.problem import Problem
from memspan.optimum.shares import Shares

if TYPE_CHECKING:
    from memspan.optimum.exact import Solution


@dataclass(frozen=True)
class Sharing:
    """Shares of each query's weight among items bound every capacity.

    `kind` tells where they come from: ``multipliers`` of a relaxation, or the flow of a ``cut``.
    """

    shares: Shares
    kind: str = "multipliers"


@dataclass(frozen=True)
class Fixing:
    """At one capacity, shares decide items: a memory that decides one otherwise cannot beat `reached`.

    Attributes:
        capacity: the only capacity this holds for.
        shares, price: the bound behind it; price is per unit of cost, in the shares' scale.
        reached: value of the best memory known when the items were fixed.
        fixed: items that any better memory holds (True) or lacks (False).
    """

    capacity: int
    shares: Shares
    price: int
    reached: int
    fixed: Mapping[int, bool]


@dataclass(frozen=True)
class Reduction:
    """What a fixing leaves is a smaller problem, solved on its own.

    The bound is the larger of the value already reached and the smaller problem's bound.
    """

    fixing: Fixing
    solution: Solution
    kind = "reduction"


@dataclass(frozen=True)
class Leaf:
    """A node of a search tree that was closed or given up: its fixed items and the shares that bound it."""

    fixed: Mapping[int, bool]
    shares: Shares


@dataclass(frozen=True)
class Tree:
    """What a fixing leaves is searched by branch and bound: the leaves cover every memory that agrees.

    The bound is the largest of the value already reached and the bounds of the leaves.
    """

    fixing: Fixing
    leaves: tuple[Leaf, ...]
    kind = "branch and bound"


Proof = Sharing | Reduction | Tree


def restrict(part: Problem, fixed: Mapping[int, bool]) -> tuple[Problem, tuple[int, ...]]:
    """Return the problem that remains once items are *fixed*, and the items it still chooses among.

    Supports that need an item fixed as not held are gone; items fixed as held are free.
    """
    names = tuple(item for item in range(len(part.costs)) if item not in fixed)
    place = {item: i for i, item in enumerate(names)}
    rows = [
        (frozenset(place[i] for i in needed if i in place), q)
        for needed, q in zip(part.supports, part.owner, strict=True)
        if all(fixed.get(i, True) for i in needed)
    ]
    problem = Problem(
        costs=tuple(part.costs[item] for item in names),
        supports=tuple(needed for needed, _ in rows),
        unless=(frozenset(),) * len(rows),
        owner=tuple(q for _, q in rows),
        weights=part.weights,
    )
    return problem, names
