"""Laws of memories chosen under beliefs, against a plain greedy, all memories, and SPEC's noise."""

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import memspan as ms
from instances import compiled, random_problem
from memspan.coverage import compile_material, inflation, u_cov, u_prec
from memspan.errors import CostError, ShapeError
from memspan.material import Claim, Material, Query, Support
from memspan.testing import problems, truths
from memspan.trust import believed, believed_curve, known_beliefs, optimistic, oracle_share

SMALL = problems(most_claims=5, most_queries=4)
QUARTERS = st.integers(0, 4).map(lambda n: n / 4)
FLOORS = st.sampled_from([0.0, 0.25, 0.5])
CAPACITIES = st.integers(0, 8)


def quarters(data, count, values=QUARTERS):
    return np.array(data.draw(st.lists(values, min_size=count, max_size=count)), float)


def rows(coverage):
    return [
        (frozenset(coverage.members[a:b].tolist()), int(q))
        for a, b, q in zip(coverage.ptr, coverage.ptr[1:], coverage.owner, strict=False)
    ]


def expected_of(coverage, beliefs, held):
    """The definition: the weight served rightly. Exact for beliefs in quarters, as every number is."""
    missed = [1.0] * len(coverage.weights)
    for (needed, q), belief in zip(rows(coverage), beliefs.tolist(), strict=True):
        if needed <= held:
            missed[q] *= 1 - belief
    return sum(w * (1 - left) for w, left in zip(coverage.weights.tolist(), missed, strict=True))


def plain(coverage, beliefs, capacity, floor, costs):
    """Look at everything before each step."""
    held, order = frozenset(), []
    while True:
        free = capacity - sum(costs[e] for e in held)
        now, offers = expected_of(coverage, beliefs, held), []
        for (needed, _), belief in zip(rows(coverage), beliefs.tolist(), strict=True):
            key = needed - held
            price = sum(costs[e] for e in key)
            gain = expected_of(coverage, beliefs, held | key) - now
            if key and belief >= floor and gain > 0 and price <= free:
                offers.append((-(gain / price if price else math.inf), sorted(key)))
        if not offers:
            return order
        order += min(offers)[1]
        held = frozenset(order)


def best_of(coverage, beliefs, capacity):
    """Try all memories."""
    claims = range(coverage.n_claims)
    return max(
        expected_of(coverage, beliefs, frozenset(held))
        for size in range(min(capacity, coverage.n_claims) + 1)
        for held in combinations(claims, size)
    )


# --- against slow twins -------------------------------------------------------------------------


@given(SMALL, CAPACITIES, FLOORS, st.data())
def test_the_queue_takes_what_looking_at_everything_takes(material, capacity, floor, data):
    coverage = compile_material(material)
    beliefs = quarters(data, coverage.n_supports)
    chosen = believed(coverage, beliefs, capacity, floor=floor)
    assert chosen.order.tolist() == plain(coverage, beliefs, capacity, floor, [1] * coverage.n_claims)


@given(SMALL, CAPACITIES, st.data())
def test_so_it_does_under_costs(material, capacity, data):
    coverage = compile_material(material)
    beliefs = quarters(data, coverage.n_supports)
    costs = quarters(data, coverage.n_claims, st.integers(0, 4)).astype(int).tolist()
    chosen = believed(coverage, beliefs, capacity, costs=costs, floor=0)
    assert chosen.order.tolist() == plain(coverage, beliefs, capacity, 0, costs)
    assert chosen.spare == capacity - sum(costs[e] for e in chosen.order)


@pytest.mark.parametrize("sizes", [(1.0,), (0.4, 0.3, 0.2, 0.1), (0, 0, 0, 0, 0, 0, 0, 0.5, 0.5)])
def test_larger_problems_and_longer_supports_too(sizes):
    problem = random_problem(30, 15, 3, alternatives=3, sizes=sizes, weights="zipf")
    coverage = compiled(problem)
    beliefs = np.random.default_rng(0).integers(0, 5, coverage.n_supports) / 4
    for capacity in (0, 7, 15):
        chosen = believed(coverage, beliefs, capacity, floor=0)
        assert chosen.order.tolist() == plain(coverage, beliefs, capacity, 0, [1] * 30)


@given(SMALL, CAPACITIES, st.data())
def test_what_is_promised_is_what_the_memory_is_worth(material, capacity, data):
    coverage = compile_material(material)
    beliefs = quarters(data, coverage.n_supports)
    chosen = believed(coverage, beliefs, capacity)
    worth = expected_of(coverage, beliefs, frozenset(chosen.order.tolist()))
    assert chosen.expected == pytest.approx(float(worth) / (coverage.total or 1))
    assert chosen.expected + chosen.water == pytest.approx(u_cov(coverage, chosen.memory))
    assert chosen.memory.sum() == len(chosen.order) == capacity - chosen.spare


@given(problems(truth=truths()), CAPACITIES)
def test_with_truth_for_belief_the_promise_is_the_precision_and_there_is_no_water(material, capacity):
    coverage = compile_material(material)
    chosen = believed(coverage, known_beliefs(coverage), capacity)
    assert chosen.expected == u_prec(coverage, chosen.memory)


