"""Eliminate one variable of a (max,+) network whose entries are vectors over capacity."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

INFEASIBLE = -(1 << 55)  # plus any weight it stays negative; 64 of them still fit int64
Table = npt.NDArray[np.int64]


def eliminate(dims: Sequence[int], tables: Sequence[Table], axes: Sequence[Sequence[int]]) -> Table:
    """Join *tables* and maximise over the last variable.

    Args:
        dims: domain sizes of the variables in scope; the last one is eliminated.
        tables: each of shape (domains of its variables…, K + 1), K capacity that it may spend.
        axes: which of *dims* the leading axes of each table are, ascending.

    Returns:
        Shape (dims[:-1]…, sum of K + 1): best value at each exact capacity, INFEASIBLE where none.
    """
    joined: Table = np.zeros((1,) * (len(dims) + 1), np.int64)
    for table, own in sorted(zip(tables, axes, strict=True), key=lambda pair: pair[0].shape[-1]):
        shape = [dims[axis] if axis in own else 1 for axis in range(len(dims))]
        joined = convolve(joined, table.reshape(*shape, table.shape[-1]))
    best: Table = joined.max(axis=-2)
    best = np.broadcast_to(best, (*dims[:-1], best.shape[-1])).copy()
    best[best < 0] = INFEASIBLE
    return best


def convolve(a: Table, b: Table) -> Table:
    """Return the (max,+) convolution along the last axis, broadcasting the others."""
    if a.shape[-1] < b.shape[-1]:
        a, b = b, a
    if b.shape[-1] == 1:
        joined: Table = np.maximum(a + b, INFEASIBLE)
        return joined
    lead = np.broadcast_shapes(a.shape[:-1], b.shape[:-1])
    out = np.full((*lead, a.shape[-1] + b.shape[-1] - 1), INFEASIBLE, np.int64)
    for k in range(b.shape[-1]):
        window = out[..., k : k + a.shape[-1]]
        np.maximum(window, a + b[..., k : k + 1], out=window)
    return out
