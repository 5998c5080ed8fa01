"""Policies against the bound: many materials, orders, capacities and seeds, and what they add up to."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
import numpy.typing as npt

from memspan.environments.bounds import optima
from memspan.environments.episode import Disclosure, Episode, Reward, Rules, Write
from memspan.environments.orders import OrderName, draw
from memspan.environments.playing import play
from memspan.environments.scene import Arriving, Cost, Scene, scene
from memspan.errors import ShapeError, UnknownName
from memspan.executor import Here
from memspan.intervals import Interval, around, mean_over, multiplicities
from memspan.material import Material
from memspan.policies.even import Even
from memspan.policies.named import PolicyKind
from memspan.ports import Executor, Prior

Floats = npt.NDArray[np.float64]
_DRAWS = 2_000


@dataclass(frozen=True)
class Setting:
    """How materials are replayed.

    Attributes:
        arriving: claims appear by ``sessions``, or as a ``whole`` before the first query.
        write: what may be held, see `Rules`.
        disclosure: what is told of settled queries, see `Rules`.
        reward: what counts as answered, see `Rules`.
        cost: what capacity counts.
        per_batch: queries after each session.
        steps: queries in all, where the material appears as a whole.
        drifts_at: share of the steps after which popularity is drawn anew; None for never.
    """

    arriving: Arriving = "sessions"
    write: Write = "stream"
    disclosure: Disclosure = "hits"
    reward: Reward = "coverage"
    cost: Cost = "claims"
    per_batch: int = 10
    steps: int = 200
    drifts_at: float | None = None


@dataclass(frozen=True)
class Trial:
    """One policy through one episode.

    Attributes:
        material: its id.
        policy: its name.
        order: of the queries.
        share: capacity as a share of all that could be held.
        capacity: the same in the unit of the costs.
        seed: that drew the queries.
        collected: (T,) reward of each step, nan where nothing was asked.
        expected: (T,) chance that a query of the step's law is answered.
        bound: (T,) what no policy expects more of.
        bound_kind: see `Optima`.
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

    @property
    def regret(self) -> Floats:
        """(T,) how far what was expected lags behind the bound by each step, summed."""
        return np.nancumsum(self.bound - self.expected)

    @property
    def attained(self) -> float:
        """Share of the bound, in expectation."""
        total = float(np.nansum(self.bound))
        return float(np.nansum(self.expected)) / total if total else 1.0


@dataclass(frozen=True)
class Regret:
    """How far policies lag behind the bound, summed over the steps.

    Attributes:
        mean, lower, upper: (T,) over materials, with the limits of the 95 % interval.
        growth: exponent of the growth over the second half: 0 where it stops, 1 where it goes on
            as before; nan where there is none.
    """

    mean: Floats
    lower: Floats
    upper: Floats
    growth: Interval


@dataclass(frozen=True)
class Replay:
    """Trials, and what they add up to; intervals are over materials."""

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
        """Capacities as shares, as first met."""
        return tuple(dict.fromkeys(trial.share for trial in self.trials))

    def chosen(self, policy: str, order: str, share: float) -> list[list[Trial]]:
        """Return the trials of one cell, by material.

        Raises:
            UnknownName: there are none.
        """
        found: dict[str, list[Trial]] = {}
        for trial in self.trials:
            if (trial.policy, trial.order, trial.share) == (policy, order, share):
                found.setdefault(trial.material, []).append(trial)
        if not found:
            raise UnknownName(f"no trial of {policy!r} under {order!r} at {share:g}")
        return list(found.values())

    def attained(self, policy: str, order: str, share: float) -> Interval:
        """Return the share of the bound that *policy* expects to answer."""
        cells = self.chosen(policy, order, share)
        return mean_over([float(np.mean([trial.attained for trial in cell])) for cell in cells])

    def ratio(self, policy: str, other: str, order: str, share: float) -> Interval:
        """Return how many times what *other* attains *policy* attains, materials drawn in pairs."""
        ours, theirs = (
            np.array(
                [np.mean([trial.attained for trial in cell]) for cell in self.chosen(name, order, share)]
            )
            for name in (policy, other)
        )
        times = multiplicities(len(ours), np.random.default_rng(0), _DRAWS)
        with np.errstate(divide="ignore", invalid="ignore"):
            return around(float(ours.mean() / theirs.mean()), (times @ ours) / (times @ theirs), len(ours))

    def regret(self, policy: str, order: str, share: float) -> Regret:
        """Return the regret of *policy* by step; as long as the shortest episode."""
        cells = self.chosen(policy, order, share)
        length = min(len(trial.regret) for cell in cells for trial in cell)
        curves = np.array([np.mean([trial.regret[:length] for trial in cell], axis=0) for cell in cells])
        times = multiplicities(len(curves), np.random.default_rng(0), _DRAWS) / len(curves)
        draws = times @ curves
        lower, upper = (
            np.quantile(draws, [0.025, 0.975], axis=0) if len(curves) > 1 else (curves[0], curves[0])
        )
        mean = curves.mean(axis=0)
        return Regret(
            mean, lower, upper, around(_growth(mean), np.array([_growth(d) for d in draws]), len(curves))
        )


