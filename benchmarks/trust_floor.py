"""Where a memory should stop: expected precision against water, as the least belief that is stored rises.

A floor f gives up f of precision for each 1 - f of water that it keeps out, at its margin. Chosen is the
highest of the floors tried that costs at most a thousandth of the oracle's precision on the mean of the
worlds of `--choose`; reported are worlds that nothing was chosen on.

Run it as `python benchmarks/trust_floor.py`, or with `--json`. It reads the folder that MEMSPAN_DATA names.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from instances import public
from measuring import Section
from memspan.coverage import inflation
from memspan.trust import TrustModel, believed, known_beliefs, oracle_share
from memspan.trust.choosing import FLOOR
from trust_world import FALSE_RATES, World, world

CHOOSE, REPORT = range(3), range(200, 203)
COUNTS = (1000, 5000)
CAPACITIES = (0.1, 0.2, 0.4, 0.6)
FLOORS = (0.0, 0.02, 0.05, 0.1, 0.2, 0.5)


@dataclass(frozen=True)
class Case:
    """One memory."""

    settled: int
    capacity: float
    floor: float
    share: float
    water: float
    empty: float


@dataclass(frozen=True)
class Row:
    """Means over false rates and seeds: share of the oracle, water, and the share of places left empty."""

    world: str
    settled: int
    capacity: str
    floor: float
    share: float
    lost: float
    water: float
    empty: float


def cases(drawn: World, seed: int, floors: Sequence[float]) -> Iterator[Case]:
    """Yield all memories of one world."""
    model, coverage, done = TrustModel(drawn.material), drawn.coverage, 0
    stream = drawn.stream(max(COUNTS), seed)
    known = known_beliefs(coverage)
    for count in COUNTS:
        model.settle_many(stream[done:count])
        beliefs, done = model.beliefs(coverage), count
        for part in CAPACITIES:
            capacity = round(part * coverage.n_claims)
            best = believed(coverage, known, capacity).expected
            for floor in floors:
                chosen = believed(coverage, beliefs, capacity, floor=floor)
                yield Case(
                    count,
                    part,
                    floor,
                    oracle_share(coverage, chosen.memory, best=best),
                    inflation(coverage, chosen.memory),
                    chosen.spare / capacity,
                )


def rows(seeds: Sequence[int], floors: Sequence[float], *, multi: bool) -> Iterator[Row]:
    """Yield the means of all cases."""
    found: dict[tuple[int, float, float], list[Case]] = {}
    for base in FALSE_RATES:
        for seed in seeds:
            for case in cases(world(public(""), base, seed, multi=multi), seed, floors):
                found.setdefault((case.settled, case.capacity, case.floor), []).append(case)
    for (count, part, floor), several in found.items():
        share, water, empty = (
            float(np.mean([getattr(case, name) for case in several])) for name in ("share", "water", "empty")
        )
        full = float(np.mean([case.share for case in found[count, part, floors[0]]]))
        name = "multi" if multi else "locomo"
        yield Row(name, count, f"{part:.0%}", floor, share, full - share, water, empty)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--json", action="store_true")
    options.add_argument("--choose", action="store_true", help="all floors, on the worlds to choose on")
    asked = options.parse_args()
    seeds, floors = (CHOOSE, FLOORS) if asked.choose else (REPORT, (0.0, FLOOR))
    every = [row for multi in (False, True) for row in rows(seeds, floors, multi=multi)]
    section = Section("floor", "filling all places against stopping at the floor", tuple(every))
    print(json.dumps(section.record()) if asked.json else section.text())
    for floor in floors if asked.choose and not asked.json else ():
        lost = np.mean([row.lost for row in every if row.floor == floor])
        water = np.mean([row.water for row in every if row.floor == floor])
        print(f"floor {floor}: {lost:.4f} of the share lost, {water:.4f} water on the mean")


if __name__ == "__main__":
    main()
