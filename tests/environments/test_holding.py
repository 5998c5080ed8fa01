"""What is held of scores, and which support is held: the fast ways against the plain ones."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lived_materials import answers, drawn
from memspan.environments.episode import Episode, Rules
from memspan.environments.holding import fitting, highest
from memspan.environments.orders import draw
from memspan.environments.playing import play
from memspan.environments.scene import scene
from memspan.errors import ShapeError
from memspan.material import Claim, Material, Query, Support
from memspan.policies.plain import plain

SCORES = st.lists(st.sampled_from([-np.inf, -1.0, 0.0, 0.5, 2.0, np.inf]), min_size=1, max_size=12)


def plainly(scores, costs, capacity):
    """Go through the claims from the best, of equal ones the first, and hold what fits."""
    held, left = [False] * len(scores), capacity
    for place in sorted(range(len(scores)), key=lambda i: (-scores[i], i)):
        if scores[place] > -np.inf and costs[place] <= left:
            held[place], left = True, left - costs[place]
    return held


@given(SCORES, st.integers(0, 14))
def test_the_highest_are_held_and_of_equal_ones_the_first(scores, most):
    assert highest(np.array(scores), most).tolist() == plainly(scores, [1] * len(scores), most)


@given(st.data(), SCORES, st.integers(0, 40))
def test_what_does_not_fit_is_passed_over(data, scores, capacity):
    costs = data.draw(st.lists(st.integers(0, 9), min_size=len(scores), max_size=len(scores)))
    held = fitting(np.array(scores), np.array(costs, float), capacity)
    assert held.tolist() == plainly(scores, costs, capacity)


@settings(max_examples=50)
@given(st.integers(0, 10**6), st.integers(1, 60))
def test_of_many_supports_the_first_that_is_held_is_found(seed, count):
    rng = np.random.default_rng(seed)
    claims = tuple(Claim(f"c{i}") for i in range(9))
    sets = {tuple(np.sort(rng.choice(9, rng.integers(1, 4), replace=False)).tolist()) for _ in range(count)}
    supports = tuple(Support(tuple(f"c{e}" for e in each)) for each in sorted(sets))
    lived = scene(Material("m", claims, queries=(Query("q", "?", supports=supports),)))
    held = rng.random(9) < 0.5
    first = next((way for way in lived.rows[0] if held[list(way)].all()), None)
    assert lived.held_support(0, held) == first


@pytest.mark.parametrize("reward", ["coverage", "precision", "end-to-end"])
@pytest.mark.parametrize("write", ["full", "swap", "stream"])
def test_a_reward_is_whether_a_support_is_held_by_the_definition(reward, write):
    material = drawn(1, claims=8, queries=6, most=3)
    lived, rng = scene(material), np.random.default_rng(0)
    odd = np.arange(8) % 2 == 1
    rules = Rules(write, swaps=1, reward=reward)
    episode = Episode(
        lived, draw(lived, "uniform", rng, per_batch=30), 4, rules, finds=lambda _, held: held & odd
    )
    read = {f"c{i}" for i in range(1, 8, 2)} if reward == "end-to-end" else None
    while not episode.done:
        query = material.query(lived.coverage.queries[episode.schedule.query[episode.step]])
        episode.write(rng.random(episode.n_seen))
        episode.ask()
        right = answers(material, query, episode.memory, true_only=reward != "coverage", read=read)
        assert episode.reward == right


def test_what_is_collected_is_on_average_what_is_expected_where_claims_are_false():
    lived = scene(drawn(3, claims=8, queries=6, most=3), arriving="whole")
    schedule = draw(lived, "iid", np.random.default_rng(0), steps=4000)
    played = play(plain("first"), Episode(lived, schedule, 5, Rules(reward="precision")))
    assert 0 < played.expected[-1] < 1
    assert abs(played.collected.mean() - played.expected.mean()) < 0.04


def test_the_answer_of_a_query_is_not_foretold():
    lived = scene(drawn(0), arriving="whole")
    schedule = draw(lived, "iid", np.random.default_rng(0), steps=2)
    episode = Episode(lived, schedule, 2, Rules(disclosure="text", answers=True, foretold=True))
    assert episode.view().coming.answer is None
    episode.write(np.zeros(7))
    assert episode.ask().query.answer is not None


@pytest.mark.parametrize("scores", [np.zeros(3), np.full(7, np.nan), [0, 0, np.nan, 0, -np.inf, 0, 0]])
def test_scores_that_are_none_are_refused(scores):
    lived = scene(drawn(0), arriving="whole")
    episode = Episode(lived, draw(lived, "iid", np.random.default_rng(0)), 2)
    with pytest.raises(ShapeError, match=r"give \(7,\) numbers"):
        episode.write(scores)
