"""The utility-capacity frontier of a material: U*(S) at every capacity, bounded and witnessed."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from memspan.coverage.arrays import Coverage, Over, compile_material
from memspan.coverage.utilities import covered_weight
from memspan.errors import Fault, MaterialError, ShapeError
from memspan.material import Dropped, Material, SupportSource
from memspan.optimum.costs import claim_costs
from memspan.optimum.curves import kind_names
from memspan.optimum.exact import Solution
from memspan.optimum.portfolio import Report, solve
from memspan.optimum.problem import problem_of
from memspan.optimum.ranking import Ranking, incidence_of, rank, suits

Ints = npt.NDArray[np.int64]
Utility = Literal["coverage", "precision"]
SECONDS = 60.0
LISTED = 300  # capacities of another unit than claims


@dataclass(frozen=True)
class Point:
    """One capacity of a frontier.

    Attributes:
        capacity: in the frontier's unit.
        lower, upper: mass in [0, 1]; the optimum U*(S) lies between them.
        certified: lower equals upper in exact arithmetic.
        certificate: what proves the upper bound.
    """

    capacity: int
    lower: float
    upper: float
    certified: bool
    certificate: str


@dataclass(frozen=True)
class Size:
    """The capacity that a target needs.

    Attributes:
        size: smallest capacity known to reach the target; None where none is known to.
        at_least: no smaller capacity can reach it.
        certified: both are the same.
    """

    size: int | None
    at_least: int | None
    certified: bool


@dataclass(frozen=True)
class Loss:
    """How far a utility lies below the frontier at its own size, as an interval of masses."""

    lower: float
    upper: float
    certified: bool


@dataclass(frozen=True, repr=False)
class Frontier:
    """U*(S) of one material.

    Every capacity is solved and can be asked for; `capacities` are those that are listed and shown.

    Attributes:
        material: id of the material.
        utility: ``coverage`` or ``precision`` (false claims earn nothing).
        over: whose mass utilities are divided by: that of ``answerable`` queries or of ``all``.
        unit: what capacity counts: ``claims``, or a cost such as ``tokens``.
        support_source: how the supports came to be; only ``annotated`` ones make a proof.
        coverage: the compiled material that values are computed on.
        costs: cost of each claim in *unit*, int64.
        capacities: the listed ones, ascending, int64.
        lower_weight, upper_weight: exact integer bounds at each of them; divide by ``coverage.total``.
        baseline_weight: what the full material covers, in the same unit.
        solution: parts, curves and certificates behind the bounds, for `memory` and `verify`.
        seconds: how long it took.
    """

    material: str
    utility: Utility
    over: Over
    unit: str
    support_source: SupportSource
    coverage: Coverage
    costs: Ints
    capacities: Ints
    lower_weight: Ints
    upper_weight: Ints
    baseline_weight: int
    solution: Solution | Ranking
    seconds: float

    @property
    def lower(self) -> npt.NDArray[np.float64]:
        """Mass surely reached at each capacity."""
        return self.lower_weight / max(self.coverage.total, 1)

    @property
    def upper(self) -> npt.NDArray[np.float64]:
        """Mass surely not exceeded at each capacity."""
        return self.upper_weight / max(self.coverage.total, 1)

    @property
    def certified(self) -> npt.NDArray[np.bool_]:
        """Where lower equals upper in exact arithmetic."""
        closed: npt.NDArray[np.bool_] = self.lower_weight == self.upper_weight
        return closed

    @property
    def proven(self) -> bool:
        """Every capacity is certified and the supports were annotated, not found or generated."""
        curve = self.solution.curve
        return bool((curve.lower == curve.upper).all()) and self.support_source == "annotated"

    @property
    def baseline(self) -> float:
        """Mass that the full material covers: what U*(S) saturates at."""
        return self.coverage.mass(self.baseline_weight)

    @property
    def saturation(self) -> int | None:
        """Smallest capacity known to reach the baseline."""
        return self._reach(self.baseline_weight).size

    @property
    def dropped(self) -> tuple[Dropped, ...]:
        """Queries left out, with the reason."""
        return self.coverage.dropped

    @property
    def certificate(self) -> str:
        """What proves the upper bounds: every kind of certificate in use."""
        return kind_names(int(np.bitwise_or.reduce(self.solution.curve.kinds)))

    @property
    def points(self) -> Iterator[Point]:
        """The listed capacities in order."""
        kinds = self.solution.curve.kinds[self._positions(self.capacities.tolist())].tolist()
        rows = zip(
            self.capacities.tolist(), self.lower, self.upper, self.certified.tolist(), kinds, strict=True
        )
        for capacity, lower, upper, certified, kind in rows:
            yield Point(capacity, float(lower), float(upper), certified, kind_names(kind))

    def at(self, capacity: int) -> Point:
        """Return the point at any *capacity* >= 0, listed or not.

        Raises:
            ShapeError: *capacity* is negative or not a whole number.
        """
        curve, i = self.solution.curve, int(self._positions([capacity])[0])
        lower, upper = int(curve.lower[i]), int(curve.upper[i])
        mass = self.coverage.mass
        return Point(capacity, mass(lower), mass(upper), lower == upper, kind_names(int(curve.kinds[i])))

    def size_for(self, target: float) -> Size:
        """Return the smallest capacity whose utility is at least *target*, a mass in [0, 1].

        Raises:
            ShapeError: *target* is not finite.

        >>> import memspan as ms
        >>> ms.frontier(ms.bundled("odyssey")).size_for(0.8)
        Size(size=3, at_least=3, certified=True)
        """
        if not math.isfinite(target):
            raise ShapeError(f"target is {target}; give a mass from 0 to 1, e.g. 0.95")
        needed = Fraction(str(float(target))) * self.coverage.total
        return self._reach(math.ceil(needed * (1 - Fraction(1, 1 << 52))))

    def _reach(self, needed: int) -> Size:
        curve = self.solution.curve
        size, least = (
            int(np.argmax(bound >= needed)) if bound[-1] >= needed else None
            for bound in (curve.lower, curve.upper)
        )
        return Size(size, least, size == least and size is not None)

    def memory(self, capacity: int) -> tuple[str, ...]:
        """Return the ids of a best known memory of at most *capacity*, in material order.

        >>> import memspan as ms
        >>> ms.frontier(ms.bundled("odyssey")).memory(2)
        ('e1', 'e3')
        """
        return self.memories([capacity])[0]

    def memories(self, capacities: Sequence[int]) -> list[tuple[str, ...]]:
        """Return `memory` for several capacities at once, which is faster than one by one."""
        held = self.solution.curve.claims_at(self._positions(capacities))
        return [tuple(self.coverage.claims[i] for i in sorted(claims)) for claims in held]

    def loss(self, *, size: int, utility: float) -> Loss:
        """Return the memory-efficiency loss U*(size) - utility of a memory of that size.

        Source: arXiv 2608.11654, section 3.

        >>> import memspan as ms
        >>> round(ms.frontier(ms.bundled("odyssey")).loss(size=4, utility=0.75).upper, 12)
        0.15
        """
        point = self.at(size)
        return Loss(point.lower - utility, point.upper - utility, point.certified)

    def compression_cost(self, capacity: int) -> float:
        """Return baseline - U*(S): what the bound on the memory costs (from the lower bound)."""
        return self.baseline - self.at(capacity).lower

    def _positions(self, capacities: Sequence[int]) -> Ints:
        """Return where the curve holds *capacities*; past its end nothing more is gained."""
        for capacity in capacities:
            if not is_capacity(capacity):
                raise ShapeError(f"capacity is {capacity!r}; give a whole number >= 0 of {self.unit}")
        return np.minimum(np.asarray(capacities, np.int64), len(self.solution.curve.lower) - 1)

    def __repr__(self) -> str:
        """Tell the finding in one line."""
        half, every = (self._reach(math.ceil(self.baseline_weight * share)).size for share in (0.5, 1))
        return (
            f"<Frontier {self.material!r}: {half} of {self.costs.sum()} {self.unit} reach half of the "
            f"baseline {self.baseline:.4g}, {every} all of it; {'proven' if self.proven else 'bounded'}>"
        )


def frontier(  # noqa: PLR0913 - one call, every option named
    material: Material,
    *,
    utility: Utility = "coverage",
    over: Over = "answerable",
    cost: str = "claims",
    capacities: Sequence[int] | None = None,
    seconds: float = SECONDS,
    report: Report | None = None,
) -> Frontier:
    """Bound the utility-capacity frontier of *material* at every capacity.

    Args:
        material: claims, weighted queries and their supports.
        utility: ``coverage``, or ``precision``: false claims (truth below one half) earn nothing.
        over: divide by the mass of the answerable queries, or of ``all``.
        cost: what capacity counts: ``claims``, ``tokens``, ``bytes`` or any cost the claims carry.
        capacities: those wanted; default every number of claims, or up to 300 at which
            the curve of another cost rises.
        seconds: time budget; running out widens intervals, never claims more.
        report: called with `Progress` as parts are solved.

    Raises:
        WeightError: query weights that are negative or not finite.
        ShapeError: an option is none of those allowed.
        CostError: costs that are not whole numbers, or too large in sum.
        MaterialError: *material* is none, e.g. the list that `load` returns.
        UnknownName: *cost* is no cost of these claims.

    Source: arXiv 2608.11654, Definition 3.1.
    """
    _refuse(material, utility, over, capacities)
    started = time.perf_counter()
    coverage = compile_material(material, over=over)
    costs = claim_costs(material, cost)
    true_only = utility == "precision"
    solution: Solution | Ranking
    if suits(coverage, costs):
        solution = rank(incidence_of(coverage, true_only=true_only), seconds)
    else:
        solution = solve(problem_of(coverage, costs, true_only=true_only), seconds, report)
    wanted = _capacities(costs, cost, capacities, solution.curve.lower)
    everything = np.ones(coverage.n_claims, np.bool_)
    position = np.minimum(wanted, len(solution.curve.lower) - 1)
    return Frontier(
        material=material.id,
        utility=utility,
        over=over,
        unit=cost,
        support_source=material.certainty,
        coverage=coverage,
        costs=costs,
        capacities=wanted,
        lower_weight=solution.curve.lower[position],
        upper_weight=solution.curve.upper[position],
        baseline_weight=covered_weight(coverage, everything, true_only=true_only),
        solution=solution,
        seconds=time.perf_counter() - started,
    )


def _refuse(material: object, utility: str, over: str, capacities: Sequence[int] | None) -> None:
    """Raise where an option is none of those allowed."""
    if not isinstance(material, Material):
        raise MaterialError([Fault("material", "", f"is a {type(material).__name__}; give one Material")])
    if utility not in get_args(Utility) or over not in get_args(Over):
        raise ShapeError(
            f"utility is {utility!r} and over is {over!r}; allowed are "
            f"{', '.join(get_args(Utility))} and {', '.join(get_args(Over))}"
        )
    if capacities is not None and not (len(capacities) and all(map(is_capacity, capacities))):
        raise ShapeError("capacities must be whole numbers from 0 to 2**53, one at least")


def is_capacity(value: object) -> bool:
    """Tell whether *value* can be a capacity."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool) and 0 <= int(value) < 1 << 53


def _capacities(costs: Ints, unit: str, wanted: Sequence[int] | None, lower: Ints) -> Ints:
    """Return the capacities to list: those wanted, every number of claims, or where the curve rises."""
    if wanted is not None:
        return np.unique(np.asarray(wanted, np.int64))
    if unit == "claims":
        return np.arange(len(costs) + 1, dtype=np.int64)
    rises = np.flatnonzero(np.diff(lower) > 0) + 1
    thinned = np.unique(np.linspace(0, len(rises) - 1, min(len(rises), LISTED)).round().astype(np.int64))
    return np.unique(np.concatenate([[0], rises[thinned], [int(costs.sum())]])).astype(np.int64)
