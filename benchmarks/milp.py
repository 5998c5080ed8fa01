"""The peer of an exact frontier: one mixed-integer program, solved by HiGHS at one capacity after another."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, pairwise

import highspy
import numpy as np

from memspan.coverage import Coverage
from memspan.coverage.arrays import offsets

CLOSE = 0.999
"""Weights are whole numbers: an absolute gap below one is a proof."""


@dataclass(frozen=True)
class Best:
    """What HiGHS says at one capacity: the value, and whether it is proven."""

    value: int
    proven: bool


class Milp:
    """A model that stays in HiGHS; only its capacity row changes.

    Columns: x_e claim e is held (binary); z_s support s holds; y_q query q is answered, where it has
    several supports. Rows: Σ x_e ≤ capacity; z_s ≤ x_e for each claim of s; y_q ≤ Σ z_s.
    """

    def __init__(self, coverage: Coverage) -> None:
        """Build the model; nothing is solved yet."""
        self._solver = highspy.Highs()
        options = {
            "output_flag": False,
            "threads": 1,
            "mip_rel_gap": 0.0,
            "mip_abs_gap": CLOSE,
        }
        for name, value in options.items():
            self._solver.setOptionValue(name, value)
        self._solver.passModel(_model(coverage))

    def solve(self, capacity: int, seconds: float) -> Best:
        """Solve at *capacity* within *seconds*."""
        solver = self._solver
        solver.changeRowBounds(0, -highspy.kHighsInf, float(capacity))
        solver.setOptionValue("time_limit", solver.getRunTime() + seconds)
        solver.run()
        proven = solver.getModelStatus() == highspy.HighsModelStatus.kOptimal
        return Best(round(solver.getInfo().objective_function_value), proven)


def _model(coverage: Coverage) -> highspy.HighsLp:
    claims, gains = coverage.n_claims, _gains(coverage)
    rows, coefficients = _rows(coverage)
    rows, coefficients = [list(range(claims)), *rows], [[1.0] * claims, *coefficients]
    kinds = highspy.HighsVarType
    lp = highspy.HighsLp()
    lp.num_col_, lp.num_row_ = len(gains), len(rows)
    lp.sense_ = highspy.ObjSense.kMaximize
    lp.col_cost_, lp.col_lower_, lp.col_upper_ = gains, np.zeros(len(gains)), np.ones(len(gains))
    lp.integrality_ = [kinds.kInteger] * claims + [kinds.kContinuous] * (len(gains) - claims)
    lp.row_lower_, lp.row_upper_ = np.full(len(rows), -highspy.kHighsInf), np.zeros(len(rows))
    lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    lp.a_matrix_.start_ = offsets(map(len, rows)).astype(np.int32)
    lp.a_matrix_.index_ = np.fromiter(chain.from_iterable(rows), np.int32)
    lp.a_matrix_.value_ = np.fromiter(chain.from_iterable(coefficients), np.float64)
    return lp


def _gains(coverage: Coverage) -> np.ndarray:
    """Return the objective: a query's weight stands at its only support, or at its own column."""
    counts = np.bincount(coverage.owner, minlength=len(coverage.weights))
    alone = counts[coverage.owner] == 1
    at_supports = np.where(alone, coverage.weights[coverage.owner], 0)
    parts = [np.zeros(coverage.n_claims), at_supports, coverage.weights[counts > 1]]
    return np.concatenate(parts).astype(np.float64)


def _rows(coverage: Coverage) -> tuple[list[list[int]], list[list[float]]]:
    """Return columns and coefficients of the rows below the capacity's; each is ≤ 0."""
    first = coverage.n_claims
    columns, values = [], []
    for s, (start, end) in enumerate(pairwise(coverage.ptr.tolist())):
        for e in coverage.members[start:end].tolist():
            columns.append([first + s, e])
            values.append([1.0, -1.0])
    counts = np.bincount(coverage.owner, minlength=len(coverage.weights))
    for i, q in enumerate(np.flatnonzero(counts > 1).tolist()):
        own = np.flatnonzero(coverage.owner == q).tolist()
        columns.append([first + coverage.n_supports + i, *(first + s for s in own)])
        values.append([1.0, *[-1.0] * len(own)])
    return columns, values
