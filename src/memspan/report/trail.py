"""How the best memory changes along a frontier: who enters, who leaves, what becomes answered.

Only changes are kept, so that a page over thousands of capacities stays small.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from memspan.coverage import Coverage, covered
from memspan.optimum import Frontier

MOST_STOPS = 1_000
MOST_HELD = 20_000_000  # claims over all stops that are looked up at most
AT_ONCE = 256

Ints = npt.NDArray[np.int64]


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
    """The stops of a frontier, from nothing to saturation.

    Attributes:
        indices: position of each stop among the frontier's capacities.
        steps: what changes at each stop; the first one starts from nothing held.
        complete: every capacity up to saturation is a stop.
    """

    indices: Ints
    steps: tuple[Step, ...]
    complete: bool


def trail(frontier: Frontier) -> Trail:
    """Follow the memories of *frontier* from capacity 0 to saturation, where they stop changing.

    >>> import memspan as ms
    >>> [step.enter for step in trail(ms.frontier(ms.bundled("odyssey"))).steps]
    [(), (2,), (0,), (3,), (1,), (4,), (5,)]
    """
    every = np.arange(_end(frontier) + 1)
    indices = _thinned(frontier, every)
    states = pairwise(_states(frontier, indices))
    steps = tuple(_step(before, after) for before, after in states)
    return Trail(indices, steps, len(indices) == len(every))


def _end(frontier: Frontier) -> int:
    """Return the position of the saturation, or of the last capacity where it is not reached."""
    if frontier.saturation is None:
        return len(frontier.capacities) - 1
    return int(np.searchsorted(frontier.capacities, frontier.saturation))


def _thinned(frontier: Frontier, every: Ints) -> Ints:
    """Keep as many stops as can be looked up and shown, evenly spread, both ends among them."""
    held = int(np.minimum(frontier.capacities[every], len(frontier.costs)).sum())
    share = min(1.0, MOST_STOPS / len(every), MOST_HELD / max(held, 1))
    count = max(2, int(share * len(every)))
    if count >= len(every):
        return every
    return np.unique(np.linspace(0, every[-1], count).astype(np.int64))


def _states(frontier: Frontier, indices: Ints) -> Iterator[tuple[set[int], set[int]]]:
    """Yield claims held and queries answered: first with nothing at all, then at each stop."""
    yield set(), set()
    position = {name: i for i, name in enumerate(frontier.coverage.claims)}
    before: set[int] | None = None
    answered: set[int] = set()
    for names in _memories(frontier, indices):
        held = {position[name] for name in names}
        if held != before:
            answered = _answered(frontier.coverage, held)
        before = held
        yield held, answered


def _memories(frontier: Frontier, indices: Ints) -> Iterator[tuple[str, ...]]:
    capacities = frontier.capacities[indices].tolist()
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
