"""How the best memory changes along a frontier: who enters, who leaves, what becomes answered.

Only changes are kept, so that a page over thousands of capacities stays small.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from memspan.coverage import Coverage, covered
from memspan.optimum import Frontier
from memspan.report.line import Ints, rises

MOST_STOPS = 1_000
MOST_HELD = 20_000_000  # claims over all stops that are looked up at most
AT_ONCE = 256


@dataclass(frozen=True)
class Step:
    """What one stop changes against the stop before it; positions of claims and queries, ascending.

    Attributes:
        enter, leave: claims that the memory gains and gives up.
        gain, lose: queries that become answered, and those that no longer are.
    """

    enter: tuple[int, ...]
    leave: tuple[int, ...]
    gain: tuple[int, ...]
    lose: tuple[int, ...]


@dataclass(frozen=True)
class Trail:
    """The stops of a frontier: every number of claims, or where the curve of another unit rises.

    Attributes:
        capacities: of the stops, from 0 to where nothing more is gained.
        steps: what changes at each stop; the first one starts from nothing held.
        complete: no stop was left out.
    """

    capacities: Ints
    steps: tuple[Step, ...]
    complete: bool


def trail(frontier: Frontier) -> Trail:
    """Follow the memories of *frontier* from capacity 0 to where nothing more is gained.

    >>> import memspan as ms
    >>> [step.enter for step in trail(ms.frontier(ms.bundled("odyssey"))).steps]
    [(), (2,), (0,), (3,), (1,), (4,), (5,)]
    """
    every = _stops(frontier)
    stops = _thinned(frontier, every)
    states = pairwise(_states(frontier, stops))
    steps = tuple(_step(before, after) for before, after in states)
    return Trail(stops, steps, len(stops) == len(every))


def _stops(frontier: Frontier) -> Ints:
    gaining = np.concatenate([np.zeros(1, np.int64), rises(frontier)])
    return np.arange(gaining[-1] + 1, dtype=np.int64) if frontier.unit == "claims" else gaining


def _thinned(frontier: Frontier, every: Ints) -> Ints:
    """Keep as many stops as can be looked up and shown, evenly spread, both ends among them."""
    held = int(np.minimum(every, len(frontier.costs)).sum())
    share = min(1.0, MOST_STOPS / len(every), MOST_HELD / max(held, 1))
    count = max(2, int(share * len(every)))
    if count >= len(every):
        return every
    return every[np.unique(np.linspace(0, len(every) - 1, count).astype(np.int64))]


def _states(frontier: Frontier, stops: Ints) -> Iterator[tuple[set[int], set[int]]]:
    """Yield claims held and queries answered: first with nothing at all, then at each stop."""
    yield set(), set()
    position = {name: i for i, name in enumerate(frontier.coverage.claims)}
    before: set[int] | None = None
    answered: set[int] = set()
    for names in _memories(frontier, stops):
        held = {position[name] for name in names}
        if held != before:
            answered = _answered(frontier.coverage, held)
        before = held
        yield held, answered


def _memories(frontier: Frontier, stops: Ints) -> Iterator[tuple[str, ...]]:
    capacities = stops.tolist()
    for start in range(0, len(capacities), AT_ONCE):
        yield from frontier.memories(capacities[start : start + AT_ONCE])


def _answered(coverage: Coverage, held: set[int]) -> set[int]:
    memory = np.zeros(coverage.n_claims, np.bool_)
    memory[list(held)] = True
    return set(np.flatnonzero(covered(coverage, memory)).tolist())


def _step(before: tuple[set[int], set[int]], after: tuple[set[int], set[int]]) -> Step:
    (held, answered), (holds, answers) = before, after
    return Step(
        _sorted(holds - held), _sorted(held - holds), _sorted(answers - answered), _sorted(answered - answers)
    )


def _sorted(positions: set[int]) -> tuple[int, ...]:
    return tuple(sorted(positions))
