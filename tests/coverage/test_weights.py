"""Laws of exact weights: proportions survive, or the result says that they were rounded."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from memspan.coverage import compile_material, exact_weights, u_cov
from memspan.coverage.weights import FINE, LIMIT
from memspan.errors import WeightError
from memspan.material import Material, Query, Support
from memspan.testing import counts, decimals


def proportional(values, given_weights):
    """Return whether integer *values* stand in the proportions of the exact *given_weights*."""
    total, whole = sum(values), sum(given_weights)
    return all(v * whole == g * total for v, g in zip(values, given_weights, strict=True))


@given(st.lists(counts(10**6), max_size=30))
def test_counts_keep_their_proportions(weights):
    found = exact_weights(weights)
    assert not found.rounded
    assert proportional(found.values.tolist(), weights)


@given(st.lists(decimals(6), max_size=30))
def test_decimals_are_read_as_written(weights):
    found = exact_weights(weights)
    assert not found.rounded
    assert proportional(found.values.tolist(), [Fraction(repr(w)) for w in weights])


@given(st.lists(st.integers(0, 50), min_size=1, max_size=20))
@example([7, 15])  # as decimals both are multiples of 2 * 10**-16, which is not their unit
@example([2, 7])
def test_normalised_counts_are_recognised(weights):
    assume(sum(weights))
    found = exact_weights([w / sum(weights) for w in weights])
    assert not found.rounded
    assert proportional(found.values.tolist(), weights)


@given(st.lists(st.floats(0, allow_infinity=False), min_size=1, max_size=20))
@example([1e300, 1e-300])
@example([8.269268721928329e307, 1.774400009233721e308])
def test_any_finite_weights_fit_and_keep_their_order(weights):
    found = exact_weights(weights)
    values = found.values.tolist()
    assert found.values.dtype == np.int64
    assert 0 <= sum(values) < LIMIT
    assert (sum(values) > 0) == (max(weights) > 0)
    order = np.argsort(weights, kind="stable")
    assert (np.diff(found.values[order]) >= 0).all()
    assert all(value == 0 for value, weight in zip(values, weights, strict=True) if weight == 0)
    if not found.rounded:
        assert all((value > 0) == (weight > 0) for value, weight in zip(values, weights, strict=True))


@settings(max_examples=30)
@given(st.lists(st.floats(1e-3, 1e3), min_size=2, max_size=20))
def test_what_shares_no_unit_is_rounded_by_less_than_a_grid_step(weights):
    values = exact_weights(weights).values
    shares = np.array(weights) / sum(weights)
    np.testing.assert_allclose(values / values.sum(), shares, atol=len(weights) / FINE)


@pytest.mark.parametrize(
    "weights",
    [
        [1e300, 1e-300],
        [1.7e308, 1.3e308, 1e308],
        [5e-324, 1.0],
        [1e-320, 3e-320],
    ],
)
def test_huge_and_tiny_weights_are_held(weights):
    values = exact_weights(weights).values
    assert values.argmax() == np.argmax(weights)
    assert 0 < values.sum() < LIMIT


@pytest.mark.parametrize("kind", [int, np.float64, np.int64])
def test_numbers_of_other_kinds_weigh_the_same(kind):
    assert exact_weights([kind(1), kind(3)]).values.tolist() == [1, 3]


@pytest.mark.parametrize("wrong", [-1.0, -1e-300, float("nan"), float("inf")])
def test_a_weight_that_is_none_is_refused(wrong):
    with pytest.raises(WeightError, match="finite and >= 0"):
        exact_weights([1.0, wrong])


def test_weights_of_zero_stay_zero():
    assert exact_weights([0, 0.0]).values.tolist() == [0, 0]
    assert exact_weights([0, 0.5, 0.25]).values.tolist() == [0, 2, 1]
    assert exact_weights([]).values.tolist() == []


def test_queries_without_any_weight_make_no_utility():
    query = Query("q", weight=0, supports=(Support(()),))
    coverage = compile_material(Material("m", queries=(query,)))
    assert u_cov(coverage, coverage.memory([])) == 0
