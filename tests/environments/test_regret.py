"""Regret where queries are drawn i.i.d.: never negative in expectation, 0 for who knows everything."""

# ruff: noqa: D102, D107, ARG002 - the methods are the protocol's

from itertools import combinations, product
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import memspan as ms
from instances import material_of, problems
from memspan.coverage import covered, u_cov
from memspan.environments.bounds import optima
from memspan.environments.episode import Episode, Rules
from memspan.environments.orders import Schedule, draw
from memspan.environments.playing import play
from memspan.environments.scene import scene
from memspan.errors import ShapeError
from memspan.material import Claim, Material, Query, Support
from memspan.policies.plain import NAMES, plain

NEAR = 1e-5  # laws are rounded to seven digits for the solver
IID = ("iid", "uniform", "zipf", "mix")


class Chance:
    """Scores anew by chance at every write."""

    name = "chance"

    def start(self, seed):
        self.rng = np.random.default_rng(seed)

    def observe(self, claims):
        pass

    def score(self, view):
        return self.rng.random(len(view.costs))

    def settle(self, outcome):
        pass


class Holds:
    """An oracle: holds what it was told to hold."""

    name = "oracle"

    def __init__(self, memory):
        self.memory = memory

    def start(self, seed):
        pass

    def observe(self, claims):
        pass

    def score(self, view):
        return np.where(self.memory[: len(view.costs)], 1.0, -np.inf)

    def settle(self, outcome):
        pass


@st.composite
def worlds(draw_, most=6, arriving="whole"):
    """Draw a small material that can be asked about, laid out."""
    material = material_of(draw_(problems(most=most, defeaters=False)))
    try:
        return scene(material, arriving=arriving)
    except ShapeError:
        return scene(ms.bundled("odyssey"), arriving=arriving)


def every_memory(laid, capacity):
    for chosen in combinations(range(laid.coverage.n_claims), min(capacity, laid.coverage.n_claims)):
        yield np.isin(np.arange(laid.coverage.n_claims), chosen)


@given(worlds(), st.sampled_from(IID), st.integers(0, 4))
@settings(max_examples=25)
def test_random_memories_have_no_negative_expected_regret_taken_exactly(laid, order, capacity):
    schedule = draw(laid, order, np.random.default_rng(0), steps=5)
    bound = optima(laid, schedule, capacity)
    law = schedule.laws[0]
    masses = [float(law[covered(laid.coverage, memory)].sum()) for memory in every_memory(laid, capacity)]
    assert len(masses) == comb(laid.coverage.n_claims, min(capacity, laid.coverage.n_claims))
    assert bound.total - len(schedule) * np.mean(masses) >= -NEAR
    assert bound.upper[0] == pytest.approx(max(masses), abs=NEAR), "and one of them has none"


@given(worlds(arriving="sessions"), st.sampled_from(IID), st.integers(0, 4), st.integers(0, 2**32 - 1))
@settings(max_examples=25)
def test_no_random_policy_has_negative_expected_regret_at_any_step(laid, order, capacity, seed):
    schedule = draw(laid, order, np.random.default_rng(seed), per_batch=2)
    bound = optima(laid, schedule, capacity)
    played = play(Chance(), Episode(laid, schedule, capacity, Rules("stream")), seed)
    regret = bound.upper - played.expected
    assert (regret[~np.isnan(regret)] >= -NEAR).all()


@given(worlds(most=4), st.sampled_from([*NAMES, "chance"]), st.integers(1, 3))
@settings(max_examples=15)
def test_what_a_policy_that_learns_collects_exceeds_the_bound_in_no_mean_over_all_that_may_be_asked(
    laid, name, capacity
):
    """Single runs may exceed it by luck; the mean over every sequence of queries, by its chance, not."""
    steps, law = 3, laid.coverage.weights / laid.coverage.weights.sum()
    asked = np.flatnonzero(law)[:4]
    law = np.where(np.isin(np.arange(len(law)), asked), law, 0) / law[asked].sum()
    mean = 0.0
    for queries in product(asked.tolist(), repeat=steps):
        schedule = Schedule(
            np.zeros(steps, int), np.array(queries), np.zeros(steps, int), law[np.newaxis], once=False
        )
        policy = Chance() if name == "chance" else plain(name)
        played = play(policy, Episode(laid, schedule, capacity))
        mean += float(np.prod(law[list(queries)]) * played.collected.sum())
    assert mean <= optima(laid, schedule, capacity).total + NEAR


@given(worlds(), st.integers(0, 4))
@settings(max_examples=25)
def test_an_oracle_has_no_regret(laid, capacity):
    frontier = ms.frontier(laid.material)
    memory = frontier.coverage.memory(frontier.memory(capacity))
    schedule = draw(laid, "iid", np.random.default_rng(0), steps=6)
    bound = optima(laid, schedule, capacity)
    played = play(Holds(memory), Episode(laid, schedule, capacity))
    assert bound.total - played.expected.sum() == pytest.approx(0, abs=NEAR)
    assert played.expected.sum() == pytest.approx(6 * u_cov(laid.coverage, memory))


def test_where_each_query_is_asked_once_the_iid_bound_is_none():
    claims = tuple(Claim(f"c{i}") for i in range(4))
    queries = tuple(Query(f"q{i}", supports=(Support((f"c{i}",)),)) for i in range(4))
    laid = scene(Material("four", claims, queries=queries), arriving="whole")
    schedule = draw(laid, "once", np.random.default_rng(0))

    class Turns(Holds):
        def settle(self, outcome):
            self.turn += 1

        def start(self, seed):
            self.turn = 0

        def score(self, view):
            return np.isin(np.arange(4), schedule.query[self.turn :]).astype(float)

    bound = optima(laid, schedule, 2)
    played = play(Turns(None), Episode(laid, schedule, 2))
    assert bound.kind == "remaining"
    assert played.expected.sum() == pytest.approx(bound.total, abs=NEAR)
    assert played.expected.sum() > 4 * ms.frontier(laid.material).at(2).upper, "T U*(S) bounds it not"
