"""Other actions for the same environments: a memory built claim by claim, swapped, or fed from a stream.

Each tells which actions make sense, as ``info["action_mask"]`` for ``action_space.sample`` and as
``action_masks()`` for sb3-contrib. An action that makes none changes nothing, or ends a building.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from memspan.environments.levels import NEVER, Writing
from memspan.environments.needed import gymnasium
from memspan.environments.observing import Observation
from memspan.errors import ShapeError

Bools = npt.NDArray[np.bool_]
Step = tuple[Observation, float, bool, bool, dict[str, Any]]
Start = tuple[Observation, dict[str, Any]]
EMPTY = -1
"""A slot that holds no claim."""


def _core(env: gymnasium.Env[Any, Any]) -> Writing:
    core = env.unwrapped
    if not isinstance(core, Writing):
        raise ShapeError(f"{core} is none of memspan's environments; wrap memspan/Level1b-v0 or another")
    return core


def _wider(env: gymnasium.Env[Any, Any], **more: gymnasium.spaces.Space[Any]) -> gymnasium.spaces.Space[Any]:
    known = env.observation_space
    assert isinstance(known, gymnasium.spaces.Dict)  # noqa: S101 - that of Writing
    return gymnasium.spaces.Dict({**known.spaces, **more})


def _copied(seen: Observation) -> Observation:
    return {key: value.copy() for key, value in seen.items()}


class _Slots:
    """The claims of a memory, each in a slot that it keeps."""

    def __init__(self, core: Writing) -> None:
        self._n, self._places = core.action_space.shape[0], [EMPTY] * core.most_held  # type: ignore[index]

    def __iter__(self) -> Any:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

    def space(self) -> gymnasium.spaces.Box:
        return gymnasium.spaces.Box(EMPTY, self._n - 1, (len(self),), np.int64)

    def array(self) -> npt.NDArray[np.int64]:
        return np.array(self._places, np.int64)

    def filled(self) -> Bools:
        return np.array([claim != EMPTY for claim in self._places], np.bool_)

    def keep(self, memory: Bools) -> None:
        """Let go of what is not in *memory*."""
        self._places = [claim if claim != EMPTY and memory[claim] else EMPTY for claim in self._places]

    def put(self, slot: int, claim: int) -> None:
        self._places[slot] = claim

    def at(self, slot: int) -> int:
        return self._places[slot]

    def free(self) -> int | None:
        return self._places.index(EMPTY) if EMPTY in self._places else None

    def action(self, last: Sequence[int] = ()) -> npt.NDArray[np.float32]:
        """Return scores that hold what is in the slots; *last* yields where not all fit."""
        scores = np.full(self._n, NEVER, np.float32)
        scores[[claim for claim in self._places if claim != EMPTY]] = 1
        scores[list(last)] = 0.5
        return scores


class Building(gymnasium.Wrapper[Any, Any, Any, Any]):
    """Write a memory one claim at a time: ``Discrete(N + 1)``, a claim, or N to be done.

    Each write starts from nothing. When it is done, or nothing more fits, the memory is written and a
    query is asked; the actions before earn 0. A claim that is masked ends the building. Observations
    have ``chosen`` (N,), the claims so far.

    >>> env = Building(Writing(capacity=2, steps=3))
    >>> seen, info = env.reset(seed=0)
    >>> for claim in (2, 0):
    ...     seen, reward, terminated, truncated, info = env.step(claim)
    >>> seen["memory"].tolist()
    [1, 0, 1, 0, 0, 0]
    """

    def __init__(self, env: gymnasium.Env[Any, Any]) -> None:
        """Wrap one of memspan's environments."""
        super().__init__(env)
        self._core = _core(env)
        self._n = self._core.action_space.shape[0]  # type: ignore[index]
        self.action_space = gymnasium.spaces.Discrete(self._n + 1)
        self.observation_space = _wider(env, chosen=gymnasium.spaces.MultiBinary(self._n))
        self._order: list[int] = []

    def reset(self, *, seed: int | None = None, options: Mapping[str, Any] | None = None) -> Start:
        """Begin an episode with nothing chosen."""
        seen, info = self.env.reset(seed=seed, options=dict(options or {}))
        return self._begin(seen), self._masked(info)

    def _begin(self, seen: Observation) -> Observation:
        view = self._core.view()
        self._order, self._left = [], view.capacity
        self._may, self._costs = np.zeros(self._n, np.bool_), np.full(self._n, np.inf)
        self._may[: len(view.open)], self._costs[: len(view.costs)] = view.open, view.costs
        self._seen, self._info = seen, {"material": 0}
        return self._shown()

    def _shown(self) -> Observation:
        seen = _copied(self._seen)
        seen["chosen"] = np.zeros(self._n, np.int8)
        seen["chosen"][self._order] = 1
        return seen

    def action_masks(self) -> Bools:
        """Return which actions make sense: claims that may be held and fit, and to be done."""
        return np.append(self._may & (self._costs <= self._left), True)

    def _masked(self, info: dict[str, Any]) -> dict[str, Any]:
        self._info = info
        return {**info, "action_mask": self.action_masks().astype(np.int8)}

    def step(self, action: np.int64) -> Step:
        """Choose one claim more, or write what was chosen."""
        claim = int(action)
        if claim < self._n and self.action_masks()[claim]:
            self._order.append(claim)
            self._may[claim] = False
            self._left -= self._costs[claim]
            if self.action_masks()[:-1].any():
                return self._shown(), 0.0, False, False, self._masked(self._info)
        scores = np.full(self._n, NEVER, np.float32)
        scores[self._order] = np.linspace(1, 0, len(self._order))  # where not all are let in, the first are
        seen, reward, terminated, truncated, info = self.env.step(scores)
        return self._begin(seen), float(reward), terminated, truncated, self._masked(info)


