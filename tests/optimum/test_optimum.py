"""The frontier equals trying every memory and an independent solver, and bounds the rest."""

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import Bounds as Box
from scipy.optimize import LinearConstraint, milp

import memspan as ms
from instances import material_of, problems, random_problem
from memspan.errors import CostError, ShapeError, UnknownName
from memspan.material import Claim, Material, Query, Support
from memspan.optimum import Size
from memspan.optimum.check_bounds import curve_faults, solution_faults
from memspan.optimum.curves import merge_all
from memspan.optimum.elimination import eliminate_part
from memspan.optimum.enumeration import enumerate_problem
from memspan.optimum.portfolio import solve
from memspan.optimum.presolve import Step, presolve
from memspan.optimum.wide import search_part

ODYSSEY = [0.00, 0.35, 0.60, 0.80, 0.90, 0.95, 1.00]


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


@settings(max_examples=1500, deadline=None)
@given(problems())
def test_the_frontier_equals_the_best_of_all_memories(problem):
    best, _ = enumerate_problem(problem)
    solution = solve(problem, 10.0)
    np.testing.assert_array_equal(spread(solution.curve.lower, len(best)), best)
    np.testing.assert_array_equal(spread(solution.curve.upper, len(best)), best)


@settings(max_examples=300, deadline=None)
@given(problems(most=12))
def test_elimination_equals_the_best_of_all_memories(problem):
    best, _ = enumerate_problem(problem)
    presolved = presolve(problem)
    curve = merge_all([eliminate_part(part) for part in presolved.parts], presolved.base)
    np.testing.assert_array_equal(spread(curve.lower, len(best)), best)


@settings(max_examples=200, deadline=None)
@given(problems())
def test_a_search_never_contradicts_the_best_of_all_memories(problem):
    best, _ = enumerate_problem(problem)
    presolved = presolve(problem)
    curves = [search_part(part, deadline=0.0) for part in presolved.parts]
    curve = merge_all(curves, presolved.base)
    for part, found in zip(presolved.parts, curves, strict=True):
        assert list(curve_faults(part, found)) == []
    for capacity, held in enumerate(curve.claims_at(np.arange(len(curve.lower)))):
        assert problem.value(frozenset(held)) == curve.lower[capacity]
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


def test_the_odyssey_has_the_published_frontier():
    frontier = ms.frontier(ms.bundled("odyssey"))
    np.testing.assert_allclose(frontier.lower, ODYSSEY)
    assert frontier.proven
    expected = [(), ("e3",), ("e1", "e3"), ("e1", "e3", "e4"), ("e1", "e2", "e3", "e4")]
    assert frontier.memories(range(5)) == expected
    assert frontier.memory(5) in {("e1", "e2", "e3", "e4", "e5"), ("e1", "e2", "e3", "e4", "e6")}
    assert frontier.saturation == 6
    assert frontier.loss(size=4, utility=0.75).upper == pytest.approx(0.15)


def test_a_false_claim_parts_coverage_from_precision():
    noisy = ms.bundled("odyssey-noise")
    coverage, precision = ms.frontier(noisy), ms.frontier(noisy, utility="precision")
    assert coverage.memory(1) == ("e0",)
    assert coverage.at(1).lower == pytest.approx(0.45)
    assert set(coverage.memory(2)) == {"e0", "e3"}
    assert coverage.at(2).lower == pytest.approx(0.80)
    compiled = coverage.coverage
    assert ms.u_prec(compiled, compiled.memory(["e0", "e3"])) == pytest.approx(0.35)
    assert set(precision.memory(2)) == {"e1", "e3"}
    assert precision.at(2).lower == pytest.approx(0.60)


def test_composites_shrink_a_marginal_gain():
    composites = ms.compile_material(ms.bundled("odyssey-composites"))
    alone = ms.u_cov(composites, composites.memory(["e3"]))
    after = ms.u_cov(composites, composites.memory(["e2", "e3"])) - ms.u_cov(
        composites, composites.memory(["e2"])
    )
    assert alone == pytest.approx(0.35)
    assert after == pytest.approx(0.20)


