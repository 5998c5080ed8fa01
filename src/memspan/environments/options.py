"""What can be chosen of a gymnasium environment, and which choices make each level."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, get_args

import numpy as np

from memspan.environments.episode import Disclosure, Finds, Reward, Rules, Write
from memspan.environments.features import MakesFeatures, Surface
from memspan.environments.orders import OrderName
from memspan.environments.scene import Arriving, Cost, Scene
from memspan.errors import CostError, ShapeError, UnknownName
from memspan.models import HashedEmbedder
from memspan.ports import Embedder

_DIMENSIONS = 64  # of a query's vector: enough to tell some hundred queries apart
_STEPS = 200
_ALLOWED: Mapping[str, Any] = {
    "write": Write,
    "disclosure": Disclosure,
    "reward": Reward,
    "order": OrderName,
    "cost": Cost,
    "arriving": Arriving,
}


@dataclass(frozen=True)
class Options:
    """How an environment is made; each is a keyword of ``gymnasium.make``.

    Attributes:
        capacity: what may be held: a float from 0 to 1 is a share of the material (at least one claim, where
            claims are counted), any other number is in the unit of *cost*.
        cost: what is counted: ``claims`` or ``tokens``.
        write: ``full``, ``swap`` or ``stream``; see `memspan.environments.episode.Rules`.
        swaps: how many are let in at a write, for ``swap``.
        disclosure: the column of what a settled query tells: ``outcome``, ``text``, ``hits``, ``supports``.
        answers: the text is told with the right answer.
        reward: ``coverage``, ``precision`` or ``end-to-end``; always what the memory is worth, also where
            the outcome that is told errs.
        false_wrong, false_right: how often the outcome that is told errs.
        foretold: the coming query is seen before the write (level 0).
        order: ``iid``, ``uniform``, ``zipf``, ``mix`` or ``once``.
        arriving: ``whole``, or ``sessions``, one after the other.
        steps: queries until the episode is truncated; None for 200 where the material is whole, for all
            where each is asked once, and for no end but the material's own in sessions.
        per_batch: queries after each session.
        drifts_at: share of the steps after which popularity is drawn anew.
        most_supports: how many supports of a settled query are shown.
        features: makes the columns of ``claims``; a class such as `Surface`.
        embedder: texts of queries to vectors.
        finds: for ``end-to-end``: makes of a scene the function that says which of the held claims are read.
        oracle: supports and the law of the queries stand in the infos (level 1a).

    Raises:
        UnknownName: a choice that is not there.
        ShapeError: no steps, or no room for a support.
        CostError: a negative capacity.
    """

    capacity: float | int = 0.1
    cost: Cost = "claims"
    write: Write = "full"
    swaps: int = 4
    disclosure: Disclosure = "supports"
    answers: bool = False
    reward: Reward = "coverage"
    false_wrong: float = 0.0
    false_right: float = 0.0
    foretold: bool = False
    order: OrderName = "iid"
    arriving: Arriving = "whole"
    steps: int | None = None
    per_batch: int = 10
    drifts_at: float | None = None
    most_supports: int = 4
    features: MakesFeatures = Surface
    embedder: Embedder = field(default_factory=lambda: HashedEmbedder(_DIMENSIONS))
    finds: Callable[[Scene], Finds] | None = None
    oracle: bool = False

    def __post_init__(self) -> None:
        """Refuse what does not exist."""
        for name, choices in _ALLOWED.items():
            given = getattr(self, name)
            if given not in get_args(choices):
                raise UnknownName(f"{name} is {given!r}; choose one of {', '.join(get_args(choices))}")
        if (self.steps is not None and self.steps < 1) or self.per_batch < 1 or self.most_supports < 1:
            raise ShapeError("steps, per_batch and most_supports are at least 1")
        if not 0 <= self.capacity < float("inf"):
            raise CostError(f"capacity is {self.capacity}; give a share from 0 to 1 or a finite number")
        if self.reward == "end-to-end" and self.finds is None:
            raise ShapeError("the reward end-to-end needs finds=, which makes of a scene what is read")

    @property
    def rules(self) -> Rules:
        """How its episodes are played."""
        return Rules(**{each.name: getattr(self, each.name) for each in fields(Rules)})

    @property
    def most_steps(self) -> int | None:
        """After how many an episode is cut off; None for never."""
        endless = self.arriving == "whole" and self.order != "once"
        return _STEPS if self.steps is None and endless else self.steps

    def capacity_of(self, scene: Scene) -> float:
        """Return what may be held of *scene*, in the unit of its costs."""
        if not isinstance(self.capacity, (float, np.floating)) or self.capacity > 1:
            return float(self.capacity)
        share = self.capacity * float(scene.costs.sum())
        return max(1.0, float(round(share))) if self.cost == "claims" else share


def chosen(options: Mapping[str, Any]) -> Options:
    """Return *options* as `Options`.

    Raises:
        UnknownName: there is no option of that name.

    >>> chosen({"capacity": 20, "order": "zipf"}).rules.disclosure
    'supports'
    """
    known = [each.name for each in fields(Options)]
    if unknown := [name for name in options if name not in known]:
        raise UnknownName(f"no option {', '.join(unknown)}; there are {', '.join(known)}")
    return Options(**options)


LEVELS: Mapping[str, Mapping[str, Any]] = {
    "Level0": {"foretold": True, "steps": 1},
    "Level1a": {"oracle": True},
    "Level1b": {},
    "Level2": {"disclosure": "hits", "steps": 10},
    "Stream": {"disclosure": "hits", "write": "stream", "arriving": "sessions", "order": "zipf"},
}
"""The levels by name: what each chooses unless it is told otherwise."""
