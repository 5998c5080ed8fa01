"""A policy through an episode: what it collected, and what it could expect at each step."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b

import numpy as np
import numpy.typing as npt

from memspan.coverage import covered
from memspan.environments.episode import Episode, Finds
from memspan.environments.orders import NOTHING
from memspan.material import Query
from memspan.ports import WritePolicy

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Played:
    """An episode that was played.

    Attributes:
        policy: name of the policy.
        collected: (T,) the reward of each step that asked a query; nan where none was asked.
        expected: (T,) the chance that a query of the step's law is answered; nan where it asks none.
        memory: bool (E,), held at the end.
    """

    policy: str
    collected: Floats
    expected: Floats
    memory: npt.NDArray[np.bool_]


def play(policy: WritePolicy, episode: Episode, seed: int = 0, finds: Finds | None = None) -> Played:
    """Let *policy* write through *episode*, from its first step to its last.

    Args:
        policy: is started with a seed of its own, made from *seed*.
        episode: at its first step.
        seed: of what the policy leaves to chance.
        finds: what is read for a query, as it was given to the episode: where the reward is end to end
            only what is read counts as expected.
    """
    policy.start(own_seed(seed))
    schedule = episode.schedule
    collected, expected = np.full(len(schedule), np.nan), np.full(len(schedule), np.nan)
    before: tuple[bytes, int] | None = None
    for t in range(len(schedule)):
        if fresh := episode.appeared():
            policy.observe(fresh)
        episode.write(policy.score(episode.view()))
        state = episode.memory.tobytes(), int(schedule.stage[t])
        expected[t] = expected[t - 1] if state == before else _expected(episode, t, finds)
        before = state
        outcome = episode.ask()
        if outcome is not None:
            collected[t] = episode.reward
            policy.settle(outcome)
    return Played(policy.name, collected, expected, episode.memory.copy())


def own_seed(seed: int) -> int:
    """Return a seed for the policy, from which the one that drew the queries cannot be told."""
    return int.from_bytes(blake2b(f"policy {seed}".encode(), digest_size=6).digest(), "big")


def _expected(episode: Episode, t: int, finds: Finds | None) -> float:
    """Return the mass of the law of step *t* that what is held answers."""
    law = episode.schedule.laws[episode.schedule.stage[t]]
    if not law.any() or episode.schedule.query[t] == NOTHING:
        return float("nan")
    true_only = episode.rules.reward != "coverage"
    spanned = covered(episode.scene.coverage, episode.memory, true_only=true_only)
    if episode.rules.reward != "end-to-end" or finds is None:
        return float(law[spanned].sum())
    read = [q for q in np.flatnonzero(spanned & (law > 0)).tolist() if _is_read(episode, q, finds)]
    return float(law[read].sum())


def _is_read(episode: Episode, query: int, finds: Finds) -> bool:
    """Return whether what is read for *query* holds a support of true claims."""
    scene = episode.scene
    asked = Query("", scene.material.query(scene.coverage.queries[query]).text)
    read = finds(asked, episode.memory) & episode.memory & ~(scene.coverage.truth < 0.5)
    return any(all(read[e] for e in support) for support in scene.rows[query])
