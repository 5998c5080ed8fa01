"""Materials to practise writing on: drawn, written, asked and settled, many episodes in one pass."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from memspan.coverage import Coverage, compile_material
from memspan.coverage.arrays import offsets
from memspan.errors import Fault, MaterialError
from memspan.learning.settled import Settled, asked
from memspan.learning.writing import trait_table
from memspan.material import Material

Bools = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Lesson:
    """A material to practise on.

    Attributes:
        material: its id.
        table: traits of its claims, shape (n, F).
        coverage: its queries, which settle what was written.
    """

    material: str
    table: Floats
    coverage: Coverage


def lesson(material: Material) -> Lesson:
    """Return *material* with the traits of its claims, all seen at once."""
    return Lesson(material.id, trait_table(material), compile_material(material))


@dataclass(frozen=True)
class School:
    """K lessons side by side, padded to N claims; traits in standard deviations over all their claims.

    Attributes:
        tables: shape (K, N, F).
        valid: which entries are claims, shape (K, N).
        sizes: claims of each, shape (K,).
        coverage: all queries, over N claims, material after material.
        upto: running share of the query mass: material k has the stretch from k to k + 1.
        mean, deviation: of each trait, shape (F,).
    """

    tables: Floats
    valid: Bools
    sizes: Ints
    coverage: Coverage
    upto: Floats
    mean: Floats
    deviation: Floats

    def settle(self, material: Ints, memories: Bools, queries: int, rng: np.random.Generator) -> Settled:
        """Draw *queries* for each of the *memories* from those of its material, and settle them."""
        drawn = material[:, None] + rng.random((len(material), queries))
        positions = np.searchsorted(self.upto, drawn.ravel(), side="right")
        return asked(self.coverage, memories, np.repeat(np.arange(len(material)), queries), positions)


def school(lessons: Sequence[Lesson]) -> School:
    """Put *lessons* side by side.

    Raises:
        MaterialError: no lesson, or one of fewer than two claims or without a query that has a support.
    """
    faults = [
        Fault(
            f"material {each.material}",
            "",
            f"has {len(each.table)} claims and {np.count_nonzero(each.coverage.weights)} queries that have a "
            f"support and a weight; to practise takes two claims and one such query: leave it out",
        )
        for each in lessons
        if len(each.table) < 2 or not each.coverage.weights.sum()
    ]
    if faults or not lessons:
        raise MaterialError(faults or [Fault("materials", "", "there is none; give at least one")])
    rows = np.concatenate([each.table for each in lessons])
    mean, deviation = rows.mean(axis=0), rows.std(axis=0)
    deviation[deviation < 1e-9] = np.inf  # a trait that all claims share tells nothing
    sizes = np.array([len(each.table) for each in lessons])
    valid = np.arange(sizes.max()) < sizes[:, None]
    tables = np.zeros((*valid.shape, rows.shape[1]))
    tables[valid] = (rows - mean) / deviation
    known = [each.coverage for each in lessons]
    upto = [k + np.cumsum(each.weights) / each.weights.sum() for k, each in enumerate(known)]
    return School(
        tables, valid, sizes, _side_by_side(known, valid.shape[1]), np.concatenate(upto), mean, deviation
    )


def _side_by_side(known: Sequence[Coverage], width: int) -> Coverage:
    """Return all queries of *known* as if they were of one material of *width* claims."""
    before = offsets(len(each.queries) for each in known)
    return Coverage(
        claims=tuple(str(i) for i in range(width)),
        queries=tuple(f"{k} {name}" for k, each in enumerate(known) for name in each.queries),
        ptr=offsets(np.concatenate([np.diff(each.ptr) for each in known])),
        members=np.concatenate([each.members for each in known]),
        unless_ptr=offsets(np.concatenate([np.diff(each.unless_ptr) for each in known])),
        unless=np.concatenate([each.unless for each in known]),
        owner=np.concatenate([each.owner + start for each, start in zip(known, before, strict=False)]).astype(
            np.int32
        ),
        weights=np.concatenate([each.weights for each in known]),
        total=sum(each.total for each in known),
        rounded=any(each.rounded for each in known),
        truth=np.full(width, np.nan),
    )
