"""Policies against the bound: many materials, orders, capacities and seeds, and what they add up to."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, product
from typing import get_args

import numpy as np

from memspan.environments.bounds import Optima, optima
from memspan.environments.episode import Disclosure, Episode, Reward, Rules, Write, one_of
from memspan.environments.orders import OrderName, Schedule, draw
from memspan.environments.playing import Played, play
from memspan.environments.reads import Reads
from memspan.environments.scene import Arriving, Cost, Scene, scene
from memspan.environments.trials import FEW, Replay, Trial
from memspan.errors import ShapeError
from memspan.material import Material
from memspan.policies.given import policies_of, told_apart
from memspan.policies.named import PolicyKind
from memspan.policies.writer import shipped
from memspan.ports import Executor, Prior

_DRAWS = 5  # of the queries of each material, where there are few materials


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
        swaps: claims taken in at a write, where *write* is ``swap``.
        read: claims read for a query, those most like it, where the reward is ``end-to-end``.
    """

    arriving: Arriving = "sessions"
    write: Write = "stream"
    disclosure: Disclosure = "hits"
    reward: Reward = "coverage"
    cost: Cost = "claims"
    per_batch: int = 10
    steps: int = 200
    drifts_at: float | None = None
    swaps: int = 4
    read: int = 10

    def __post_init__(self) -> None:
        """Refuse what nobody can be replayed by."""
        one_of("arriving", self.arriving, get_args(Arriving))
        one_of("cost", self.cost, get_args(Cost))
        self.rules()
        if min(self.per_batch, self.steps) < 1 or self.read < 0:
            raise ShapeError(
                f"per_batch is {self.per_batch}, steps {self.steps}, read {self.read}; "
                "give 1 or more queries, and 0 or more claims to read"
            )

    def rules(self) -> Rules:
        """Return the rules of an episode."""
        return Rules(self.write, self.swaps, disclosure=self.disclosure, reward=self.reward)


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
    kinds: Sequence[object],
    *,
    orders: Sequence[OrderName] = ("iid",),
    shares: Sequence[float] = (0.1,),
    prior: Prior | Callable[[Material], Prior] | None = None,
    seeds: Sequence[int] | None = None,
    setting: Setting = Setting(),
    workers: Executor | None = None,
    told: Callable[[str], None] = lambda _: None,
) -> Replay:
    """Play each of *kinds* through each of *materials*, and hold it against the exact bound.

    All policies of a trial meet the same queries.

    Args:
        materials: each with queries whose supports are known, and an id of its own.
        kinds: write policies: their names, or your own, see `memspan.policies.given.policies_of`.
        orders: of the queries, see `draw`.
        shares: capacities as shares of all claims, or of all tokens; an int is a number of them.
        prior: judges claims for the policies that ask for it; the shipped rule where None, `Even()` for
            all alike; a function gives one for each material, e.g. fitted on the others.
        seeds: each draws the queries anew; `usual_seeds` where None.
        setting: how materials are replayed.
        workers: runs the trials; here, one after the other, where None.
        told: told of each trial that is done.

    Raises:
        ShapeError: a capacity that is none, or a material without claims or queries to replay.
        UnknownName: no such policy.
        ContractError: what is no policy, or two of one name.

    >>> from memspan.datasets import bundled
    >>> found = replay([bundled("odyssey")], ["lfu"], shares=[2])
    >>> 0 < found.attained("lfu", "iid", 2).estimate <= 1
    True
    """
    names = [material.id for material in materials]
    draws = usual_seeds(len(materials)) if seeds is None else seeds
    if len({*names}) < len(names) or min(draws, default=0) < 0:
        raise ShapeError(
            f"materials are called {', '.join(names[:10])} and seeds are {[*draws][:10]}; "
            "give ids that differ and seeds of 0 or more"
        )
    for share in shares:
        if not (share >= 1 if isinstance(share, int) else 0 < share <= 1):
            raise ShapeError(
                f"capacity is {share}; give a share above 0 and at most 1, e.g. 0.1, or a whole number from 1"
            )
    played = told_apart([kind for each in kinds for kind in policies_of(each)])
    judge = shipped().prior() if prior is None else prior
    jobs = [
        _Job(material, played, _prior(judge, material), order, tuple(shares), seed, setting)
        for material, order, seed in product(materials, orders, draws)
    ]
    found = map(_playing, jobs) if workers is None else workers.map(_played, jobs)
    trials: list[Trial] = []
    for trial in chain.from_iterable(found):
        trials.append(trial)
        told(f"{trial.material}, {trial.order}, {trial.policy}")
    return Replay(tuple(trials))


def usual_seeds(materials: int, first: int = 0) -> tuple[int, ...]:
    """Return how often queries are drawn where that is not said: the fewer materials, the more draws.

    >>> usual_seeds(1), usual_seeds(FEW)
    ((0, 1, 2, 3, 4), (0,))
    """
    return tuple(range(first, first + (_DRAWS if materials < FEW else 1)))


def _prior(prior: Prior | Callable[[Material], Prior], material: Material) -> Prior:
    return prior(material) if callable(prior) else prior


def _played(job: _Job) -> tuple[Trial, ...]:
    return tuple(_playing(job))


def _playing(job: _Job) -> Iterator[Trial]:
    """Yield the trials of a job, each when it is asked for."""
    setting, lost = job.setting, job.setting.write == "stream"
    laid = scene(job.material, cost=setting.cost, arriving=setting.arriving)
    rng = np.random.default_rng([job.seed, 6])
    schedule = draw(
        laid, job.order, rng, steps=setting.steps, per_batch=setting.per_batch, drifts_at=setting.drifts_at
    )
    reads = Reads(job.material.claims, setting.read) if setting.reward == "end-to-end" else None
    for share in job.shares:
        capacity = share if isinstance(share, int) else max(1, round(share * float(laid.costs.sum())))
        bound = optima(laid, schedule, capacity, lost=lost, true_only=setting.reward != "coverage")
        for kind in job.kinds:
            episode = _episode(job, laid, schedule, capacity, reads)
            played = play(kind.make(job.prior), episode, job.seed, reads)
            yield _trial(job, kind.name, share, played, bound, capacity)


def _episode(job: _Job, laid: Scene, schedule: Schedule, capacity: int, reads: Reads | None) -> Episode:
    rules = job.setting.rules()
    return Episode(laid, schedule, capacity, rules, np.random.default_rng([job.seed, 7]), reads)


def _trial(job: _Job, policy: str, share: float, played: Played, bound: Optima, capacity: int) -> Trial:
    return Trial(
        job.material.id,
        policy,
        job.order,
        share,
        capacity,
        job.seed,
        played.collected,
        played.collected if bound.kind == "clairvoyant" else played.expected,
        bound.upper,
        bound.kind,
        bound.reached,
    )
