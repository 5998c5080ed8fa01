"""Noise that was measured: how often outcomes err, counted where it is known what they should be."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from memspan.errors import UnknownName
from memspan.material import CONTEXT, Material, Settlement
from memspan.trust.calibration import limits_of
from memspan.trust.noise import Noise, Rate

Floats = npt.NDArray[np.float64]
Side = Literal["false_wrong", "false_right"]
WEIGHT = 10.0
"""Outcomes that a rate counts as before any is seen."""
REPEATED = 30
"""Supports settled more than once, by one settler, from which their spread can be told."""
LEAST, MOST = 1.0, 100.0
"""Limits of a measured a + b."""
LEVEL = 0.95
UNKNOWN_READS, UNANSWERABLE, UNSUPPORTED, UNSURE, UNAUDITED, WEIGHTLESS = (
    "what was read is not known",
    "the query is unanswerable",
    "no support of the query is known",
    "the query's supports are not sure",
    "the truth of what was read is not known, or differs between supports",
    "the outcome has no weight",
)


@dataclass(frozen=True, slots=True)
class MeasuredRate:
    """An error rate, and what it rests on.

    Attributes:
        rate: for `Noise`: the estimate drawn towards what was taken for granted, which counts as 10
            outcomes; where nothing bears on it, that itself.
        estimate: errors per outcome as counted; nan where nothing bears on it.
        lower, upper: its 95 % interval over other supports; 0 and 1 where fewer than two bear on it.
        outcomes: how many outcomes bear on it, by weight.
        errors: how many of them are errors.
        supports: how many supports they are about, or queries where no support was read.
        spread: whether a + b of `rate`, how alike supports are, was measured; else it was taken for granted.
    """

    rate: Rate
    estimate: float = math.nan
    lower: float = 0.0
    upper: float = 1.0
    outcomes: float = 0.0
    errors: float = 0.0
    supports: int = 0
    spread: bool = False

    @property
    def measured(self) -> bool:
        """Whether any outcome bears on it."""
        return self.outcomes > 0

    def __str__(self) -> str:
        """Say the rate and on what it rests."""
        if not self.measured:
            return f"{self.rate.mean:.3f}, taken for granted: no outcome bears on it"
        return (
            f"{self.estimate:.3f} [{self.lower:.3f}, {self.upper:.3f}], {self.errors:g} of {self.outcomes:g} "
            f"outcomes about {self.supports:,} supports; used as {self.rate.mean:.3f}"
        )


@dataclass(frozen=True, slots=True)
class Errors:
    """How the outcomes of one settler, or of all, err: the two rates of `Noise`, as measured."""

    false_wrong: MeasuredRate
    false_right: MeasuredRate

    @property
    def tells(self) -> bool:
        """Whether right and wrong say anything: the two means sum to less than 1."""
        return self.false_wrong.rate.mean + self.false_right.rate.mean < 1

    @property
    def noise(self) -> Noise:
        """The rates for `Terms`.

        Raises:
            NoiseError: they sum to 1 or more; see `tells`.
        """
        return Noise(self.false_wrong.rate, self.false_right.rate)


@dataclass(frozen=True, slots=True)
class MeasuredNoise:
    """How outcomes err, as measured: ``Terms(noise=found.noise, settlers=found.settlers)``.

    Attributes:
        overall: all outcomes together.
        by_settler: those of each settler that has a name, drawn towards all together.
        left_out: how many outcomes bear on neither rate, by reason.
    """

    overall: Errors
    by_settler: Mapping[str, Errors]
    left_out: Mapping[str, int]

    @property
    def noise(self) -> Noise:
        """The rates of all outcomes together.

        Raises:
            NoiseError: they sum to 1 or more: right and wrong say nothing about truth.
        """
        return self.overall.noise

    @property
    def settlers(self) -> Mapping[str, Noise]:
        """The rates of each settler whose outcomes say something."""
        return {name: errors.noise for name, errors in self.by_settler.items() if errors.tells}

    @property
    def silent(self) -> tuple[str, ...]:
        """Settlers whose outcomes say nothing, or the contrary: leave their settlements out."""
        return tuple(name for name, errors in self.by_settler.items() if not errors.tells)


@dataclass(frozen=True, slots=True)
class _Seen:
    """An outcome that bears on a rate: about what, whose, how much of an error, and how much it counts."""

    about: Hashable
    settler: str | None
    error: float
    weight: float


def estimate_noise(
    material: Material, settlements: Iterable[Settlement], audited: Mapping[str, bool] | None = None
) -> MeasuredNoise:
    """Measure how outcomes err, from those of which it is known what they should be.

    False right: where no support of an answerable query was read, a right outcome is luck, knowledge
    from elsewhere or an erring judge; likewise where each support that was read holds a claim audited
    false. False wrong: a wrong outcome though all claims of each support that was read are audited true.

    An unanswerable query bears on neither: its right answer, a refusal, needs no support. Nor does an
    outcome of which the reads are not known, unless the whole material was read; nor a query whose
    supports were only found, with a probability below 1.

    These are errors of reasoner and judge together, about supports. `memspan.diagnosis.JudgeNoise` is the
    judge's part alone, about answers: whoever passes a share of the wrong answers raises `false_right` of
    all who are judged so, and what it measures is one reason of several for the rates here.

    Args:
        material: queries with their supports, and claims.
        settlements: outcomes about its queries.
        audited: whether a claim is true, for those that were audited; None takes `Claim.truth` where it
            is 0 or 1. It must not itself be guessed from these outcomes.

    Returns:
        Rates with what they rest on. Outcomes about one support err alike: intervals and the weight of
        the data allow for it, over all settlers.

    Raises:
        UnknownName: a query of *settlements* or a claim of *audited* is not in the material.

    Source: limits by Wilson, *Probable inference*, 1927, with the effective number of outcomes and Student's
    t over supports after Korn and Graubard, *Confidence intervals for proportions with small expected
    number of positive counts estimated from survey data*, 1998; spread by the one-way intraclass
    correlation, Ridout, Demetrio and Firth, *Estimating intraclass correlation for binary data*, 1999.

    >>> from memspan.material import Claim, Query, Support
    >>> trip = Material("trip", (Claim("c1", truth=1),), queries=(Query("q", supports=(Support(("c1",)),)),))
    >>> told = [Settlement("q", right, ("c1",)) for right in (1, 1, 1, 0)]
    >>> found = estimate_noise(trip, told)
    >>> found.overall.false_wrong.estimate, found.noise.false_right
    (0.25, Rate(a=1, b=9))
    """
    truth = _truth(material, audited)
    seen: dict[Side, list[_Seen]] = {"false_wrong": [], "false_right": []}
    left_out: Counter[str] = Counter()
    for settlement in settlements:
        side, about = _bearing(material, settlement, truth)
        if side is None:
            left_out[str(about)] += 1
            continue
        error = 1 - settlement.correct if side == "false_wrong" else settlement.correct
        seen[side].append(_Seen(about, settlement.settler, error, settlement.weight))
    default = Noise()
    overall = _errors(seen, default.false_wrong, default.false_right)
    return MeasuredNoise(overall, dict(_by_settler(seen, overall)), dict(left_out))


def _truth(material: Material, audited: Mapping[str, bool] | None) -> Mapping[str, bool]:
    if audited is None:
        return {claim.id: claim.truth == 1 for claim in material.claims if claim.truth in {0, 1}}
    lost = sorted(name for name in audited if name not in material.claim_position)
    if lost:
        raise UnknownName(f"audited are claims that {material.id!r} does not have: {', '.join(lost[:5])}")
    return audited


def _bearing(
    material: Material, settlement: Settlement, truth: Mapping[str, bool]
) -> tuple[Side | None, Hashable]:
    """Return the rate on which *settlement* bears and what it is about; else None and the reason."""
    query = material.query(settlement.query)
    supports = material.supports_of(query)
    full = settlement.extra.get(CONTEXT) == "full"
    for holds, reason in (
        (settlement.weight <= 0, WEIGHTLESS),
        (not query.answerable, UNANSWERABLE),
        (not supports, UNSUPPORTED),
        (any(each.probability not in {None, 1} for each in supports), UNSURE),
        (settlement.claims is None and not full, UNKNOWN_READS),
    ):
        if holds:
            return None, reason
    told = material.claim_position.keys() if settlement.claims is None else frozenset(settlement.claims)
    read = [each.claims for each in supports if told >= {*each.claims} and told.isdisjoint(each.unless)]
    if not read:
        return "false_right", query.id
    about = frozenset(frozenset(claims) for claims in read)
    if all(truth.get(claim) for claims in read for claim in claims):
        return "false_wrong", about
    if all(any(truth.get(claim) is False for claim in claims) for claims in read):
        return "false_right", about
    return None, UNAUDITED


def _by_settler(seen: Mapping[Side, list[_Seen]], overall: Errors) -> Iterator[tuple[str, Errors]]:
    names = dict.fromkeys(each.settler for several in seen.values() for each in several)
    for name in names:
        if name is not None:
            own = {side: [each for each in several if each.settler == name] for side, several in seen.items()}
            yield name, _errors(own, overall.false_wrong.rate, overall.false_right.rate)


def _errors(seen: Mapping[Side, list[_Seen]], false_wrong: Rate, false_right: Rate) -> Errors:
    return Errors(_rate(seen["false_wrong"], false_wrong), _rate(seen["false_right"], false_right))


def _rate(seen: list[_Seen], granted: Rate) -> MeasuredRate:
    """Return the rate of errors in *seen*, drawn towards the *granted* one."""
    if not seen:
        return MeasuredRate(granted)
    errors, counts = _grouped(seen, lambda each: each.about)
    n = float(counts.sum())
    estimate = float(errors.sum()) / n
    effective = n / (1 + max(float(counts @ counts) / n - 1, 0) * alike(errors, counts))
    lower, upper = limits(estimate, effective, len(counts))
    mean = (WEIGHT * granted.mean + effective * estimate) / (WEIGHT + effective)
    spread = _spread(seen)
    strength = granted.a + granted.b if spread is None else spread
    return MeasuredRate(
        rate=Rate(mean * strength, (1 - mean) * strength),
        estimate=estimate,
        lower=lower,
        upper=upper,
        outcomes=n,
        errors=float(errors.sum()),
        supports=len(counts),
        spread=spread is not None,
    )


def _spread(seen: list[_Seen]) -> float | None:
    """Return a + b from how rates differ between supports of one settler each; None where few repeat."""
    errors, counts = _grouped(seen, lambda each: (each.about, each.settler))
    if (counts > 1).sum() < REPEATED:
        return None
    rho = alike(errors, counts)
    return float(np.clip(1 / rho - 1, LEAST, MOST)) if rho > 0 else MOST


def _grouped(seen: list[_Seen], by: Callable[[_Seen], Hashable]) -> tuple[Floats, Floats]:
    """Return errors and outcomes, by weight, of each group."""
    found: defaultdict[Hashable, list[float]] = defaultdict(lambda: [0.0, 0.0])
    for each in seen:
        group = found[by(each)]
        group[0] += each.weight * each.error
        group[1] += each.weight
    errors, counts = np.array(list(found.values()), np.float64).T
    return errors, counts


def alike(errors: Floats, counts: Floats) -> float:
    """Return the correlation of two outcomes of one group: 1 / (a + b + 1) where rates are Beta(a, b).

    Args:
        errors: errors in each group.
        counts: outcomes in each group.

    Returns:
        In [0, 1]; 0 where no group has several outcomes.

    Source: the analysis-of-variance estimate, Ridout, Demetrio and Firth, 1999, section 2.1.
    """
    n, groups = float(counts.sum()), len(counts)
    if groups < 2 or n <= groups:
        return 0.0
    rates = errors / counts
    between = float(counts @ (rates - errors.sum() / n) ** 2) / (groups - 1)
    within = float(counts @ (rates * (1 - rates))) / (n - groups)
    size = (n - float(counts @ counts) / n) / (groups - 1)
    whole = between + (size - 1) * within
    return min(max((between - within) / whole, 0.0), 1.0) if whole > 0 else 0.0


def limits(rate: float, effective: float, groups: int) -> tuple[float, float]:
    """Return the 95 % limits of a *rate* counted on an *effective* number of outcomes in some *groups*.

    Source: Wilson, 1927; Student's t in place of the normal quantile: Korn and Graubard, 1998.
    """
    if groups < 2:
        return 0.0, 1.0
    from scipy.special import stdtrit

    return limits_of(rate, effective, float(stdtrit(groups - 1, (1 + LEVEL) / 2)) ** 2)
