"""One write policy tried on one list of claims: the lives it leads, with every call guarded."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from memspan.environments.episode import Disclosure, Episode, Rules, Write
from memspan.environments.orders import OrderName, Schedule, draw
from memspan.environments.playing import play
from memspan.environments.scene import Arriving, Cost, Scene, scene
from memspan.material import Claim, Material, Query, Support
from memspan.ports import Outcome, View, WritePolicy
from memspan.testing.trial import Breach, Misbehaved

Floats = npt.NDArray[np.float64]
Make = Callable[[Material], WritePolicy]
Tells = Callable[[Claim], Claim]


@dataclass(frozen=True)
class Setting:
    """How a life is led.

    Attributes:
        capacity: what may be held.
        write, disclosure, answers: as in `memspan.environments.episode.Rules`.
        order: in which queries are asked.
        cost: what claims cost.
        arriving: by sessions, or all at once.
    """

    capacity: float = 2
    write: Write = "stream"
    disclosure: Disclosure = "hits"
    answers: bool = False
    order: OrderName = "uniform"
    cost: Cost = "claims"
    arriving: Arriving = "sessions"

    @property
    def rules(self) -> Rules:
        """The rules of its episodes."""
        return Rules(self.write, swaps=1, disclosure=self.disclosure, answers=self.answers)

    def __str__(self) -> str:
        """Return it in a few words."""
        told = f"{self.disclosure} with answers" if self.answers else self.disclosure
        unit = "claim" if self.cost == "claims" else "token"
        bound = f"capacity {self.capacity:g} {unit}{'' if self.capacity == 1 else 's'}"
        return f"{bound}, {self.write}, {self.arriving}, {self.order}, told {told}"


SETTING = Setting()


@dataclass(frozen=True)
class World:
    """What a policy lives through: a material laid out in time, and what is asked."""

    scene: Scene
    schedule: Schedule
    setting: Setting


@dataclass(frozen=True)
class Life:
    """What a policy did: at each write its scores, and what was then held."""

    scores: tuple[Floats, ...]
    memories: tuple[tuple[int, ...], ...]


class Guarded:
    """A policy whose every answer is looked at; what it may not do is raised as `Misbehaved`.

    Args:
        policy: which is tried.
        law: what takes the blame for failures.
        tells: what claims look like when they are shown.
        twice: each score is asked for twice.
        spoils: scores that were given are overwritten, which must be no matter.
        deaf: outcomes are kept from the policy.
    """

    def __init__(
        self,
        policy: WritePolicy,
        law: str,
        *,
        tells: Tells = lambda claim: claim,
        twice: bool = False,
        spoils: bool = False,
        deaf: bool = False,
    ) -> None:
        """Ask nothing yet."""
        self.policy, self._law, self._tells = policy, law, tells
        self._twice, self._spoils, self._deaf = twice, spoils, deaf
        self.scores: list[Floats] = []
        self.views: list[View] = []
        self._given: list[tuple[Any, Floats]] = []

    @property
    def name(self) -> str:
        """The policy's own."""
        return str(getattr(self.policy, "name", ""))

    def start(self, seed: int) -> None:
        """Let it start."""
        self._asked(f"start({seed})", lambda: self.policy.start(seed))

    def observe(self, claims: Sequence[Claim]) -> None:
        """Show it copies of *claims*, and see that they stay as they were."""
        copies = tuple(_copied(self._tells(claim)) for claim in claims)
        before = repr(copies)
        self._asked(f"observe({len(claims)} claims)", lambda: self.policy.observe(copies))
        if repr(copies) != before:
            raise Misbehaved(_ALONE, Breach("claims are left as they were", "they were changed"))

    def score(self, view: View) -> Floats:
        """Return its scores, and see that they are scores and that *view* stays as it was."""
        scores = self._scored(view)
        if self._twice:
            scores = self._scored(view)
        self.scores.append(scores)
        self.views.append(view)
        return scores

    def settle(self, outcome: Outcome) -> None:
        """Tell it *outcome*, and see that it stays as it was."""
        if self._deaf:
            return
        before = repr(outcome)
        self._asked(f"settle({_short(outcome)})", lambda: self.policy.settle(outcome))
        if repr(outcome) != before:
            raise Misbehaved(_ALONE, Breach("an outcome is left as it was", f"{before} became {outcome!r}"))

    def altered(self) -> Breach | None:
        """Return whether scores that were given changed afterwards."""
        for given, copy in self._given:
            if not np.array_equal(given, copy):
                return Breach("scores stay as they were given", f"{_row(copy)} became {_row(given)}")
        return None

    def _scored(self, view: View) -> Floats:
        arrays = [view.memory, view.open, view.fresh, view.costs]
        before = [array.copy() for array in arrays]
        asked = f"score of {len(view.costs)} claims"
        answer: Any = self._asked(asked, lambda: self.policy.score(view))
        if not all(map(np.array_equal, arrays, before)):
            raise Misbehaved(_ALONE, Breach("a view is left as it was", f"{asked} changed it"))
        expected = f"float64 numbers or -inf, of shape ({len(view.costs)},)"
        if seen := _misfit(answer, len(view.costs)):
            raise Misbehaved(self._law, Breach(f"the {asked}: {expected}", seen))
        copy: Floats = answer.copy()
        if self._spoils and answer.flags.writeable:
            answer[:] = 0.5
        else:
            self._given.append((answer, copy))
        return copy

    def _asked(self, asked: str, call: Callable[[], Any]) -> Any:
        try:
            return call()
        except Exception as error:
            seen = f"{type(error).__name__}: {error}"
            raise Misbehaved(self._law, Breach(f"{asked} does its work", seen)) from error


