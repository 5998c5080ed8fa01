"""Laws of the exact-size frontier: as good as all memories of a size, bounded where wide, dips explained."""

import time
from dataclasses import astuple, replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from instances import material_of, problems
from memspan.coverage import compile_material, covered_weight, harm_weights
from memspan.errors import ShapeError
from memspan.material import Claim, Material, Query, Support
from memspan.optimum import exact_size, frontier
from memspan.optimum.dips import dips_of
from memspan.optimum.enumeration import subsets
from memspan.optimum.exact_size import size_curve
from memspan.optimum.presolve import components, part_of
from memspan.optimum.problem import Part, problem_of
from memspan.optimum.rightful import right_problem
from memspan.optimum.size_curves import bound_sizes
from memspan.optimum.walk import Walk
from memspan.testing import problems as materials
from memspan.testing import truths


def unit(problem):
    """Return *problem* with every claim counting one."""
    return replace(problem, costs=(1,) * len(problem.costs))


UNIT = problems(most=10).map(unit)
PLAIN = problems(most=9, defeaters=False).map(unit)


def by_size(problem):
    """Return the best value of each exact size, by trying every memory: the oracle."""
    costs, values = subsets(problem)
    return [int(values[costs == size].max()) for size in range(len(problem.costs) + 1)]


def tried(material, worth):
    """Return the best worth of each exact size, by trying every memory of a material."""
    coverage = compile_material(material)
    names = coverage.claims
    return [
        max(worth(coverage, coverage.memory(held)) for held in combinations(names, size))
        for size in range(len(names) + 1)
    ]


@given(problems(most=12).map(unit))
def test_each_exact_size_is_as_good_as_the_best_of_all_memories_of_that_size(problem):
    curve = size_curve(problem, 60)
    assert curve.lower.tolist() == curve.upper.tolist() == by_size(problem)


@given(UNIT)
def test_a_witness_holds_exactly_its_size_and_reaches_its_value(problem):
    found = exact_size(material_of(problem))
    for size, memory in enumerate(found.memories(found.sizes.tolist())):
        assert len(set(memory)) == size
        assert covered_weight(found.coverage, found.coverage.memory(memory)) == found.lower_weight[size]


@given(UNIT)
def test_the_frontier_is_the_best_of_all_exact_sizes_up_to_it(problem):
    material = material_of(problem)
    best = np.maximum.accumulate(exact_size(material).lower_weight)
    np.testing.assert_array_equal(best, frontier(material).lower_weight)


@given(PLAIN)
def test_where_nothing_is_defeated_exact_sizes_do_as_well_as_capacities(problem):
    material = material_of(problem)
    found = exact_size(material)
    np.testing.assert_array_equal(found.lower_weight, frontier(material).lower_weight)
    np.testing.assert_array_equal(found.upper_weight, frontier(material).upper_weight)
    assert found.dips == ()


@settings(max_examples=50)
@given(materials(defeaters=True, truth=truths()), st.sampled_from(["coverage", "precision"]))
def test_every_utility_agrees_with_trying_every_memory(material, utility):
    true_only = utility == "precision"
    found = exact_size(material, utility=utility)
    values = tried(material, lambda c, memory: covered_weight(c, memory, true_only=true_only))
    assert found.lower_weight.tolist() == found.upper_weight.tolist() == values


@settings(max_examples=50)
@given(materials(most_claims=6, defeaters=True), materials(most_claims=6, defeaters=True))
def test_a_right_answer_counts_only_while_no_wrong_one_holds(material, other):
    own = {claim.id for claim in material.claims}
    wrong = [
        tuple(s for s in query.supports if own.issuperset(s.claims + s.unless)) for query in other.queries
    ]
    queries = tuple(replace(q, wrong=w) for q, w in zip(material.queries, [*wrong, *[()] * 9], strict=False))
    misled = replace(material, queries=queries)
    found = exact_size(misled, utility="right")
    values = tried(misled, lambda c, memory: harm_weights(c, memory)[0])
    assert found.lower_weight.tolist() == found.upper_weight.tolist() == values


def parts_of(problem):
    """Return the connected parts of *problem*, one item per claim."""
    rows = list(zip(problem.supports, problem.unless, problem.owner, strict=True))
    free = {q for needed, unless, q in rows if not needed | unless}
    rows = [row for row in rows if row[2] not in free and problem.weights[row[2]]]
    names = {claim: (claim,) for claim in range(len(problem.costs))}
    for group in components(rows):
        yield part_of(problem, [rows[i] for i in group], names, [(q,) for q in range(len(problem.weights))])


@given(UNIT, st.sampled_from([0, 60]))
def test_bounds_of_a_part_too_wide_hold_what_trying_every_memory_finds(problem, seconds):
    for part in parts_of(problem):
        curve, best = bound_sizes(part, time.perf_counter() + seconds), by_size(part)
        assert (curve.lower <= best).all()
        assert (best <= curve.upper).all()
        assert curve.lower[[0, -1]].tolist() == curve.upper[[0, -1]].tolist() == [best[0], best[-1]]
        for size in range(len(best)):
            held = frozenset(np.flatnonzero(curve.held[size]).tolist())
            assert (len(held), part.value(held)) == (size, curve.lower[size])