class Swapping(gymnasium.Wrapper[Any, Any, Any, Any]):
    """Change a memory a little: ``MultiDiscrete([S + 1, N + 1] * swaps)`` of a slot and a claim for it.

    Slot S changes nothing; claim N empties the slot. S is how many claims can be held at most. A claim
    that may not be held, or is held already, changes nothing; where costs differ, what was swapped in
    last yields if not all fits. Observations have ``slots`` (S,), the claim in each or -1.

    >>> env = Swapping(Writing(capacity=2, steps=3))
    >>> seen, info = env.reset(seed=0)
    >>> seen, *rest = env.step(np.array([0, 4]))
    >>> seen["slots"].tolist()
    [4, -1]
    """

    def __init__(self, env: gymnasium.Env[Any, Any], swaps: int = 1) -> None:
        """Wrap one of memspan's environments; *swaps* at each step, one after the other."""
        super().__init__(env)
        if swaps < 1:
            raise ShapeError(f"{swaps} swaps a step; give at least 1")
        self._core, self._swaps = _core(env), swaps
        self._n, self._slots = self._core.action_space.shape[0], _Slots(self._core)  # type: ignore[index]
        self.action_space = gymnasium.spaces.MultiDiscrete([len(self._slots) + 1, self._n + 1] * swaps)
        self.observation_space = _wider(env, slots=self._slots.space())

    def reset(self, *, seed: int | None = None, options: Mapping[str, Any] | None = None) -> Start:
        """Begin an episode with empty slots."""
        seen, info = self.env.reset(seed=seed, options=dict(options or {}))
        self._slots = _Slots(self._core)
        return self._shown(seen), self._masked(info)

    def _shown(self, seen: Observation) -> Observation:
        self._may = (seen["open"] == 1) & (seen["memory"] == 0)
        return {**seen, "slots": self._slots.array()}

    def _parts(self) -> list[Bools]:
        return [np.ones(len(self._slots) + 1, np.bool_), np.append(self._may, True)] * self._swaps

    def action_masks(self) -> Bools:
        """Return which slots and which claims make sense, one part of the action after the other."""
        return np.concatenate(self._parts())

    def _masked(self, info: dict[str, Any]) -> dict[str, Any]:
        return {**info, "action_mask": tuple(part.astype(np.int8) for part in self._parts())}

    def step(self, action: npt.NDArray[np.int64]) -> Step:
        """Swap, then write what is in the slots."""
        new = []
        for slot, claim in np.asarray(action).reshape(-1, 2).tolist():
            if slot == len(self._slots) or not (claim == self._n or self._may[claim]):
                continue
            if claim == self._n:
                self._slots.put(slot, EMPTY)
            elif claim not in set(self._slots):
                self._slots.put(slot, claim)
                new.append(claim)
        held = set(self._slots)
        seen, reward, terminated, truncated, info = self.env.step(
            self._slots.action([claim for claim in new if claim in held])
        )
        self._slots.keep(seen["memory"] == 1)
        return self._shown(seen), float(reward), terminated, truncated, self._masked(info)


