"""The levels as gymnasium sees them, and what their rewards are worth."""

import copy
import subprocess
import sys

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from hypothesis import given, settings
from hypothesis import strategies as st

from lived_materials import answers, drawn, permuted
from memspan.environments.gym import LEVELS, Options, Writing, judged, register
from memspan.environments.orders import draw
from memspan.environments.scene import scene
from memspan.errors import CostError, MissingExtra, ShapeError, UnknownName
from memspan.material import Claim

NAMES = [f"memspan/{level}-v0" for level in LEVELS]
MATERIALS = [drawn(seed, claims) for seed, claims in enumerate((5, 7, 6))]
OPTIONS = {
    "write": ["full", "swap", "stream"],
    "disclosure": ["supports", "hits", "text", "outcome"],
    "order": ["iid", "uniform", "zipf", "mix", "once"],
    "cost": ["claims", "tokens"],
    "reward": ["coverage", "precision", "end-to-end"],
    "arriving": ["whole", "sessions"],
    "capacity": [0, 0.3, 1.0, 1, 4],
    "answers": [True],
    "foretold": [True],
    "oracle": [True],
    "most_supports": [1],
    "drifts_at": [0.5],
    "false_wrong": [0.5],
    "false_right": [0.5],
}
EACH = [{key: value} for key, values in OPTIONS.items() for value in values]


def everything(_scene):
    return lambda _query, held: held


def made(level="memspan/Level1b-v0", materials=MATERIALS, **options):
    return gymnasium.make(level, materials=materials, finds=everything, **options)


def same(one, other):
    """Say whether two observations or infos are equal in every bit."""
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    return np.array_equal(one, other, equal_nan=True) if isinstance(one, np.ndarray) else one == other


def trace(env, seed, steps=12):
    """Act at random and return all that was seen."""
    rng, seen = np.random.default_rng(seed), [env.reset(seed=seed)]
    for _ in range(steps):
        action = rng.uniform(-1, 1, env.action_space.shape).astype(np.float32)
        seen.append(env.step(action))
        if seen[-1][2] or seen[-1][3]:
            seen.append(env.reset())
    return seen


@pytest.mark.parametrize(
    ("level", "options"),
    [
        *((level, {}) for level in NAMES),
        *((level, options) for options in EACH for level in ("memspan/Level1b-v0", "memspan/Stream-v0")),
        *(("memspan/Level0-v0", {"arriving": arriving}) for arriving in OPTIONS["arriving"]),
    ],
)
def test_gymnasium_finds_nothing_wrong_with_any_level_and_option(level, options):
    check_env(made(level, **options).unwrapped)


@settings(max_examples=25)
@given(st.fixed_dictionaries({}, optional={key: st.sampled_from(values) for key, values in OPTIONS.items()}))
def test_the_same_seed_gives_the_same_episodes_and_all_lie_in_the_space(options):
    if options.get("order") == "once":
        options.pop("drifts_at", None)  # nothing is popular there
    env = Writing(MATERIALS, finds=everything, **options)
    first = trace(env, 3)
    for one, other in zip(first, trace(env, 3), strict=True):
        assert same(one[0], other[0])
        assert one[0] in env.observation_space
        if len(one) == 5:
            assert one[1:4] == other[1:4]
    again = trace(Writing(MATERIALS, finds=everything, **options), 3)
    assert all(same(one[0], other[0]) for one, other in zip(first, again, strict=True))


@pytest.mark.parametrize("options", EACH, ids=str)
def test_no_memory_exceeds_its_capacity_or_holds_what_it_may_not(options):
    env = Writing(MATERIALS, finds=everything, **options)
    before = None
    for seen, *rest in trace(env, 1, steps=40):
        held = seen["memory"] == 1
        left, whole = seen["capacity"]
        assert seen["costs"][held].sum() <= whole + 1e-3
        assert left == pytest.approx(whole - seen["costs"][held].sum(), abs=1e-3)
        assert not (held & (seen["valid"] == 0)).any()
        if len(rest) == 4 and before is not None:
            assert (held <= (before["open"] == 1)).all()
        over = len(rest) == 4 and (rest[1] or rest[2])
        before = None if over else seen


