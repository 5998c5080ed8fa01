"""A replay as pages and terminals show it: one cell for each order of queries and each capacity."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from memspan.environments.replaying import Setting
from memspan.environments.trials import FEW, Regret, Replay
from memspan.intervals import Interval
from memspan.policies.named import PolicyKind

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
        draws: share of the bound with each draw of the questions.
    """

    policy: str
    attained: Interval
    ratio: Interval
    collected: Interval
    regret: Regret
    expected: Floats
    draws: tuple[float, ...]


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
        alike: names of those that attain what the best does, itself among them.
        near: of those, and of the next ones, that are not told apart from the best; where materials are
            too few to tell, no more than *alike*.
        counting: materials of which some memory of the capacity answers something.
    """

    order: str
    share: float
    capacities: tuple[int, int]
    kind: str
    reached: float
    asked: int
    bound: Floats
    rows: tuple[Row, ...]
    alike: tuple[str, ...]
    near: tuple[str, ...]
    counting: int

    def row(self, policy: str) -> Row:
        """Return the row of *policy*."""
        return next(row for row in self.rows if row.policy == policy)

    @property
    def best(self) -> Row:
        """The policy with the highest share."""
        return self.rows[0]

    @property
    def other(self) -> Row | None:
        """What the best is shown beside: the baseline, or the next best where none is better than that."""
        if self.best.policy != BASELINE:
            return self.row(BASELINE)
        return next((row for row in self.rows if row.policy not in self.alike), None)


@dataclass(frozen=True)
class Told:
    """A replay with all that there is to tell of it.

    Attributes:
        replay: the trials, those of `BASELINE` among them.
        setting: how materials were replayed.
        materials: what was replayed.
        seeds: that drew the queries.
        judged: what judged claims.
        kinds: the policies.
        left_out: ids of materials that could not be replayed, and why.
    """

    replay: Replay
    setting: Setting
    materials: tuple[Laid, ...]
    seeds: tuple[int, ...]
    judged: Judged
    kinds: tuple[PolicyKind, ...]
    left_out: tuple[tuple[str, str], ...] = ()

    @property
    def means(self) -> dict[str, str]:
        """What each policy does, by name."""
        return {kind.name: kind.told for kind in self.kinds}

    @property
    def grows(self) -> bool:
        """Whether the growth of regret says anything: while claims still arrive it does not."""
        return self.setting.arriving == "whole"

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
    rows = tuple(sorted((_row(replay, name, order, share) for name in replay.policies), key=_place))
    alike = tuple(row.policy for row in rows if _place(row)[0] == _place(rows[0])[0])
    shares = [np.mean([trial.attained for trial in of]) for of in replay.chosen(BASELINE, order, share)]
    counting = int((~np.isnan(shares)).sum())
    held = [trial.capacity for trial in trials]
    return Cell(
        order=order,
        share=share,
        capacities=(min(held), max(held)),
        kind=trials[0].bound_kind,
        reached=replay.reached(order, share),
        asked=sum(trial.asked for trial in trials),
        bound=replay.bound(order, share),
        rows=rows,
        alike=alike,
        near=alike if counting < FEW else tuple(_near(replay, rows, alike, (order, share))),
        counting=counting,
    )


def _near(replay: Replay, rows: Sequence[Row], alike: Sequence[str], at: tuple[str, float]) -> Iterator[str]:
    """Yield those *alike*, then the next ones up to the first that the best is told apart from."""
    yield from alike
    for row in rows[len(alike) :]:
        if replay.difference(rows[0].policy, row.policy, *at).lower > 0:
            return
        yield row.policy


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
        replay.by_draw(policy, *at),
    )