@given(UNIT, st.data())
def test_a_walk_always_knows_its_value_and_what_each_step_would_gain(problem, data):
    walk, claims = Walk(problem), st.sampled_from(range(len(problem.costs)))
    for item in data.draw(st.lists(claims, max_size=12)):
        walk.flip(item)
    held = frozenset(np.flatnonzero(walk.held).tolist())
    assert walk.value == problem.value(held)
    for item in range(len(problem.costs)):
        assert walk.gains[item] == problem.value(held ^ {item}) - problem.value(held)
    walk.go([0])
    assert walk.value == problem.value(frozenset({0}))


@given(UNIT)
def test_dips_are_the_falls_of_the_curve_and_each_has_claims_to_blame(problem):
    found = exact_size(material_of(problem))
    falls = np.flatnonzero(np.diff(found.lower_weight) < 0) + 1
    assert [dip.size for dip in found.dips] == falls.tolist()
    for dip in found.dips:
        fall = found.lower_weight[dip.size - 1] - found.lower_weight[dip.size]
        assert dip.drop == found.coverage.mass(fall)
        assert dip.certified
        blamed = {
            claim
            for name in dip.queries
            for support in material_of(problem).query(name).supports
            for claim in support.unless
        }
        assert dip.claims
        assert blamed.issuperset(dip.claims)


@given(UNIT)
def test_dips_read_off_bounds_are_real(problem):
    coverage = compile_material(material_of(problem))
    problem = problem_of(coverage, np.ones(coverage.n_claims, np.int64))
    names = (tuple((i,) for i in range(len(part))) for part in (problem.costs, problem.weights))
    whole, best = Part(*astuple(problem), *names), by_size(problem)
    for dip in dips_of(problem, coverage, bound_sizes(whole, time.perf_counter())):
        assert dip.drop <= coverage.mass(best[dip.size - 1] - best[dip.size])
        assert dip.claims
        assert dip.queries


def updated(*, spare=0):
    """Three facts, the last of which overturns what the other two answer."""
    queries = (
        Query("q1", weight=4, supports=(Support(("a",), ("c",)),)),
        Query("q2", weight=3, supports=(Support(("a", "b"), ("c",)),)),
        Query("q3", weight=2, supports=(Support(("c",)),)),
    )
    claims = (*(Claim(name) for name in "abc"), *(Claim(f"s{i}") for i in range(spare)))
    return Material("updated", claims, queries=queries)


def test_the_claim_that_overturns_two_answers_is_named():
    found = exact_size(updated())
    assert found.lower_weight.tolist() == [0, 4, 7, 2]
    (dip,) = found.dips
    assert (dip.size, dip.claims, dip.queries) == (3, ("c",), ("q1", "q2"))
    assert dip.drop == 5 / 9
    assert found.deepest == dip


def test_harmless_claims_fill_up_a_size_at_no_loss():
    found = exact_size(updated(spare=3))
    assert found.lower_weight.tolist() == [0, 4, 7, 7, 7, 7, 2]
    assert found.memory(5) == ("a", "b", "s0", "s1", "s2")
    assert [dip.size for dip in found.dips] == [6]


def chained(count):
    """A loop of facts, each overturned by the next, with questions that tie far ones together."""
    rng = np.random.default_rng(3)
    queries = tuple(
        Query(
            f"q{i}",
            supports=(
                Support((f"c{i}",), (f"c{(i + 1) % count}",)),
                Support(tuple(f"c{j}" for j in rng.choice(count, 3, replace=False))),
            ),
        )
        for i in range(count)
    )
    return Material("wide", tuple(Claim(f"c{i}") for i in range(count)), queries=queries)


def test_a_wide_material_is_bounded_with_the_ends_exact():
    found = exact_size(chained(70), seconds=1)
    assert (found.lower_weight <= found.upper_weight).all()
    assert found.certified[[0, -1]].all()
    memories = found.memories(found.sizes.tolist())
    for size, memory in enumerate(memories):
        assert len(memory) == size
        assert covered_weight(found.coverage, found.coverage.memory(memory)) == found.lower_weight[size]
    assert "sizes certified" in repr(found)


def test_more_ways_than_can_be_spelled_out_are_refused():
    names = [f"c{i}" for i in range(24)]
    wrong = tuple(Support(tuple(names[i : i + 4])) for i in range(0, 24, 4))
    query = Query("q", supports=(Support(()),), wrong=wrong)
    material = Material("m", tuple(map(Claim, names)), queries=(query,))
    with pytest.raises(ShapeError, match="query 'q' can be answered rightly in more than 1,000 ways"):
        right_problem(compile_material(material), np.ones(24, np.int64))


@pytest.mark.parametrize("size", [-1, 4, True, 1.5])
def test_a_size_that_no_memory_has_is_refused(size):
    with pytest.raises(ShapeError, match="from 0 to 3"):
        exact_size(updated()).memory(size)


def test_an_unknown_utility_is_refused():
    with pytest.raises(ShapeError, match="right"):
        exact_size(updated(), utility="harm")


def test_nothing_has_one_size():
    found = exact_size(Material("nothing"))
    assert (found.sizes.tolist(), found.lower.tolist(), found.memory(0), found.dips) == ([0], [0.0], (), ())
