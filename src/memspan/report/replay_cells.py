"""A replay as pages and terminals show it: one cell for each order of queries and each capacity."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from memspan.environments.replaying import Setting
from memspan.environments.trials import Regret, Replay
from memspan.intervals import Interval

Floats = npt.NDArray[np.float64]
BASELINE = "lfu"
"""What every policy is held against: it is always played."""


@dataclass(frozen=True)
class Laid:
    """A material that was replayed.

    Attributes:
        id: its name among those replayed.
        claims: how many.
        batches: how many sessions they appeared in.
        queries: those that have a support.
        certainty: where the supports come from.
        question_source: where the queries come from.
    """

    id: str
    claims: int
    batches: int
    queries: int
    certainty: str
    question_source: str


@dataclass(frozen=True)
class Judged:
    """What judged claims for the policies that ask.

    Attributes:
        name: of the rule.
        fitted_on: what its weights come from; empty where it has none.
        flattered: ids of materials replayed that it was fitted on.
    """

    name: str
    fitted_on: str = ""
    flattered: tuple[str, ...] = ()


@dataclass(frozen=True)
class Row:
    """One policy in one cell.

    Attributes:
        policy: its name.
        attained: share of the bound that it expects to answer.
        ratio: how many times as much as `BASELINE`.
        collected: share of the queries asked that it answered.
        regret: how far it lags behind the bound.
        expected: (T,) what it expects to answer at each step.
    """

    policy: str
    attained: Interval
    ratio: Interval
    collected: Interval
    regret: Regret
    expected: Floats


@dataclass(frozen=True)
class Cell:
    """All policies under one order at one capacity.

    Attributes:
        order: of the queries.
        share: capacity as it was asked for.
        capacities: the least and the most that it means.
        kind: of the bound, see `memspan.environments.bounds.Optima`.
        reached: share of the bound that some memory is proven to reach; nan where that is not known.
        asked: queries asked in all, by one policy.
        bound: (T,) what no policy expects more of.
        rows: the policies, that with the highest share first.
    """

    order: str
    share: float
    capacities: tuple[int, int]
    kind: str
    reached: float
    asked: int
    bound: Floats
    rows: tuple[Row, ...]

    def row(self, policy: str) -> Row:
        """Return the row of *policy*."""
        return next(row for row in self.rows if row.policy == policy)

    @property
    def best(self) -> Row:
        """The policy with the highest share."""
        return self.rows[0]

    @property
    def other(self) -> Row | None:
        """What the best is shown beside: the baseline, or the next best where that is itself the best."""
        if self.best.policy != BASELINE:
            return self.row(BASELINE)
        return self.rows[1] if len(self.rows) > 1 else None


@dataclass(frozen=True)
class Told:
    """A replay with all that there is to tell of it.

    Attributes:
        replay: the trials, those of `BASELINE` among them.
        setting: how materials were replayed.
        materials: what was replayed.
        seeds: that drew the queries.
        judged: what judged claims.
        means: what each policy does, by name.
        asks: names of the policies that ask for a judgement.
        left_out: ids of materials that could not be replayed, and why.
    """

    replay: Replay
    setting: Setting
    materials: tuple[Laid, ...]
    seeds: tuple[int, ...]
    judged: Judged
    means: Mapping[str, str]
    asks: frozenset[str] = frozenset()
    left_out: tuple[tuple[str, str], ...] = ()

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """One for each order and capacity, in the order asked for."""
        return tuple(
            _cell(self.replay, order, share) for order in self.replay.orders for share in self.replay.shares
        )

    @property
    def first(self) -> Cell:
        """The one that the headline is about."""
        return self.cells[0]


def _cell(replay: Replay, order: str, share: float) -> Cell:
    trials = [trial for of in replay.chosen(BASELINE, order, share) for trial in of]
    rows = [_row(replay, policy, order, share) for policy in replay.policies]
    held = [trial.capacity for trial in trials]
    return Cell(
        order=order,
        share=share,
        capacities=(min(held), max(held)),
        kind=trials[0].bound_kind,
        reached=replay.reached(order, share),
        asked=sum(trial.asked for trial in trials),
        bound=replay.bound(order, share),
        rows=tuple(sorted(rows, key=_place)),
    )


def _place(row: Row) -> tuple[float, bool]:
    """Return what sorts rows: the highest share first, of equal ones the baseline."""
    return -round(float(np.nan_to_num(row.attained.estimate)), 9), row.policy != BASELINE


def _row(replay: Replay, policy: str, order: str, share: float) -> Row:
    at = (order, share)
    return Row(
        policy,
        replay.attained(policy, *at),
        replay.ratio(policy, BASELINE, *at),
        replay.collected(policy, *at),
        replay.regret(policy, *at),
        replay.expected(policy, *at),
    )
