"""What every write policy must keep, and the traits that it may have.

Each law looks at one trial and returns the first breach it finds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from memspan.environments.scene import Scene
from memspan.material import Query
from memspan.ports import Outcome, View
from memspan.testing.foresight import cut
from memspan.testing.policy_trial import Life, PolicyTrial, World, questioned, related, world
from memspan.testing.trial import Breach, Misbehaved

PolicyLaw = Callable[[PolicyTrial], Breach | None]
Floats = npt.NDArray[np.float64]
_NEAR = 1e-9  # scores in another order of adding up


def _answers(trial: PolicyTrial) -> Breach | None:
    """Every call is made; an error or a wrong type is raised by what guards the calls."""
    trial.life()
    name = getattr(trial.new().policy, "name", None)
    if not isinstance(name, str) or not name:
        return Breach("a name: text that is not empty", repr(name))
    return None


def _keeps_its_scores(trial: PolicyTrial) -> Breach | None:
    spoiled = trial.live(trial.new(spoils=True))
    expected = "scores that were given, and are overwritten by who asked, change no later ones"
    return trial.altered() or _differ(expected, trial.life(), spoiled)


def _determinism(trial: PolicyTrial) -> Breach | None:
    return _differ("the same life and the same seed, the same scores", trial.life(), trial.live(trial.new()))


def _starts_anew(trial: PolicyTrial) -> Breach | None:
    expected = "a policy that starts is like a new one"
    policy, other = trial.new(), world(questioned(trial.claims[::-1]), trial.setting, trial.seed + 1)
    trial.live(policy, other, trial.seed + 1)
    first = _differ(f"{expected}, after another life", trial.life(), trial.live(policy))
    return first or _differ(f"{expected}, after the same life", trial.life(), trial.live(policy))


def _scoring_is_looking(trial: PolicyTrial) -> Breach | None:
    expected = "the same view scored once more, with nothing seen between, gets the same scores"
    return _differ(expected, trial.life(), trial.live(trial.new(twice=True)))


def _blind_to_truth(trial: PolicyTrial) -> Breach | None:
    truths = {claim.id: float(i % 2) for i, claim in enumerate(trial.claims)}
    policy = trial.new(tells=lambda claim: replace(claim, truth=truths[claim.id]))
    return _differ("scores do not depend on what is true", trial.life(), trial.live(policy))


def _blind_to_ids(trial: PolicyTrial) -> Breach | None:
    count = len(trial.claims)
    names = {claim.id: f"{count - i:03d}/{i}" for i, claim in enumerate(trial.claims)}
    renamed = world(
        questioned([replace(related(c, names), id=names[c.id]) for c in trial.claims]),
        trial.setting,
        trial.seed,
    )
    policy = trial.new(renamed.scene.material)
    return _differ("scores do not depend on ids", trial.life(), trial.live(policy, renamed))


def _no_foresight(trial: PolicyTrial) -> Breach | None:
    batches = len(trial.world.scene.seen)
    if batches < 2:
        return None
    parts = cut(trial.world.scene.material, trial.setting, batches // 2, trial.seed)
    if parts is None:
        return None
    short, whole = parts
    once, again = (trial.live(trial.new(each.scene.material), each) for each in (short, whole))
    return _differ("what comes later changes no score before", once, again)


_OUTCOMES = (
    Outcome(1.0),
    Outcome(0.0),
    Outcome(0.5, used=()),
    Outcome(0.0, used=(0,)),
    Outcome(1.0, used=(0,), query=Query("", "Who?", answer="Ana")),
    Outcome(0.0, supports=()),
    Outcome(1.0, used=(0,), supports=((0,),)),
    Outcome(0.0, used=(), query=Query("", "")),
)


def _any_outcome(trial: PolicyTrial) -> Breach | None:
    """Outcomes come in any mixture, before anything was seen and after, and nothing follows from some."""
    policy, n = trial.new(), len(trial.claims)
    policy.start(trial.seed)
    policy.settle(_OUTCOMES[0])
    policy.score(_bare(0, trial))
    policy.observe(())
    policy.score(_bare(0, trial))
    policy.observe(trial.claims)
    pair = tuple(dict.fromkeys((0, n - 1)))
    for outcome in (*_OUTCOMES, Outcome(0.0, None, (pair,)), Outcome(1.0, pair, (pair, (n - 1,)))):
        policy.score(_bare(n, trial))
        policy.settle(outcome)
    policy.score(_bare(n, trial))
    return None


def _bare(n: int, trial: PolicyTrial) -> View:
    now = np.zeros(n, np.bool_)
    return View(now, ~now, ~now, trial.world.scene.costs[:n].copy(), trial.setting.capacity)


# --- traits ---------------------------------------------------------------------------------------


def _order_free(trial: PolicyTrial) -> Breach | None:
    """A batch in another order gets the same scores, as long as no tie is decided by the order."""
    if len({claim.text for claim in trial.claims}) < len(trial.claims):
        return None  # claims that say the same can be told apart by their order alone
    scene = trial.world.scene
    order = _shuffled(scene, trial.seed)
    material = replace(scene.material, claims=tuple(scene.material.claims[i] for i in order))
    moved = replace(world(material, trial.setting, trial.seed).scene, seen=scene.seen, ready=scene.ready)
    there = trial.life()
    back = trial.live(trial.new(material), World(moved, trial.world.schedule, trial.setting))
    place = np.argsort(order)
    for t, (one, other) in enumerate(zip(there.scores, back.scores, strict=True)):
        if not np.allclose(one, other[place[: len(one)]], rtol=_NEAR, atol=_NEAR):
            told = f"{_row(one)}, then {_row(other[place[: len(one)]])} at write {t + 1}"
            return Breach("a batch in another order, the same scores", told)
        if there.memories[t] != tuple(sorted(order[e] for e in back.memories[t])):
            return None  # equal scores: the order decides, and what follows is another life
    return None


def _shuffled(scene: Scene, seed: int) -> list[int]:
    rng = np.random.default_rng(seed)
    batches = [scene.arrivals(b) for b in range(len(scene.seen))]
    return [int(i) for batch in batches for i in rng.permutation(np.array(batch, np.int64))]


def _indifferent_to_outcomes(trial: PolicyTrial) -> Breach | None:
    deaf = trial.live(trial.new(deaf=True))
    return _differ("outcomes change no score", trial.life(), deaf)


POLICY_LAWS: Mapping[str, PolicyLaw] = {
    "answers": _answers,
    "odd claims": _answers,
    "leaves what it sees alone": _answers,
    "keeps its scores to itself": _keeps_its_scores,
    "same seed, same scores": _determinism,
    "starts anew": _starts_anew,
    "blind to truth": _blind_to_truth,
    "blind to ids": _blind_to_ids,
    "does not look ahead": _no_foresight,
    "takes any outcome": _any_outcome,
}
"""What every policy keeps, in the order in which it is told."""

ODD_LAWS = ("odd claims", "leaves what it sees alone", "takes any outcome")
"""Of these, what odd claims are tried on."""

POLICY_TRAITS: Mapping[str, PolicyLaw] = {
    "order-free": _order_free,
    "scoring changes nothing": _scoring_is_looking,
    "indifferent to outcomes": _indifferent_to_outcomes,
}
"""What a policy may have or not."""


def policy_breach(name: str, trial: PolicyTrial) -> Breach | None:
    """Return how the law or trait *name* is broken in *trial*; None also where it cannot be judged."""
    try:
        return {**POLICY_LAWS, **POLICY_TRAITS}[name](trial)
    except Misbehaved as fault:
        blamed = fault.law == name or (name in _CALLING and fault.law == trial.law)
        return fault.breach if blamed else None


_CALLING = frozenset({"takes any outcome", "starts anew"})  # they make calls that no other law makes


def _differ(expected: str, one: Life, other: Life) -> Breach | None:
    for t, (first, then) in enumerate(zip(one.scores, other.scores, strict=True)):
        if not np.array_equal(first, then):
            return Breach(expected, f"{_row(first)}, then {_row(then)} at write {t + 1}")
    return None


def _row(scores: Floats) -> str:
    return np.array2string(scores, threshold=8, precision=4)
