"""Judges err: what a measured rate of right answers says about the true one."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from memspan.datasets.outcomes import Judgement
from memspan.errors import NoiseError
from memspan.intervals import Interval

_Z = 1.959963984540054
"""The normal quantile of a 95 % interval."""


@dataclass(frozen=True, slots=True)
class JudgeNoise:
    """How a judge errs.

    It is about answers, and the judge alone. `memspan.trust.Noise` is about supports and holds whatever
    makes an outcome err: the reasoner, its luck, the judge; `memspan.trust.estimate_noise` measures it.

    Attributes:
        false_right: share of wrong answers that it calls right, in [0, 1].
        false_wrong: share of right answers that it calls wrong, in [0, 1].
        wrong_answers: on how many wrong answers `false_right` was measured; None takes it as exact.
        right_answers: on how many right answers `false_wrong` was measured; None takes it as exact.

    Raises:
        NoiseError: a rate outside [0, 1], a count below 1, or a judge whose verdicts say nothing:
            it calls wrong answers right at least as often as right ones.

    >>> JudgeNoise(0.7, 0.3)
    Traceback (most recent call last):
    memspan.errors.NoiseError: false_right 0.7 and false_wrong 0.3 sum to 1 or more: ...
    """

    false_right: float = 0
    false_wrong: float = 0
    wrong_answers: int | None = None
    right_answers: int | None = None

    def __post_init__(self) -> None:
        """Refuse a judge from whose verdicts nothing follows."""
        for name, rate in (("false_right", self.false_right), ("false_wrong", self.false_wrong)):
            if not 0 <= rate <= 1:
                raise NoiseError(f"{name} is {rate}; allowed is 0 to 1")
        if any(count is not None and count < 1 for count in (self.wrong_answers, self.right_answers)):
            raise NoiseError(
                "noise was measured on no answer; give how many were judged, or None where it is exact"
            )
        if self.false_right + self.false_wrong >= 1:
            raise NoiseError(
                f"false_right {self.false_right:g} and false_wrong {self.false_wrong:g} sum to 1 or more: "
                "the judge tells nothing about right and wrong; use another judge"
            )


def corrected(rate: float, n: int, noise: JudgeNoise) -> Interval:
    """Return the true rate of right answers behind a judged *rate*, with a 95 % interval.

    The estimate is (rate - false_right) / (1 - false_right - false_wrong), cut to [0, 1]. The
    limits hold the chance in the *n* answers and, where the noise was measured, the chance in that.
    They take the answers as independent; where questions share a material, the interval is short.

    Args:
        rate: share of the answers that were judged right, in [0, 1].
        n: number of answers.
        noise: how the judge errs.

    Raises:
        NoiseError: *rate* is no share, *n* is below 1, or the noise was measured on so few answers
            that the judge may tell nothing.

    Source: Rogan and Gladen, *Estimating prevalence from the results of a screening test*, 1978;
    limits by Lang and Reiczigel, *Confidence limits for prevalence of disease adjusted for estimated
    sensitivity and specificity*, 2014 (by Agresti and Coull, 1998, where the noise is exact).

    >>> print(corrected(0.8, 400, JudgeNoise(false_right=0.1)))
    0.778 [0.731, 0.818]
    """
    if not 0 <= rate <= 1 or n < 1:
        raise NoiseError(f"rate is {rate} of {n} answers; allowed is 0 to 1 of at least one")
    told = 1 - noise.false_right - noise.false_wrong
    estimate = _share((rate - noise.false_right) / told)
    middle = (n * rate + _Z**2 / 2) / (n + _Z**2)
    accepts, accepts_n = _added_one(noise.false_right, noise.wrong_answers)
    refuses, refuses_n = _added_one(noise.false_wrong, noise.right_answers)
    slope = 1 - accepts - refuses
    if slope <= 0:
        raise NoiseError(
            "noise was measured on too few answers: the judge may tell nothing; judge more of them"
        )
    centre = (middle - accepts) / slope
    by_right = centre * refuses * (1 - refuses) / refuses_n
    by_wrong = (1 - centre) * accepts * (1 - accepts) / accepts_n
    chance = middle * (1 - middle) / (n + _Z**2) + centre * by_right + (1 - centre) * by_wrong
    half = _Z * math.sqrt(chance) / slope
    centre += 2 * _Z**2 * (by_right - by_wrong)
    return Interval(estimate, min(_share(centre - half), estimate), max(_share(centre + half), estimate))


def measured_noise(records: Iterable[Judgement]) -> Mapping[str, JudgeNoise]:
    """Return how judges err, by kind of answer, from answers whose truth is known.

    An answer counts once however many votes it got: votes on one answer are nearly copies of one
    another. A rate on which no answer bears is 0 and counts as exact; say so where you use it.

    Raises:
        NoiseError: the judges tell nothing about some kind of answer.

    >>> wrong = [Judgement("m", "q1", "vague", False, 1.0), Judgement("m", "q2", "vague", False, 0.0)]
    >>> measured_noise(wrong)["vague"]
    JudgeNoise(false_right=0.5, false_wrong=0, wrong_answers=2, right_answers=None)
    """
    judged: dict[str, tuple[list[float], list[float]]] = defaultdict(lambda: ([], []))
    for record in records:
        judged[record.kind][record.right].append(record.judged)
    return {
        kind: JudgeNoise(
            math.fsum(wrong) / len(wrong) if wrong else 0,
            1 - math.fsum(right) / len(right) if right else 0,
            len(wrong) or None,
            len(right) or None,
        )
        for kind, (wrong, right) in judged.items()
    }


def _added_one(rate: float, n: int | None) -> tuple[float, float]:
    """Return a measured rate with one answer of each kind added, and its count; an exact rate as it is."""
    return (rate, math.inf) if n is None else ((n * rate + 1) / (n + 2), n)


def _share(value: float) -> float:
    return min(max(value, 0.0), 1.0)
