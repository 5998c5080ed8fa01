"""Does it matter whether the memories that were read cover the question?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from memspan.errors import ShapeError
from memspan.intervals import Interval, around, multiplicities

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Association:
    """How right answers go with read coverage: rates, effects, and the errors that coverage explains.

    Attributes:
        covered_right: answers that were right where the reads cover the question; a fraction where
            judges disagree.
        covered_wrong: answers that were wrong though the reads cover the question.
        missed_right: answers that were right though the reads do not cover the question.
        missed_wrong: answers that were wrong where the reads do not cover the question.
        clusters: number of clusters behind the intervals.
        right_covered: share of right answers where covered.
        right_missed: share of right answers where not covered.
        difference: the first less the second, in [-1, 1]: the risk difference.
        odds_ratio: odds of a right answer where covered, against where not; with a half added to
            each cell, so that an empty one gives a number.
        phi: correlation of the two, in [-1, 1].
        auc: chance that a right answer is covered rather than a wrong one, ties by halves; .5 says
            nothing.
        missed_of_wrong: share of the wrong answers that were not covered: what a better read or
            write could reach at most.
        attributable: share of the wrong answers that would be right if those not covered went as
            well as those covered; below 0 where they go better uncovered.

    Source: the rates, odds ratio and phi of a 2 x 2 table: Agresti, *Categorical Data Analysis*, 2013,
    chapters 2 and 3; the half: Haldane, 1956; the attributable fraction: Levin, *The occurrence of
    lung cancer in man*, 1953.
    """

    covered_right: float
    covered_wrong: float
    missed_right: float
    missed_wrong: float
    clusters: int
    right_covered: Interval
    right_missed: Interval
    difference: Interval
    odds_ratio: Interval
    phi: Interval
    auc: Interval
    missed_of_wrong: Interval
    attributable: Interval

    @property
    def n(self) -> float:
        """Number of answers."""
        return self.covered_right + self.covered_wrong + self.missed_right + self.missed_wrong


def association(
    covered: Sequence[bool],
    correct: Sequence[float],
    clusters: Sequence[str],
    rng: np.random.Generator,
    *,
    draws: int = 2000,
) -> Association:
    """Return how right answers go with coverage, with 95 % intervals over whole clusters.

    It is an association, not an effect: hard questions are both covered and answered less often.

    Args:
        covered: whether what was read for each answer holds a support of its query.
        correct: whether the answer is right: 1, 0, or a share of votes.
        clusters: what each answer shares with others: its material, or its question where several
            runs answer one; see `clustered_bootstrap` for what few of them mean.
        rng: draws the clusters.
        draws: number of bootstrap draws.

    Returns:
        nan where a rate has nothing below its line, e.g. `right_missed` where all is covered.

    Raises:
        ShapeError: the three differ in length, are empty, or *correct* leaves [0, 1].

    >>> rng = np.random.default_rng(0)
    >>> found = association([True, True, False, False], [1, 1, 1, 0], ["a", "b", "a", "b"], rng)
    >>> found.right_covered.estimate, found.right_missed.estimate, found.missed_of_wrong.estimate
    (1.0, 0.5, 1.0)
    """
    seen, right = np.asarray(covered, np.bool_), np.asarray(correct, np.float64)
    _check(seen, right, clusters)
    names = {name: i for i, name in enumerate(dict.fromkeys(clusters))}
    owner = np.array([names[name] for name in clusters])
    cells = np.stack([seen * right, seen * (1 - right), ~seen * right, ~seen * (1 - right)], axis=1)
    tables = np.zeros((len(names), 4))
    np.add.at(tables, owner, cells)
    whole = tables.sum(axis=0)
    drawn = _figures(multiplicities(len(names), rng, draws) @ tables)
    told = zip(_figures(whole[None]), drawn, strict=True)
    a, b, c, d = whole.tolist()
    return Association(a, b, c, d, len(names), *(around(float(at[0]), seen, len(names)) for at, seen in told))


def _figures(tables: Floats) -> tuple[Floats, ...]:
    """Return the figures of *tables*, shape (n, 4): covered right and wrong, missed right and wrong.

    They stand in the order of the fields of `Association`.
    """
    a, b, c, d = tables.T
    with np.errstate(divide="ignore", invalid="ignore"):
        right_covered, right_missed = a / (a + b), c / (c + d)
        phi = (a * d - b * c) / np.sqrt((a + b) * (c + d) * (a + c) * (b + d))
        return (
            right_covered,
            right_missed,
            right_covered - right_missed,
            (a + 0.5) * (d + 0.5) / ((b + 0.5) * (c + 0.5)),
            phi,
            (1 + a / (a + c) - b / (b + d)) / 2,
            d / (b + d),
            (d - (c + d) * (b / (a + b))) / (b + d),
        )


def _check(covered: npt.NDArray[np.bool_], correct: Floats, clusters: Sequence[str]) -> None:
    if not len(covered) == len(correct) == len(clusters) or not len(covered):
        raise ShapeError(
            f"{len(covered)} covered, {len(correct)} correct and {len(clusters)} clusters; "
            "give one of each for each answer, and at least one answer"
        )
    if not bool(np.all((correct >= 0) & (correct <= 1))):
        raise ShapeError("an answer is right to a degree outside 0 to 1; give 1, 0 or a share of votes")
