"""The exact-size frontier: U⁼(S), the best value of a memory of exactly S claims.

Where claims can defeat supports it may dip as S grows; U*(S), the best of at most S claims, never does.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from memspan.coverage.arrays import Coverage, Over, compile_material
from memspan.errors import ShapeError
from memspan.material import Material, SupportSource
from memspan.optimum.curves import Curve, merge_all
from memspan.optimum.dips import Dip, dips_of
from memspan.optimum.frontier import is_capacity
from memspan.optimum.portfolio import solve
from memspan.optimum.presolve import components, part_of
from memspan.optimum.problem import Ints, Problem, problem_of
from memspan.optimum.rightful import right_problem
from memspan.optimum.size_curves import pad, solve_sizes

Worth = Literal["coverage", "precision", "right"]
Row = tuple[frozenset[int], frozenset[int], int]  # needed, unless, query
SECONDS = 60.0


@dataclass(frozen=True, repr=False)
class ExactSize:
    """U⁼(S) of one material, for S from 0 to the number of its claims E.

    Attributes:
        material: id of the material.
        utility: what a query counts for: see `exact_size`.
        over: whose mass utilities are divided by: that of ``answerable`` queries or of ``all``.
        support_source: how the supports came to be; only ``annotated`` ones make a proof.
        coverage: the compiled material.
        lower_weight, upper_weight: exact integer bounds at each size, shape (E + 1,); divide by
            ``coverage.total``.
        curve: the parts and how they share a size, for `memory`.
        dips: sizes at which the value surely falls, ascending, with the claims that cause it.
        seconds: how long it took.
    """

    material: str
    utility: Worth
    over: Over
    support_source: SupportSource
    coverage: Coverage
    lower_weight: Ints
    upper_weight: Ints
    curve: Curve
    dips: tuple[Dip, ...]
    seconds: float

    @property
    def sizes(self) -> Ints:
        """Every size: 0 to E."""
        return np.arange(len(self.lower_weight), dtype=np.int64)

    @property
    def lower(self) -> npt.NDArray[np.float64]:
        """Mass surely reached at each size."""
        return self.lower_weight / max(self.coverage.total, 1)

    @property
    def upper(self) -> npt.NDArray[np.float64]:
        """Mass surely not exceeded at each size."""
        return self.upper_weight / max(self.coverage.total, 1)

    @property
    def certified(self) -> npt.NDArray[np.bool_]:
        """Where lower equals upper in exact arithmetic."""
        closed: npt.NDArray[np.bool_] = self.lower_weight == self.upper_weight
        return closed

    @property
    def deepest(self) -> Dip | None:
        """The dip that loses most, the first of equals; None where there is none."""
        return max(self.dips, key=lambda dip: dip.drop, default=None)

    def memory(self, size: int) -> tuple[str, ...]:
        """Return the ids of a memory of exactly *size* claims that reaches `lower`, in material order.

        Raises:
            ShapeError: there is no memory of that size.
        """
        return self.memories([size])[0]

    def memories(self, sizes: Sequence[int]) -> list[tuple[str, ...]]:
        """Return `memory` for several sizes at once, which is faster than one by one."""
        most = len(self.lower_weight) - 1
        for size in sizes:
            if not is_capacity(size) or size > most:
                raise ShapeError(f"size is {size!r}; give a whole number of claims from 0 to {most}")
        held = self.curve.claims_at(np.asarray(sizes, np.int64))
        return [tuple(self.coverage.claims[i] for i in sorted(claims)) for claims in held]

    def __repr__(self) -> str:
        """Tell the finding in one line."""
        told = f"{len(self.dips)} dips" if self.dips else "no dip"
        deep = f", the deepest at {self.deepest.size}" if self.deepest else ""
        closed = f"{self.certified.sum()} of {len(self.sizes)} sizes certified"
        return f"<ExactSize {self.material!r}: {told}{deep}; {closed}>"


def exact_size(
    material: Material, *, utility: Worth = "coverage", over: Over = "answerable", seconds: float = SECONDS
) -> ExactSize:
    """Bound the value of the best memory of exactly S claims, for every S.

    The claims fall into groups that no support, defeater or query connects. Groups in which something
    can be defeated are solved by enumeration or elimination, and bounded where they are too wide;
    the rest never falls, so its ordinary frontier serves. Claims that no query needs fill up any
    size at no loss: a dip can only come once all harmless claims are in.

    Args:
        material: claims, weighted queries and their supports.
        utility: ``coverage``: a query counts while one of its supports holds, whatever else holds;
            ``precision``: while one holds that rests on no false claim; ``right``: while one holds
            and none of its wrong ones does.
        over: divide by the mass of the answerable queries, or of ``all``.
        seconds: time budget; running out widens intervals, never claims more.

    Raises:
        WeightError: query weights that are negative or not finite.
        ShapeError: an option is none of those allowed.

    Source: arXiv 2608.11654, section 3 (the value over exactly S claims); (max,+) knapsack over groups.

    >>> from memspan.material import Claim, Material, Query, Support
    >>> met = Query("where they met", supports=(Support(("porto",), ("no, in Faro",)),))
    >>> found = exact_size(Material("m", (Claim("porto"), Claim("no, in Faro")), queries=(met,)))
    >>> found.lower.tolist(), found.dips[0].size, found.dips[0].claims
    ([0.0, 1.0, 0.0], 2, ('no, in Faro',))
    """
    if utility not in get_args(Worth) or over not in get_args(Over):
        raise ShapeError(
            f"utility is {utility!r} and over is {over!r}; allowed are "
            f"{', '.join(get_args(Worth))} and {', '.join(get_args(Over))}"
        )
    started = time.perf_counter()
    coverage = compile_material(material, over=over)
    costs = np.ones(coverage.n_claims, np.int64)
    problem = (
        right_problem(coverage, costs)
        if utility == "right"
        else problem_of(coverage, costs, true_only=utility == "precision")
    )
    curve = size_curve(problem, seconds)
    return ExactSize(
        material=material.id,
        utility=utility,
        over=over,
        support_source=material.certainty,
        coverage=coverage,
        lower_weight=curve.lower,
        upper_weight=curve.upper,
        curve=curve,
        dips=tuple(dips_of(problem, coverage, curve)),
        seconds=time.perf_counter() - started,
    )


def size_curve(problem: Problem, seconds: float) -> Curve:
    """Return the curve of *problem*, in which each item costs one, over every exact number of items."""
    deadline = time.perf_counter() + seconds
    base, groups = _groups(problem)
    harmed: list[list[Row]] = []
    rest: list[list[Row]] = []
    for rows in groups:
        (harmed if any(unless for _, unless, _ in rows) else rest).append(rows)
    inside = {claim for rows in harmed for needed, unless, _ in rows for claim in needed | unless}
    calm = tuple(claim for claim in range(len(problem.costs)) if claim not in inside)
    curves: list[Curve] = [pad(solve(_only(problem, [*chain(*rest)]), seconds / 2).curve, calm)]
    names: dict[int, tuple[int, ...]] = {claim: (claim,) for claim in inside}
    each = [(q,) for q in range(len(problem.weights))]
    for i, rows in enumerate(harmed):
        share = (deadline - time.perf_counter()) / (len(harmed) - i)
        curves.append(solve_sizes(part_of(problem, rows, names, each), time.perf_counter() + share))
    return merge_all(curves, base)


def _groups(problem: Problem) -> tuple[int, list[list[Row]]]:
    """Return the weight that always counts, and the rows of each group of connected claims."""
    by_query: dict[int, list[Row]] = defaultdict(list)
    for row in dict.fromkeys(zip(problem.supports, problem.unless, problem.owner, strict=True)):
        if problem.weights[row[2]]:
            by_query[row[2]].append(row)
    free = {q for q, rows in by_query.items() if any(not needed | unless for needed, unless, _ in rows)}
    rows = [row for q, own in by_query.items() if q not in free for row in own]
    found = [[rows[i] for i in component] for component in components(rows)]
    return sum(problem.weights[q] for q in free), found


def _only(problem: Problem, rows: list[Row]) -> Problem:
    supports, unless, owner = zip(*rows, strict=True) if rows else ((), (), ())
    return replace(problem, supports=supports, unless=unless, owner=owner)
