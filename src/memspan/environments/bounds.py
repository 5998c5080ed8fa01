"""What no policy can exceed: U*(S) under the law of each step, and what a clairvoyant could collect."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from memspan.coverage import Coverage
from memspan.environments.orders import NOTHING, Schedule
from memspan.environments.scene import Scene
from memspan.optimum.frontier import SECONDS
from memspan.optimum.portfolio import solve
from memspan.optimum.problem import problem_of

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Row = dict[int, float]

_SCALE = 10**7  # laws become whole numbers: the most likely query weighs this
_NEXT = 4  # where each query is asked once, every so many steps are solved


@dataclass(frozen=True)
class Optima:
    """The most that any memory of a capacity can expect at each step.

    Attributes:
        upper: (T,) no policy expects more at the step; nan where no query is asked.
        lower: (T,) some memory expects as much; equal to *upper* where it is proven.
        kind: ``iid`` the optimum under the law that queries are drawn from; ``remaining`` the same
            under the law over the queries that remain; ``clairvoyant`` knows all that will be asked.
    """

    upper: Floats
    lower: Floats
    kind: str

    @property
    def total(self) -> float:
        """What no policy collects more of, in expectation, over all steps."""
        return float(np.nansum(self.upper))

    @property
    def reached(self) -> float:
        """Share of the total that some memory is proven to reach; nan where none is known to."""
        if np.isnan(self.lower[~np.isnan(self.upper)]).any() or not self.total:
            return float("nan")
        return min(1.0, float(np.nansum(self.lower)) / self.total)


def optima(
    scene: Scene,
    schedule: Schedule,
    capacity: float,
    *,
    lost: bool = False,
    true_only: bool = False,
    seconds: float = SECONDS,
) -> Optima:
    """Return the bound for each step of *schedule* at *capacity*.

    Args:
        scene: where.
        schedule: what is asked.
        capacity: what may be held.
        lost: what was let go cannot be held again, so that where each query is asked once a
            clairvoyant gives the bound.
        true_only: false claims answer nothing.
        seconds: for each optimum; running out makes the bound looser, never wrong.

    Source: arXiv 2608.11654, section 5.
    """
    if schedule.once and lost:
        upper = _clairvoyant(scene, schedule, capacity, true_only=true_only)
        return Optima(upper, np.full(len(upper), np.nan), "clairvoyant")
    solved = _Solved(scene, capacity, seconds, true_only=true_only)
    if schedule.once and len(scene.seen) == 1:
        upper, lower = _remaining(solved, schedule)
        return Optima(upper, lower, "remaining")
    found = {row: solved.at(schedule.laws[row]) for row in np.unique(schedule.stage).tolist()}
    upper, lower = (np.array([found[row][side] for row in schedule.stage.tolist()]) for side in (0, 1))
    nothing = schedule.query == NOTHING
    upper[nothing], lower[nothing] = np.nan, np.nan
    return Optima(upper, lower, "iid")


class _Solved:
    """Optima of a scene under one law after the other."""

    def __init__(self, scene: Scene, capacity: float, seconds: float, *, true_only: bool) -> None:
        self._coverage, self._seconds, self._true_only = scene.coverage, seconds, true_only
        whole = (scene.costs == scene.costs.round()).all()
        self._costs = (scene.costs if whole else np.floor(scene.costs)).astype(np.int64)
        self._capacity = int(capacity)

    def at(self, law: Floats) -> tuple[float, float]:
        """Return upper and lower bound under *law*, masses."""
        if not law.any():
            return 0.0, 0.0
        weights = np.ceil(law / law.max() * _SCALE).astype(np.int64)  # never less: upper stays a bound
        problem = problem_of(_asked(self._coverage, weights), self._costs, true_only=self._true_only)
        curve = solve(problem, self._seconds).curve
        place, unit = min(self._capacity, len(curve.upper) - 1), law.max() / _SCALE
        upper, lower = float(curve.upper[place]) * unit, float(curve.lower[place]) * unit
        return min(upper, float(law.sum())), max(0.0, lower - unit * np.count_nonzero(law))


def _asked(coverage: Coverage, weights: Ints) -> Coverage:
    return replace(coverage, weights=weights, total=int(weights.sum()), wrong=None)


def _remaining(solved: _Solved, schedule: Schedule) -> tuple[Floats, Floats]:
    """Bound the share of the remaining queries: how many can be covered never rises as they are asked."""
    counts = (schedule.laws > 0).sum(axis=1)
    upper, lower = np.zeros(len(schedule)), np.zeros(len(schedule))
    for t in range(0, len(schedule), _NEXT):
        most, least = (bound * counts[t] for bound in solved.at(schedule.laws[t]))
        for step in range(t, min(t + _NEXT, len(schedule))):
            upper[step] = min(1.0, most / counts[step])
            lower[step] = max(0.0, least - (step - t)) / counts[step]
    return upper, lower


# --- the clairvoyant -------------------------------------------------------------------------------


def _clairvoyant(scene: Scene, schedule: Schedule, capacity: float, *, true_only: bool) -> Floats:
    """Return by step the relaxed best of one who knows every query, when what is let go is lost."""
    program = _Program(scene, schedule, capacity, true_only=true_only)
    held = program.solve()
    upper = np.full(len(schedule), np.nan)
    for t, column in program.answered.items():
        upper[t] = held[column]
    upper[(schedule.query != NOTHING) & np.isnan(upper)] = 0.0
    return upper


class _Program:
    """Columns: claim e held during batch b; support held; query answered."""

    def __init__(self, scene: Scene, schedule: Schedule, capacity: float, *, true_only: bool) -> None:
        self._scene, self._false = scene, (scene.coverage.truth < 0.5) & true_only
        self._column: dict[tuple[int, int], int] = {}
        self._count = 0
        self._rows: list[tuple[Row, float]] = []
        self.answered: dict[int, int] = {}
        for t, query in enumerate(schedule.query.tolist()):
            if query != NOTHING:
                self._ask(t, query, int(schedule.batch[t]))
        self._stay()
        self._bound(capacity)

    def _new(self) -> int:
        self._count += 1
        return self._count - 1

    def _ask(self, t: int, query: int, batch: int) -> None:
        seen = int(self._scene.seen[batch])
        ways = [row for row in self._scene.rows[query] if all(e < seen and not self._false[e] for e in row)]
        if not ways:
            return
        self.answered[t] = self._new()
        total: Row = {self.answered[t]: 1.0}
        for row in ways:
            way = self._new()
            total[way] = -1.0
            self._rows.extend(({way: 1.0, self._held(e, batch): -1.0}, 0.0) for e in row)
        self._rows.append((total, 0.0))

    def _held(self, claim: int, batch: int) -> int:
        key = claim, batch
        if key not in self._column:
            self._column[key] = self._new()
        return self._column[key]

    def _stay(self) -> None:
        """What is held at a batch was held at each since it appeared."""
        first = np.searchsorted(self._scene.seen, np.arange(self._scene.coverage.n_claims), side="right")
        last: dict[int, int] = {}
        for claim, batch in self._column:
            last[claim] = max(batch, last.get(claim, batch))
        for claim, end in last.items():
            for batch in range(int(first[claim]), end):
                before, after = self._held(claim, batch), self._held(claim, batch + 1)
                self._rows.append(({after: 1.0, before: -1.0}, 0.0))

    def _bound(self, capacity: float) -> None:
        by_batch: dict[int, Row] = {}
        for (claim, batch), column in self._column.items():
            by_batch.setdefault(batch, {})[column] = float(self._scene.costs[claim])
        self._rows.extend((row, capacity) for row in by_batch.values())

    def solve(self) -> Floats:
        """Return how much of each column an optimum of the relaxation holds."""
        from scipy.optimize import linprog
        from scipy.sparse import csr_array

        if not self.answered:
            return np.zeros(self._count)
        aims = np.zeros(self._count)
        aims[list(self.answered.values())] = -1.0
        values, columns, rows = zip(*self._entries(), strict=True)
        matrix = csr_array((values, (rows, columns)), shape=(len(self._rows), self._count))
        limits = np.array([most for _, most in self._rows])
        solve: Any = linprog  # its types know no sparse arrays
        found = solve(aims, A_ub=matrix, b_ub=limits, bounds=(0, 1), method="highs")
        return np.asarray(found.x, np.float64)

    def _entries(self) -> Iterator[tuple[float, int, int]]:
        for i, (row, _) in enumerate(self._rows):
            for column, value in row.items():
                yield value, column, i