def _growth(curve: Floats) -> float:
    """Return log2 of how many times the regret grows while the steps double."""
    half, end = (curve[len(curve) // 2 - 1], curve[-1]) if len(curve) > 1 else (0.0, 0.0)
    return float(np.log2(end / half)) if half > 0 and end > 0 else float("nan")


@dataclass(frozen=True)
class _Job:
    material: Material
    kinds: tuple[PolicyKind, ...]
    prior: Prior
    order: OrderName
    shares: tuple[float, ...]
    seed: int
    setting: Setting


def replay(  # noqa: PLR0913 - one call, every option named
    materials: Sequence[Material],
    kinds: Sequence[PolicyKind],
    *,
    orders: Sequence[OrderName] = ("uniform",),
    shares: Sequence[float] = (0.1,),
    prior: Prior | Callable[[Material], Prior] | None = None,
    seeds: Sequence[int] = (0,),
    setting: Setting = Setting(),
    workers: Executor | None = None,
    told: Callable[[str], None] = lambda _: None,
) -> Replay:
    """Play each of *kinds* through each of *materials*, and hold it against the exact bound.

    All policies of a trial meet the same queries.

    Args:
        materials: each with queries whose supports are known.
        kinds: write policies, see `memspan.policies.named`.
        orders: of the queries, see `draw`.
        shares: capacities as shares of all claims, or of all tokens.
        prior: judges claims for the policies that ask for it; all alike where None; a function
            gives one for each material, e.g. fitted on the others.
        seeds: each draws the queries anew.
        setting: how materials are replayed.
        workers: runs the trials; here, one after the other, where None.
        told: told what was done.

    Raises:
        ShapeError: a share that is none, or a material without claims or queries to replay.
    """
    for share in shares:
        if not 0 < share <= 1:
            raise ShapeError(f"capacity share is {share}; give one above 0 and at most 1, e.g. 0.1")
    jobs = [
        _Job(material, tuple(kinds), _prior(prior, material), order, tuple(shares), seed, setting)
        for material, order, seed in product(materials, orders, seeds)
    ]
    trials: list[Trial] = []
    for job, found in zip(jobs, (workers or Here()).map(_played, jobs), strict=True):
        trials.extend(found)
        told(f"{job.material.id}, {job.order}")
    return Replay(tuple(trials))


def _prior(prior: Prior | Callable[[Material], Prior] | None, material: Material) -> Prior:
    if prior is None:
        return Even()
    return prior(material) if callable(prior) else prior


def _played(job: _Job) -> tuple[Trial, ...]:
    setting = job.setting
    laid = scene(job.material, cost=setting.cost, arriving=setting.arriving)
    return tuple(_trials(job, laid))


def _trials(job: _Job, laid: Scene) -> Iterator[Trial]:
    setting, lost = job.setting, job.setting.write == "stream"
    rng = np.random.default_rng([job.seed, 6])
    schedule = draw(
        laid, job.order, rng, steps=setting.steps, per_batch=setting.per_batch, drifts_at=setting.drifts_at
    )
    rules = Rules(setting.write, disclosure=setting.disclosure, reward=setting.reward)
    for share in job.shares:
        capacity = max(1, round(share * float(laid.costs.sum())))
        bound = optima(laid, schedule, capacity, lost=lost, true_only=setting.reward != "coverage")
        for kind in job.kinds:
            episode = Episode(laid, schedule, capacity, rules, np.random.default_rng([job.seed, 7]))
            played = play(kind.make(job.prior), episode, job.seed)
            yield Trial(
                job.material.id,
                kind.name,
                job.order,
                share,
                capacity,
                job.seed,
                played.collected,
                played.expected,
                bound.upper,
                bound.kind,
            )