def test_synergy_makes_gains_grow():
    rows = [("a", "q1"), ("b", "q2"), ("x", "q3")]
    whole = Support(("a", "b", "x"))
    queries = [Query(q, supports=(Support((claim,)), whole)) for claim, q in rows]
    queries.append(Query("q4", supports=(whole,)))
    material = Material("synergy", tuple(Claim(c) for c in "abx"), queries=tuple(queries))
    arrays = ms.compile_material(material)

    def gain(held):
        return ms.u_cov(arrays, arrays.memory([*held, "x"])) - ms.u_cov(arrays, arrays.memory(held))

    assert (gain(["a"]), gain(["a", "b"])) == (0.25, 0.5)


def test_edges_are_plain():
    empty = ms.frontier(Material("empty"))
    assert empty.lower.tolist() == [0.0]
    free = Material("free", (Claim("c"),), queries=(Query("q", supports=(Support(()),)), Query("none")))
    frontier = ms.frontier(free)
    assert frontier.lower.tolist() == [1.0, 1.0]
    assert [dropped.record for dropped in frontier.dropped] == ["query none"]
    assert ms.verify(frontier, free).ok
    huge = Material(
        "huge",
        (Claim("a"), Claim("b")),
        queries=tuple(Query(c, weight=w, supports=(Support((c,)),)) for c, w in (("a", 10**15), ("b", 1))),
    )
    assert ms.frontier(huge).memories([1, 2]) == [("a",), ("a", "b")]
    assert ms.frontier(huge).at(1).upper < 1


def test_costs_other_than_claims_are_capacities():
    claims = (
        Claim("long", "one two three four five"),
        Claim("short", "one two"),
        Claim("other", "one two three"),
    )
    queries = tuple(Query(f"q{c.id}", supports=(Support((c.id,)),)) for c in claims)
    material = Material("costs", claims, queries=queries)
    frontier = ms.frontier(material, cost="tokens", capacities=[0, 2, 5, 10])
    assert frontier.memories([2, 5]) == [("short",), ("short", "other")]
    assert frontier.certified.all()
    assert ms.verify(frontier, material).ok
    assert frontier.memory(3) == frontier.memory(2)
    with pytest.raises(ShapeError, match="whole number >= 0"):
        frontier.memory(-1)
    with pytest.raises(UnknownName, match="choose one of"):
        ms.frontier(material, cost="euros")


@settings(max_examples=60, deadline=None)
@given(problems())
def test_every_frontier_verifies(problem):
    material = material_of(problem)
    frontier = ms.frontier(material)
    assert ms.verify(frontier, material).faults == ()


def tamper_lower(frontier):
    weights = frontier.lower_weight.copy()
    weights[2] += 1
    return replace(frontier, lower_weight=weights, upper_weight=np.maximum(frontier.upper_weight, weights))


def tamper_upper(frontier):
    weights = frontier.upper_weight.copy()
    weights[3:] -= 1
    return replace(frontier, upper_weight=weights, lower_weight=np.minimum(frontier.lower_weight, weights))


def tamper_part(frontier):
    first, *rest = frontier.solution.parts
    forged = replace(first, lower=np.maximum(first.lower - 1, 0))
    solution = replace(frontier.solution, parts=(forged, *rest))
    return replace(frontier, solution=solution)


def tamper_presolve(frontier):
    presolved = frontier.solution.presolved
    forged = replace(presolved, parts=presolved.parts[1:])
    return replace(frontier, solution=replace(frontier.solution, presolved=forged))


def tamper_total(frontier):
    return replace(frontier, coverage=replace(frontier.coverage, total=2 * frontier.coverage.total))


def tamper_unit(frontier):
    return replace(frontier, unit="tokens")


def tamper_source(frontier):
    return replace(frontier, support_source="generated")


def tamper_length(frontier):
    return replace(frontier, upper_weight=frontier.upper_weight[:1])


def tamper_type(frontier):
    return replace(frontier, upper_weight=np.full(len(frontier.upper_weight), np.nan))


def tamper_height(frontier):
    return replace(frontier, upper_weight=frontier.upper_weight + 10**6)


def tamper_steps(frontier):
    presolved = frontier.solution.presolved
    forged = replace(presolved, steps=(*presolved.steps, Step("zap", 0, 1)))
    return replace(frontier, solution=replace(frontier.solution, presolved=forged))


def tamper_order(frontier):
    parts = list(frontier.solution.parts)
    at = next(i for i, part in enumerate(parts) if part.kind == "elimination")
    parts[at] = replace(parts[at], order=replace(parts[at].order, steps=parts[at].order.steps[1:]))
    return replace(frontier, solution=replace(frontier.solution, parts=tuple(parts)))


