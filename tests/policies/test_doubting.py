"""Policies that doubt: what a wrong answer does to trust and to need."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memspan.environments.episode import Episode, Rules
from memspan.environments.noisy import LookAlikes, with_look_alikes
from memspan.environments.orders import draw
from memspan.environments.playing import play
from memspan.environments.scene import scene
from memspan.material import Claim, Material, Query, Support
from memspan.policies.believing import EVERY, Certain, Learned
from memspan.policies.doubting import Doubt, Doubting
from memspan.policies.gamma import GammaPoisson
from memspan.policies.rivals import Rivals
from memspan.policies.sharing import shared
from memspan.policies.unlearned import Unlearned
from memspan.policies.valuing import Worth
from memspan.ports import Outcome, View
from memspan.trust import TrustModel


class Even:
    """Every claim is as likely to be needed, or as *chances* say by id."""

    name = "even"

    def __init__(self, chances=None, rest=0.3):
        """Take chances by id, and one for all others."""
        self.chances, self.rest = chances or {}, rest

    def start(self):
        """There is nothing to forget."""

    def observe(self, claims):
        """Return them."""
        return np.array([self.chances.get(claim.id, self.rest) for claim in claims], float)


def view(memory, capacity):
    memory = np.array(memory, bool)
    return View(memory, np.ones_like(memory), np.zeros_like(memory), np.ones(len(memory)), capacity)


def held(policy, memory, capacity):
    """Return what an environment would hold."""
    scores = policy.score(view(memory, capacity))
    order = [e for e in np.argsort(-scores, kind="stable").tolist() if scores[e] > -np.inf]
    return set(order[:capacity])


def begun(policy, claims):
    policy.start(0)
    policy.observe(claims)
    return policy


def small(n=60, asked=25, seed=0):
    """A world of its own: some queries rest on one claim, some on two."""
    rng = np.random.default_rng(seed)
    claims = tuple(Claim(f"c{e}", f"fact {e} of town", source=f"session {e // 10}") for e in range(n))
    needed = rng.permutation(n)
    ways = [tuple(f"c{e}" for e in needed[2 * i : 2 * i + 1 + i % 2]) for i in range(asked)]
    return Material(
        "small", claims, queries=tuple(Query(f"q{i}", supports=(Support(w),)) for i, w in enumerate(ways))
    )


def prior_of(material, quality=0.6):
    """A prior that knows a little; a look-alike is judged as its original."""
    needed = {e for query in material.queries for support in query.supports for e in support.claims}
    rng = np.random.default_rng(9)
    noise = {claim.id: rng.random() for claim in material.claims}
    return Even({e: 0.1 + 0.6 * (quality * (e in needed) + (1 - quality) * noise[e]) for e in noise})


# --- laws ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("disclosure", ["hits", "supports", "outcome", "text"])
@pytest.mark.parametrize("write", ["full", "stream"])
def test_with_trust_of_one_everywhere_it_is_the_plain_policy(disclosure, write):
    world = small()
    place = scene(world)
    schedule = draw(place, "zipf", np.random.default_rng(1), per_batch=15)
    plain = GammaPoisson(prior_of(world))
    certain = Doubting(GammaPoisson(prior_of(world)), Certain())
    games = [
        play(policy, Episode(place, schedule, 9, Rules(write, disclosure=disclosure)))
        for policy in (plain, certain)
    ]
    assert np.array_equal(games[0].expected, games[1].expected, equal_nan=True)
    assert np.array_equal(games[0].memory, games[1].memory)


def test_a_claim_that_is_proven_false_is_let_go_even_where_there_is_room():
    policy = begun(Doubting(GammaPoisson(Even())), [Claim("a"), Claim("b"), Claim("c")])
    assert 0 in held(policy, [1, 1, 1], 3)
    for _ in range(8):
        policy.settle(Outcome(0.0, (0,)))
    assert held(policy, [1, 1, 1], 3) == {1, 2}


def until_gone(right_between, rest=60):
    """Return how many wrong outcomes it takes until a claim is let go for another one."""
    policy = begun(Doubting(GammaPoisson(Even())), [Claim(str(e)) for e in range(3)])
    for count in range(1, rest):
        policy.settle(Outcome(0.0, (0,)))
        if right_between and count % right_between == 0:
            policy.settle(Outcome(1.0, (0,)))
        if 0 not in held(policy, [1, 1, 1], 3):
            return count
    return rest


def test_noise_makes_letting_go_slower():
    assert until_gone(None) < until_gone(3) <= 60


def test_a_wrong_outcome_lowers_trust_and_raises_the_need_of_the_rival():
    claims = [Claim("old", source="x"), Claim("other"), Claim("new", source="y", contradicts=("old",))]
    policy = begun(Doubting(GammaPoisson(Even({"other": 0.5}))), claims)
    before = policy.score(view([1, 0, 0], 1))
    assert before.argmax() == 1, "the pair is doubted, the other is not"
    for _ in range(3):
        policy.settle(Outcome(0.0, (0,)))
    after = policy.score(view([1, 0, 0], 1))
    assert after.argmax() == 2, "the query exists, so its true rival is worth most"


def test_supports_that_are_told_are_rivals_without_any_link():
    policy = begun(Doubting(GammaPoisson(Even({"c": 0.6}))), [Claim(name) for name in "abc"])
    for _ in range(4):
        policy.settle(Outcome(0.0, (0,), ((0,), (1,))))
    assert held(policy, [1, 0, 0], 1) == {1}


def test_a_wrong_answer_from_several_claims_moves_the_need_to_the_other_support():
    policy = begun(Doubting(GammaPoisson(Even())), [Claim(name) for name in "abcdef"])
    for _ in range(5):
        policy.settle(Outcome(0.0, (0, 1), ((0, 1), (0, 2))))
        policy.settle(Outcome(1.0, (0,), ((0,),)))
    assert held(policy, [1, 1, 0, 0, 0, 0], 2) == {0, 2}


def test_the_second_of_two_that_may_both_be_true_adds_less():
    rivals, truth = Rivals(), Certain()
    claims = rivals.add(
        [Claim("a"), Claim("b", corroborates=("a",)), Claim("c"), Claim("d", contradicts=("c",))]
    )
    truth.add(claims)
    truth.singles = lambda: np.array([0.6, 0.6, 0.6, 0.3])
    truth.whole = lambda support: float(truth.singles()[list(support)].prod())
    found = shared(Worth(np.ones(4), (), np.zeros(0)), rivals, truth, lambda b: b)
    assert found.singles == pytest.approx([0.6, 0.24, 0.6, 0.3])


@settings(max_examples=25)
@given(st.permutations(range(8)))
def test_a_permuted_material_gives_the_permuted_action(order):
    chances = {str(e): 0.1 + 0.07 * e for e in range(8)}
    links = {"3": ("1",), "6": ("4",)}
    claims = [Claim(str(e), source=f"s{e % 3}", contradicts=links.get(str(e), ())) for e in range(8)]
    history = [(0, (1,)), (1, (2,)), (0, (4, 5)), (1, (7,)), (0, (1,))]
    place = {e: i for i, e in enumerate(order)}
    straight = begun(Doubting(GammaPoisson(Even(chances))), claims)
    mixed = begun(Doubting(GammaPoisson(Even(chances))), [claims[e] for e in order])
    for right, used in history:
        straight.settle(Outcome(right, used))
        mixed.settle(Outcome(right, tuple(place[e] for e in used)))
    one, other = straight.score(view([0] * 8, 3)), mixed.score(view([0] * 8, 3))
    assert set(np.argsort(-one)[:3].tolist()) == {order[i] for i in np.argsort(-other)[:3].tolist()}


def test_starting_again_forgets_trust_and_links():
    policy = begun(Doubting(GammaPoisson(Even())), [Claim("a"), Claim("b")])
    for _ in range(8):
        policy.settle(Outcome(0.0, (0,)))
    begun(policy, [Claim("a"), Claim("b")])
    assert held(policy, [0, 0], 2) == {0, 1}


def test_links_to_claims_that_come_later_count_once_they_are_there():
    policy = begun(Doubting(GammaPoisson(Even())), [Claim("a", contradicts=("z",)), Claim("b")])
    policy.observe([Claim("z")])
    for _ in range(3):
        policy.settle(Outcome(1.0, (2,)))
    scores = policy.score(view([0, 0, 1], 3))
    assert scores[0] < scores[1]


def test_what_has_not_appeared_is_never_scored():
    policy = begun(Doubting(GammaPoisson(Even())), [Claim("a"), Claim("b")])
    policy.settle(Outcome(0.0, (), ((0,), (7,))))
    assert policy.score(view([0, 0], 1)).shape == (2,)


def test_outcomes_that_tell_nothing_but_right_or_wrong_leave_links_and_prior():
    policy = begun(Doubting(GammaPoisson(Even())), [Claim("a"), Claim("b", contradicts=("a",)), Claim("c")])
    for _ in range(5):
        policy.settle(Outcome(0.0))
    assert held(policy, [1, 1, 1], 1) == {2}


# --- trust that is kept up -------------------------------------------------------------------------


@settings(max_examples=30)
@given(st.lists(st.tuples(st.integers(0, 9), st.booleans(), st.booleans()), max_size=40))
def test_trust_that_is_kept_up_is_the_models_own_at_each_tenth_settlement(history):
    claims = [Claim(str(e), source=f"s{e % 2}", contradicts=("2",) if e == 5 else ()) for e in range(10)]
    kept, model = Learned(), TrustModel()
    kept.add(claims)
    model.add(claims)
    for e, pair, right in history:
        used = tuple(sorted({e, (e + 1) % 10})) if pair else (e,)
        kept.settle(used, float(right))
        model.engine.settle([(model_outcome(used, right), used)])
    if len(history) % EVERY == 0:
        assert kept.singles() == pytest.approx([model.tau(str(e)) for e in range(10)])


def model_outcome(used, right):
    from memspan.material import Settlement

    return Settlement("", float(right), tuple(map(str, used)))


# --- a small world ---------------------------------------------------------------------------------


def collected(errors, worlds=3):
    """Return by policy what it could expect, supports told, summed over small worlds."""
    found = dict.fromkeys(("ignoring", "unlearned", "doubting", "told"), 0.0)
    for seed in range(worlds):
        rng = np.random.default_rng(seed)
        world = with_look_alikes(small(seed=seed), rng, LookAlikes(0.4))
        place = scene(world, arriving="whole")
        schedule = draw(place, "uniform", rng, steps=80)
        rules = Rules(reward="precision", false_wrong=errors, false_right=errors)
        true = ~(place.coverage.truth < 0.5)
        for name, policy in {
            "ignoring": GammaPoisson(prior_of(world)),
            "unlearned": Doubting(Unlearned(prior_of(world))),
            "doubting": Doubting(GammaPoisson(prior_of(world))),
            "told": Doubting(GammaPoisson(prior_of(world)), Certain(true)),
        }.items():
            game = play(policy, Episode(place, schedule, 14, rules, np.random.default_rng(seed)))
            found[name] += np.nansum(game.expected)
    return found


@pytest.mark.parametrize("errors", [0.0, 0.1])
def test_doubting_collects_more_than_ignoring_trust_and_than_trust_without_learning(errors):
    found = collected(errors)
    assert found["unlearned"] < found["doubting"] < found["told"]
    assert found["ignoring"] < found["doubting"]


def test_optimism_tries_what_was_doubted_by_mistake():
    timid, bold = (
        begun(Doubting(GammaPoisson(Even({"b": 0.2})), doubt=Doubt(optimism=each)), [Claim("a"), Claim("b")])
        for each in (0.0, 1.0)
    )
    for policy in (timid, bold):
        policy.settle(Outcome(0.0, (0,)))
        policy.settle(Outcome(0.0, (0,)))
    assert timid.score(view([0, 0], 1))[0] < bold.score(view([0, 0], 1))[0]


def test_nothing_that_it_is_handed_is_changed():
    policy = begun(Doubting(GammaPoisson(Even())), [Claim("a"), Claim("b", contradicts=("a",))])
    seen = view([1, 0], 1)
    copy = replace(seen, memory=seen.memory.copy(), open=seen.open.copy())
    policy.score(seen)
    assert np.array_equal(seen.memory, copy.memory)
    assert np.array_equal(seen.open, copy.open)
