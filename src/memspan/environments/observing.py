"""What an agent sees of an episode, as arrays of fixed length: no supports, no law, no truth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from memspan.environments.episode import Episode
from memspan.environments.options import Options
from memspan.environments.scene import Scene
from memspan.errors import ShapeError
from memspan.ports import Outcome

if TYPE_CHECKING:
    from gymnasium import spaces

Singles = npt.NDArray[np.float32]
Observation = dict[str, npt.NDArray[Any]]
_MOST = 1e6  # features beyond it are cut: a space has bounds


@dataclass(frozen=True)
class _Table:
    """The claims of a scene as features (N, F), and what they cost (N,)."""

    claims: Singles
    costs: Singles
    count: int


class Observer:
    """Makes observations of episodes in any of some scenes, padded to the largest of them.

    Args:
        scenes: what episodes may live in.
        options: what is disclosed, and as which features.
    """

    def __init__(self, scenes: Sequence[Scene], options: Options) -> None:
        """Prepare for *scenes*; claims are turned into features when their scene is first entered."""
        self._scenes, self._options = scenes, options
        self.n = max(scene.coverage.n_claims for scene in scenes)
        self._told: frozenset[str] = _told(options)
        self._tables: dict[int, _Table] = {}
        self._rows = 5 + (options.most_supports if "supports" in self._told else 0)
        self._vectors: dict[str, Singles] = {}
        self._width = self._features(0).shape[1]
        self._dimensions = len(self._vector("")) if {"query", "answer"} & self._told else 0

    def space(self) -> spaces.Space[Any]:
        """Return the space of the observations."""
        from gymnasium import spaces

        options, n = self._options, self.n
        dearest = max(float(scene.costs.max()) for scene in self._scenes)
        roomiest = max(options.capacity_of(scene) for scene in self._scenes)
        every: dict[str, spaces.Space[Any]] = {
            "claims": spaces.Box(-_MOST, _MOST, (n, self._width), np.float32),
            "costs": spaces.Box(0, max(dearest, 1.0), (n,), np.float32),
            "valid": spaces.MultiBinary(n),
            "fresh": spaces.MultiBinary(n),
            "open": spaces.MultiBinary(n),
            "memory": spaces.MultiBinary(n),
            "capacity": spaces.Box(0, max(roomiest, 1.0), (2,), np.float32),
            "outcome": spaces.Box(0, 1, (2,), np.float32),
            "used": spaces.MultiBinary(n),
            "supports": spaces.MultiBinary((options.most_supports, n)),
            "query": spaces.Box(-1, 1, (self._dimensions,), np.float32),
            "answer": spaces.Box(-1, 1, (self._dimensions,), np.float32),
        }
        return spaces.Dict({key: space for key, space in every.items() if key in self._told})

    def see(self, place: int, episode: Episode, outcome: Outcome | None) -> Observation:
        """Return what is seen before the next write, after *outcome*; new arrays each time."""
        n, table = episode.n_seen, self._table(place)
        rows = np.zeros((self._rows, self.n), np.int8)
        valid, fresh, open_, memory, used = rows[:5]
        valid[:n] = 1
        fresh[episode.shown : n] = 1
        if self._options.write == "stream":
            open_[:n] = episode.open_claims()
        else:
            open_[:n] = 1
        memory[:n] = episode.memory[:n]
        claims, costs = table.claims.copy(), table.costs.copy()
        if n < table.count:
            claims[n:], costs[n:] = 0, 0
        told = (0.0, 0.0) if outcome is None else (outcome.correct, 1.0)
        seen: Observation = {
            "claims": claims,
            "costs": costs,
            "valid": valid,
            "fresh": fresh,
            "open": open_,
            "memory": memory,
            "capacity": np.array((max(0.0, episode.capacity - episode.taken), episode.capacity), np.float32),
            "outcome": np.array(told, np.float32),
        }
        if "used" in self._told:
            used[list((outcome and outcome.used) or ())] = 1
            seen["used"] = used
        if "supports" in self._told:
            for row, support in zip(rows[5:], (outcome and outcome.supports) or (), strict=False):
                row[list(support)] = 1
            seen["supports"] = rows[5:]
        if "query" in self._told:
            query = episode.coming() if self._options.foretold else outcome and outcome.query
            seen["query"] = self._embedded(query.text if query else "")
            if "answer" in self._told:
                seen["answer"] = self._embedded((query and query.answer) or "")
        return seen

    def _embedded(self, text: str) -> Singles:
        if text not in self._vectors:
            self._vectors[text] = self._vector(text)
        return self._vectors[text].copy()

    def _vector(self, text: str) -> Singles:
        return np.asarray(self._options.embedder.embed([text])[0], np.float32).clip(-1, 1)

    def _table(self, place: int) -> _Table:
        if place not in self._tables:
            features, scene = self._features(place), self._scenes[place]
            if features.shape[1:] != (self._width,):
                raise ShapeError(f"features have {features.shape[1:]} columns, and {self._width} before")
            table = _Table(
                np.zeros((self.n, self._width), np.float32), np.zeros(self.n, np.float32), len(features)
            )
            table.claims[: len(features)] = features.clip(-_MOST, _MOST)
            table.costs[: len(features)] = scene.costs
            self._tables[place] = table
        return self._tables[place]

    def _features(self, place: int) -> npt.NDArray[np.float64]:
        """Return the features of a scene: rows of a batch know nothing of later ones, nor of any truth."""
        scene, made = self._scenes[place], self._options.features()
        rows = []
        for batch in range(len(scene.seen)):
            arrived = scene.arrivals(batch)
            claims = [
                replace(claim, truth=None) for claim in scene.material.claims[arrived.start : arrived.stop]
            ]
            rows.append(np.asarray(made.observe(claims), np.float64))
            if rows[-1].ndim != 2 or len(rows[-1]) != len(claims):
                raise ShapeError(
                    f"features have shape {rows[-1].shape}; give a row for each of {len(claims)} claims"
                )
        return np.concatenate(rows)


def _told(options: Options) -> frozenset[str]:
    """Return the keys of an observation: what is not disclosed has none."""
    keys = {"claims", "costs", "valid", "fresh", "open", "memory", "capacity", "outcome"}
    if options.disclosure in {"hits", "supports"}:
        keys.add("used")
    if options.disclosure == "supports":
        keys.add("supports")
    if options.disclosure == "text" or options.foretold:
        keys.add("query")
    if options.disclosure == "text" and options.answers and not options.foretold:
        keys.add("answer")
    return frozenset(keys)
