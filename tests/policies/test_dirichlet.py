"""The Dirichlet belief: its laws, and what it collects in a small world."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import memspan.policies.dirichlet as room
from asked_world import Told, lived
from memspan.datasets import bundled
from memspan.environments.bounds import optima
from memspan.environments.orders import draw
from memspan.environments.scene import scene
from memspan.material import Claim
from memspan.policies.dirichlet import Dirichlet, DirichletBelief, Rest
from memspan.policies.plain import plain
from memspan.ports import Outcome, View

N = 8
PLACES = st.integers(0, N - 1)
SUPPORTS = st.lists(st.lists(PLACES, min_size=1, max_size=3, unique=True).map(sorted).map(tuple), max_size=20)
CHANCES = st.lists(st.floats(0.01, 0.99), min_size=N, max_size=N).map(np.array)


def view(capacity=3, n=N):
    none = np.zeros(n, bool)
    return View(none, ~none, none, np.ones(n), capacity)


def belief(chances, supports=()):
    made = DirichletBelief(Told(chances))
    made.observe([Claim(f"c{i}") for i in range(len(chances))])
    for support in supports:
        made.count(support, Rest.sure(support))
    return made


def held(scores, capacity=3):
    return set(np.argsort(-scores, kind="stable")[:capacity].tolist())


@given(CHANCES, SUPPORTS)
def test_all_that_may_come_sums_to_one(chances, supports):
    alone, bundles = belief(chances, supports).worth()
    assert alone.sum() + sum(bundles.values()) == pytest.approx(1.0)


@given(CHANCES)
def test_without_outcomes_the_order_is_that_of_the_prior(chances):
    scores = belief(chances).score(view())
    assert np.argsort(-scores, kind="stable").tolist() == np.argsort(-chances, kind="stable").tolist()


@given(CHANCES, SUPPORTS, st.permutations(range(N)))
def test_a_permuted_material_gives_the_permuted_worth(chances, supports, order):
    place = np.argsort(order)
    alone, bundles = belief(chances, supports).worth()
    moved = [tuple(sorted(place[list(support)].tolist())) for support in supports]
    alone_moved, bundles_moved = belief(chances[order], moved).worth()
    assert alone_moved == pytest.approx(alone[order])
    assert bundles_moved == pytest.approx(
        {tuple(sorted(place[list(support)].tolist())): value for support, value in bundles.items()}
    )


@given(CHANCES, SUPPORTS.filter(bool), PLACES)
def test_what_is_disclosed_once_more_weighs_no_less_against_the_others(chances, supports, which):
    often = supports[which % len(supports)]
    before, after = belief(chances, supports), belief(chances, [*supports, often])
    others = [support for support in supports if support != often]

    def share(made):
        shares = made.novelty.shares()
        return shares[made.novelty.times[often]], [shares[made.novelty.times[other]] for other in others]

    (first, rest), (second, rest_after) = share(before), share(after)
    # counts that tell more of the law may level it, but never turn it round
    assert all(second >= other - 1e-12 for other, had in zip(rest_after, rest, strict=True) if first >= had)


def test_two_claims_that_are_needed_together_are_held_together():
    scores = belief(np.array([0.3, 0.3, 0.31, 0.32, 0.3]), [(0, 4)] * 3).score(view(2, 5))
    assert held(scores, 2) == {0, 4}


def test_a_belief_does_not_grow_without_bound(monkeypatch):
    monkeypatch.setattr(room, "MOST", 5)
    made = belief(np.full(40, 0.5), [(i,) for i in range(40)])
    assert [made.known((i,)) is not None for i in (34, 35, 39)] == [False, True, True]
    assert len(made.novelty.times) == 5


def test_used_claims_are_counted_where_supports_are_not_told():
    policy = Dirichlet(Told(np.full(4, 0.5)))
    policy.start(0)
    policy.observe([Claim(f"c{i}") for i in range(4)])
    for _ in range(2):
        policy.settle(Outcome(1.0, used=(3,)))
    policy.settle(Outcome(0.0, used=()))
    assert held(policy.score(view(1, 4)), 1) == {3}


def test_regret_falls_behind_the_static_prior_and_lfu_in_a_small_world():
    policies = {
        "dirichlet": Dirichlet,
        "lfu": lambda prior: plain("lfu", prior),
        "static": lambda prior: plain("static", prior),
    }
    runs = {name: lived(make, 0, steps=160) for name, make in policies.items()}
    assert runs["dirichlet"][0] >= 0.84
    assert runs["dirichlet"][1] < runs["lfu"][1] < runs["static"][1]


def test_regret_grows_slower_than_time():
    short, long = (
        np.mean([lived(Dirichlet, seed, steps=t, claims=60, queries=24, capacity=10)[1] for seed in range(2)])
        for t in (100, 200)
    )
    assert long / short <= 1.45


def test_where_each_query_is_asked_once_the_prior_is_all_there_is():
    ours, prior = (
        lived(make, 0, "once", steps=None, pairs=0)[0]
        for make in (Dirichlet, lambda told: plain("static", told))
    )
    assert ours == pytest.approx(prior)


def test_the_bound_under_each_once_is_over_the_queries_that_remain():
    trip = scene(bundled("odyssey"), arriving="whole")
    kinds = {
        order: optima(trip, draw(trip, order, np.random.default_rng(0)), 2).kind
        for order in ("iid", "uniform", "zipf", "once")
    }
    assert kinds == {"iid": "iid", "uniform": "iid", "zipf": "iid", "once": "remaining"}


def test_supports_are_completed_where_each_needs_several_claims():
    def share(make):
        return lived(make, 1, steps=100, pairs=1, capacity=20)[0]

    assert share(Dirichlet) >= 1.3 * share(lambda prior: plain("static", prior))


def test_where_claims_are_ranked_singly_supports_stay_in_pieces():
    """Claims that many supports share come first one by one, and complete none of them."""
    shared = [(0, 3), (0, 4), (0, 5), (1, 6), (1, 7)]
    often = [(8, 9)] * 2
    scores = belief(np.full(10, 0.1), shared + often).score(view(2, 10))
    assert held(scores, 2) == {8, 9}