class Streaming(gymnasium.Wrapper[Any, Any, Any, Any]):
    """Decide on each claim once, as it appears: ``Discrete(S + 2)``, skip, append, or slot i for it.

    0 skips the claim, 1 appends it where there is room, 2 + i lets go of what is in slot i for it. S is
    how many claims can be held at most. After the last fresh claim the memory is written and a query
    is asked; the decisions before earn 0. While nothing is fresh, each action asks the next query.
    Observations have ``slots`` (S,), the claim in each or -1, and ``current`` (N,), that is decided on.

    >>> env = Streaming(Writing(capacity=2, write="stream", arriving="sessions", per_batch=1))
    >>> seen, info = env.reset(seed=0)
    >>> seen, *rest = env.step(1)
    >>> seen["slots"].tolist(), seen["current"].tolist()
    ([0, -1], [0, 1, 0, 0, 0, 0])
    """

    def __init__(self, env: gymnasium.Env[Any, Any]) -> None:
        """Wrap one of memspan's environments, best one that writes a stream."""
        super().__init__(env)
        self._core = _core(env)
        self._n, self._slots = self._core.action_space.shape[0], _Slots(self._core)  # type: ignore[index]
        self.action_space = gymnasium.spaces.Discrete(len(self._slots) + 2)
        one_hot = gymnasium.spaces.MultiBinary(self._n)
        self.observation_space = _wider(env, slots=self._slots.space(), current=one_hot)

    def reset(self, *, seed: int | None = None, options: Mapping[str, Any] | None = None) -> Start:
        """Begin an episode with empty slots and the first claim."""
        seen, info = self.env.reset(seed=seed, options=dict(options or {}))
        self._slots = _Slots(self._core)
        return self._begin(seen), self._masked(info)

    def _begin(self, seen: Observation) -> Observation:
        self._seen = seen
        self._waiting = np.flatnonzero(seen["fresh"]).tolist()[::-1]
        view = self._core.view()
        self._costs, self._left = view.costs, view.capacity - float(view.costs[view.memory].sum())
        return self._shown()

    def _shown(self) -> Observation:
        seen = _copied(self._seen)
        current = np.zeros(self._n, np.int8)
        current[self._waiting[-1:]] = 1
        return {**seen, "slots": self._slots.array(), "current": current}

    def action_masks(self) -> Bools:
        """Return which actions make sense: skip, append where it fits, slots whose claim makes room."""
        mask = np.zeros(len(self._slots) + 2, np.bool_)
        mask[0] = True
        if self._waiting:
            claim = self._waiting[-1]
            filled, held = self._slots.filled(), self._slots.array()
            mask[1] = not filled.all() and self._costs[claim] <= self._left
            makes_room = self._costs[np.maximum(held, 0)] + self._left >= self._costs[claim]
            mask[2:] = filled & makes_room
        return mask

    def _masked(self, info: dict[str, Any]) -> dict[str, Any]:
        self._info = info
        return {**info, "action_mask": self.action_masks().astype(np.int8)}

    def step(self, action: np.int64) -> Step:
        """Decide on the current claim; after the last one, write and ask."""
        if self._waiting:
            self._decide(int(action))
            if self._waiting:
                return self._shown(), 0.0, False, False, self._masked(self._info)
        seen, reward, terminated, truncated, info = self.env.step(self._slots.action())
        return self._begin(seen), float(reward), terminated, truncated, self._masked(info)

    def _decide(self, action: int) -> None:
        sensible = self.action_masks()[action]
        claim = self._waiting.pop()
        slot = self._slots.free() if action == 1 else action - 2
        if action == 0 or slot is None or not sensible:
            return
        leaving = self._slots.at(slot)
        self._left += (self._costs[leaving] if leaving != EMPTY else 0.0) - self._costs[claim]
        self._slots.put(slot, claim)