@given(st.integers(0, 10**6), st.integers(1, 4), st.integers(1, 8))
def test_supports_of_one_claim_reach_the_known_share_of_the_best(seed, capacity, claims):
    coverage = compiled(random_problem(claims, 8, seed, alternatives=3, sizes=(1.0,), weights="zipf"))
    beliefs = np.random.default_rng(seed).random(coverage.n_supports)
    chosen = believed(coverage, beliefs, capacity, floor=0)
    best = float(best_of(coverage, beliefs, capacity)) / coverage.total
    assert (1 - 1 / math.e) * best - 1e-9 <= chosen.expected <= best + 1e-9


def test_on_average_beliefs_choose_no_worse_than_blindness():
    told, blind = [], []
    for seed in range(40):
        coverage = compiled(random_problem(30, 40, seed, alternatives=3, weights="zipf"))
        beliefs = np.random.default_rng(seed).random(coverage.n_supports)
        told.append(believed(coverage, beliefs, 8).expected)
        unseen = believed(coverage, np.ones(coverage.n_supports), 8)
        worth = expected_of(coverage, beliefs, frozenset(unseen.order.tolist()))
        blind.append(float(worth) / coverage.total)
    assert np.mean(told) > np.mean(blind)


# --- the floor and why it stops -----------------------------------------------------------------


@given(SMALL, st.data())
def test_a_higher_floor_holds_no_more_places_than_it_was_given_and_none_below_it(material, data):
    coverage = compile_material(material)
    beliefs = quarters(data, coverage.n_supports)
    chosen = believed(coverage, beliefs, coverage.n_claims, floor=0.5)
    inside = {e for (needed, _), b in zip(rows(coverage), beliefs, strict=True) if b >= 0.5 for e in needed}
    assert set(chosen.order.tolist()) <= inside


def story(*ways, claims=4):
    queries = tuple(Query(f"q{i}", supports=(Support(way),)) for i, way in enumerate(ways))
    return compile_material(Material("m", tuple(Claim(f"c{i}") for i in range(claims)), queries=queries))


@pytest.mark.parametrize(
    ("ways", "beliefs", "capacity", "spare", "stopped"),
    [
        ([("c0",), ("c1",)], [0.9, 0.9], 2, 0, "full"),
        ([("c0",), ("c1",)], [0.9, 0.9], 3, 1, "all"),
        ([("c0",), ("c1",)], [0.9, 0.01], 2, 1, "water"),
        ([("c0",), ("c1",)], [0.9, 0.0], 2, 1, "water"),
        ([("c0",), ("c1", "c2", "c3")], [0.9, 0.9], 3, 2, "fit"),
        ([], [], 3, 3, "all"),
    ],
)
def test_places_stay_empty_for_a_reason(ways, beliefs, capacity, spare, stopped):
    chosen = believed(story(*ways), beliefs, capacity)
    assert (chosen.spare, chosen.stopped) == (spare, stopped)


def test_a_support_that_is_too_large_does_not_hide_a_smaller_one_that_fits():
    chosen = believed(story(("c0", "c1", "c2"), ("c3",)), [1.0, 0.3], 2)
    assert chosen.order.tolist() == [3]


def test_claims_are_counted_for_every_support_they_complete():
    """For a place, {c0} and {c0, c1} are each worth less than {c2}; together they are worth more."""
    chosen = believed(story(("c0",), ("c0", "c1"), ("c0", "c1"), ("c2",)), [0.5, 0.9, 0.9, 1.0], 2)
    assert chosen.order.tolist() == [0, 1]


def test_ties_go_to_the_lowest_positions():
    assert believed(story(("c3",), ("c1",), ("c0", "c2")), [1, 1, 1], 2).order.tolist() == [1, 3]


# --- optimism, curves, shares ---------------------------------------------------------------------


@given(st.lists(st.floats(0, 1), max_size=5), st.floats(0, 3))
def test_optimism_never_lowers_a_score_and_adds_nothing_to_certainty(beliefs, beta):
    scores = optimistic(beliefs, beta)
    assert ((scores >= np.array(beliefs)) & (scores <= 1)).all()
    assert optimistic([0.0, 1.0], beta).tolist() == [0.0, 1.0]
    assert optimistic(beliefs, 0).tolist() == beliefs


def test_optimism_tries_the_uncertain_before_the_nearly_certain_of_a_little_more_weight():
    queries = (
        Query("q0", weight=10, supports=(Support(("c0",)),)),
        Query("q1", weight=11, supports=(Support(("c1",)),)),
    )
    coverage = compile_material(Material("m", (Claim("c0"), Claim("c1")), queries=queries))
    beliefs = np.array([0.99, 0.7])
    assert believed(coverage, beliefs, 1).order.tolist() == [0]
    assert believed(coverage, optimistic(beliefs), 1).order.tolist() == [1]


