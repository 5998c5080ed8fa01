"""Any write policy acts in gymnasium as in play, and scores become an action that holds the same."""

import gymnasium
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lived_materials import drawn
from memspan.environments.episode import Episode, Rules
from memspan.environments.gym import Writing, as_action, drive
from memspan.environments.holding import highest
from memspan.environments.orders import draw
from memspan.environments.playing import play
from memspan.environments.scene import scene
from memspan.errors import ShapeError
from memspan.policies.gamma import GammaPoisson
from memspan.policies.plain import NAMES, plain

MATERIALS = [drawn(seed, claims=9 + seed, queries=6) for seed in range(3)]
OPTIONS = {
    "write": st.sampled_from(["full", "swap", "stream"]),
    "disclosure": st.sampled_from(["supports", "hits", "text", "outcome"]),
    "order": st.sampled_from(["iid", "uniform", "zipf", "mix", "once"]),
    "cost": st.sampled_from(["claims", "tokens"]),
    "reward": st.sampled_from(["coverage", "precision"]),
    "arriving": st.sampled_from(["whole", "sessions"]),
    "false_wrong": st.sampled_from([0, 0.3]),
    "foretold": st.booleans(),
}


class Half:
    """A prior that likes the claims of even length."""

    name = "half"

    def start(self):
        """Forget nothing."""

    def observe(self, claims):
        """Look at the lengths."""
        return np.array([0.8 if len(claim.text) % 2 else 0.2 for claim in claims])


POLICIES = [
    *(lambda name=name: plain(name) for name in NAMES),
    lambda: plain("static", Half()),
    lambda: plain("lfu", Half()),
    lambda: GammaPoisson(Half()),
]


@settings(max_examples=40)
@given(st.data(), st.fixed_dictionaries(OPTIONS), st.integers(0, 2), st.integers(0, 99))
def test_a_policy_collects_in_gymnasium_what_it_collects_in_play(data, options, material, seed):
    make = data.draw(st.sampled_from(POLICIES))
    env = Writing(MATERIALS, capacity=0.4, steps=30, per_batch=3, **options)
    driven = drive(make(), env, seed=seed, material=material, policy_seed=1)
    lived = scene(MATERIALS[material], cost=options["cost"], arriving=options["arriving"])
    rng = np.random.default_rng(seed)
    schedule = draw(lived, options["order"], rng, steps=30, per_batch=3)
    rules = Rules(
        **{key: value for key, value in options.items() if key not in {"order", "cost", "arriving"}}
    )
    played = play(make(), Episode(lived, schedule, env.options.capacity_of(lived), rules, rng), 1)
    assert np.array_equal(driven.collected, played.collected, equal_nan=True)
    assert np.array_equal(driven.memory, played.memory)
    assert driven.policy == played.policy


@given(
    st.lists(st.sampled_from([-np.inf, -5e9, -1.0, 0.0, 1e-300, 0.3, 0.30000000000000004, 7e12]), min_size=1),
    st.integers(0, 5),
    st.integers(0, 9),
)
def test_an_action_holds_what_the_scores_would(scores, more, most):
    action = as_action(np.array(scores), len(scores) + more).astype(np.float64)
    assert (np.abs(action) <= 1).all()
    assert (action[len(scores) :] == -1).all()
    given_ = np.where(action[: len(scores)] <= -1, -np.inf, action[: len(scores)])
    assert highest(given_, most).tolist() == highest(np.array(scores), most).tolist()


@pytest.mark.parametrize("scores", [np.zeros(4), np.array([np.nan]), np.zeros((1, 1))])
def test_scores_that_make_no_action_are_refused(scores):
    with pytest.raises(ShapeError, match="at most 3 numbers"):
        as_action(scores, 3)


def test_a_policy_drives_what_make_returns():
    env = gymnasium.make("memspan/Stream-v0", materials=MATERIALS)
    assert np.nansum(drive(plain("lfu"), env, seed=0).collected) > 0
