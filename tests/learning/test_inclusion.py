"""Memories drawn by chance: their slopes are unbiased, against trying every memory or every order."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memspan.answering.linear import probability
from memspan.coverage import compile_material
from memspan.learning.gradient import slope_by_credit, slope_by_return
from memspan.learning.inclusion import bernoulli, plackett_luce, sized
from memspan.learning.settled import asked
from memspan.material import Claim, Material, Query, Support
from memspan.testing import problems
from memspan.testing.slopes import bernoulli_slope, multilinear_slope, plackett_luce_slope

N = 6
SCORES = np.array([0.5, -1.0, 0.2, 1.2, -0.3, 0.0])
QUERIES = (
    (2, ((0, 1),)),
    (1, ((2,), (0, 3))),
    (3, ((4, 5), (1, 2), (3,))),
    (2, ((0, 4), (0, 5), (2, 3, 4))),
)


def world():
    queries = tuple(
        Query(f"q{i}", weight=w, supports=tuple(Support(tuple(f"c{c}" for c in row)) for row in rows))
        for i, (w, rows) in enumerate(QUERIES)
    )
    return compile_material(Material("m", tuple(Claim(f"c{i}") for i in range(N)), queries=queries))


def estimates(drawn, queries, rng):
    coverage, count = world(), len(drawn.memories)
    chosen = rng.choice(len(QUERIES), p=coverage.weights / coverage.total, size=count * queries)
    told = asked(coverage, drawn.memories, np.repeat(np.arange(count), queries), chosen)
    yield "return", slope_by_return(drawn, told)
    yield "baseline", slope_by_return(drawn, told, np.zeros(count))
    yield "leave-one-out", slope_by_credit(drawn, told, "leave-one-out")
    yield "flip", slope_by_credit(drawn, told, "flip")


def drawn_by(policy, count, rng):
    if policy == "bernoulli":
        return bernoulli(SCORES, count, rng), bernoulli_slope(world(), SCORES)[1]
    rows = np.tile(SCORES, (count, 1))
    return plackett_luce(rows, np.full(count, 3), rng), plackett_luce_slope(world(), SCORES, 3)[1]


@pytest.mark.parametrize("queries", [1, 4])
@pytest.mark.parametrize("policy", ["bernoulli", "plackett-luce"])
def test_estimated_slopes_are_unbiased(policy, queries):
    rng = np.random.default_rng(3)
    drawn, exact = drawn_by(policy, 40_000, rng)
    for name, slopes in estimates(drawn, queries, rng):
        off = (slopes.mean(axis=0) - exact) / (slopes.std(axis=0) / 200)
        assert (np.abs(off) < 4).all(), (name, off)


@pytest.mark.parametrize("policy", ["bernoulli", "plackett-luce"])
def test_the_more_is_disclosed_the_less_noise(policy):
    rng = np.random.default_rng(4)
    drawn, _ = drawn_by(policy, 10_000, rng)
    noise = {name: slopes.var(axis=0).sum() for name, slopes in estimates(drawn, 4, rng)}
    assert noise["return"] > max(noise["baseline"], noise["leave-one-out"])
    assert noise["leave-one-out"] > noise["flip"]


def many_claims(n=500, asked_for=100):
    queries = tuple(Query(f"q{i}", supports=(Support((f"c{i}",)),)) for i in range(asked_for))
    return compile_material(Material("m", tuple(Claim(f"c{i}") for i in range(n)), queries=queries))


@pytest.mark.parametrize("policy", ["bernoulli", "plackett-luce"])
def test_on_a_long_material_leave_one_out_has_a_hundredth_of_the_variance_of_plain_return(policy):
    rng, coverage, count = np.random.default_rng(5), many_claims(), 500
    scores = np.zeros(500)
    drawn = (
        bernoulli(sized(scores, 100), count, rng)
        if policy == "bernoulli"
        else plackett_luce(np.zeros((count, 500)), np.full(count, 100), rng)
    )
    told = asked(
        coverage, drawn.memories, np.repeat(np.arange(count), 10), rng.integers(100, size=count * 10)
    )
    plain = slope_by_return(drawn, told).var(axis=0).sum()
    assert slope_by_credit(drawn, told, "leave-one-out").var(axis=0).sum() < plain / 100


@given(problems(most_claims=5), st.data())
def test_inclusion_and_exclusion_gives_the_slope_that_trying_every_memory_gives(material, data):
    coverage = compile_material(material)
    if not coverage.total:
        return
    n = coverage.n_claims
    scores = np.array(data.draw(st.lists(st.floats(-3, 3), min_size=n, max_size=n)), float)
    value, slope = bernoulli_slope(coverage, scores)
    quick, quick_slope = multilinear_slope(coverage, scores)
    assert quick == pytest.approx(value, abs=1e-9)
    assert quick_slope == pytest.approx(slope, abs=1e-9)


@given(
    st.lists(st.floats(-900, 900) | st.just(-np.inf), min_size=3, max_size=12).filter(
        lambda scores: np.isfinite(scores).sum() > 2
    ),
    st.integers(0, 99),
)
def test_plackett_luce_fills_the_capacity_and_never_holds_what_scores_minus_infinity(scores, seed):
    rows = np.tile(np.array(scores), (7, 1))
    most = int(np.isfinite(scores).sum()) - 1
    capacity = np.arange(7) % most + 1
    drawn = plackett_luce(rows, capacity, np.random.default_rng(seed))
    assert (drawn.memories.sum(axis=1) == capacity).all()
    assert not drawn.memories[:, np.isneginf(scores)].any()
    assert drawn.memories[np.arange(7), drawn.last].all()
    assert (drawn.rooms().sum(axis=1) == capacity - 1).all()
    for slopes in (drawn.score, drawn.own, drawn.both, drawn.rival):
        assert np.isfinite(slopes).all()
    assert drawn.score.sum(axis=1) == pytest.approx(np.zeros(7), abs=1e-6)


@given(st.lists(st.floats(-30, 30), min_size=2, max_size=20), st.floats(0.05, 0.95))
def test_shifted_scores_hold_the_expected_size(scores, share):
    size = share * len(scores)
    assert probability(sized(np.array(scores), size)).sum() == pytest.approx(size)