class PolicyTrial:
    """Policies that live through one list of claims in one setting.

    Args:
        make: makes a policy; it is given the material that it will live through.
        claims: which appear.
        setting: how.
        seed: of the policies' chance, and of what is asked.
        oddity: what is odd about the claims; empty for everyday ones.
    """

    def __init__(
        self, make: Make, claims: Sequence[Claim], setting: Setting, seed: int, oddity: str = ""
    ) -> None:
        """Make nothing yet."""
        self.make, self.claims, self.setting, self.seed, self.oddity = make, claims, setting, seed, oddity
        self.law = "odd claims" if oddity else "answers"
        self.world = world(questioned(claims), setting, seed)
        self._life: Life | None = None

    def new(self, material: Material | None = None, **guards: Any) -> Guarded:
        """Return a new policy, guarded."""
        given = self.world.scene.material if material is None else material
        try:
            return Guarded(self.make(given), self.law, **guards)
        except Exception as error:
            seen = f"{type(error).__name__}: {error}"
            raise Misbehaved(self.law, Breach("a policy is made", seen)) from error

    def life(self) -> Life:
        """Return the life of a new policy, lived once."""
        if self._life is None:
            self._first = self.new()
            self._life = self.live(self._first)
        return self._life

    def altered(self) -> Breach | None:
        """Return whether scores that were given in that life changed afterwards."""
        self.life()
        return self._first.altered()

    def live(self, policy: Guarded, through: World | None = None, seed: int | None = None) -> Life:
        """Let *policy* live, from its start."""
        return live(policy, self.world if through is None else through, self.seed if seed is None else seed)


def live(policy: Guarded, through: World, seed: int) -> Life:
    """Let *policy* live *through* a world, from its start."""
    first = len(policy.scores)
    episode = _Noting(through.scene, through.schedule, through.setting.capacity, through.setting.rules)
    play(policy, episode, seed)
    return Life(tuple(policy.scores[first:]), tuple(episode.held))


class _Noting(Episode):
    """An episode that remembers what was held after each write, and shows claims under their own ids.

    Episodes hide ids; a policy that goes by them is to be found out all the same.
    """

    held: list[tuple[int, ...]]

    def appeared(self) -> tuple[Claim, ...]:
        claims = self.scene.material.claims[self.shown : self.n_seen]
        return tuple(replace(claim, truth=None) for claim in claims)

    def write(self, scores: Floats) -> None:
        super().write(scores)
        self.held = [*getattr(self, "held", []), tuple(np.flatnonzero(self.memory).tolist())]


def questioned(claims: Sequence[Claim]) -> Material:
    """Return a material of *claims* with a question about each, and about each and the next but one.

    Every third claim has another that answers as well, the next but two.

    >>> questioned([Claim("a", "Ana left."), Claim("b"), Claim("c")]).queries[-1].supports[0].claims
    ('a', 'c')
    """
    queries = [_question((claim,), 1 + i * 7 % 5) for i, claim in enumerate(claims)]
    for i, other in zip(range(0, len(claims), 3), claims[3::3], strict=False):
        supports = (*queries[i].supports, Support((other.id,)))
        queries[i] = replace(queries[i], supports=supports)
    pairs = zip(claims, claims[2:], strict=False)
    queries += [_question(pair, 1 + i % 3) for i, pair in enumerate(pairs)]
    numbered = tuple(replace(query, id=f"q{i}") for i, query in enumerate(queries))
    return Material("trial", tuple(claims), queries=numbered)


def related(claim: Claim, names: Mapping[str, str]) -> Claim:
    """Return *claim* with what it says of other claims under new *names*; nothing of others."""
    supersedes, contradicts, corroborates = (
        tuple(names[name] for name in each if name in names)
        for each in (claim.supersedes, claim.contradicts, claim.corroborates)
    )
    return replace(claim, supersedes=supersedes, contradicts=contradicts, corroborates=corroborates)


def _question(claims: Sequence[Claim], weight: int) -> Query:
    words = [claim.text[:40] for claim in claims]
    support = Support(tuple(claim.id for claim in claims))
    return Query("", f"What of {' and '.join(words)}?", weight, " ".join(words), supports=(support,))


def world(material: Material, setting: Setting, seed: int) -> World:
    """Return *material* laid out, and queries drawn, in *setting*."""
    laid = scene(material, cost=setting.cost, arriving=setting.arriving)
    return World(laid, asking(laid, setting, seed), setting)


def asking(laid: Scene, setting: Setting, seed: int) -> Schedule:
    """Return what is asked in a scene."""
    return draw(laid, setting.order, np.random.default_rng(seed), steps=8, per_batch=2)


_ALONE = "leaves what it sees alone"


def _copied(claim: Claim) -> Claim:
    return replace(claim, costs=dict(claim.costs), extra=dict(claim.extra))


def _misfit(answer: Any, n: int) -> str:
    """Return what is wrong with an *answer* that should be n scores; nothing where it is right."""
    if not isinstance(answer, np.ndarray):
        return f"{type(answer).__name__} {str(answer)[:80]}"
    if answer.dtype != np.float64 or answer.shape != (n,):
        return f"{answer.dtype} of shape {answer.shape}"
    return "" if (answer < np.inf).all() else f"{_row(answer)}"


def _row(scores: Any) -> str:
    return np.array2string(np.asarray(scores), threshold=8, precision=4)


def _short(outcome: Outcome) -> str:
    told = {"used": outcome.used, "supports": outcome.supports, "query": outcome.query}
    return ", ".join([f"{outcome.correct:g}", *(f"{k}={v!r}" for k, v in told.items() if v is not None)])[
        :160
    ]
