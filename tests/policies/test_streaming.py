"""Streaming policies: their guarantees against the frontier, what they hold, what they let go of."""

# ruff: noqa: D102, D107 - the methods are the protocol's

from math import log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import memspan as ms
from instances import material_of
from memspan.coverage import compile_material, u_cov
from memspan.environments.episode import Episode, Rules
from memspan.environments.orders import draw
from memspan.environments.playing import play
from memspan.environments.scene import scene
from memspan.errors import ShapeError
from memspan.material import Claim, Material, Query, Support
from memspan.optimum.problem import Problem
from memspan.policies.greedy import Greedy
from memspan.policies.preemption import Preemption
from memspan.policies.sieve import Sieve
from memspan.policies.threshold import Threshold
from memspan.policies.worth import Chances, Covering
from memspan.ports import View

NEAR = 1e-9


@st.composite
def singles(draw_, most=10):
    """Draw a material whose supports are single claims, and that can be asked about."""
    n = draw_(st.integers(1, most))
    weights = draw_(st.lists(st.integers(1, 9), min_size=1, max_size=8))
    ways = [draw_(st.sets(st.integers(0, n - 1), min_size=1, max_size=3)) for _ in weights]
    rows = [(frozenset((e,)), q) for q, each in enumerate(ways) for e in sorted(each)]
    supports, owner = zip(*rows, strict=True)
    problem = Problem((1,) * n, supports, (frozenset(),) * len(rows), owner, tuple(weights))
    return material_of(problem)


def ended(policy, material, capacity, write="stream"):
    """Return what *policy* holds of a material that has appeared claim by claim, and the best there is."""
    laid = scene(material)
    memory = play(policy, Episode(laid, draw(laid, "iid", np.random.default_rng(0)), capacity, Rules(write)))
    return u_cov(laid.coverage, memory.memory), ms.frontier(material).at(capacity).lower


def told(material):
    return Covering(compile_material(material))


@given(singles(), st.integers(1, 4), st.sampled_from([0.05, 0.2, 0.5]))
@settings(max_examples=40)
def test_sieve_streaming_is_worth_a_half_less_epsilon_of_the_best_memory(material, capacity, epsilon):
    reached, best = ended(Sieve(told(material), epsilon), material, capacity, "full")
    assert reached >= (0.5 - epsilon) * best - NEAR


@given(singles(), st.integers(1, 4))
@settings(max_examples=40)
def test_preemption_is_worth_a_quarter_of_the_best_memory_though_what_it_lets_go_is_lost(material, capacity):
    reached, best = ended(Preemption(told(material)), material, capacity)
    assert reached >= best / 4 - NEAR


@given(singles(), st.integers(1, 4))
@settings(max_examples=25)
def test_greedy_is_worth_all_but_one_part_in_e_of_the_best_memory(material, capacity):
    reached, best = ended(Greedy(told(material)), material, capacity, "full")
    assert reached >= (1 - 1 / np.e) * best - NEAR


@given(singles(), st.integers(0, 4), st.sampled_from(["stream", "full"]))
@settings(max_examples=25)
def test_no_streaming_policy_exceeds_the_frontier(material, capacity, write):
    for policy in (Sieve(told(material)), Preemption(told(material), 0.0), Greedy(told(material))):
        reached, best = ended(policy, material, capacity, write)
        assert reached <= best + NEAR


@given(st.integers(0, 2**32 - 1), st.sampled_from([3, 8, 20]), st.sampled_from([0.1, 0.3, 1.0]))
@settings(max_examples=30)
def test_sieves_keep_no_more_than_k_over_epsilon_claims_however_long_the_stream(seed, capacity, epsilon):
    worths = np.random.default_rng(seed).pareto(1.0, 300).clip(1e-3, 1e3)
    policy, kept = Sieve(Chances(Given(worths / 1001)), epsilon), []
    for n in range(30, 301, 30):
        policy.observe([Claim(f"c{i}") for i in range(n - 30, n)])
        policy.score(bare(n, capacity))
        kept.append(policy.kept)
    assert max(kept) <= capacity * (log(2) / log(1 + epsilon) + 2 + (1 + epsilon) / epsilon)


