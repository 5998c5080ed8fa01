"""Memories built, swapped and streamed: masks say what makes sense; what makes none changes nothing."""

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from hypothesis import given
from hypothesis import strategies as st

from lived_materials import drawn
from memspan.environments.gym import Building, Streaming, Swapping, Writing
from memspan.errors import ShapeError

MATERIALS = [drawn(seed, claims=6 + seed) for seed in range(3)]
WRAPPERS = [Building, Swapping, lambda env: Swapping(env, 2), Streaming]
EACH = [
    {},
    {"cost": "tokens"},
    {"write": "swap", "swaps": 1},
    {"capacity": 0},
    {"write": "stream", "arriving": "sessions"},
]


def wrapped(wrap, **options):
    return wrap(Writing(MATERIALS, **{"capacity": 0.5, **options}))


@pytest.mark.filterwarnings(
    "ignore:.*is different from the unwrapped version", "ignore:.*Not able to test alternative"
)
@pytest.mark.parametrize("wrap", WRAPPERS)
@pytest.mark.parametrize("options", EACH, ids=str)
def test_gymnasium_finds_nothing_wrong(wrap, options):
    check_env(wrapped(wrap, **options))


def flat(mask):
    return np.concatenate(mask) if isinstance(mask, tuple) else mask


@pytest.mark.parametrize("wrap", WRAPPERS)
@pytest.mark.parametrize("options", EACH, ids=str)
@pytest.mark.parametrize("masked", [True, False])
def test_a_memory_stays_within_capacity_and_the_masks_agree(wrap, options, masked):
    env = wrapped(wrap, **options)
    env.action_space.seed(0)
    _, info = env.reset(seed=0)
    for _ in range(60):
        assert np.array_equal(flat(info["action_mask"]), env.action_masks())
        action = env.action_space.sample(info["action_mask"] if masked else None)
        seen, _, terminated, truncated, info = env.step(action)
        assert seen in env.observation_space
        assert seen["costs"][seen["memory"] == 1].sum() <= seen["capacity"][1] + 1e-3
        if "slots" in seen and not (isinstance(env, Streaming) and seen["current"].any()):
            slots = seen["slots"]
            assert sorted(slots[slots >= 0].tolist()) == np.flatnonzero(seen["memory"]).tolist()
        if terminated or truncated:
            _, info = env.reset()


@given(st.permutations(range(6)))
def test_what_is_built_is_what_is_held(order):
    env = Building(Writing(MATERIALS[0], capacity=3))
    env.reset(seed=0)
    for claim in order[:2]:
        seen, reward, *_ = env.step(claim)
        assert not reward
        assert not seen["memory"].any()
    assert np.flatnonzero(seen["chosen"]).tolist() == sorted(order[:2])
    assert not env.action_masks()[order[0]]
    seen, *_ = env.step(6)
    assert np.flatnonzero(seen["memory"]).tolist() == sorted(order[:2])
    assert not seen["chosen"].any()


def test_a_building_that_is_full_is_written_by_itself_and_a_masked_claim_ends_it():
    env = Building(Writing(MATERIALS[0], capacity=2))
    env.reset(seed=0)
    env.step(1)
    assert env.step(4)[0]["memory"].tolist() == [0, 1, 0, 0, 1, 0]
    env.step(3)
    assert env.step(3)[0]["memory"].tolist() == [0, 0, 0, 1, 0, 0]


def test_only_as_many_are_built_anew_as_may_be_swapped_in_and_the_first_are():
    env = Building(Writing(MATERIALS[0], capacity=2, write="swap", swaps=1))
    env.reset(seed=0)
    for claim in (0, 1):
        seen, *_ = env.step(claim)
    for claim in (5, 4):
        seen, *_ = env.step(claim)
    assert seen["memory"].tolist() == [0, 0, 0, 0, 0, 1]


def test_a_swap_puts_a_claim_into_a_slot_and_the_last_slot_and_claim_stand_for_nothing():
    env = Swapping(Writing(MATERIALS[0], capacity=2))
    env.reset(seed=0)
    assert env.step([0, 3])[0]["slots"].tolist() == [3, -1]
    assert env.step([2, 4])[0]["slots"].tolist() == [3, -1], "slot S changes nothing"
    assert env.step([1, 3])[0]["slots"].tolist() == [3, -1], "it is held already"
    assert env.step([0, 5])[0]["slots"].tolist() == [5, -1]
    assert env.step([0, 6])[0]["slots"].tolist() == [-1, -1], "claim N empties the slot"


def test_in_a_stream_what_was_skipped_or_let_go_never_comes_back():
    env = Streaming(Writing(MATERIALS[2], capacity=2, write="stream", arriving="sessions", per_batch=2))
    env.action_space.seed(1)
    seen, info = env.reset(seed=0)
    gone, over = np.zeros(8, bool), False
    while not over:
        current = seen["current"].argmax() if seen["current"].any() else None
        before = seen
        seen, _, terminated, truncated, info = env.step(env.action_space.sample(info["action_mask"]))
        over = terminated or truncated
        slots = set(seen["slots"].tolist())
        assert not any(gone[claim] for claim in slots - {-1})
        gone[[claim for claim in {*before["slots"].tolist(), current} - {-1, None} if claim not in slots]] = (
            True
        )
    assert gone.any()


def test_streamed_claims_are_decided_in_order_before_the_next_query():
    env = Streaming(Writing(MATERIALS[0], capacity=2, write="stream", arriving="sessions", per_batch=1))
    seen, _ = env.reset(seed=0)
    for claim, action in enumerate((1, 1)):
        assert np.flatnonzero(seen["current"]).tolist() == [claim]
        seen, *_ = env.step(action)
    assert seen["slots"].tolist() == [0, 1]
    assert env.action_masks().tolist() == [True, False, True, True]
    assert env.step(2)[0]["slots"].tolist() == [2, 1]


def test_rewards_of_a_building_are_those_of_the_memory_it_writes():
    env, core = Building(Writing(MATERIALS[1], capacity=2)), Writing(MATERIALS[1], capacity=2)
    env.reset(seed=4)
    core.reset(seed=4)
    for first, second in ((0, 1), (3, 5), (2, 6)):
        env.step(first)
        reward = env.step(second)[1]
        action = np.full(7, -1, np.float32)
        action[[first, second]] = 1
        assert reward == core.step(action)[1]


def test_other_environments_and_no_swaps_are_refused():
    with pytest.raises(ShapeError, match="none of memspan's environments"):
        Building(gymnasium.make("CartPole-v1"))
    with pytest.raises(ShapeError, match="0 swaps"):
        Swapping(Writing(MATERIALS), 0)


@pytest.mark.parametrize("wrap", [Building, Swapping])
def test_a_masked_learner_of_sb3_contrib_trains(wrap):
    contrib = pytest.importorskip("sb3_contrib")
    env = wrapped(wrap)
    learner = contrib.MaskablePPO("MultiInputPolicy", env, n_steps=64, batch_size=32, seed=0)
    learner.learn(128)
    seen, _ = env.reset(seed=0)
    action, _ = learner.predict(seen, action_masks=env.action_masks())
    assert env.action_space.contains(action)
