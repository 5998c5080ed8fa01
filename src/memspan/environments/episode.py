"""One episode: a memory is written, a query is asked, answered from it and settled, and again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from memspan.environments.holding import fitting, highest
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
        reward: ``coverage`` a held support answers; ``precision`` one whose claims are all true;
            ``end-to-end`` one whose claims are read, too, and true.
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

    def __post_init__(self) -> None:
        """Refuse rules that no episode can follow: a word misspelt would silently be another game."""
        one_of("write", self.write, get_args(Write))
        one_of("disclosure", self.disclosure, get_args(Disclosure))
        one_of("reward", self.reward, get_args(Reward))
        if self.swaps < 0 or not (0 <= self.false_wrong <= 1 and 0 <= self.false_right <= 1):
            raise ShapeError(
                f"swaps is {self.swaps}, false_wrong {self.false_wrong}, false_right {self.false_right}; "
                "give 0 or more swaps, and rates from 0 to 1"
            )


def one_of(name: str, word: str, allowed: Sequence[str]) -> None:
    """Raise ShapeError where *word* is none of those *allowed* for *name*."""
    if word not in allowed:
        raise ShapeError(f"{name} is {word!r}; allowed are {', '.join(allowed)}")


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
        self._all_true = bool(self._true.all())
        self._unit = bool((scene.costs == 1).all())
        self._places = int(capacity)
        self._queries: list[int] = schedule.query.tolist()
        self._counts: list[int] = scene.seen[schedule.batch].tolist()  # claims that have appeared, by step
        self.memory: Bools = np.zeros(scene.coverage.n_claims, np.bool_)
        self.step = 0
        self.reward = 0.0
        self.shown = 0  # claims that were seen at the last write

    @property
    def done(self) -> bool:
        """Whether the schedule is over."""
        return self.step >= len(self._queries)

    @property
    def n_seen(self) -> int:
        """How many claims have appeared by this step."""
        return self._counts[min(self.step, len(self._counts) - 1)]

    @property
    def taken(self) -> float:
        """How much of the capacity is taken."""
        return float(np.count_nonzero(self.memory) if self._unit else self.scene.costs[self.memory].sum())

    def appeared(self) -> tuple[Claim, ...]:
        """Return the claims that appeared since the last write, as `Scene.shown` shows them."""
        return self.scene.shown[self.shown : self.n_seen]

    def view(self) -> View:
        """Return what a policy may see before it writes."""
        n = self.n_seen
        fresh = np.zeros(n, np.bool_)
        fresh[self.shown :] = True
        costs = self.scene.costs[:n].copy()
        return View(self.memory[:n].copy(), self.open_claims(), fresh, costs, self.capacity, self.coming())

    def open_claims(self) -> Bools:
        """Return which of the claims that have appeared may be held after the next write."""
        n = self.n_seen
        if self.rules.write != "stream":
            return np.ones(n, np.bool_)
        held = self.memory[:n].copy()
        held[self.shown :] = True
        return held

    def coming(self) -> Query | None:
        """Return the query that will be asked next, its text alone, where that is known."""
        if not self.rules.foretold or self.done or self._queries[self.step] == NOTHING:
            return None
        return self._told(self._queries[self.step])

    def write(self, scores: Floats) -> None:
        """Hold the open claims with the highest *scores*, as far as they fit; of equal ones the first.

        Raises:
            ShapeError: not one number for each claim that has appeared; nan is no score.
        """
        n = self.n_seen
        given: Floats = np.asarray(scores)
        if given.dtype.kind not in "fiu":
            raise ShapeError(f"scores are of type {given.dtype}; give real numbers, an array of shape ({n},)")
        given = given.astype(np.float64, copy=False)
        if given.shape != (n,) or not np.maximum.reduce(given, initial=-np.inf) < np.inf:  # nan if any is
            strange = np.isnan(given).sum(), (given == np.inf).sum()
            seen = f"scores have shape {given.shape}, {strange[0]} of them nan and {strange[1]} inf"
            raise ShapeError(f"{seen}; give ({n},) numbers, -inf for never")
        if self.rules.write != "full":
            given = np.where(self._allowed(given), given, -np.inf)
        if self._unit:
            self.memory[:n] = highest(given, self._places)
        else:
            self.memory[:n] = fitting(given, self.scene.costs[:n], self.capacity)
        self.shown = n

    def _allowed(self, scores: Floats) -> Bools:
        """Return what is held or fresh, and where the material stays the best of those to be swapped in."""
        staying = self.memory[: len(scores)].copy()
        staying[self.shown :] = True
        if self.rules.write == "swap":
            return staying | highest(np.where(staying, -np.inf, scores), self.rules.swaps)
        return staying

    def ask(self) -> Outcome | None:
        """Ask the query of this step and settle it; go on to the next step. None where none is asked."""
        if self.done:
            raise ShapeError(f"the episode is over after {self.step} steps; begin another")
        query, seen = self._queries[self.step], self.n_seen
        self.step += 1
        self.reward = 0.0
        if query == NOTHING:
            return None
        found, right = self._answered(query)
        self.reward = float(right)
        settled = self._settled(right=right)
        told = self._told(query, answer=self.rules.answers) if self.rules.disclosure == "text" else None
        if self.rules.disclosure not in {"hits", "supports"}:
            return Outcome(settled, query=told)
        if self.rules.disclosure == "hits":
            return Outcome(settled, found or ())
        # another support may need claims that are still to come: those are nobody's to know
        every = tuple(row for row in self.scene.rows[query] if max(row, default=-1) < seen)
        return Outcome(settled, found or (), every)

    def _answered(self, query: int) -> tuple[tuple[int, ...] | None, bool]:
        """Return what the answer rests on, and whether it is right: on true claims, where that counts."""
        held = self.memory
        if self.rules.reward == "end-to-end" and self._finds is not None:
            held = held & self._finds(self._told(query), held)
        found = self.scene.held_support(query, held)
        if found is None or self.rules.reward == "coverage" or self._all_true:
            return found, found is not None
        sound = self.scene.held_support(query, held & self._true)
        return (found, False) if sound is None else (sound, True)

    def _settled(self, *, right: bool) -> float:
        error = self.rules.false_wrong if right else self.rules.false_right
        return float(right != (error > 0 and self._rng.random() < error))

    def _told(self, query: int, *, answer: bool = False) -> Query:
        """Return the query as text alone, or with its *answer*."""
        asked = self.scene.material.query(self.scene.coverage.queries[query])
        return Query("", asked.text, answer=asked.answer if answer else None, time=asked.time)
