"""Intervals and the clustered bootstrap."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memspan.diagnosis import Interval, clustered_bootstrap
from memspan.errors import ShapeError

VALUES = st.lists(st.lists(st.floats(-5, 5), max_size=4), min_size=1, max_size=6).filter(any)


def seeded(seed=0):
    return np.random.default_rng(seed)


@given(VALUES, st.integers(0, 5))
def test_an_interval_holds_its_estimate_or_says_nothing_of_its_limits(clusters, seed):
    found = clustered_bootstrap(clusters, seeded(seed), n=50)
    assert found.estimate == pytest.approx(np.mean(np.concatenate(clusters)))
    assert not found.known or found.lower <= found.estimate <= found.upper
    assert found.known == (sum(map(bool, clusters)) > 1)


@given(VALUES, st.integers(0, 5))
def test_the_mean_has_the_interval_of_any_statistic_that_is_the_mean(clusters, seed):
    fast = clustered_bootstrap(clusters, seeded(seed), n=50)
    plain = clustered_bootstrap(clusters, seeded(seed), n=50, statistic=lambda values: float(values.mean()))
    assert (fast.estimate, fast.lower, fast.upper) == pytest.approx(
        (plain.estimate, plain.lower, plain.upper), nan_ok=True, abs=1e-9
    )


@given(VALUES)
def test_the_same_seed_gives_the_same_interval_and_a_mapping_the_same_as_a_list(clusters):
    named = {str(i): cluster for i, cluster in enumerate(clusters)}
    assert str(clustered_bootstrap(clusters, seeded(), 20)) == str(clustered_bootstrap(named, seeded(), 20))


def test_copies_of_the_same_answers_within_clusters_add_no_certainty():
    few = [[float(i % 2)] for i in range(12)]
    many = [cluster * 50 for cluster in few]
    assert str(clustered_bootstrap(few, seeded())) == str(clustered_bootstrap(many, seeded()))


def test_the_interval_of_many_clusters_holds_the_true_mean_about_as_often_as_it_says():
    assert 0.9 <= share_held(clusters=40) <= 0.985


def test_the_interval_of_few_clusters_is_too_short_as_its_docstring_says():
    assert 0.75 <= share_held(clusters=6) <= 0.93


def share_held(clusters, worlds=400):
    """Return how often the interval holds the true rate, where each cluster has a rate of its own."""
    rng = seeded(7)
    held = 0
    for _ in range(worlds):
        rates = rng.beta(3, 2, clusters)
        values = [rng.random(rng.integers(5, 15)) < rate for rate in rates]
        found = clustered_bootstrap(values, rng, n=300)
        held += found.lower <= 0.6 <= found.upper
    return held / worlds


def test_rows_of_several_values_serve_a_statistic_of_several():
    rows = [[[1.0, 2.0]], [[3.0, 6.0], [2.0, 4.0]]]
    found = clustered_bootstrap(rows, seeded(), 20, lambda v: float(v[:, 1].sum() / v[:, 0].sum()))
    assert (found.estimate, found.lower, found.upper) == (2, 2, 2)


def test_a_statistic_that_is_mostly_undefined_has_unknown_limits():
    found = clustered_bootstrap(
        [[0.0]] * 9 + [[1.0]], seeded(), 99, lambda v: 1.0 if v.sum() > 2 else math.nan
    )
    assert math.isnan(found.estimate)
    assert not found.known


@pytest.mark.parametrize(("clusters", "n"), [([], 10), ([[]], 10), ([[1.0]], 0)])
def test_nothing_to_draw_is_refused(clusters, n):
    with pytest.raises(ShapeError, match="give at least one of each"):
        clustered_bootstrap(clusters, seeded(), n)


def test_unknown_limits_are_null_in_json():
    assert Interval(0.5).record() == {"estimate": 0.5, "lower": None, "upper": None}
