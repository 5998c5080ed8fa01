"""Belief in sets of claims: settled ones by their outcomes, others by their claims and what they hold."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import numpy.typing as npt

from memspan.growing import EMPTY
from memspan.kernels.evidence import FURTHEST
from memspan.trust.engine import Engine, kernel_for
from memspan.trust.state import Row, State

Floats = npt.NDArray[np.float64]
WHOLE = 6
"""Claims of a set up to which all its parts are looked up; of a larger one all settled supports are."""


def beliefs_of(engine: Engine, rows: Sequence[Row]) -> Floats:
    """Return the probability that all claims of each of *rows* are true.

    Where a set was never settled it is the product of its claims' trust, unless settled supports inside it
    say less: after failures of {a, b}, the set {a, b, c} is no likelier than {a, b} times c.
    """
    state, numbers = engine.state, engine.terms.numbers
    kernel = kernel_for(len(rows))
    settled = np.array([state.support_at(row) if len(row) > 1 else EMPTY for row in rows], np.int32)
    found = np.ones(len(rows), np.float64)
    whole = np.flatnonzero(settled != EMPTY)
    found[whole] = kernel.beliefs(state.evidence, numbers, settled[whole])
    others = np.flatnonzero(settled == EMPTY).tolist()
    _multiply(engine, found, [(i, rows[i]) for i in others])
    parts = [(i, part) for i in others if len(rows[i]) > 2 for part in inside(state, rows[i])]
    if parts:
        most = kernel.beliefs(state.evidence, numbers, np.array([part for _, part in parts], np.int32))
        rest = [tuple(set(rows[i]).difference(state.claims_of(part))) for i, part in parts]
        _multiply(engine, most, list(enumerate(rest)))
        np.minimum.at(found, [i for i, _ in parts], most)
    return found


def _multiply(engine: Engine, found: Floats, rows: Sequence[tuple[int, Row]]) -> None:
    """Multiply each number of *found* that is named by the trust of the claims that stand with it."""
    claims = np.array([claim for _, row in rows for claim in row], np.int32)
    owner = np.repeat(np.array([i for i, _ in rows], np.int64), [len(row) for _, row in rows])
    kernel = kernel_for(len(claims))
    _, _, odds = kernel.trusts(engine.state.evidence, engine.terms.numbers, claims)
    np.multiply.at(found, owner, 1 / (1 + np.exp(-np.clip(odds, -FURTHEST, FURTHEST))))


def inside(state: State, row: Row) -> list[int]:
    """Return the settled supports of several claims that are parts of *row*, itself left out."""
    if len(row) <= WHOLE:
        parts = (part for size in range(2, len(row)) for part in combinations(row, size))
        return [found for part in parts if (found := state.support_at(part)) != EMPTY]
    if not state.n_supports:
        return []
    held = np.zeros(state.n_claims, np.bool_)
    held[list(row)] = True
    ptr = state.columns["ptr"].used
    size = np.diff(ptr)
    counts = np.add.reduceat(held[state.columns["members"].used].astype(np.int64), ptr[:-1])
    parts_of: list[int] = np.flatnonzero((counts == size) & (size > 1) & (size < len(row))).tolist()
    return parts_of
