"""Harm: a memory that answers, but otherwise than the full material does.

Coverage alone is blind to it: an outdated claim without the one that overrides it covers
nothing that is asked, and still gives an answer.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from memspan.coverage.arrays import Coverage, Memory
from memspan.coverage.utilities import covered


@dataclass(frozen=True)
class Harm:
    """What becomes of the queries: masses that sum to 1, over the same denominator as `u_cov`.

    Attributes:
        right: some support holds and nothing answers wrongly.
        wrong: something answers wrongly, whatever else holds.
        none: nothing answers.
    """

    right: float
    wrong: float
    none: float


def harm(coverage: Coverage, memory: Memory) -> Harm:
    """Return which mass *memory* answers rightly, wrongly and not at all.

    A query is answered wrongly while one of its wrong supports (`Query.wrong`) holds: all its
    claims held, none of its `unless`. That is the careful reading: a memory from which both
    answers follow counts as wrong, since nothing says which one will be given. Hence
    right <= u_cov <= right + wrong. Over all queries (``over="all"``) those without a support
    can be answered wrongly, too; never rightly.

    Args:
        coverage: compiled material; without wrong supports nothing is wrong.
        memory: boolean array, shape (n_claims,).

    Raises:
        ShapeError: *memory* does not have one entry per claim.

    Source: arXiv 2608.11654, the utilities of a generation operator that is not monotone.

    >>> from memspan.coverage import compile_material
    >>> from memspan.material import Claim, Material, Query, Support
    >>> lives = Query("q", supports=(Support(("new",)),), wrong=(Support(("old",), ("new",)),))
    >>> moved = compile_material(Material("m", (Claim("old"), Claim("new")), queries=(lives,)))
    >>> harm(moved, moved.memory(["old"]))
    Harm(right=0.0, wrong=1.0, none=0.0)
    """
    weights = harm_weights(coverage, memory)
    if not coverage.total:
        return Harm(0.0, 0.0, 1.0)
    return Harm(*map(coverage.mass, weights))


def harm_weights(coverage: Coverage, memory: Memory) -> tuple[int, int, int]:
    """Return the exact weights answered rightly, wrongly and not at all; they sum to `Coverage.total`."""
    misled, wrong = misled_by(coverage, memory), 0
    if coverage.wrong is not None:
        wrong = int(coverage.wrong.weights[covered(coverage.wrong, memory)].sum())
    right = int(coverage.weights[covered(coverage, memory) & ~misled].sum())
    return right, wrong, coverage.total - right - wrong


def misled_by(coverage: Coverage, memory: Memory) -> npt.NDArray[np.bool_]:
    """Return which of the Q queries of *coverage* are answered wrongly, as a boolean array."""
    misled = np.zeros(len(coverage.queries), np.bool_)
    if coverage.wrong is not None:
        place = {name: i for i, name in enumerate(coverage.queries)}
        held = zip(coverage.wrong.queries, covered(coverage.wrong, memory).tolist(), strict=True)
        misled[[place[name] for name, wrong in held if wrong and name in place]] = True
    return misled
