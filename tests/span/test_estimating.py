from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memspan.datasets import bundled
from memspan.material import CHANCES, Claim, Material, Query, Support
from memspan.optimum import frontier
from memspan.span import estimate

CLAIMS = tuple(Claim(name, costs={"tokens": cost}) for name, cost in zip("abcd", (3, 1, 2, 1), strict=True))
ROWS = st.dictionaries(st.sampled_from("abcd"), st.floats(0.01, 1), min_size=1)


def asking(rows):
    queries = tuple(
        Query(f"q{i}", weight=i + 1, supports=(Support(("a",)),), extra={CHANCES: row})
        for i, row in enumerate(rows)
    )
    return Material("m", CLAIMS, queries=queries, support_source="found")


@pytest.mark.parametrize("name", ["odyssey", "odyssey-composites"])
def test_sure_supports_give_the_frontier_itself_and_no_width(name):
    material = bundled(name)
    sure = tuple(
        replace(query, supports=tuple(replace(s, probability=1.0) for s in query.supports))
        for query in material.queries
    )
    found = estimate(
        replace(material, queries=sure, support_source="found"), np.random.default_rng(0), draws=3
    )
    exact = frontier(material)
    for capacity in range(len(material.claims) + 1):
        point = found.at(capacity)
        assert point.lower == point.upper == found.mean[capacity] == exact.at(capacity).lower
        assert not point.certified
    assert found.saturation.size == found.saturation.at_least == exact.saturation
    assert not found.saturation.certified


@settings(max_examples=10)
@given(st.lists(ROWS, min_size=1, max_size=4), st.sampled_from(["claims", "tokens"]))
def test_an_estimate_rises_from_0_to_1_and_its_interval_holds_the_draws_middle(rows, unit):
    found = estimate(asking(rows), np.random.default_rng(0), draws=5, cost=unit)
    assert found.draws == 5
    assert found.lower.shape == found.upper.shape
    assert found.lower.shape == (5, 5) or unit == "tokens"  # tokens end where nothing more is gained
    for curve in (found.low, found.mean, found.high):
        assert (np.diff(curve) >= -1e-12).all()
        assert curve[-1] == pytest.approx(1)
    assert (found.low <= found.high + 1e-12).all()
    assert (found.lower <= found.upper).all()
    assert found.at(99).lower == found.low[-1]


@settings(max_examples=10)
@given(st.lists(ROWS, min_size=1, max_size=4), st.floats(0.1, 1))
def test_a_size_reaches_its_target_in_nearly_all_draws_and_a_smaller_one_in_hardly_any(rows, target):
    found = estimate(asking(rows), np.random.default_rng(1), draws=9)
    size = found.size_for(target)
    assert not size.certified
    assert (found.lower[:, size.size] >= target - 1e-12).mean() >= 0.85
    assert size.at_least <= size.size
    if size.at_least:
        assert (found.upper[:, size.at_least - 1] >= target - 1e-12).mean() <= 0.15


def test_a_target_that_no_draw_reaches_has_no_size():
    unknown = Query("q1", supports=(Support(("a",), probability=0.5),))
    material = Material("m", CLAIMS, queries=(unknown, Query("q2")), support_source="found")
    found = estimate(material, np.random.default_rng(0), draws=2, over="all")
    assert found.mean[-1] == 0.5
    size = found.size_for(0.9)
    assert size.size is size.at_least is None


def test_the_same_state_estimates_the_same_and_progress_is_told():
    material = asking([{"a": 0.5, "b": 0.5}, {"c": 0.5, "d": 0.2}])
    told = []
    one, other = (
        estimate(material, np.random.default_rng(7), draws=4, report=lambda *at: told.append(at))
        for _ in range(2)
    )
    assert one.lower.tobytes() == other.lower.tobytes()
    assert told == [(i, 4) for i in range(4)] * 2


@pytest.mark.parametrize(
    "material", [Material("m"), Material("m", CLAIMS), Material("m", CLAIMS, queries=(Query("q"),))]
)
def test_where_nothing_is_asked_nothing_is_reached(material):
    found = estimate(material, np.random.default_rng(0), draws=2)
    assert found.mean.tolist() == [0] * (len(material.claims) + 1)


def test_no_draw_is_no_estimate():
    with pytest.raises(ValueError, match="0 draws"):
        estimate(Material("m"), np.random.default_rng(0), draws=0)
