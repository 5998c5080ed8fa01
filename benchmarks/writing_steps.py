"""How many steps a second the gymnasium environments make, without features of texts.

Seconds are of the processor, the best and the median of several runs of a thousand steps, resets aside: the
machine may be busy. `bare` is a loop of the same array work without a library around it.

    python benchmarks/writing_steps.py [--quick]
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt

import memspan as ms
from instances import public
from measuring import Section
from memspan.material import Claim, Material, Query, Support

CLAIMS, QUERIES, MATERIALS = 588, 190, 4  # as in LoCoMo, on average
FEATURES = 4
STEPS = 1_000
LEVEL = "memspan.environments.gym:memspan/{}-v0"
Floats = npt.NDArray[np.float64]
VARIANTS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("Level0", {}),
    ("Level1a", {}),
    ("Level1b", {}),
    ("Level1b", {"disclosure": "outcome"}),
    ("Level1b", {"disclosure": "text"}),
    ("Level1b", {"write": "swap"}),
    ("Level1b", {"cost": "tokens"}),
    ("Level1b", {"order": "once"}),
    ("Level2", {}),
    ("Stream", {}),
)


@dataclass(frozen=True)
class Row:
    """One environment."""

    materials: str
    level: str
    options: str
    steps_per_second: int
    median: int
    episodes_per_second: int
    bare_over_steps: float


def drawn(rng: np.random.Generator) -> Material:
    """Return a material as large as a conversation of LoCoMo, of no words to speak of."""
    claims = tuple(Claim(f"c{i}", "so it is", source=f"s{i // 25}") for i in range(CLAIMS))
    queries = []
    for q in range(QUERIES):
        size = int(rng.choice([1, 2, 3], p=[0.73, 0.2, 0.07]))
        members = rng.choice(CLAIMS, size, replace=False).tolist()
        queries.append(Query(f"q{q}", f"why {q}", supports=(Support(tuple(f"c{e}" for e in members)),)))
    return Material(f"drawn-{rng.integers(10**6)}", claims, queries=tuple(queries))


class Featureless:
    """Features that do not look at the texts."""

    def observe(self, claims: Sequence[Claim]) -> Floats:
        """Return rows of ones."""
        return np.ones((len(claims), FEATURES))


def rate(work: Callable[[], int], runs: int) -> tuple[int, int]:
    """Return how much of *work* is done in a second, at best and at the median."""
    rates = []
    for _ in range(runs):
        started = time.process_time()
        done = work()
        rates.append(done / (time.process_time() - started))
    return round(max(rates)), round(statistics.median(rates))


def measured(name: str, materials: Sequence[Material], level: str, options: dict[str, Any], runs: int) -> Row:
    """Step through an environment."""
    env = gymnasium.make(
        LEVEL.format(level), materials=materials, features=Featureless, disable_env_checker=True, **options
    )
    n = env.action_space.shape[0]  # type: ignore[index]
    actions = np.random.default_rng(0).uniform(-1, 1, (64, n)).astype(np.float32)
    env.reset(seed=0)
    for place in range(len(materials)):
        env.reset(options={"material": place})

    def resets() -> int:
        for _ in range(100):
            env.reset()
        return 100

    episodes, _ = rate(resets, max(2, runs // 4))
    best, median = _steps(env, actions, runs)
    least, _ = rate(lambda: bare(n, actions), runs)
    chosen = ", ".join(f"{key} {value}" for key, value in options.items())
    return Row(name, level, chosen, best, median, episodes, least / best)


def _steps(env: gymnasium.Env[Any, Any], actions: npt.NDArray[np.float32], runs: int) -> tuple[int, int]:
    rates = []
    for _ in range(runs):
        seconds, done = 0.0, 0
        while done < STEPS:
            env.reset()
            over = False
            started = time.process_time()
            while not over and done < STEPS:
                _, _, terminated, truncated, _ = env.step(actions[done & 63])
                over = terminated or truncated
                done += 1
            seconds += time.process_time() - started
        rates.append(done / seconds)
    return round(max(rates)), round(statistics.median(rates))


def bare(n: int, actions: npt.NDArray[np.float32]) -> int:
    """Do the array work of steps of level 1b and nothing else: hold the best, look up a support, copy."""
    capacity, rng = n // 10, np.random.default_rng(0)
    claims, costs = np.ones((n, FEATURES), np.float32), np.ones(n, np.float32)
    supports = rng.integers(n, size=(QUERIES, 2)).tolist()
    queries = rng.integers(QUERIES, size=STEPS).tolist()
    for step in range(STEPS):
        scores = actions[step & 63].astype(np.float64)
        memory = scores >= np.partition(scores, n - capacity)[n - capacity]
        right = all(memory[e] for e in supports[queries[step]])
        rows = np.zeros((9, n), np.int8)
        rows[0], rows[2], rows[3] = 1, 1, memory
        if right:
            rows[4][supports[queries[step]]] = 1
        rows[5][supports[queries[step]]] = 1
        _ = claims.copy(), costs.copy(), np.array((right, 1.0), np.float32)
    return STEPS


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="one material, few runs")
    quick = parser.parse_args().quick
    rng = np.random.default_rng(0)
    sets = {"drawn": [drawn(rng) for _ in range(1 if quick else MATERIALS)]}
    if not quick and (file := public("locomo") / "locomo10_dev.json").exists():
        sets["LoCoMo"] = list(ms.load(file))
    rows = [
        measured(name, materials, level, options, 5 if quick else 20)
        for name, materials in sets.items()
        for level, options in VARIANTS
    ]
    print(Section("writing-steps", "Steps of the gymnasium environments", tuple(rows)).text())


if __name__ == "__main__":
    main()
