"""Query weights as exact integers: sums, bounds and ties are then decided without rounding."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from memspan.errors import WeightError

LIMIT = 1 << 53  # every total below it is exact in int64 and in a float
COARSE = 1 << 30  # finer units than this are tried as normalised counts first
MOST_LEAST = 1000  # largest count that the smallest weight is tried as
NEARLY = 1 << 50  # a ratio of two rounded floats is this exact
FINE = 1 << 40  # the grid for weights that share no smaller unit


@dataclass(frozen=True)
class Weights:
    """Integer weights proportional to the given ones.

    Attributes:
        values: int64, one per query, sum < 2**53.
        rounded: True where the given weights share no unit that fits and were put on a grid of
            2**-40 of their sum; False where proportions are exact.
    """

    values: npt.NDArray[np.int64]
    rounded: bool


def exact_weights(given: Sequence[float]) -> Weights:
    """Scale *given* weights to integers with the same proportions.

    Counts stay counts and decimals are read as written (0.1 is one tenth). Normalised counts such
    as 1/3 = 0.333… are recognised by their common ratio; anything else is put on a fine grid.

    Raises:
        WeightError: a weight is negative or not finite.

    >>> exact_weights([0.20, 0.05, 0.10]).values.tolist()
    [4, 1, 2]
    >>> exact_weights([1 / 3, 2 / 3]).values.tolist()
    [1, 2]
    """
    plain = [value.item() if isinstance(value, np.generic) else value for value in given]
    array = _finite(plain)
    if not len(array):
        return Weights(np.zeros(0, np.int64), rounded=False)
    distinct = sorted(set(plain))
    integers = _common_unit([Fraction(str(value)) for value in distinct], len(plain))
    if integers is None or (max(integers) > COARSE and all(isinstance(value, float) for value in distinct)):
        integers = _common_ratio(distinct, len(plain)) or integers
    if integers is None:
        shares = array / array.max()
        return Weights(np.rint(shares / shares.sum() * FINE).astype(np.int64), rounded=True)
    known = dict(zip(distinct, integers, strict=True))
    return Weights(np.fromiter((known[value] for value in plain), np.int64, len(plain)), rounded=False)


def _finite(weights: Sequence[float]) -> npt.NDArray[np.float64]:
    """Return *weights* as an array, or raise WeightError where one is no weight."""
    try:
        array = np.asarray(weights, dtype=np.float64)
    except (OverflowError, TypeError, ValueError):
        array = np.array([np.nan])
    if not np.isfinite(array).all() or (array < 0).any() or any(isinstance(w, bool) for w in weights):
        raise WeightError("query weights must be numbers, finite and >= 0; correct or drop those at fault")
    return array


def _common_unit(values: list[Fraction], count: int) -> list[int] | None:
    """Return *values* in their largest common unit, or None where the sum would not fit."""
    denominator = math.lcm(*(value.denominator for value in values))
    numerators = [int(value * denominator) for value in values]
    unit = math.gcd(*numerators) or 1
    integers = [numerator // unit for numerator in numerators]
    return integers if max(integers) * count < LIMIT else None


def _common_ratio(values: list[float], count: int) -> list[int] | None:
    """Recognise normalised counts: some count for the smallest weight makes every weight a count."""
    smallest = next(value for value in values if value > 0)
    exact = [Fraction(value) / Fraction(smallest) for value in values]
    if exact[-1] > COARSE:
        return None
    for least in range(1, MOST_LEAST + 1):
        if all(abs(Fraction(round(ratio * least), least) - ratio) <= ratio / NEARLY for ratio in exact):
            counts = [Fraction(round(ratio * least)) for ratio in exact]
            return _common_unit(counts, count) if len(set(counts)) == len(counts) else None
    return None
