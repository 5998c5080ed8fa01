"""One episode: a memory is written, a query is asked, answered from it and settled, and again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import numpy.typing as npt

from memspan.environments.orders import NOTHING, Schedule
from memspan.environments.scene import Scene
from memspan.errors import CostError, ShapeError
from memspan.material import Claim, Query
from memspan.ports import Outcome, View

Write = Literal["full", "swap", "stream"]
Disclosure = Literal["supports", "hits", "text", "outcome"]
Reward = Literal["coverage", "precision", "end-to-end"]
Bools = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]
Finds = Callable[[Query, Bools], Bools]
"""A query and what is held to the claims that are read for it."""


@dataclass(frozen=True)
class Rules:
    """How an episode is played.

    Attributes:
        write: ``full`` may hold any claim that has appeared, ``swap`` likewise but takes in at most
            *swaps* of them at a write besides those that are fresh, ``stream`` what is held or fresh,
            so that what was let go is lost.
        swaps: how many.
        disclosure: what is told of a settled query. ``outcome`` right or wrong; ``hits`` also the
            claims that the answer rested on; ``supports`` all supports, also on a miss; ``text`` the
            query's words and right or wrong.
        answers: the text is told with the right answer.
        reward: ``coverage`` a held support answers; ``precision`` only if its claims are true;
            ``end-to-end`` only if its claims are read, too, and true.
        false_wrong, false_right: how often a right answer is settled as wrong, and a wrong one as right.
        foretold: the coming query is known before the write (level 0).
    """

    write: Write = "full"
    swaps: int = 4
    disclosure: Disclosure = "supports"
    answers: bool = False
    reward: Reward = "coverage"
    false_wrong: float = 0.0
    false_right: float = 0.0
    foretold: bool = False


class Episode:
    """A memory that starts empty and lives through a schedule.

    Args:
        scene: where.
        schedule: what happens at each step.
        capacity: what may be held, in the unit of the scene's costs.
        rules: how it is played.
        rng: settles with errors; not needed where there are none.
        finds: what is read for a query, where the reward is end to end.

    Raises:
        CostError: the capacity is negative or not a number.
        ShapeError: the reward needs *finds*.

    >>> from memspan.datasets import bundled
    >>> from memspan.environments.orders import draw
    >>> from memspan.environments.scene import scene
    >>> trip = scene(bundled("odyssey"), arriving="whole")
    >>> episode = Episode(trip, draw(trip, "uniform", np.random.default_rng(0), steps=3), 2)
    >>> episode.write(np.array([1.0, 0, 1, 0, 0, 0]))
    >>> episode.memory.tolist(), episode.ask().correct in {0, 1}
    ([True, False, True, False, False, False], True)
    """

    def __init__(
        self,
        scene: Scene,
        schedule: Schedule,
        capacity: float,
        rules: Rules = Rules(),
        rng: np.random.Generator | None = None,
        finds: Finds | None = None,
    ) -> None:
        """Begin with the first batch, nothing held."""
        if not 0 <= capacity < np.inf:
            raise CostError(f"capacity is {capacity}; give a finite number, 0 or more")
        if rules.reward == "end-to-end" and finds is None:
            raise ShapeError("the reward end-to-end needs finds=, what is read for a query")
        self.scene, self.schedule, self.capacity, self.rules = scene, schedule, capacity, rules
        self._rng = np.random.default_rng(0) if rng is None else rng
        self._finds = finds
        self._true = ~(scene.coverage.truth < 0.5)  # unknown counts as true
        self._unit = bool((scene.costs == 1).all())
        self.memory: Bools = np.zeros(scene.coverage.n_claims, np.bool_)
        self.step = 0
        self._shown = 0  # claims that were seen at the last write

    @property
    def done(self) -> bool:
        """Whether the schedule is over."""
        return self.step >= len(self.schedule)

    @property
    def n_seen(self) -> int:
        """How many claims have appeared by this step."""
        return int(self.scene.seen[self.schedule.batch[min(self.step, len(self.schedule) - 1)]])

    def appeared(self) -> tuple[Claim, ...]:
        """Return the claims that appeared since the last write, without what is known of their truth."""
        return tuple(replace(claim, truth=None) for claim in self._fresh())

    def _fresh(self) -> tuple[Claim, ...]:
        return self.scene.material.claims[self._shown : self.n_seen]

    def view(self) -> View:
        """Return what a policy may see before it writes."""
        n = self.n_seen
        memory, fresh = self.memory[:n].copy(), np.zeros(n, np.bool_)
        fresh[self._shown :] = True
        coming = self._told(int(self.schedule.query[self.step])) if self.rules.foretold else None
        return View(memory, self._open(n), fresh, self.scene.costs[:n], self.capacity, coming)

    def _open(self, n: int) -> Bools:
        if self.rules.write != "stream":
            return np.ones(n, np.bool_)
        held = self.memory[:n].copy()
        held[self._shown :] = True
        return held

    def write(self, scores: Floats) -> None:
        """Hold the open claims with the highest *scores*, as far as they fit; of equal ones the first.

        Raises:
            ShapeError: not one number for each claim that has appeared; nan is no score.
        """
        n = self.n_seen
        given = np.asarray(scores, np.float64)
        if given.shape != (n,) or np.isnan(given).any():
            raise ShapeError(f"scores have shape {given.shape}; give ({n},) numbers, -inf for never")
        allowed = self._open(n) & (given > -np.inf)
        if self.rules.write == "swap":
            allowed &= self._entering(given, allowed)
        self.memory[:] = False
        self.memory[self._best(given, np.flatnonzero(allowed))] = True
        self._shown = n

    def _entering(self, scores: Floats, allowed: Bools) -> Bools:
        """Return what is held or fresh, and of the others the best that may be swapped in."""
        staying = self.memory[: len(scores)].copy()
        staying[self._shown :] = True
        others = np.flatnonzero(allowed & ~staying)
        staying[others[np.argsort(-scores[others], kind="stable")[: self.rules.swaps]]] = True
        return staying

    def _best(self, scores: Floats, places: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        if self._unit and len(places) <= self.capacity:
            return places
        order = places[np.argsort(-scores[places], kind="stable")]
        if self._unit:
            return order[: int(self.capacity)]
        kept, left = [], self.capacity
        for place, cost in zip(order.tolist(), self.scene.costs[order].tolist(), strict=True):
            if cost <= left:
                kept.append(place)
                left -= cost
        return np.array(kept, np.int64)

    def ask(self) -> Outcome | None:
        """Ask the query of this step and settle it; go on to the next step. None where none is asked."""
        query = int(self.schedule.query[self.step])
        self.step += 1
        if query == NOTHING:
            return None
        found = self._answering(query)
        right = found is not None and (self.rules.reward == "coverage" or bool(self._true[list(found)].all()))
        self.reward = float(right)
        settled = self._settled(right=right)
        told = self._told(query) if self.rules.disclosure == "text" else None
        if self.rules.disclosure not in {"hits", "supports"}:
            return Outcome(settled, query=told)
        every = self.scene.rows[query] if self.rules.disclosure == "supports" else None
        return Outcome(settled, found or (), every)

    def _settled(self, *, right: bool) -> float:
        error = self.rules.false_wrong if right else self.rules.false_right
        return float(right != (error > 0 and self._rng.random() < error))

    def _answering(self, query: int) -> tuple[int, ...] | None:
        """Return the first support of *query* that is held, and read where that counts."""
        held = self.memory
        if self.rules.reward == "end-to-end" and self._finds is not None:
            held = held & self._finds(self._told(query), held)
        for support in self.scene.rows[query]:
            if all(held[e] for e in support):
                return support
        return None

    def _told(self, query: int) -> Query:
        """Return the query as text alone."""
        asked = self.scene.material.query(self.scene.coverage.queries[query])
        return Query("", asked.text, answer=asked.answer if self.rules.answers else None, time=asked.time)
