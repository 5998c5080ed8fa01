"""The closed loop: only what the memory covers is settled, and what is settled decides what the memory holds.

A memory of 20 % of the claims answers 2,000 queries and is chosen anew every 100. It ignores trust, or takes
the greatest expected precision (greedy), or beliefs that lean to the uncertain (optimistic). All ways
meet the same queries and the same luck. Reported on ten worlds that nothing was chosen on.

Run it as `python benchmarks/trust_exploring.py`, or with `--json`. It reads the folder that MEMSPAN_DATA
names.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from instances import public
from measuring import Section
from memspan.coverage import Coverage, Memory, u_prec
from memspan.coverage.utilities import holding
from memspan.diagnosis import Interval
from memspan.material import Material, Settlement
from memspan.trust import TrustModel, believed, known_beliefs, optimistic
from trust_world import World, world

Floats = npt.NDArray[np.float64]

CAPACITY, STEPS, REBUILD = 0.2, 2000, 100
ERRORS = 0.08  # both ways
SEEDS = range(100, 110)  # held out: choices were made on seeds below 10
CELLS = tuple((base, multi) for multi in (True, False) for base in (0.2, 0.4))
RESAMPLES = 10_000


class Model(Protocol):
    """What is asked of a model of trust."""

    def settle_many(self, settlements: Sequence[Settlement]) -> object:
        """Learn from outcomes."""

    def beliefs(self, coverage: Coverage) -> Floats:
        """Return the belief in each support."""


Scores = Callable[[Floats], Floats]
WAYS: dict[str, Scores | None] = {
    "ignore": None,
    "greedy": lambda beliefs: beliefs,
    "optimistic 1": optimistic,
    "optimistic 2": lambda beliefs: optimistic(beliefs, 2),
}


@dataclass(frozen=True)
class Run:
    """What one way came to in one world, as shares of what the oracle reaches.

    Attributes:
        rate: truly supported answers over all steps.
        last: precision of the last memory.
        settled: queries settled.
    """

    rate: float
    last: float
    settled: int


Runs = dict[str, list[Run]]
"""Runs of each way, one for each seed."""


@dataclass(frozen=True)
class Row:
    """One way over all seeds; against greedy seed by seed."""

    world: str
    false: str
    way: str
    rate: Interval
    rate_over_greedy: Interval
    last: Interval
    last_over_greedy: Interval
    settled: int


def run(drawn: World, model: Model, scores: Scores | None, seed: int) -> Run:
    """Let one memory live in *drawn*.

    The rate of truly supported answers is taken in expectation over queries, which is what it tends to.
    """
    coverage = drawn.coverage
    capacity = round(CAPACITY * coverage.n_claims)
    luck = np.random.default_rng(5000 + seed)
    queries = luck.choice(len(drawn.shares), STEPS, p=drawn.shares)
    draws = luck.random((STEPS, 2))
    reached, settled = [], 0
    for step in range(0, STEPS, REBUILD):
        memory = chosen(coverage, model, scores, capacity)
        reached.append(u_prec(coverage, memory))
        now = slice(step, step + REBUILD)
        outcomes = list(settle(drawn, memory, queries[now], draws[now]))
        model.settle_many(outcomes)
        settled += len(outcomes)
    best = believed(coverage, known_beliefs(coverage), capacity).expected
    last = u_prec(coverage, chosen(coverage, model, scores, capacity))
    return Run(float(np.mean(reached)) / best, last / best, settled)


def chosen(coverage: Coverage, model: Model, scores: Scores | None, capacity: int) -> Memory:
    """Return the memory that a way of scoring chooses now."""
    if scores is None:
        return believed(coverage, np.ones(coverage.n_supports), capacity).memory
    return believed(coverage, scores(model.beliefs(coverage)), capacity).memory


def settle(
    drawn: World, memory: Memory, queries: npt.NDArray[np.int64], draws: Floats
) -> Iterator[Settlement]:
    """Yield the outcome of each covered query, answered from one of its supports that hold, evenly."""
    held = np.flatnonzero(holding(drawn.coverage, memory))
    owners = drawn.coverage.owner[held]
    for query, (which, outcome) in zip(queries.tolist(), draws.tolist(), strict=True):
        ways = held[np.searchsorted(owners, query) : np.searchsorted(owners, query, "right")]
        if len(ways):
            support = int(ways[int(which * len(ways))])
            right = 1 - ERRORS if drawn.true[support] else ERRORS
            yield drawn.settlement(support, float(outcome < right))


def lives(base: float, *, multi: bool, seeds: Sequence[int], make: Callable[[Material], Model]) -> Runs:
    """Return the runs of each way, in the order of *seeds*."""
    worlds = [(seed, world(public(""), base, seed, multi=multi)) for seed in seeds]
    return {
        name: [run(drawn, make(drawn.material), scores, seed) for seed, drawn in worlds]
        for name, scores in WAYS.items()
    }


def together(several: Sequence[Runs]) -> Runs:
    """Return the mean over cells, seed by seed."""
    return {
        name: [
            Run(
                float(np.mean([each.rate for each in same])),
                float(np.mean([each.last for each in same])),
                round(np.mean([each.settled for each in same])),
            )
            for same in zip(*(found[name] for found in several), strict=True)
        ]
        for name in WAYS
    }


def rows(kind: str, false: str, found: Runs) -> Iterator[Row]:
    """Yield a row for each way."""
    for name, runs in found.items():
        rate, last = (np.array([getattr(each, key) for each in runs]) for key in ("rate", "last"))
        greedy = found["greedy"]
        yield Row(
            kind,
            false,
            name,
            interval(rate),
            interval(rate - [each.rate for each in greedy]),
            interval(last),
            interval(last - [each.last for each in greedy]),
            round(np.mean([each.settled for each in runs])),
        )


def interval(values: Floats) -> Interval:
    """Return the mean of *values* with its 95 % bootstrap interval."""
    picks = np.random.default_rng(0).integers(0, len(values), (RESAMPLES, len(values)))
    lower, upper = np.quantile(values[picks].mean(1), (0.025, 0.975))
    return Interval(float(values.mean()), float(lower), float(upper))


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--json", action="store_true")
    options.add_argument("--seeds", type=int, default=len(SEEDS), help="worlds for each cell")
    asked = options.parse_args()
    seeds = SEEDS[: asked.seeds]
    cells = [lives(base, multi=multi, seeds=seeds, make=TrustModel) for base, multi in CELLS]
    every = [
        row
        for (base, multi), found in zip(CELLS, cells, strict=True)
        for row in rows("multi" if multi else "locomo", f"{base:.0%}", found)
    ]
    every += rows("all", "mean", together(cells))
    section = Section("exploring", "shares of the oracle in the closed loop", tuple(every))
    print(json.dumps(section.record()) if asked.json else section.text())


if __name__ == "__main__":
    main()
