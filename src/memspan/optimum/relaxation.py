"""The linear relaxation of a part at one capacity, hot-started from the last one.

Columns: x_e item e is held; z_s support s holds; y_q query q is answered. Rows: cost of the items
<= capacity; z_s <= x_e for each item of s; y_q <= sum of its z_s. A support of one item needs no z.
The duals of ``z_s <= x_e`` are shares; the bound is recomputed from them in exact arithmetic, so no
tolerance of the solver can certify anything.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from memspan.optimum.problem import Part
from memspan.optimum.shares import Shares, shares_from

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Relaxed:
    """What one solve gives: shares that bound the part, and how much of each item is held."""

    shares: Shares
    items: Floats


class Relaxation:
    """A HiGHS model of a monotone part in which capacity and fixed items can be changed."""

    def __init__(self, part: Part) -> None:
        """Build the model; nothing is solved yet."""
        self.part = part
        self._rows = _Rows(part)
        self._solver = _solver(self._rows)
        self._fixed: dict[int, bool] = {}

    def solve(self, capacity: int, seconds: float, fixed: Mapping[int, bool] | None = None) -> Relaxed:
        """Solve at *capacity* with items *fixed* as held or not; stops after *seconds*."""
        solver = self._solver
        solver.changeRowBounds(0, -np.inf, float(capacity))
        self._fix(fixed or {})
        solver.setOptionValue("time_limit", solver.getRunTime() + max(seconds, 0.01))
        solver.run()
        solution = solver.getSolution()
        duals = np.abs(np.asarray(solution.row_dual, np.float64))
        if not len(duals):
            duals = np.zeros(self._rows.count)
        items = np.asarray(solution.col_value, np.float64)[: len(self.part.costs)]
        return Relaxed(shares_from(self.part.arrays, self._rows.multipliers(duals)), items)

    def basis(self) -> Any:
        """Return the basis of the last solve, to come back to."""
        return self._solver.getBasis()

    def restore(self, basis: Any) -> None:
        """Start the next solve from *basis*."""
        self._solver.setBasis(basis)

    def _fix(self, fixed: Mapping[int, bool]) -> None:
        for item in self._fixed.keys() - fixed.keys():
            self._solver.changeColBounds(item, 0.0, 1.0)
        for item, held in fixed.items():
            if self._fixed.get(item) is not held:
                self._solver.changeColBounds(item, float(held), float(held))
        self._fixed = dict(fixed)


class _Rows:
    """Rows and columns of the model, and where each share is found among the row duals."""

    def __init__(self, part: Part) -> None:
        m = len(part.costs)
        supports_of: dict[int, list[int]] = {}
        for s, q in enumerate(part.owner):
            supports_of.setdefault(q, []).append(s)
        self.gains = [0.0] * m
        self.rows: list[tuple[list[int], list[float]]] = [(list(range(m)), [float(c) for c in part.costs])]
        self.direct = np.zeros(len(part.arrays.members))
        self.row_of = np.full(len(part.arrays.members), -1, np.int64)
        for q, supports in supports_of.items():
            self._add_query(part, q, supports)

    @property
    def count(self) -> int:
        """Number of rows."""
        return len(self.rows)

    def _add_query(self, part: Part, q: int, supports: list[int]) -> None:
        weight, ptr = float(part.weights[q]), part.arrays.ptr
        first = part.supports[supports[0]]
        if len(supports) == 1 and len(first) == 1:
            self.gains[min(first)] += weight
            self.direct[ptr[supports[0]]] = weight
            return
        answered = self._column(weight)
        if len(supports) == 1:
            self._add_support(part, supports[0], answered)
            return
        total, terms = self.count, [answered]
        self.rows.append(([], []))
        for s in supports:
            if len(part.supports[s]) == 1:
                terms.append(min(part.supports[s]))
                self.row_of[ptr[s]] = total
            else:
                terms.append(self._column(0.0))
                self._add_support(part, s, terms[-1])
        self.rows[total] = (terms, [1.0] + [-1.0] * len(supports))

    def _add_support(self, part: Part, s: int, column: int) -> None:
        arrays = part.arrays
        for j in range(int(arrays.ptr[s]), int(arrays.ptr[s + 1])):
            self.row_of[j] = self.count
            self.rows.append(([column, int(arrays.members[j])], [1.0, -1.0]))

    def _column(self, gain: float) -> int:
        self.gains.append(gain)
        return len(self.gains) - 1

    def multipliers(self, duals: Floats) -> Floats:
        """Read the shares off the row duals."""
        return np.where(self.row_of >= 0, duals[np.maximum(self.row_of, 0)], self.direct)


def _solver(rows: _Rows) -> Any:
    import highspy

    model = highspy.HighsLp()
    model.num_col_, model.num_row_ = len(rows.gains), rows.count
    model.sense_ = highspy.ObjSense.kMaximize
    model.col_cost_ = np.array(rows.gains)
    model.col_lower_, model.col_upper_ = np.zeros(model.num_col_), np.ones(model.num_col_)
    model.row_lower_, model.row_upper_ = np.full(rows.count, -np.inf), np.zeros(rows.count)
    matrix = model.a_matrix_
    matrix.format_ = highspy.MatrixFormat.kRowwise
    matrix.start_ = np.concatenate([[0], np.cumsum([len(columns) for columns, _ in rows.rows])])
    matrix.index_ = np.array([column for columns, _ in rows.rows for column in columns])
    matrix.value_ = np.array([value for _, values in rows.rows for value in values])
    solver: Any = highspy.Highs()  # type: ignore[no-untyped-call]
    solver.silent()
    options: dict[str, int | str] = {"threads": 1, "presolve": "off", "simplex_strategy": 1}
    for name, value in options.items():
        solver.setOptionValue(name, value)
    solver.passModel(model)
    return solver
