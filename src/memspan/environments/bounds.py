"""What no policy can exceed: U*(S) under the law of each step, and what a clairvoyant could collect."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from memspan.coverage import Coverage
from memspan.coverage.arrays import offsets
from memspan.environments.orders import NOTHING, Schedule
from memspan.environments.scene import Scene
from memspan.optimum.frontier import SECONDS
from memspan.optimum.portfolio import solve
from memspan.optimum.problem import problem_of

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Row = dict[int, float]

_SCALE = 10**7  # laws become whole numbers: the most likely query weighs this
_PARTS = (1, 2, 4, 10, 100, 1000)  # of a unit of cost, that costs may be counted in
_NEAR = 1e-9
_NEXT = 4  # where each query is asked once, every so many steps are solved


@dataclass(frozen=True)
class Optima:
    """The most that any memory of a capacity can expect at each step.

    Attributes:
        upper: (T,) no policy expects more at the step; nan where no query is asked. A ``clairvoyant``
            one binds the sum alone: it says which queries the best plan answers.
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
    if schedule.once:
        upper, lower = _remaining(solved, schedule)
        return Optima(upper, lower, "remaining")
    first = {int(row): t for t, row in reversed([*enumerate(schedule.stage.tolist())])}
    found = {row: solved.at(schedule.laws[row], int(schedule.batch[t])) for row, t in first.items()}
    upper, lower = (np.array([found[row][side] for row in schedule.stage.tolist()]) for side in (0, 1))
    nothing = schedule.query == NOTHING
    upper[nothing], lower[nothing] = np.nan, np.nan
    return Optima(upper, lower, "iid")


class _Solved:
    """Optima of a scene under one law after the other."""

    def __init__(self, scene: Scene, capacity: float, seconds: float, *, true_only: bool) -> None:
        self._scene, self._seconds, self._true_only = scene, seconds, true_only
        parts = next((n for n in _PARTS if _are_whole(scene.costs * n)), 1)
        self._exact = _are_whole(scene.costs * parts)
        self._costs = np.floor(scene.costs * parts + _NEAR).astype(np.int64)
        self._capacity = int(np.floor(capacity * parts + _NEAR))
        self._appeared: dict[int, Coverage] = {}

    def at(self, law: Floats, batch: int) -> tuple[float, float]:
        """Return upper and lower bound under *law* once *batch* has appeared, masses."""
        if not law.any():
            return 0.0, 0.0
        if batch not in self._appeared:
            self._appeared[batch] = _appeared(self._scene.coverage, int(self._scene.seen[batch]))
        weights = np.ceil(law / law.max() * _SCALE).astype(np.int64)  # never less: upper stays a bound
        asked = _asked(self._appeared[batch], weights)
        curve = solve(problem_of(asked, self._costs, true_only=self._true_only), self._seconds).curve
        place, unit = min(self._capacity, len(curve.upper) - 1), law.max() / _SCALE
        upper = min(float(curve.upper[place]) * unit, float(law.sum()))
        if not self._exact:  # costs were rounded down
            return upper, 0.0
        return upper, max(0.0, float(curve.lower[place]) * unit - unit * np.count_nonzero(law))


def _are_whole(costs: Floats) -> bool:
    return bool((np.abs(costs - costs.round()) < _NEAR).all())


def _appeared(coverage: Coverage, seen: int) -> Coverage:
    """Return *coverage* with those supports alone whose claims are among the first *seen*."""
    late = np.concatenate([np.zeros(1, np.int64), np.cumsum(coverage.members >= seen, dtype=np.int64)])
    kept = late[coverage.ptr[1:]] == late[coverage.ptr[:-1]]
    if kept.all():
        return coverage
    lengths = np.diff(coverage.ptr)
    return replace(
        coverage,
        ptr=offsets(lengths[kept]),
        members=coverage.members[np.repeat(kept, lengths)],
        unless_ptr=np.zeros(int(kept.sum()) + 1, np.int64),
        owner=coverage.owner[kept],
    )


def _asked(coverage: Coverage, weights: Ints) -> Coverage:
    return replace(coverage, weights=weights, total=int(weights.sum()), wrong=None)


def _remaining(solved: _Solved, schedule: Schedule) -> tuple[Floats, Floats]:
    """Bound the share of the remaining queries: how many can be covered never rises as they are asked."""
    counts = (schedule.laws > 0).sum(axis=1)
    upper, lower = np.full(len(schedule), np.nan), np.full(len(schedule), np.nan)
    since, most, least = 0, 0.0, 0.0
    for t in np.flatnonzero(schedule.query != NOTHING).tolist():
        if t == 0 or t - since >= _NEXT or schedule.batch[t] != schedule.batch[since]:
            since = t
            most, least = (bound * counts[t] for bound in solved.at(schedule.laws[t], int(schedule.batch[t])))
        upper[t] = min(1.0, most / counts[t])
        lower[t] = max(0.0, least - (t - since)) / counts[t]
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
