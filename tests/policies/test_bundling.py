"""Filling by bundles against every memory there is."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memspan.policies.bundling import fill, ranked

WORTH = st.floats(0, 1).map(lambda x: round(x, 3))


@st.composite
def problems(draw):
    n = draw(st.integers(2, 7))
    sizes = st.lists(st.integers(0, n - 1), min_size=2, max_size=3, unique=True)
    bundles = draw(st.lists(sizes.map(lambda row: tuple(sorted(row))), max_size=4, unique=True))
    singles = np.array(draw(st.lists(WORTH, min_size=n, max_size=n)))
    values = np.array(draw(st.lists(WORTH, min_size=len(bundles), max_size=len(bundles))), np.float64)
    allowed = np.array(draw(st.lists(st.booleans(), min_size=n, max_size=n)))
    costs = np.array(draw(st.lists(st.integers(1, 3), min_size=n, max_size=n)), np.float64)
    return singles, bundles, values, allowed, costs, float(draw(st.integers(0, 2 * n)))


def value(held, singles, bundles, values):
    whole = sum(v for b, v in zip(bundles, values, strict=True) if set(b) <= set(held))
    return float(singles[list(held)].sum() + whole)


def best(singles, bundles, values, allowed, costs, capacity):
    places = np.flatnonzero(allowed).tolist()
    every = (held for k in range(len(places) + 1) for held in combinations(places, k))
    return max(value(h, singles, bundles, values) for h in every if costs[list(h)].sum() <= capacity)


@given(problems())
def test_what_is_taken_is_allowed_fits_and_is_taken_once(problem):
    *_, allowed, costs, capacity = problem
    taken = fill(*problem)
    assert len(set(taken)) == len(taken)
    assert all(allowed[e] for e in taken)
    assert costs[taken].sum() <= capacity


@given(problems())
def test_no_filling_is_worth_more_than_the_best_memory(problem):
    singles, bundles, values, *_ = problem
    assert value(fill(*problem), singles, bundles, values) <= best(*problem) + 1e-9


@given(problems())
def test_without_bundles_and_at_one_cost_the_filling_is_the_best_memory(problem):
    singles, _, _, allowed, costs, capacity = problem
    even = np.ones(len(costs))
    taken = fill(singles, [], np.zeros(0), allowed, even, capacity)
    assert value(taken, singles, [], []) == pytest.approx(
        best(singles, [], np.zeros(0), allowed, even, capacity)
    )


@given(problems())
def test_where_all_fits_all_that_is_worth_something_is_taken(problem):
    singles, bundles, values, allowed, costs, _ = problem
    everything = float(costs.sum())
    taken = fill(singles, bundles, values, allowed, costs, everything)
    assert value(taken, singles, bundles, values) == pytest.approx(
        best(singles, bundles, values, allowed, costs, everything)
    )


def test_two_claims_that_are_worth_something_only_together_are_both_taken():
    singles = np.array([0.3, 0.0, 0.0, 0.2])
    assert fill(singles, [(1, 2)], np.array([1.0]), np.ones(4, bool), np.ones(4), 2) == [1, 2]


def test_a_bundle_that_another_began_is_finished_before_a_better_single():
    singles = np.array([0.0, 0.0, 0.0, 0.55])
    taken = fill(singles, [(0, 1), (1, 2)], np.array([2.0, 0.9]), np.ones(4, bool), np.ones(4), 3)
    assert sorted(taken) == [0, 1, 2], "once 1 is held, 2 alone completes a support"


def test_a_bundle_that_is_too_dear_is_taken_once_others_have_paid_for_part_of_it():
    singles = np.array([0.9, 0.8, 0.0])
    assert fill(singles, [(0, 1, 2)], np.array([0.1]), np.ones(3, bool), np.ones(3), 2) == [0, 1]
    taken = fill(singles, [(0, 2)], np.array([0.1]), np.ones(3, bool), np.array([1.0, 3.0, 1.0]), 2)
    assert taken == [0, 2]


@given(st.lists(st.integers(0, 9), unique=True, max_size=9), st.lists(WORTH, min_size=10, max_size=10))
def test_ranked_scores_put_what_is_taken_first_and_in_its_order(taken, rest):
    scores = ranked(taken, np.array(rest))
    assert np.isfinite(scores).all()
    assert np.argsort(-scores, kind="stable")[: len(taken)].tolist() == taken
