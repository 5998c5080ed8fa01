"""How good beliefs are, held against what is true: calibration, and how well they tell true from false.

Truth is 0 or 1 and a belief the probability of 1. No measure depends on the order of the claims.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from memspan.errors import ShapeError

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

BINS = 15
"""Groups of claims with alike beliefs, where nothing else is asked for."""
CLIP = 1e-4
"""Beliefs nearer to 0 or 1 count as this far away in `log_loss`: one sure error costs 9.2, not infinity."""
_Z = 1.959963984540054
"""The normal quantile of a 95 % interval."""


@dataclass(frozen=True, slots=True)
class Bin:
    """Claims with alike beliefs.

    Attributes:
        count: how many claims, 1 or more.
        belief: their mean belief.
        rate: the share of them that is true.
        lower, upper: 95 % limits of that share, see `wilson`.
    """

    count: int
    belief: float
    rate: float
    lower: float
    upper: float


@dataclass(frozen=True, slots=True)
class Calibration:
    """Beliefs held against truth.

    Attributes:
        n: how many claims.
        ece: see `ece`.
        brier: see `brier`.
        log_loss: see `log_loss`.
        auc: see `auc`; nan where all claims are true, or all false.
        bins: see `reliability`, by rising belief.
    """

    n: int
    ece: float
    brier: float
    log_loss: float
    auc: float
    bins: tuple[Bin, ...] = field(repr=False)


def calibration(truth: npt.ArrayLike, belief: npt.ArrayLike, *, bins: int = BINS) -> Calibration:
    """Return how good *belief* is, held against *truth*.

    Args:
        truth: 0 or 1 for each claim, shape (n,).
        belief: probability that it is 1, shape (n,), in [0, 1].
        bins: how many groups of like belief, at most.

    Raises:
        ShapeError: arrays that are no such thing, no claim at all, or fewer than one group.

    Sources: those of its parts.

    >>> found = calibration([0, 1, 1, 0], [0.2, 0.9, 0.7, 0.4], bins=2)
    >>> round(found.ece, 6), round(found.brier, 6), found.auc
    (0.25, 0.075, 1.0)
    >>> found.bins[0].count, round(found.bins[0].belief, 6), found.bins[0].rate
    (2, 0.3, 0.0)
    """
    found = reliability(truth, belief, bins=bins)
    count = sum(each.count for each in found)
    return Calibration(
        count, _ece(found), brier(truth, belief), log_loss(truth, belief), auc(truth, belief), found
    )


def reliability(truth: npt.ArrayLike, belief: npt.ArrayLike, *, bins: int = BINS) -> tuple[Bin, ...]:
    """Return the claims in groups of like belief and equal size: the points of a reliability diagram.

    The claims are sorted by belief and cut into *bins* groups, whose sizes differ by one at most. Equal
    beliefs stay together, so that their order cannot matter: a cut that would part them moves to the
    nearer end of the run of equal beliefs, to the lower one where both are as near. Groups then differ in
    size, and those left empty are dropped: one belief for all makes one group.

    Raises:
        ShapeError: as for `calibration`.

    Source: groups of equal size in place of equal width, K. Nguyen and B. O'Connor, *Posterior
    calibration and exploratory analysis for natural language processing models*, EMNLP 2015.

    >>> [each.count for each in reliability([1, 0, 1, 1, 0], [0.1, 0.5, 0.5, 0.5, 0.9], bins=2)]
    [4, 1]
    """
    true, believed = _checked(truth, belief)
    if bins < 1:
        raise ShapeError(f"bins is {bins}; give how many groups there may be, 1 or more")
    order = np.argsort(believed)
    true, believed = true[order], believed[order]
    edges = _edges(believed, bins)
    counts, starts = np.diff(edges), edges[:-1]
    sums = np.add.reduceat(np.stack([true, believed]), starts, axis=1)
    return tuple(
        Bin(count, b / count, t / count, *wilson(int(t), count))
        for count, t, b in zip(counts.tolist(), *sums.tolist(), strict=True)
    )


def _edges(ordered: Floats, bins: int) -> Ints:
    """Return where groups start and end in beliefs that are *ordered*: equal ones are never parted."""
    n = len(ordered)
    sizes = n // bins + (np.arange(bins) < n % bins)
    cuts = np.cumsum(sizes)[:-1]
    cuts = cuts[cuts < n]
    low, high = (np.searchsorted(ordered, ordered[cuts], side) for side in ("left", "right"))
    moved = np.where(cuts - low <= high - cuts, low, high)
    return np.unique([0, *moved, n])


def wilson(true: int, count: int) -> tuple[float, float]:
    """Return the 95 % limits of a share of which *true* out of *count* were seen.

    Source: E. B. Wilson, *Probable inference, the law of succession, and statistical inference*, Journal
    of the American Statistical Association 22, 1927.

    >>> [round(limit, 3) for limit in wilson(8, 10)]
    [0.49, 0.943]
    """
    return limits_of(true / count, count, _Z**2)


def limits_of(rate: float, count: float, square: float) -> tuple[float, float]:
    """Return Wilson's limits of a *rate* seen in *count* cases; *square* is that of the quantile."""
    z = square / count
    middle = (rate + z / 2) / (1 + z)
    half = math.sqrt(z * rate * (1 - rate) + z**2 / 4) / (1 + z)
    # Rounding must not put the share seen outside its own limits.
    return max(min(middle - half, rate), 0.0), min(max(middle + half, rate), 1.0)


