"""Who errs more than was thought: settlers by their expected errors, sources by the trust of their claims."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from memspan.trust.engine import Engine, kernel_for
from memspan.trust.noise import Noise, Rate

Floats = npt.NDArray[np.float64]
TAIL = 0.01
"""What an interval leaves out on each side: little, since many settlers are tried, each for two errors."""


@dataclass(frozen=True, slots=True)
class ErrorRate:
    """How often a settler errs one way, as far as the beliefs tell.

    Attributes:
        rate: expected, in (0, 1).
        lower, upper: the middle 98 % of what it may be.
        given: what the model takes it to be.
        others: what the outcomes of all other settlers give; None where there is none.
        errors: expected number of such errors.
        chances: expected number of outcomes that could have been one.
    """

    rate: float
    lower: float
    upper: float
    given: float
    others: float | None
    errors: float
    chances: float

    @property
    def high(self) -> bool:
        """Whether all of the interval lies above what was given."""
        return self.lower > self.given


@dataclass(frozen=True, slots=True)
class Erring:
    """How all outcomes together err, as far as the beliefs tell; `given` is what was taken for granted.

    Attributes:
        false_wrong: settled wrong though every claim of the support is true.
        false_right: settled right though some claim is false.
    """

    false_wrong: ErrorRate
    false_right: ErrorRate


@dataclass(frozen=True, slots=True)
class Settler:
    """A settler under the beliefs.

    Attributes:
        name: None is the owner.
        outcomes: how many in force are about some claim.
        false_wrong: settled wrong though every claim of the support is true.
        false_right: settled right though some claim is false.
        untrusted: whether its word is capped as that of an untrusted settler.
    """

    name: str | None
    outcomes: int
    false_wrong: ErrorRate
    false_right: ErrorRate
    untrusted: bool

    @property
    def suspicious(self) -> bool:
        """Whether it errs, one way or the other, more often than the model takes it to."""
        return self.false_wrong.high or self.false_right.high


@dataclass(frozen=True, slots=True)
class Reliability:
    """How likely a claim of a source is true, or any claim.

    Attributes:
        name: of the source; None for all claims together.
        claims: how many of its claims outcomes speak about, straight or over a link.
        true: how many of these are true, as far as the beliefs tell.
        reliability: the share of its claims that is true: of these, and some more taken to be as all are.
        lower, upper: the middle 98 % of what that share may be; the reliability lies between them.
        suspicious: whether all of the interval lies below that of all claims.
    """

    name: str | None
    claims: int
    true: float
    reliability: float
    lower: float
    upper: float
    suspicious: bool = False


def settlers_of(engine: Engine) -> tuple[tuple[Settler, ...], Erring]:
    """Return every settler with outcomes about claims, the most suspicious first, and all together.

    Whether a support is true is not known but believed: an outcome counts as an error by the belief that it
    is one. Outcomes of one settler about one support err together (its errors there are one draw from Beta
    (a, b)), so that n of them count as n / (1 + (n - 1) / (a + b + 1)).

    Source: L. Kish, *Survey sampling*, 1965, for outcomes that err together.
    """
    tallies = _tallies(engine)
    found = [_settler(engine, tallies, place) for place in np.flatnonzero(tallies.outcomes).tolist()]
    ordered = sorted(found, key=lambda each: (not each.suspicious, -_excess(each), str(each.name)))
    return tuple(ordered), _erring(engine.terms.noise, tallies)


def _erring(given: Noise, tallies: _Tallies) -> Erring:
    errors, chances = tallies.errors.sum(axis=1).tolist(), tallies.chances.sum(axis=1).tolist()
    rates = (given.false_wrong, given.false_right)
    return Erring(
        *(_rate(rate, made, could) for rate, made, could in zip(rates, errors, chances, strict=True))
    )


def _excess(settler: Settler) -> float:
    return max(each.lower - each.given for each in (settler.false_wrong, settler.false_right))


@dataclass(frozen=True)
class _Tallies:
    """By settler: outcomes in force, and of each kind of error how many were made and could have been."""

    outcomes: npt.NDArray[np.int64]
    errors: Floats
    chances: Floats


def _tallies(engine: Engine) -> _Tallies:
    columns, ledger = engine.state.columns, engine.ledger.columns
    n_factors, n_settlers = engine.state.n_factors, len(engine.state.settlers)
    of_part, entry = ledger["factor"].used, ledger["entry"].used
    counts = (1 - ledger["revoked"].used[entry]) * ledger["weight"].used[entry] * ledger["share"].used
    correct = ledger["correct"].used[entry]
    right = np.bincount(of_part, counts * correct, n_factors)
    both = np.bincount(of_part, counts, n_factors)
    by = columns["settler"].used
    true = _beliefs(engine)[columns["support"].used]
    sizes = columns["rates"].used[by]
    errors, chances = np.zeros((2, n_settlers)), np.zeros((2, n_settlers))
    for kind, (belief, wrong) in enumerate(((true, both - right), (1 - true, right))):
        alike = 1 / (1 + sizes[:, 2 * kind] + sizes[:, 2 * kind + 1])
        each = belief / (1 + np.maximum(both - 1, 0) * alike)
        errors[kind] = np.bincount(by, each * wrong, n_settlers)
        chances[kind] = np.bincount(by, each * both, n_settlers)
    entries = np.unique(entry[counts > 0])
    return _Tallies(np.bincount(ledger["settler"].used[entries], minlength=n_settlers), errors, chances)


def _beliefs(engine: Engine) -> Floats:
    """Return the belief in every support that was settled."""
    count = engine.state.n_supports
    every = np.arange(count, dtype=np.int32)
    found: Floats = kernel_for(count).beliefs(engine.state.evidence, engine.terms.numbers, every)
    return found


def _settler(engine: Engine, tallies: _Tallies, place: int) -> Settler:
    name = list(engine.state.settlers)[place]
    noise = engine.terms.noise_of(name)
    wrong, right = (
        _error_rate(tallies, kind, place, given)
        for kind, given in enumerate((noise.false_wrong, noise.false_right))
    )
    return Settler(name, int(tallies.outcomes[place]), wrong, right, untrusted=engine.caps.is_bound(name))


def _error_rate(tallies: _Tallies, kind: int, place: int, given: Rate) -> ErrorRate:
    errors, chances = tallies.errors[kind], tallies.chances[kind]
    made, could = float(errors[place]), float(chances[place])
    elsewhere = float(chances.sum()) - could
    others = (float(errors.sum()) - made) / elsewhere if elsewhere > 1e-9 else None
    return _rate(given, made, could, others)


def _rate(given: Rate, made: float, could: float, others: float | None = None) -> ErrorRate:
    return ErrorRate(*_middle(given.a + made, given.b + could - made), given.mean, others, made, could)


def sources_of(engine: Engine) -> tuple[tuple[Reliability, ...], Reliability]:
    """Return the sources that outcomes speak about, the most suspicious first, and all claims together."""
    terms = engine.terms
    trust, speaking = engine.state.pool.tolist()
    a = terms.base_weight * terms.base + trust
    b = terms.base_weight * (1 - terms.base) + speaking - trust
    pool = Reliability(None, round(speaking), trust, *_middle(a, b))
    found = list(_sources(engine, pool))
    return tuple(sorted(found, key=lambda each: (not each.suspicious, each.upper, str(each.name)))), pool


def _sources(engine: Engine, pool: Reliability) -> Iterator[Reliability]:
    weight, columns = engine.terms.source_weight, engine.state.columns
    reliable, speaking = columns["reliable"].used.tolist(), columns["speaking"].used.tolist()
    for name, trust, count in zip(engine.state.sources, reliable, speaking, strict=True):
        if count > 0.5:
            a = weight * pool.reliability + trust
            b = weight * (1 - pool.reliability) + max(count - trust, 0.0)
            mean, lower, upper = _middle(a, b)
            yield Reliability(name, round(count), trust, mean, lower, upper, upper < pool.lower)


def _middle(a: float, b: float) -> tuple[float, float, float]:
    """Return the mean of Beta(a, b) and the limits of its middle 98 %, which hold the mean.

    Where a or b is tiny the mean may lie outside; then the limit is the mean.
    """
    from scipy.special import betaincinv

    mean, lower, upper = a / (a + b), float(betaincinv(a, b, TAIL)), float(betaincinv(a, b, 1 - TAIL))
    return mean, min(lower, mean), max(upper, mean)