@pytest.mark.parametrize("order", OPTIONS["order"])
@pytest.mark.parametrize("reward", OPTIONS["reward"])
@pytest.mark.parametrize("arriving", OPTIONS["arriving"])
def test_a_reward_is_the_coverage_of_the_query_that_the_seed_draws_counted_by_hand(order, reward, arriving):
    env = Writing(MATERIALS, order=order, reward=reward, arriving=arriving, finds=everything, capacity=3)
    seen, _ = env.reset(seed=5, options={"material": 1})
    lived = scene(MATERIALS[1], arriving=arriving)
    steps = None if order == "once" else 200
    schedule = draw(lived, order, np.random.default_rng(5), steps=steps)
    rng = np.random.default_rng(0)
    for query in schedule.query.tolist():
        seen, given, terminated, truncated, _ = env.step(rng.uniform(-1, 1, 7).astype(np.float32))
        asked = query >= 0
        assert seen["outcome"][1] == asked
        right = asked and answers(
            MATERIALS[1],
            MATERIALS[1].query(lived.coverage.queries[query]),
            seen["memory"],
            true_only=reward != "coverage",
        )
        assert given == right
    assert (terminated, truncated) == (
        (True, False) if arriving == "sessions" or order == "once" else (False, True)
    )


def test_what_is_told_of_a_settled_query_is_its_supports_and_what_its_answer_rested_on():
    env, rng = Writing(MATERIALS, capacity=4, most_supports=1), np.random.default_rng(0)
    env.reset(seed=2)
    for _ in range(30):
        seen, reward, *_, info = env.step(rng.uniform(-1, 1, 7).astype(np.float32))
        rows, used = env.settled.supports, np.flatnonzero(seen["used"])
        assert np.flatnonzero(seen["supports"][0]).tolist() == sorted(rows[0])
        assert info["cut"] == len(rows) - 1
        assert tuple(used) in {tuple(sorted(row)) for row in rows} if reward else not len(used)
        assert seen["memory"][used].all()


def test_level_0_knows_the_question_before_it_writes_and_ends_with_it():
    env = made("memspan/Level0-v0")
    first, _ = env.reset(seed=0)
    assert first["query"].any()
    assert env.step(env.action_space.sample())[2:4] == (True, False)


@settings(max_examples=20)
@given(st.permutations(range(7)), st.sampled_from(OPTIONS["cost"]), st.sampled_from(OPTIONS["write"]))
def test_a_permuted_material_gives_permuted_observations(order, cost, write):
    material = drawn(4, claims=7, most=1)
    options = {"cost": cost, "write": write, "capacity": 0.5}
    mine, theirs = Writing(material, **options), Writing(permuted(material, order), **options)
    rng, order = np.random.default_rng(0), list(order)
    seen, other = mine.reset(seed=1)[0], theirs.reset(seed=1)[0]
    for _ in range(10):
        for key, value in seen.items():
            by_claim = value.shape[-1:] == (7,) or key == "claims"
            axis = -1 if key == "supports" else 0
            assert np.array_equal(np.take(value, order, axis) if by_claim else value, other[key]), key
        action = rng.uniform(-1, 1, 7).astype(np.float32)
        seen, reward, *_ = mine.step(action)
        other, same_reward, *_ = theirs.step(action[order])
        assert reward == same_reward


def test_a_share_counts_the_claims_of_each_material_and_a_number_is_a_number():
    for capacity, whole in (
        (0.5, [2, 4, 3]),
        (2, [2, 2, 2]),
        (1, [1, 1, 1]),
        (1.0, [5, 7, 6]),
        (0.01, [1, 1, 1]),
    ):
        env = Writing(MATERIALS, capacity=capacity)
        assert [env.reset(options={"material": i})[0]["capacity"][1] for i in range(3)] == whole


def test_features_can_be_replaced_and_a_rule_s_chances_are_an_action():
    class Known:
        name = "known"

        def start(self):
            pass

        def observe(self, claims):
            return np.array([0.9 if claim.id in {"c1", "c3"} else 0.1 for claim in claims])

    env = Writing(MATERIALS, features=judged(Known()), capacity=2)
    seen, _ = env.reset(seed=0)
    held = env.step(np.where(seen["valid"] == 1, seen["claims"][:, 0], -1))[0]["memory"]
    assert np.flatnonzero(held).tolist() == [1, 3]


def test_features_of_a_session_do_not_see_the_next_one():
    class Counting:
        def __init__(self):
            self.batches = 0

        def observe(self, claims):
            self.batches += 1
            assert all(claim.truth is None for claim in claims)
            return np.full((len(claims), 1), float(self.batches))

    env = Writing(MATERIALS[1], features=Counting, arriving="sessions", per_batch=1)
    seen, _ = env.reset(seed=0)
    assert seen["claims"][:, 0].tolist() == [1, 1, 1, 0, 0, 0, 0]
    assert env.step(env.action_space.sample())[0]["claims"][:, 0].tolist() == [1, 1, 1, 2, 2, 0, 0]