def ece(truth: npt.ArrayLike, belief: npt.ArrayLike, *, bins: int = BINS) -> float:
    """Return the expected calibration error: how far belief and share of true ones lie apart, on average.

    Sum over the groups of `reliability` of (claims of the group / claims) · ``|rate - belief|``. Unitless,
    in [0, 1]; 0 is best. Of few claims it is above 0 even where beliefs are perfect: a share of 50 claims
    misses by 0.06 by chance alone.

    Raises:
        ShapeError: as for `calibration`.

    Source: M. P. Naeini, G. F. Cooper and M. Hauskrecht, *Obtaining well calibrated probabilities using
    Bayesian binning*, AAAI 2015; groups as in `reliability`.

    >>> ece([0, 1, 1, 1], [0.75, 0.75, 0.75, 0.75])
    0.0
    """
    return _ece(reliability(truth, belief, bins=bins))


def _ece(bins: tuple[Bin, ...]) -> float:
    count = sum(each.count for each in bins)
    return math.fsum(each.count * abs(each.rate - each.belief) for each in bins) / count


def brier(truth: npt.ArrayLike, belief: npt.ArrayLike) -> float:
    """Return the Brier score: the mean of (belief - truth)², in [0, 1]; 0 is best, 0.25 is knowing nothing.

    Raises:
        ShapeError: as for `calibration`.

    Source: G. W. Brier, *Verification of forecasts expressed in terms of probability*, Monthly Weather
    Review 78, 1950; halved, since only one of the two outcomes is counted.

    >>> brier([0, 1], [0.5, 1])
    0.125
    """
    true, believed = _checked(truth, belief)
    return math.fsum(((believed - true) ** 2).tolist()) / len(true)


def log_loss(truth: npt.ArrayLike, belief: npt.ArrayLike) -> float:
    """Return the mean of -ln(belief in what is the case), in nats; 0 is best, 0.69 is knowing nothing.

    Beliefs are clipped to [`CLIP`, 1 - `CLIP`], so that it is finite: at most 9.21 and never below 0.0001.

    Raises:
        ShapeError: as for `calibration`.

    Source: I. J. Good, *Rational decisions*, Journal of the Royal Statistical Society B 14, 1952.

    >>> round(log_loss([0, 1], [0.5, 0.5]), 4), round(log_loss([0], [1.0]), 4)
    (0.6931, 9.2103)
    """
    true, believed = _checked(truth, belief)
    clipped = np.clip(believed, CLIP, 1 - CLIP)
    return math.fsum((-np.log(np.where(true == 1, clipped, 1 - clipped))).tolist()) / len(true)


def auc(truth: npt.ArrayLike, belief: npt.ArrayLike) -> float:
    """Return how often a true claim is believed more than a false one, equal beliefs counting half.

    The area under the ROC curve, in [0, 1]: 1 tells all apart, 0.5 is chance. nan where all claims are
    true, or all false.

    Raises:
        ShapeError: as for `calibration`.

    Source: J. A. Hanley and B. J. McNeil, *The meaning and use of the area under a receiver operating
    characteristic (ROC) curve*, Radiology 143, 1982.

    >>> auc([0, 1, 1], [0.3, 0.3, 0.8])
    0.75
    """
    true, believed = _checked(truth, belief)
    right, wrong = np.sort(believed[true == 1]), np.sort(believed[true == 0])
    pairs = len(right) * len(wrong)
    below, upto = (int(np.searchsorted(wrong, right, side).sum()) for side in ("left", "right"))
    return (below + upto) / (2 * pairs) if pairs else math.nan


def _checked(truth: npt.ArrayLike, belief: npt.ArrayLike) -> tuple[Floats, Floats]:
    """Return both as arrays of numbers, or say what is wrong with them."""
    true, believed = np.asarray(truth, np.float64), np.asarray(belief, np.float64)
    if true.ndim != 1 or true.shape != believed.shape:
        raise ShapeError(
            f"truth has shape {true.shape} and belief {believed.shape}; give two rows of the same length"
        )
    if not len(true):
        raise ShapeError("there is no claim; give at least one whose truth is known")
    unknown = ~np.isin(true, (0, 1))
    if unknown.any():
        at = int(unknown.argmax())
        raise ShapeError(f"truth[{at}] is {true[at]}; give 0 or 1, and leave out claims of unknown truth")
    strange = ~((believed >= 0) & (believed <= 1))
    if strange.any():
        at = int(strange.argmax())
        raise ShapeError(f"belief[{at}] is {believed[at]}; give a probability, 0 to 1")
    return true, believed
