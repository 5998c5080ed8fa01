"""In which order queries are asked: drawn anew each time, by popularity, about what is new, each once.

An order draws a `Schedule`: for each step what has appeared, which query is asked, and the law it was
drawn from. The law is for measuring alone; no policy sees it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from memspan.environments.scene import Scene
from memspan.errors import ShapeError, UnknownName

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
OrderName = Literal["iid", "uniform", "zipf", "mix", "once"]
NOTHING = -1
"""The query of a step at which nothing is asked."""


@dataclass(frozen=True)
class Schedule:
    """What happens at each of T steps; one step writes once and asks at most one query.

    Attributes:
        batch: (T,) how many batches have appeared, less one; never falls.
        query: (T,) the query that is asked; `NOTHING` where none is.
        stage: (T,) which row of *laws* the query was drawn from.
        laws: (L, Q) distributions over the queries; a row of zeros asks nothing.
        once: each query is asked once, so that a law is no fixed distribution.
    """

    batch: Ints
    query: Ints
    stage: Ints
    laws: Floats
    once: bool = False

    def __len__(self) -> int:
        """How many steps there are."""
        return len(self.batch)


def draw(
    scene: Scene,
    order: OrderName,
    rng: np.random.Generator,
    *,
    steps: int | None = None,
    per_batch: int = 10,
    drifts_at: float | None = None,
) -> Schedule:
    """Draw the queries of one episode.

    ``iid`` draws by the material's own weights, ``uniform`` all alike, ``zipf`` by the reciprocal of a
    rank that is drawn once, ``mix`` half by that and half among those that the newest batch made
    answerable, ``once`` each query once, after some batch at random since it can be answered: its law
    is even over those of the batch that remain. Queries of weight 0 are never asked.

    Args:
        scene: where; a scene of one batch asks *steps* queries, else *per_batch* after each.
        order: which of the five.
        rng: draws the popularity and the queries.
        steps: queries in all, where the material appears as a whole; 200 where not given.
        per_batch: queries after each batch, where it appears in batches.
        drifts_at: share of the steps after which popularity is drawn anew; None for never.

    Raises:
        UnknownName: no such order.
        ShapeError: a negative number of steps, or a drift that cannot be.
    """
    if order not in _LAWS and order != "once":
        raise UnknownName(f"no order of queries {order!r}; there are {', '.join([*_LAWS, 'once'])}")
    if (steps or 0) < 0 or per_batch < 0:
        raise ShapeError(f"{steps} steps and {per_batch} queries a batch; give 0 or more")
    batches = len(scene.seen)
    if drifts_at is not None and not (order != "once" and 0 <= drifts_at <= 1):
        raise ShapeError(f"drift at {drifts_at} in order {order!r}; give a share of the steps, and no 'once'")
    if order == "once":
        return _whole_once(scene, rng, steps) if batches == 1 else _once(scene, rng)
    asked = (200 if steps is None else steps) if batches == 1 else per_batch
    before = _LAWS[order](scene, rng)
    laws = np.array([before(b) for b in range(batches)])
    if drifts_at is not None:
        after = _LAWS[order](scene, rng)
        laws = np.concatenate([laws, [after(b) for b in range(batches)]])
    return _drawn(scene, laws, asked, rng, drifts_at)


def _drawn(
    scene: Scene, laws: Floats, asked: int, rng: np.random.Generator, drifts_at: float | None
) -> Schedule:
    batches = len(scene.seen)
    batch = np.repeat(np.arange(batches), max(asked, 1))
    late = np.arange(len(batch)) >= (np.inf if drifts_at is None else drifts_at * len(batch))
    stage = batch + batches * late
    query = np.full(len(batch), NOTHING)
    running = np.cumsum(laws, axis=1)
    for row in np.unique(stage).tolist() if asked else []:
        if running[row, -1] > 0:
            places = np.flatnonzero(stage == row)
            drawn = np.searchsorted(running[row], rng.random(len(places)) * running[row, -1], side="right")
            query[places] = np.minimum(drawn, laws.shape[1] - 1)
    totals = laws.sum(axis=1, keepdims=True)
    return Schedule(batch, query, stage, np.divide(laws, totals, out=np.zeros_like(laws), where=totals > 0))


# --- laws: from a batch to weights over the queries that can be answered after it ------------------

Law = Callable[[int], Floats]


def _kept(weights: Floats, scene: Scene, batch: int) -> Floats:
    """Return *weights* of the queries that can be answered after *batch*, 0 for those nobody asks."""
    kept: Floats = np.where((scene.ready <= batch) & (scene.coverage.weights > 0), weights, 0.0)
    return kept


def _weighted(scene: Scene, _: np.random.Generator) -> Law:
    weights = scene.coverage.weights.astype(np.float64)
    return lambda batch: _kept(weights, scene, batch)


def _uniform(scene: Scene, _: np.random.Generator) -> Law:
    even = np.ones(len(scene.ready))
    return lambda batch: _kept(even, scene, batch)


def _zipf(scene: Scene, rng: np.random.Generator) -> Law:
    popularity: Floats = 1 / (1.0 + rng.permutation(len(scene.ready)))
    return lambda batch: _kept(popularity, scene, batch)


def _mix(scene: Scene, rng: np.random.Generator) -> Law:
    popular = _zipf(scene, rng)

    def law(batch: int) -> Floats:
        old = popular(batch)
        new = np.where((scene.ready == batch) & (scene.coverage.weights > 0), 1.0, 0.0)
        if new.any() and old.any():
            both: Floats = old / old.sum() + new / new.sum()
            return both
        return old

    return law


_LAWS: Mapping[str, Callable[[Scene, np.random.Generator], Law]] = {
    "iid": _weighted,
    "uniform": _uniform,
    "zipf": _zipf,
    "mix": _mix,
}


# --- each once -------------------------------------------------------------------------------------


def _once(scene: Scene, rng: np.random.Generator) -> Schedule:
    """Ask each query after some batch at random, from the first that lets it be answered."""
    batches = len(scene.seen)
    asked_for = scene.coverage.weights > 0
    when = np.where(asked_for, rng.integers(scene.ready, batches), NOTHING)
    asked = [rng.permutation(np.flatnonzero(when == b)).tolist() or [NOTHING] for b in range(batches)]
    query = np.array([q for row in asked for q in row])
    batch = np.repeat(np.arange(batches), [len(row) for row in asked])
    laws = np.concatenate([_left(row, len(when)) for row in asked])
    return Schedule(batch, query, np.arange(len(batch)), laws, once=True)


def _whole_once(scene: Scene, rng: np.random.Generator, steps: int | None) -> Schedule:
    """Ask all queries in a random order."""
    order = rng.permutation(np.flatnonzero(scene.coverage.weights > 0))
    laws = _left(order.tolist(), len(scene.ready))[:steps]
    count = len(laws)
    return Schedule(np.zeros(count, np.int64), order[:count], np.arange(count), laws, once=True)


def _left(asked: list[int], queries: int) -> Floats:
    """Return for each of the queries *asked*, in turn, the law that is even over it and those that follow."""
    laws = np.zeros((len(asked), queries))
    for t in range(len(asked)):
        if asked[t] != NOTHING:
            laws[t, asked[t:]] = 1 / (len(asked) - t)
    return laws
