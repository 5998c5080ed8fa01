"""What the closure kernels take and give: rules as rows of integers, facts as arrays.

A fact is (relation, first, second); things and relations are small integers. Thing 0 is nobody: it fills
the place of a column that an intermediate relation does not need.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Rows = npt.NDArray[np.int32]
Flags = npt.NDArray[np.int8]

# columns of `Program.steps`
HEAD, OUT_FIRST, OUT_SECOND, LEFT, LEFT_FLIPPED, RIGHT, RIGHT_FLIPPED, KEY = range(8)
TESTS, LEFT_TESTS_END, TESTS_END = 8, 9, 10  # rows of `Program.tests`, those of the left fact alone first
# terms: the left fact's own row, its other thing, the right fact's other thing; then thing t as CONSTANT + t
ROW, OTHER, FAR, CONSTANT = range(4)
NO_RELATION = -1
# bits of `Closure.cut`
BY_COUNT, BY_LENGTH = 1, 2


class Program(NamedTuple):
    """Rules as steps that join two relations, or read one.

    Attributes:
        steps: shape (n, 11). The left relation is read by its first thing (by its second where flipped); the
            right one is looked up under the term KEY. OUT_FIRST is ROW or a constant.
        tests: shape (m, 3): 1 for equal or 0 for different, and two terms.
        strata: relations that steps lead to; a stratum needs none that comes after it.
        recursive: whether the relations of a stratum need each other.
        relations: how many there are, with the intermediate ones.
    """

    steps: Ints
    tests: Ints
    strata: tuple[tuple[int, ...], ...]
    recursive: tuple[bool, ...]
    relations: int


class Stated(NamedTuple):
    """The facts that claims state: one entry of each array per claim; claims are numbered in order."""

    relation: Rows
    first: Rows
    second: Rows
    claim: Rows


class Caps(NamedTuple):
    """Supports kept of each fact, claims in a support, and facts without any support that are counted."""

    supports: int
    claims: int
    lost: int


class Closure(NamedTuple):
    """Facts by relation, first, second; supports shortest first, then by lowest claims.

    Attributes:
        relation, first, second: shape (F,).
        ptr: shape (F + 1,): the supports of each fact; none where each needs more claims than allowed.
        start: shape (S + 1,): the members of each support.
        members: claims, ascending in each support.
        cut: shape (F,): BY_COUNT and BY_LENGTH where supports may be missing.
        uncounted: facts without support were met beyond the number that is counted.
    """

    relation: Rows
    first: Rows
    second: Rows
    ptr: Ints
    start: Ints
    members: Rows
    cut: Flags
    uncounted: bool
