"""The frontier equals trying every memory and an independent solver, and bounds the rest."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.optimize import Bounds as Box
from scipy.optimize import LinearConstraint, milp

from instances import problems, random_problem
from memspan.optimum.check_bounds import curve_faults, solution_faults
from memspan.optimum.curves import merge_all
from memspan.optimum.elimination import eliminate_part
from memspan.optimum.enumeration import enumerate_problem
from memspan.optimum.portfolio import solve
from memspan.optimum.presolve import presolve
from memspan.optimum.problem import Problem
from memspan.optimum.wide import search_part


def spread(curve, length):
    """Extend a curve to *length* capacities: more capacity than the parts can use adds nothing."""
    return np.concatenate([curve, np.full(max(0, length - len(curve)), curve[-1])])[:length]


def plain_optimum(problem, capacity):
    """Solve one capacity as one integer program: the slow twin."""
    n, s, q = len(problem.costs), len(problem.supports), len(problem.weights)
    rows = [np.r_[np.array(problem.costs, float), np.zeros(s + q)]]
    upper = [float(capacity)]
    for i, needed in enumerate(problem.supports):
        for e in needed:
            row = np.zeros(n + s + q)
            row[n + i], row[e] = 1, -1
            rows.append(row)
            upper.append(0.0)
    for j in range(q):
        row = np.zeros(n + s + q)
        row[n + s + j] = 1
        row[[n + i for i, owner in enumerate(problem.owner) if owner == j]] = -1
        rows.append(row)
        upper.append(0.0)
    gain = np.r_[np.zeros(n + s), -np.array(problem.weights, float)]
    result = milp(
        gain,
        constraints=LinearConstraint(np.array(rows), -np.inf, np.array(upper)),
        bounds=Box(0, 1),
        integrality=np.r_[np.ones(n), np.zeros(s + q)],
        options={"mip_rel_gap": 0.0},
    )
    return round(-result.fun)


@settings(max_examples=2000, deadline=None)
@given(problems(most=12))
def test_the_frontier_equals_the_best_of_all_memories(problem):
    best, _ = enumerate_problem(problem)
    solution = solve(problem, 10.0)
    np.testing.assert_array_equal(spread(solution.curve.lower, len(best)), best)
    np.testing.assert_array_equal(spread(solution.curve.upper, len(best)), best)


@settings(max_examples=500, deadline=None)
@given(problems(most=12))
def test_elimination_equals_the_best_of_all_memories(problem):
    best, _ = enumerate_problem(problem)
    presolved = presolve(problem)
    curve = merge_all([eliminate_part(part) for part in presolved.parts], presolved.base)
    np.testing.assert_array_equal(spread(curve.lower, len(best)), best)


@settings(max_examples=200, deadline=None)
@given(problems())
@example(
    Problem(
        costs=(0, 0),
        supports=(frozenset(), frozenset({0}), frozenset({1})),
        unless=(frozenset({0}), frozenset(), frozenset()),
        owner=(0, 0, 0),
        weights=(1,),
    )
)
def test_a_search_never_contradicts_the_best_of_all_memories(problem):
    best, _ = enumerate_problem(problem)
    presolved = presolve(problem)
    curves = [search_part(part, deadline=0.0) for part in presolved.parts]
    curve = merge_all(curves, presolved.base)
    for part, found in zip(presolved.parts, curves, strict=True):
        assert list(curve_faults(part, found)) == []
    for capacity, held in enumerate(curve.claims_at(np.arange(len(curve.lower)))):
        assert curve.lower[capacity] <= problem.value(frozenset(held)) <= curve.upper[capacity]
    assert (spread(curve.lower, len(best)) <= best).all()
    assert (spread(curve.upper, len(best)) >= best).all()


@settings(max_examples=300, deadline=None)
@given(problems())
def test_witnesses_fit_and_reach_their_value(problem):
    curve = solve(problem, 10.0).curve
    for capacity, held in enumerate(curve.claims_at(np.arange(len(curve.lower)))):
        assert problem.cost(frozenset(held)) <= capacity
        assert problem.value(frozenset(held)) == curve.lower[capacity]


@settings(max_examples=200, deadline=None)
@given(problems(), st.randoms(use_true_random=False))
def test_relabelling_claims_changes_no_value(problem, random):
    place = list(range(len(problem.costs)))
    random.shuffle(place)
    costs = [0] * len(place)
    for old, new in enumerate(place):
        costs[new] = problem.costs[old]
    moved = replace(
        problem,
        costs=tuple(costs),
        supports=tuple(frozenset(place[i] for i in needed) for needed in problem.supports),
        unless=tuple(frozenset(place[i] for i in unless) for unless in problem.unless),
    )
    before, after = solve(problem, 10.0).curve, solve(moved, 10.0).curve
    np.testing.assert_array_equal(before.lower, after.lower)


@settings(max_examples=200, deadline=None)
@given(problems(), st.data())
def test_splitting_a_query_changes_no_value(problem, data):
    q = data.draw(st.integers(0, len(problem.weights) - 1))
    part = data.draw(st.integers(0, problem.weights[q]))
    copied = [s for s, owner in enumerate(problem.owner) if owner == q]
    weights = [*problem.weights, part]
    weights[q] -= part
    split = replace(
        problem,
        supports=problem.supports + tuple(problem.supports[s] for s in copied),
        unless=problem.unless + tuple(problem.unless[s] for s in copied),
        owner=problem.owner + (len(weights) - 1,) * len(copied),
        weights=tuple(weights),
    )
    before, after = solve(problem, 10.0).curve, solve(split, 10.0).curve
    length = max(len(before.lower), len(after.lower))
    np.testing.assert_array_equal(spread(before.lower, length), spread(after.lower, length))


@pytest.mark.parametrize("weights", ["unit", "power"])
@pytest.mark.parametrize("alternatives", [1, 3])
def test_the_frontier_equals_an_integer_program_at_random_capacities(alternatives, weights):
    problem = random_problem(120, 60, 7, alternatives=alternatives, weights=weights)
    curve = solve(problem, 20.0).curve
    assert (curve.lower == curve.upper).all()
    for capacity in np.random.default_rng(0).choice(len(curve.lower), 15, replace=False).tolist():
        assert plain_optimum(problem, capacity) == curve.lower[capacity]


def test_a_wide_problem_is_closed_and_verifies():
    problem = random_problem(60, 55, 3, alternatives=3)
    solution = solve(problem, 20.0)
    assert list(solution_faults(problem, solution)) == []
    assert (solution.curve.lower == solution.curve.upper).mean() > 0.8


def test_out_of_time_means_wide_intervals_that_still_verify():
    problem = random_problem(100, 130, 4, alternatives=3)
    solution = solve(problem, 0.0)
    assert (solution.curve.lower <= solution.curve.upper).all()
    assert list(solution_faults(problem, solution)) == []


def bundles(*rows, weights=None, claims=None):
    """Return a problem in which each row is the only support of its query."""
    count = claims or 1 + max(e for row in rows for e in row)
    return replace(
        random_problem(9, 1, 0),
        costs=(1,) * count,
        supports=tuple(frozenset(row) for row in rows),
        unless=(frozenset(),) * len(rows),
        owner=tuple(range(len(rows))),
        weights=tuple(weights or [1] * len(rows)),
    )


@pytest.mark.parametrize(
    ("problem", "capacity", "optimum"),
    [
        pytest.param(bundles((0, 1), (2, 3), (4, 5)), 2, 1, id="disjoint pairs"),
        pytest.param(bundles((0, 1, 2), (3, 4, 5)), 6, 2, id="triples only"),
        pytest.param(bundles((0,), range(1, 9), weights=[11, 80]), 8, 80, id="knapsack density"),
        pytest.param(
            bundles(
                *[(i, j) for i in range(8) for j in range(i)],
                *[(8 + 2 * i, 9 + 2 * i) for i in range(4)],
                weights=[100] * 28 + [101] * 4,
            ),
            8,
            2800,
            id="clique",
        ),
        pytest.param(
            bundles((0, 1, 2, 3), (4,), (5,), (6,), (7,), weights=[110, 1, 1, 1, 1]), 4, 110, id="decoys"
        ),
    ],
)
def test_the_traps_of_greedy_selection_do_not_catch_it(problem, capacity, optimum):
    curve = solve(problem, 10.0).curve
    assert curve.lower[capacity] == curve.upper[capacity] == optimum