@given(SMALL, st.data())
def test_a_curve_rises_and_fits_into_every_capacity(material, data):
    coverage = compile_material(material)
    beliefs = quarters(data, coverage.n_supports)
    curve = believed_curve(coverage, beliefs)
    assert (np.diff(curve.expected) >= 0).all()
    for capacity in range(coverage.n_claims + 1):
        memory, point = curve.memory(capacity), curve.point(capacity)
        assert memory.sum() == curve.sizes[point] <= capacity
        worth = expected_of(coverage, beliefs, frozenset(np.flatnonzero(memory).tolist()))
        assert curve.expected[point] == pytest.approx(float(worth) / (coverage.total or 1))


@given(st.integers(0, 10**6), CAPACITIES)
def test_supports_of_one_claim_make_one_order_for_every_capacity(seed, capacity):
    coverage = compiled(random_problem(10, 8, seed, alternatives=3, sizes=(1.0,), weights="zipf"))
    beliefs = np.random.default_rng(seed).random(coverage.n_supports)
    curve, chosen = believed_curve(coverage, beliefs), believed(coverage, beliefs, capacity)
    assert (curve.memory(capacity) == chosen.memory).all()


def test_the_share_of_an_oracle_is_one_and_of_nothing_is_zero():
    noisy = ms.bundled("odyssey-noise")
    coverage = compile_material(noisy)
    oracle = believed(coverage, known_beliefs(coverage), 3).memory
    exact = float(ms.frontier(noisy, utility="precision").lower[3])
    assert oracle_share(coverage, oracle) == oracle_share(coverage, oracle, best=exact) == 1
    assert oracle_share(coverage, coverage.memory([]), capacity=3) == 0
    assert oracle_share(coverage, coverage.memory([])) == 1
    assert oracle_share(coverage, coverage.memory(["e0", "e3"])) == pytest.approx(0.35 / 0.6)


# --- SPEC and real data -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("capacity", "held", "cov", "prec"), [(1, {"e0"}, 0.45, 0.0), (2, {"e0", "e3"}, 0.80, 0.35)]
)
def test_a_memory_that_ignores_trust_holds_the_water_of_the_example(capacity, held, cov, prec):
    coverage = compile_material(ms.bundled("odyssey-noise"))
    memory = believed(coverage, np.ones(coverage.n_supports), capacity).memory
    assert (memory == coverage.memory(held)).all()
    assert u_cov(coverage, memory) == pytest.approx(cov)
    assert u_prec(coverage, memory) == pytest.approx(prec)
    assert inflation(coverage, memory) == pytest.approx(0.45)


@pytest.mark.parametrize(("capacity", "held", "prec"), [(1, {"e3"}, 0.35), (2, {"e1", "e3"}, 0.60)])
def test_a_memory_that_knows_the_truth_holds_none(capacity, held, prec):
    coverage = compile_material(ms.bundled("odyssey-noise"))
    chosen = believed(coverage, known_beliefs(coverage), capacity)
    assert (chosen.memory == coverage.memory(held)).all()
    assert chosen.expected == u_prec(coverage, chosen.memory) == pytest.approx(prec)
    assert chosen.water == inflation(coverage, chosen.memory) == 0


def test_on_real_conversations_it_is_near_the_frontier(data):
    material = ms.load(data / "locomo" / "locomo10_dev.json")[0]
    coverage = compile_material(material)
    frontier = ms.frontier(material, capacities=[20, 60])
    for capacity, best in zip((20, 60), frontier.lower, strict=True):
        reached = believed(coverage, np.ones(coverage.n_supports), capacity).expected
        assert 0.95 * best <= reached <= frontier.upper.max()


# --- faults -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"beliefs": [0.5]}, ShapeError, "one for each of the 2 supports"),
        ({"beliefs": [0.5, 1.5]}, ShapeError, "numbers from 0 to 1"),
        ({"beliefs": [0.5, math.nan]}, ShapeError, "numbers from 0 to 1"),
        ({"floor": 2}, ShapeError, "floor is 2"),
        ({"capacity": -1}, ShapeError, "capacity is -1"),
        ({"capacity": math.nan}, ShapeError, "capacity is nan"),
        ({"costs": [1]}, ShapeError, "one for each of the 4 claims"),
        ({"costs": [1, 1, 1, -1]}, CostError, "finite numbers >= 0"),
    ],
)
def test_what_does_not_fit_is_refused(change, error, message):
    given_ = {"beliefs": [0.5, 0.5], "capacity": 2, **change}
    with pytest.raises(error, match=message):
        believed(story(("c0",), ("c1",)), **given_)


def test_supports_that_can_be_defeated_are_refused_with_a_way_out():
    query = Query("q", supports=(Support(("c0",), ("c1",)),))
    coverage = compile_material(Material("m", (Claim("c0"), Claim("c1")), queries=(query,)))
    with pytest.raises(ShapeError, match=r"1 supports are defeated .* leave unless out"):
        believed(coverage, [1.0], 1)


def test_optimism_refuses_what_is_no_belief():
    with pytest.raises(ShapeError, match="beta"):
        optimistic([1.5])
    with pytest.raises(ShapeError, match="beta is -1"):
        optimistic([0.5], -1)