@pytest.mark.parametrize("level", NAMES)
def test_environments_run_side_by_side_as_each_runs_alone(level):
    many = gymnasium.make_vec(level, num_envs=2, vectorization_mode="sync", materials=MATERIALS)
    alone = gymnasium.make(level, materials=MATERIALS)
    seen, infos = many.reset(seed=[7, 8])
    single, info = alone.reset(seed=8)
    assert all(np.array_equal(seen[key][1], value) for key, value in single.items())
    assert infos["material"][1] == info["material"]
    actions = many.action_space.sample()
    seen, rewards, *_ = many.step(actions)
    single, reward, *_ = alone.step(actions[1])
    assert all(np.array_equal(seen[key][1], value) for key, value in single.items())
    assert rewards[1] == reward
    many.close()


@pytest.mark.slow
def test_environments_run_in_processes_of_their_own():
    options = {"num_envs": 2, "vectorization_mode": "async", "vector_kwargs": {"context": "spawn"}}
    many = gymnasium.make_vec("memspan.environments.gym:memspan/Level1b-v0", materials=MATERIALS, **options)
    try:
        seen, _ = many.reset(seed=7)
        alone = made().reset(seed=7)[0]
        assert all(np.array_equal(seen[key][0], value) for key, value in alone.items())
        assert many.step(many.action_space.sample())[1].shape == (2,)
    finally:
        many.close()


def test_a_copy_of_an_environment_goes_on_alike_and_apart():
    env = Writing(MATERIALS)
    env.reset(seed=0)
    other = copy.deepcopy(env)
    action = env.action_space.sample()
    assert same(env.step(action)[0], other.step(action)[0])


def test_what_is_held_is_rendered_as_text():
    env = made(render_mode="ansi", materials=MATERIALS[1], capacity=2)
    env.reset(seed=0)
    env.step(np.array([1, 1, -1, -1, -1, -1, -1], np.float32))
    first, *texts = env.render().splitlines()
    assert first == "step 1: 2 of 7 claims are held"
    assert [text.strip() for text in texts] == [claim.text for claim in MATERIALS[1].claims[:2]]


@pytest.mark.parametrize(
    ("options", "error", "said"),
    [
        ({"budget": 3}, UnknownName, "no option budget; there are capacity, cost"),
        ({"order": "odd"}, UnknownName, "order is 'odd'; choose one of iid, uniform"),
        ({"steps": 0}, ShapeError, "at least 1"),
        ({"capacity": -1}, CostError, "capacity is -1"),
        ({"reward": "end-to-end"}, ShapeError, "finds="),
        ({"materials": []}, ShapeError, "give one or more"),
    ],
)
def test_what_does_not_exist_is_refused_by_name(options, error, said):
    with pytest.raises(error, match=said):
        Writing(**{"materials": MATERIALS, **options})


def test_what_cannot_be_done_is_refused():
    env = Writing(MATERIALS)
    with pytest.raises(ShapeError, match=r"call reset\(\)"):
        env.view()
    with pytest.raises(UnknownName, match="there are 0 to 2"):
        env.reset(options={"material": 3})
    with pytest.raises(UnknownName, match="there is material"):
        env.reset(options={"materiel": 1})
    env.reset()
    with pytest.raises(ShapeError, match=r"give \(7,\) scores"):
        env.step(np.zeros(5, np.float32))
    with pytest.raises(ShapeError, match="nan"):
        env.step(np.full(7, np.nan, np.float32))


def test_features_of_the_wrong_shape_are_refused():
    class Short:
        def observe(self, claims):
            return np.zeros((max(0, len(claims) - 1), 2))

    with pytest.raises(ShapeError, match="a row for each of 5 claims"):
        Writing(MATERIALS, features=Short)


def test_registering_twice_changes_nothing():
    specs = [gymnasium.spec(name) for name in NAMES]
    register()
    assert [gymnasium.spec(name) for name in NAMES] == specs


def test_without_gymnasium_the_rest_works_and_the_cure_is_named():
    code = (
        "import sys; sys.modules['gymnasium'] = None\n"
        "import memspan.environments, memspan.environments.playing, memspan.environments.driving\n"
        "import memspan.environments.options\n"
        "from memspan.errors import MissingExtra\n"
        "for load in (memspan.environments.register, lambda: __import__('memspan.environments.gym')):\n"
        "    try: load()\n"
        "    except MissingExtra as error: assert 'memspan[learn]' in str(error)\n"
        "    else: raise SystemExit(1)\n"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
    assert issubclass(MissingExtra, ImportError)


def test_the_rest_does_not_import_gymnasium():
    rooms = "memspan.environments.playing, memspan.environments.options"
    code = f"import {rooms}, sys; sys.exit('gymnasium' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_options_have_the_names_that_the_levels_use():
    assert all(Options(**options) for options in LEVELS.values())
    assert Claim("c").truth is None