class Given:
    """A prior of numbers that were given."""

    name = "given"

    def __init__(self, chances):
        self.chances, self.seen = np.asarray(chances, np.float64), 0

    def start(self):
        self.seen = 0

    def observe(self, claims):
        self.seen += len(claims)
        return self.chances[self.seen - len(claims) : self.seen]


def bare(n, capacity, memory=(), costs=None):
    held = np.isin(np.arange(n), memory)
    return View(held, np.ones(n, bool), ~held, np.ones(n) if costs is None else np.array(costs), capacity)


def held(policy, chances, view):
    policy.start(0)
    policy.observe([Claim(f"c{i}") for i in range(len(chances))])
    return np.flatnonzero(policy.score(view) > -np.inf).tolist()


@given(st.lists(st.floats(0.01, 0.99), min_size=1, max_size=9), st.integers(0, 4))
def test_preemption_that_takes_every_gain_holds_the_likeliest(chances, capacity):
    found = held(Preemption(Chances(Given(chances)), 0.0), chances, bare(len(chances), capacity))
    best = sorted(chances, reverse=True)[:capacity]
    assert sorted((chances[e] for e in found), reverse=True) == pytest.approx(best)


def test_preemption_swaps_only_where_the_gain_is_a_kth_part_of_the_memory():
    chances = [0.5, 0.3, 0.6, 0.8]
    assert held(Preemption(Chances(Given(chances))), chances, bare(4, 2)) == [0, 3], "0.6 - 0.3 < 0.8 / 2"
    assert held(Preemption(Chances(Given(chances)), 0.0), chances, bare(4, 2)) == [2, 3]


def test_preemption_makes_room_for_what_costs_more():
    chances, costs = [0.2, 0.2, 0.2, 0.9], [1.0, 1.0, 1.0, 2.0]
    assert held(Preemption(Chances(Given(chances))), chances, bare(4, 3, costs=costs)) == [2, 3]


def test_a_threshold_never_lets_go_and_never_takes_less():
    chances = [0.5, 0.1, 0.6, 0.9]
    assert held(Threshold(Chances(Given(chances)), 0.2), chances, bare(4, 2)) == [0, 2]
    assert held(Threshold(Chances(Given(chances)), 0.2), chances, bare(4, 2, memory=(1,))) == [0, 1]


def test_a_bundle_greedy_completes_what_single_gains_do_not_see():
    claims = tuple(Claim(name) for name in ("idle", "void", "c0", "c1", "c2", "c3"))
    ways = (("c0", "c1"), ("c0", "c2"), ("c3",))
    weights = (4, 3, 1)
    queries = tuple(Query(f"q{i}", weight=weights[i], supports=(Support(ways[i]),)) for i in range(3))
    objective = told(material := Material("pairs", claims, queries=queries))
    alone, whole = (
        ended(Greedy(objective, bundles), material, 3, "full")[0] for bundles in ((), objective.supports)
    )
    assert (alone, whole) == (pytest.approx(1 / 8), pytest.approx(7 / 8))


@given(singles(), st.lists(st.integers(0, 9), max_size=12))
@settings(max_examples=50)
def test_gains_and_losses_are_differences_of_what_is_covered(material, moves):
    coverage = compile_material(material)
    worth, memory = Covering(coverage).holding(), np.zeros(coverage.n_claims, bool)
    for move in (move % coverage.n_claims for move in moves):
        before = u_cov(coverage, memory)
        gain, loss = worth.gain(move), worth.loss(move)
        change = -loss if memory[move] else gain
        (worth.drop if memory[move] else worth.add)(move)
        memory[move] = ~memory[move]
        assert worth.value == pytest.approx(u_cov(coverage, memory), abs=NEAR)
        assert before + change == pytest.approx(worth.value, abs=NEAR)
    for claim in list(worth.claims):
        worth.drop(claim)
    assert worth.value == 0, "what is added and taken away again leaves nothing"


def test_terms_that_mean_nothing_are_refused():
    odyssey = told(ms.bundled("odyssey"))
    with pytest.raises(ShapeError, match="above 0"):
        Sieve(odyssey, 0.0)
    with pytest.raises(ShapeError, match="0 or more"):
        Preemption(odyssey, -1.0)
    with pytest.raises(ShapeError, match="one per query"):
        Covering(compile_material(ms.bundled("odyssey")), np.ones(3))
