"""A write policy of memspan, or the scores of a trained rule, in the place of a gymnasium agent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from memspan.environments.playing import own_seed
from memspan.errors import ShapeError
from memspan.ports import WritePolicy

if TYPE_CHECKING:
    import gymnasium

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Driven:
    """An episode that a policy drove.

    Attributes:
        policy: its name.
        collected: (T,) the reward of each step that asked a query; nan where none was asked.
        memory: bool (E,), held at the end.
    """

    policy: str
    collected: Floats
    memory: npt.NDArray[np.bool_]


def drive(
    policy: WritePolicy,
    env: gymnasium.Env[Any, Any],
    *,
    seed: int | None = None,
    material: int | None = None,
    policy_seed: int = 0,
) -> Driven:
    """Let *policy* act in *env* for one episode: the same writes and rewards as `playing.play`.

    Args:
        policy: any `memspan.ports.WritePolicy`.
        env: one of the levels, not wrapped so that its actions change.
        seed: of the environment, None to go on with the one it has.
        material: which of its materials; None to draw one.
        policy_seed: handed to the policy.

    >>> from memspan.environments.levels import Writing
    >>> from memspan.policies.plain import plain
    >>> drive(plain("lfu"), Writing(capacity=2, steps=50), seed=0).collected.shape
    (50,)
    """
    core: Any = env.unwrapped
    env.reset(seed=seed, options=None if material is None else {"material": material})
    policy.start(own_seed(policy_seed))
    collected, over = [], False
    while not over:
        if fresh := core.appeared():
            policy.observe(fresh)
        action = as_action(policy.score(core.view()), env.action_space.shape[0])  # type: ignore[index]
        _, reward, terminated, truncated, _ = env.step(action)
        if core.settled is not None:
            policy.settle(core.settled)
        collected.append(float(reward) if core.settled is not None else np.nan)
        over = terminated or truncated
    return Driven(policy.name, np.array(collected), core.episode.memory.copy())


def as_action(scores: Floats, n: int) -> npt.NDArray[np.float32]:
    """Return *scores* of any size as an action of *n* claims that holds the same ones.

    An environment looks at the order of scores alone, so they become ranks, ties kept, above -1; what
    is never to be held (-inf), and what has not appeared, gets -1.

    Args:
        scores: (k,) one for each claim that has appeared, k <= n.
        n: claims of the action space.

    Raises:
        ShapeError: more scores than claims, or one that is nan.

    >>> as_action(np.array([1e9, 3.0, -np.inf, 3.0]), 5).tolist()
    [1.0, 0.0, -1.0, 0.0, -1.0]
    """
    if scores.ndim != 1 or len(scores) > n or np.isnan(scores).any():
        raise ShapeError(f"scores have shape {scores.shape}; give at most {n} numbers, -inf for never")
    action = np.full(n, -1.0, np.float32)
    held = np.flatnonzero(scores > -np.inf)
    distinct, ranks = np.unique(scores[held], return_inverse=True)
    action[held] = -1 + 2 * (1 + ranks) / max(1, len(distinct))
    return action
