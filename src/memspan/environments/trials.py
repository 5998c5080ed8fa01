"""Policies that were replayed: each trial, and what they add up to beside the bound."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

import numpy as np
import numpy.typing as npt

from memspan.errors import UnknownName
from memspan.intervals import Interval, around, mean_over, multiplicities

Floats = npt.NDArray[np.float64]
Cells = list[list["Trial"]]
FEW = 5
"""Materials below which no interval says whether one policy is ahead of another: too few to tell."""
_DRAWS = 2_000


@dataclass(frozen=True)
class Trial:
    """One policy through one episode.

    Attributes:
        material: its id.
        policy: its name.
        order: of the queries.
        share: capacity as it was asked for: a share of all that could be held, or a whole number.
        capacity: the same in the unit of the costs.
        seed: that drew the queries.
        collected: (T,) reward of each step, nan where nothing was asked.
        expected: (T,) chance that a query of the step's law is answered; where the bound is clairvoyant,
            what was collected, since both are about the very queries that were asked.
        bound: (T,) what no policy expects more of.
        bound_kind: see `Optima`.
        reached: share of the bound that some memory is proven to reach; nan where that is not known.
    """

    material: str
    policy: str
    order: str
    share: float
    capacity: int
    seed: int
    collected: Floats
    expected: Floats
    bound: Floats
    bound_kind: str
    reached: float = float("nan")

    @property
    def regret(self) -> Floats:
        """(T,) how far what was expected lags behind the bound by each step, summed."""
        return np.nancumsum(self.bound - self.expected)

    @property
    def attained(self) -> float:
        """Share of the bound, in expectation; nan where no memory can answer anything."""
        total = float(np.nansum(self.bound))
        return float(np.nansum(self.expected)) / total if total else float("nan")

    @property
    def asked(self) -> int:
        """How many queries were asked."""
        return int((~np.isnan(self.collected)).sum())


@dataclass(frozen=True)
class Regret:
    """How far policies lag behind the bound, summed over the steps.

    Attributes:
        mean, lower, upper: (T,) over materials, with the limits of the 95 % interval; nan where
            one material says nothing about others.
        growth: exponent of the growth over the second half: 0 where it stops, 1 where it goes on
            as before; nan where there is none.
    """

    mean: Floats
    lower: Floats
    upper: Floats
    growth: Interval

    @property
    def end(self) -> Interval:
        """After the last step, in queries."""
        if not len(self.mean):
            return Interval(0.0)
        return Interval(float(self.mean[-1]), float(self.lower[-1]), float(self.upper[-1]))


@dataclass(frozen=True)
class Replay:
    """Trials, and what they add up to; intervals are over materials.

    A *share* is a capacity as it was asked for.
    """

    trials: tuple[Trial, ...]

    @property
    def policies(self) -> tuple[str, ...]:
        """Names, as first met."""
        return tuple(dict.fromkeys(trial.policy for trial in self.trials))

    @property
    def orders(self) -> tuple[str, ...]:
        """Orders of queries, as first met."""
        return tuple(dict.fromkeys(trial.order for trial in self.trials))

    @property
    def shares(self) -> tuple[float, ...]:
        """Capacities, as first met."""
        return tuple({_whole(trial.share): trial.share for trial in self.trials}.values())

    @cached_property
    def _cells(self) -> dict[tuple[str, str, tuple[bool, float]], dict[str, list[Trial]]]:
        cells: dict[tuple[str, str, tuple[bool, float]], dict[str, list[Trial]]] = {}
        for trial in self.trials:
            cell = cells.setdefault((trial.policy, trial.order, _whole(trial.share)), {})
            cell.setdefault(trial.material, []).append(trial)
        return cells

    def chosen(self, policy: str, order: str, share: float) -> Cells:
        """Return the trials of one cell, by material.

        Raises:
            UnknownName: there are none.
        """
        found = self._cells.get((policy, order, _whole(share)))
        if not found:
            raise UnknownName(f"no trial of {policy!r} under {order!r} at {share:g}")
        return list(found.values())

    def attained(self, policy: str, order: str, share: float) -> Interval:
        """Return the share of the bound that *policy* expects to answer.

        Materials of which no memory of the capacity answers anything do not count; nan where none is left.
        """
        return _mean([_over(cell, _attained) for cell in self.chosen(policy, order, share)])

    def collected(self, policy: str, order: str, share: float) -> Interval:
        """Return the share of the queries asked that *policy* answered."""
        return _mean(
            [
                _over(cell, lambda trial: float(np.nansum(trial.collected)) / max(trial.asked, 1))
                for cell in self.chosen(policy, order, share)
            ]
        )

    def ratio(self, policy: str, other: str, order: str, share: float) -> Interval:
        """Return how many times what *other* attains *policy* attains, materials drawn in pairs."""
        ours, theirs = (
            np.array([_over(cell, _attained) for cell in self.chosen(name, order, share)])
            for name in (policy, other)
        )
        known = ~np.isnan(ours)
        ours, theirs = ours[known], theirs[known]
        if not len(ours):
            return Interval(float("nan"))
        times = multiplicities(len(ours), np.random.default_rng(0), _DRAWS)
        with np.errstate(divide="ignore", invalid="ignore"):
            return around(_quotient(ours.mean(), theirs.mean()), (times @ ours) / (times @ theirs), len(ours))

    def difference(self, policy: str, other: str, order: str, share: float) -> Interval:
        """Return how much more than *other* *policy* attains, in shares of the bound, materials in pairs."""
        pairs = zip(*(self.chosen(name, order, share) for name in (policy, other)), strict=True)
        return _mean([_over(ours, _attained) - _over(theirs, _attained) for ours, theirs in pairs])

    def by_draw(self, policy: str, order: str, share: float) -> tuple[float, ...]:
        """Return the share of the bound that *policy* attains with each seed: a draw of the queries."""
        by_seed: dict[int, list[float]] = {}
        for trial in chain.from_iterable(self.chosen(policy, order, share)):
            by_seed.setdefault(trial.seed, []).append(trial.attained)
        return tuple(_mean(shares).estimate for shares in by_seed.values())

    def regret(self, policy: str, order: str, share: float) -> Regret:
        """Return the regret of *policy* by step; as long as the shortest episode."""
        curves = _curves(self.chosen(policy, order, share), lambda trial: trial.regret)
        mean = curves.mean(axis=0)
        if len(curves) < 2:
            unknown = np.full(len(mean), np.nan)
            return Regret(mean, unknown, unknown, Interval(float(_growth(mean[None])[0])))
        draws = multiplicities(len(curves), np.random.default_rng(0), _DRAWS) @ curves / len(curves)
        lower, upper = np.quantile(draws, [0.025, 0.975], axis=0)
        growth = around(float(_growth(mean[None])[0]), _growth(draws), len(curves))
        return Regret(mean, np.minimum(lower, mean), np.maximum(upper, mean), growth)

    def expected(self, policy: str, order: str, share: float) -> Floats:
        """Return what *policy* expects to answer at each step, over materials; nan where nothing is asked."""
        return _level(_curves(self.chosen(policy, order, share), lambda trial: trial.expected))

    def bound(self, order: str, share: float) -> Floats:
        """Return what no policy expects more of at each step, over materials; nan where nothing is asked."""
        cells = self.chosen(self.policies[0], order, share)
        return _level(_curves(cells, lambda trial: trial.bound))

    def reached(self, order: str, share: float) -> float:
        """Return the share of the bound that some memory is proven to reach, at least; nan if unknown."""
        cells = self.chosen(self.policies[0], order, share)
        return min((trial.reached for cell in cells for trial in cell), default=float("nan"))


def _attained(trial: Trial) -> float:
    return trial.attained


def _over(cell: list[Trial], value: Callable[[Trial], float]) -> float:
    return float(np.mean([value(trial) for trial in cell]))


def _whole(share: float) -> tuple[bool, float]:
    """Return what tells one claim (1) from all of them (1.0)."""
    return isinstance(share, int), share


def _mean(values: list[float]) -> Interval:
    known = [value for value in values if not np.isnan(value)]
    return mean_over(known) if known else Interval(float("nan"))


def _quotient(ours: float, theirs: float) -> float:
    return float(ours / theirs) if theirs else float("nan")


def _curves(cells: Cells, curve: Callable[[Trial], Floats]) -> Floats:
    """Return one curve for each material, the mean over its trials, as long as the shortest."""
    length = min(len(trial.collected) for cell in cells for trial in cell)
    return np.array([_level(np.array([curve(trial)[:length] for trial in cell])) for cell in cells])


def _level(curves: Floats) -> Floats:
    """Return the mean at each step over those *curves* that know a value there."""
    known = ~np.isnan(curves)
    count = known.sum(axis=0)
    total = np.where(known, curves, 0.0).sum(axis=0)
    level: Floats = np.divide(total, count, out=np.full(curves.shape[1], np.nan), where=count > 0)
    return level


def _growth(curves: Floats) -> Floats:
    """Return for each curve the exponent by which it grows over its second half, shape (n,)."""
    length = curves.shape[1]
    middle = (length + 1) // 2
    half, end = curves[:, [middle - 1, -1]].T if length > 1 else np.zeros((2, len(curves)))
    known = (half > 0) & (end > 0)
    times: Floats = np.divide(end, half, out=np.full(len(curves), np.nan), where=known)
    growth: Floats = np.log(times) / np.log(length / middle) if length > 1 else times
    return growth