TAMPERS = [
    tamper_lower,
    tamper_upper,
    tamper_part,
    tamper_presolve,
    tamper_total,
    tamper_unit,
    tamper_source,
    tamper_length,
    tamper_type,
    tamper_height,
    tamper_steps,
    tamper_order,
]


def tamper_baseline(frontier):
    return replace(frontier, baseline_weight=frontier.baseline_weight + 1)


@pytest.mark.parametrize("tamper", [*TAMPERS, tamper_baseline])
def test_a_tampered_frontier_does_not_verify(tamper):
    material = material_of(random_problem(40, 25, 1, alternatives=2))
    frontier = ms.frontier(material)
    assert ms.verify(frontier, material).ok
    verification = ms.verify(tamper(frontier), material)
    assert not verification.ok
    with pytest.raises(ms.MemspanError, match="does not verify"):
        verification.require()


def test_locomo_equals_the_independent_integer_program(data):
    expected = json.loads((data / "locomo" / "expected_frontier.json").read_text())["materials"]
    materials = ms.load(data / "locomo" / "locomo10_dev.json")
    for material, known in zip(materials, expected, strict=True):
        frontier = ms.frontier(material)
        assert frontier.proven
        assert frontier.saturation == known["saturation"]
        for capacity, covered in known["covered"].items():
            assert frontier.lower_weight[int(capacity)] == covered, material.id
    assert ms.verify(frontier, material).ok


def test_listing_few_capacities_hides_none():
    frontier = ms.frontier(ms.bundled("odyssey"), capacities=[0, 3, 6])
    assert frontier.capacities.tolist() == [0, 3, 6]
    assert frontier.size_for(0.6) == Size(size=2, at_least=2, certified=True)
    assert frontier.at(2).lower == pytest.approx(0.6)
    assert frontier.size_for(0.0) == Size(size=0, at_least=0, certified=True)


def test_a_frontier_says_its_finding():
    assert repr(ms.frontier(ms.bundled("odyssey"))) == (
        "<Frontier 'odyssey': 2 of 6 claims reach half of the baseline 1, 6 all of it; proven>"
    )


def test_a_list_of_materials_is_no_material():
    with pytest.raises(ms.MemspanError, match="give one Material"):
        ms.frontier([ms.bundled("odyssey")])


def weighted(*weights):
    """Return a material of one claim and one query for each weight."""
    claims = tuple(Claim(f"c{i}") for i in range(len(weights)))
    supports = [(Support((claim.id,)),) for claim in claims]
    queries = tuple(
        Query(f"q{i}", weight=weight, supports=own)
        for i, (weight, own) in enumerate(zip(weights, supports, strict=True))
    )
    return Material("weighted", claims, queries=queries)


@pytest.mark.parametrize("weights", [(10**12, 10**12 + 1), (0.3333333333333, 0.3333333333334)])
def test_weights_that_differ_a_little_stay_different(weights):
    assert ms.frontier(weighted(*weights)).memory(1) == ("c1",)


def test_a_size_never_misses_its_target_by_a_hair():
    frontier = ms.frontier(weighted(10**13, 1))
    assert frontier.size_for(1.0) == Size(2, 2, certified=True)
    assert frontier.size_for(frontier.baseline).size == frontier.saturation


@pytest.mark.parametrize(
    "options",
    [
        {"capacities": [2**70]},
        {"capacities": [float("nan")]},
        {"capacities": [1.5]},
        {"capacities": []},
        {"utility": "foo"},
        {"over": "foo"},
    ],
)
def test_an_option_that_is_not_allowed_is_refused(options):
    with pytest.raises(ShapeError, match=r"allowed are|whole numbers"):
        ms.frontier(weighted(1, 2), **options)
    with pytest.raises(ShapeError, match="from 0 to 1"):
        ms.frontier(weighted(1)).size_for(float("nan"))


@pytest.mark.parametrize("cost", [10**11, 1e300, 0.5])
def test_costs_that_are_no_capacities_are_refused(cost):
    material = Material("dear", (Claim("c", costs={"tokens": cost}),))
    with pytest.raises(CostError, match=r"coarser unit|whole numbers"):
        ms.frontier(material, cost="tokens")
