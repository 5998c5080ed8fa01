"""What is hidden stays hidden: supports, p_D, truths and answers, until the disclosure column tells them."""

import dataclasses

import gymnasium
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lived_materials import disguised, drawn
from memspan.environments.gym import Building, Streaming, Swapping, Writing
from memspan.environments.options import LEVELS
from memspan.environments.scene import scene
from memspan.material import Claim, Material, Query, Support

TELLS = {
    "outcome": {"outcome"},
    "text": {"outcome", "query", "answer"},
    "hits": {"outcome", "used"},
    "supports": {"outcome", "used", "supports"},
}
"""The keys of an observation that a settled query may change, by column."""


def differ(one, other):
    """Return the keys by which two observations or infos differ."""
    assert one.keys() == other.keys()
    return {key for key in one if not np.array_equal(one[key], other[key], equal_nan=True)}


def pair(seed, **options):
    material = drawn(seed, claims=8, queries=5)
    return Writing(material, **options), Writing(disguised(material, seed + 1000), **options)


@pytest.mark.parametrize("disclosure", TELLS)
@pytest.mark.parametrize("write", ["full", "swap", "stream"])
@pytest.mark.parametrize("cost", ["claims", "tokens"])
@pytest.mark.parametrize("order", ["iid", "zipf", "once"])
def test_materials_that_differ_in_what_is_hidden_look_alike_but_for_what_is_told(
    disclosure, write, cost, order
):
    one, other = pair(
        1, disclosure=disclosure, write=write, cost=cost, order=order, answers=True, capacity=0.5
    )
    assert one.observation_space == other.observation_space
    assert one.action_space == other.action_space
    (seen, info), (seen_too, info_too) = one.reset(seed=0), other.reset(seed=0)
    assert not differ(seen, seen_too)
    assert not differ(info, info_too)
    rng, told = np.random.default_rng(0), set()
    for _ in range(5):
        action = rng.uniform(-1, 1, 8).astype(np.float32)
        seen, _, *ends, info = one.step(action)
        seen_too, _, *ends_too, info_too = other.step(action)
        told |= differ(seen, seen_too)
        assert differ(info, info_too) <= {"cut"}
        assert ends == ends_too
    assert told <= TELLS[disclosure]


@settings(max_examples=25)
@given(st.integers(0, 10**6), st.sampled_from(list(TELLS)), st.sampled_from(["full", "swap", "stream"]))
def test_nothing_is_told_before_the_first_query(seed, disclosure, write):
    one, other = pair(seed, disclosure=disclosure, write=write, arriving="sessions")
    for mine, theirs in zip(one.reset(seed=seed), other.reset(seed=seed), strict=True):
        assert not differ(mine, theirs)


@pytest.mark.parametrize("column", list(TELLS))
def test_where_all_outcomes_agree_the_outcome_column_tells_nothing_more(column):
    one, other = pair(2, disclosure=column, capacity=1.0, write="full", order="uniform")
    one.reset(seed=0)
    other.reset(seed=0)
    for _ in range(10):
        everything = np.ones(8, np.float32)
        seen, seen_too = one.step(everything)[0], other.step(everything)[0]
        assert seen["outcome"].tolist() == seen_too["outcome"].tolist() == [1, 1]
        assert differ(seen, seen_too) <= TELLS[column] - {"outcome", "query", "answer"}


def parts(thing):
    """Yield *thing* and all that can be reached through it."""
    yield thing
    if dataclasses.is_dataclass(thing):
        within = [getattr(thing, each.name) for each in dataclasses.fields(thing)]
    elif isinstance(thing, dict):
        within = list(thing.values())
    elif isinstance(thing, (tuple, list)):
        within = list(thing)
    else:
        within = []
    for each in within:
        yield from parts(each)


@pytest.mark.parametrize("level", [level for level, options in LEVELS.items() if not options.get("oracle")])
@pytest.mark.parametrize("disclosure", TELLS)
@pytest.mark.parametrize("wrap", [None, Building, Swapping, Streaming])
def test_no_support_law_or_truth_can_be_reached_from_what_an_agent_or_a_policy_gets(level, disclosure, wrap):
    core = gymnasium.make(
        f"memspan/{level}-v0", materials=drawn(3), disclosure=disclosure, answers=True, capacity=3
    )
    env = wrap(core) if wrap else core
    got = [env.reset(seed=0), core.unwrapped.appeared()]
    for _ in range(30):
        got.append(env.step(env.action_space.sample()))
        assert "oracle" not in got[-1][-1]
        inner = core.unwrapped
        got.append((inner.view(), inner.appeared(), inner.settled))
        if got[-2][2] or got[-2][3]:
            got.append(env.reset())
    reached = list(parts(got))
    assert not [each for each in reached if isinstance(each, (Material, Support))]
    assert {each.truth for each in reached if isinstance(each, Claim)} == {None}
    for query in (each for each in reached if isinstance(each, Query)):
        assert (query.id, query.weight, query.supports, query.items) == ("", 1, (), ())
        assert query.answer is None or disclosure == "text"


def test_the_law_and_the_supports_stand_in_the_infos_under_the_oracle_flag_alone():
    material = drawn(5, claims=8)
    env = gymnasium.make("memspan/Level1a-v0", materials=[material, drawn(6, queries=7)], capacity=0.5)
    seen, info = env.reset(seed=0, options={"material": 0})
    lived = scene(material, arriving="whole")
    weights = [material.query(name).weight for name in lived.coverage.queries]
    assert info["oracle"]["supports"] == lived.rows
    assert info["oracle"]["law"].tolist() == pytest.approx([*(w / sum(weights) for w in weights), 0, 0])
    assert np.isnan(info["oracle"]["expected"])
    plain, _ = gymnasium.make(
        "memspan/Level1b-v0", materials=[material, drawn(6, queries=7)], capacity=0.5
    ).reset(seed=0, options={"material": 0})
    assert not differ(seen, plain), "the flag changes infos, not observations"
    *_, info = env.step(np.ones(8, np.float32)[: env.action_space.shape[0]])
    held = set(range(4))  # of equal scores the first four
    mass = sum(w for w, ways in zip(weights, lived.rows, strict=True) if any(held >= set(s) for s in ways))
    assert info["oracle"]["expected"] == pytest.approx(mass / sum(weights))
