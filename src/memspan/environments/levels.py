"""The memorisation decision process as a gymnasium environment; `memspan.environments.gym` registers it.

An action is one score for each claim: the environment holds the best of the open ones within capacity,
then poses a query, answers it from what is held and settles it. So the reward is for the memory that
was just written.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from memspan.coverage import covered
from memspan.datasets import bundled
from memspan.environments.episode import Episode
from memspan.environments.needed import gymnasium
from memspan.environments.observing import Observation, Observer
from memspan.environments.options import chosen
from memspan.environments.orders import draw
from memspan.environments.scene import Scene, scene
from memspan.errors import ShapeError, UnknownName
from memspan.material import Claim, Material
from memspan.ports import Outcome, View

Scores = npt.NDArray[np.float32]
NEVER = -1.0
"""The lowest action: a claim with this score is not held, even where there is room."""


class Writing(gymnasium.Env[Observation, Scores]):
    """A memory that is written, asked and settled, over and over, in one material an episode.

    Args:
        materials: the episodes' materials, one or several; the bundled Odyssey where none is given.
        render_mode: ``ansi`` renders what is held as text.
        options: see `memspan.environments.options.Options`.

    A material is drawn at each reset unless ``reset(options={"material": i})`` names one. *terminated*:
    the material is over (its last session, each query asked once, level 0's query); *truncated*: the most
    steps are done. The reward is 1 or 0; it is 0 at a step that asks nothing, which ``outcome`` tells.

    Observations are padded to N, the claims of the largest material:

    ========== ============== ==========================================================================
    claims     (N, F)         features of the claims that have appeared
    costs      (N,)           what holding each costs
    valid      (N,)           has appeared
    fresh      (N,)           has appeared since the last write
    open       (N,)           may be held after the next write
    memory     (N,)           is held
    capacity   (2,)           what is left, and what may be held in all
    outcome    (2,)           was the last query settled as right; was one asked
    used       (N,)           what its answer rested on: where hits or supports are disclosed
    supports   (K, N)         its supports, the first K: where supports are disclosed
    query      (d,)           its words: where text is disclosed; at level 0 those of the coming query
    answer     (d,)           its right answer: where text with answers is disclosed
    ========== ============== ==========================================================================

    Infos hold ``material``, the position of the episode's; where supports are disclosed ``cut``, how many
    of the last query are not shown; and only under ``oracle=True`` a dictionary ``oracle`` of

    - ``supports``: for each query its supports, as positions of claims;
    - ``law``: the distribution p_D over the queries that the next one is drawn from, padded with zeros;
    - ``expected``: the mass of the law that the memory answered at the last step; nan at a reset.

    Raises:
        ShapeError: no material, or one that cannot be lived through.
        UnknownName: an option that is not there.

    >>> env = Writing(capacity=2, steps=3)
    >>> seen, info = env.reset(seed=0)
    >>> seen, reward, terminated, truncated, info = env.step(np.array([1, -1, 1, -1, -1, -1], np.float32))
    >>> seen["memory"].tolist(), terminated, truncated
    ([1, 0, 1, 0, 0, 0], False, False)

    Source: arXiv 2608.11654, section 5.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012 - as in the base class

    def __init__(
        self,
        materials: Material | Sequence[Material] | None = None,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        """Lay the materials out in time and turn their claims into features."""
        self.options = chosen(options)
        self.render_mode = render_mode
        several = [bundled("odyssey")] if materials is None else materials
        several = [several] if isinstance(several, Material) else several
        if not several:
            raise ShapeError("no material; give one or more")
        laid = self.options.cost, self.options.arriving
        self._scenes = [scene(each, cost=laid[0], arriving=laid[1]) for each in several]
        finds = self.options.finds
        self._finds = [finds(each) if finds else None for each in self._scenes]
        self._observer = Observer(self._scenes, self.options)
        self._longest = max(len(each.ready) for each in self._scenes)
        self.observation_space = self._observer.space()
        self.action_space = gymnasium.spaces.Box(NEVER, 1, (self._observer.n,), np.float32)
        self.settled: Outcome | None = None
        self._place, self._cut = 0, self.options.most_steps
        self._episode: Episode | None = None

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin an episode in a material drawn at random, or in ``options["material"]``."""
        super().reset(seed=seed)
        self._place = self._drawn(dict(options or {}))
        entered, chosen_ = self._scenes[self._place], self.options
        schedule = draw(
            entered,
            chosen_.order,
            self.np_random,
            steps=chosen_.most_steps,
            per_batch=chosen_.per_batch,
            drifts_at=chosen_.drifts_at,
        )
        self._episode = Episode(
            entered,
            schedule,
            chosen_.capacity_of(entered),
            chosen_.rules,
            self.np_random,
            self._finds[self._place],
        )
        self.settled = None
        return self._seen(), self._info(float("nan"))

    def _drawn(self, options: dict[str, Any]) -> int:
        place = options.pop("material", None)
        if options:
            raise UnknownName(f"no option {', '.join(options)} of reset; there is material")
        count = len(self._scenes)
        if place is not None and not isinstance(place, int | np.integer):
            raise UnknownName(f"material is {place!r}; give its position, from 0 to {count - 1}")
        if place is None:
            return int(self.np_random.integers(count)) if count > 1 else 0
        if not 0 <= place < count:
            raise UnknownName(f"no material {place}; there are 0 to {count - 1}")
        return int(place)

    def step(self, action: Scores) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Write by the scores of *action*, shape (N,), then ask and settle a query."""
        given = np.asarray(action, np.float64)
        if given.shape != (self._observer.n,):
            raise ShapeError(f"the action has shape {given.shape}; give ({self._observer.n},) scores")
        episode = self.episode
        scores = given[: episode.n_seen]
        episode.write(np.where(scores <= NEVER, -np.inf, scores))
        expected = self._expected() if self.options.oracle else 0.0
        self.settled = episode.ask()
        over = episode.done
        cut = self._cut is not None and episode.step >= self._cut
        if self.options.foretold:
            ends = over or cut
        else:
            ends = over and (len(episode.scene.seen) > 1 or self._all_asked())
        truncated = (over or cut) and not ends
        return self._seen(), episode.reward, ends, truncated, self._info(expected)

    def _all_asked(self) -> bool:
        schedule = self.episode.schedule
        return schedule.once and len(schedule) == schedule.laws.shape[1]

    def _seen(self) -> Observation:
        return self._observer.see(self._place, self.episode, self.settled)

    def _info(self, expected: float) -> dict[str, Any]:
        info: dict[str, Any] = {"material": self._place}
        if self.options.disclosure == "supports":
            told = len((self.settled and self.settled.supports) or ())
            info["cut"] = max(0, told - self.options.most_supports)
        if self.options.oracle:
            law = np.zeros(self._longest)
            now = self._law()
            law[: len(now)] = now
            info["oracle"] = {"supports": self.episode.scene.rows, "law": law, "expected": expected}
        return info

    def _law(self) -> npt.NDArray[np.float64]:
        """Return the law of the step that comes next, at the end that of the last."""
        schedule = self.episode.schedule
        law: npt.NDArray[np.float64] = schedule.laws[
            schedule.stage[min(self.episode.step, len(schedule) - 1)]
        ]
        return law

    def _expected(self) -> float:
        true_only = self.options.reward != "coverage"
        held = covered(self.episode.scene.coverage, self.episode.memory, true_only=true_only)
        return float(self._law()[held].sum())

    # --- what a write policy of memspan asks for -----------------------------------------------------

    @property
    def episode(self) -> Episode:
        """The episode that is lived through; it knows all, so agents that are judged keep away from it.

        Raises:
            ShapeError: there was no reset.
        """
        if self._episode is None:
            raise ShapeError("no episode has begun; call reset() first")
        return self._episode

    @property
    def scene(self) -> Scene:
        """The scene of the episode."""
        return self.episode.scene

    def view(self) -> View:
        """Return what a `memspan.ports.WritePolicy` sees before the next write."""
        return self.episode.view()

    def appeared(self) -> tuple[Claim, ...]:
        """Return the claims that appeared since the last write, without their truth."""
        return self.episode.appeared()

    @property
    def most_held(self) -> int:
        """How many claims a memory of any of the materials can hold at most; at least 1."""
        counts = []
        for each in self._scenes:
            total = np.cumsum(np.sort(each.costs))
            counts.append(int(np.searchsorted(total, self.options.capacity_of(each), side="right")))
        return max(1, *counts)

    def render(self) -> str | None:
        """Return what is held, a claim on each line, where the render mode is ``ansi``."""
        if self.render_mode != "ansi":
            return None
        held = np.flatnonzero(self.episode.memory).tolist()
        lines = [f"step {self.episode.step}: {len(held)} of {self.episode.n_seen} claims are held"]
        return "\n".join([*lines, *(f"  {self.scene.material.claims[e].text}" for e in held)])
