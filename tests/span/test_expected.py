from itertools import chain, combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memspan.answering.sets import SMALLEST
from memspan.errors import UnknownName
from memspan.material import CHANCES, Claim, Material, Query, Support
from memspan.span import Expectation, draw

NAMES = tuple("abcdef")
CLAIMS = tuple(Claim(name) for name in NAMES)
CHANCE = st.one_of(st.floats(0, 1), st.sampled_from([0.0, 0.001, 0.01, 1.0]))
ROWS = st.dictionaries(st.sampled_from(NAMES), CHANCE, min_size=1)
WEIGHTS = st.integers(0, 5)


def asking(rows, weights):
    """Return a material whose questions need claims by these chances."""
    queries = tuple(
        Query(
            f"q{i}",
            weight=weight,
            supports=(Support((max(row, key=row.get),), probability=0.5),),
            extra={CHANCES: row},
        )
        for i, (row, weight) in enumerate(zip(rows, weights, strict=True))
    )
    return Material("m", CLAIMS, queries=queries, support_source="found")


MATERIALS = st.lists(st.tuples(ROWS, WEIGHTS), min_size=1, max_size=4).map(
    lambda pairs: asking(*zip(*pairs, strict=True))
)


def subsets(names):
    return chain.from_iterable(combinations(names, size) for size in range(len(names) + 1))


def mask(names):
    return np.array([claim.id in names for claim in CLAIMS])


def slow_value(material, held):
    """Return the coverage expected over all sets that a question may need, the empty one excluded."""
    total = expected = 0.0
    for query in material.queries:
        chances = {name: p for name, p in query.extra[CHANCES].items() if p >= SMALLEST}
        chances = chances or {max(query.extra[CHANCES], key=query.extra[CHANCES].get): 1.0}
        told = {
            needed: np.prod([p if name in needed else 1 - p for name, p in chances.items()])
            for needed in subsets(chances)
            if needed
        }
        covered = sum(p for needed, p in told.items() if set(needed) <= set(held))
        expected += query.weight * covered / sum(told.values())
        total += query.weight
    return expected / total if total else 0.0


@given(MATERIALS, st.sets(st.sampled_from(NAMES)))
def test_the_value_of_a_memory_equals_the_sum_over_all_sets_that_may_be_needed(material, held):
    value = Expectation.of(material).value(mask(held))
    assert value == pytest.approx(slow_value(material, held), abs=1e-9)


@given(MATERIALS, st.sets(st.sampled_from(NAMES)), st.sampled_from(NAMES))
def test_a_value_never_falls_when_a_claim_is_added_and_all_claims_cover_all(material, held, name):
    expectation = Expectation.of(material)
    assert 0 <= expectation.value(mask(held)) <= expectation.value(mask({*held, name})) + 1e-12
    asked = any(query.weight for query in material.queries)
    assert expectation.value(mask(NAMES)) == pytest.approx(float(asked))
    assert expectation.value(mask(())) == pytest.approx(0)


@given(MATERIALS)
def test_each_claim_of_the_order_gains_as_much_as_any_after_those_before_it(material):
    softened = [
        {name: min(p, 0.999) for name, p in query.extra[CHANCES].items()} for query in material.queries
    ]
    twin = asking(softened, [query.weight for query in material.queries])
    expectation, order = Expectation.of(material), Expectation.of(material).order
    needed = {CLAIMS[place].id for place in expectation.places.tolist()}
    assert set(order) == needed
    assert len(order) == len(needed)
    for i, name in enumerate(order):
        before = {other: slow_value(twin, {*order[:i], other}) for other in order[i:]}
        assert before[name] >= max(before.values()) - 1e-9


@given(MATERIALS, st.integers(0, 7))
def test_a_memory_is_the_head_of_the_order_in_material_order(material, capacity):
    expectation = Expectation.of(material)
    memory = expectation.memory(capacity)
    assert set(memory) == set(expectation.order[:capacity])
    assert list(memory) == sorted(memory)


def test_the_value_is_the_mean_coverage_over_draws():
    material = asking([{"a": 0.5, "b": 0.3}, {"c": 0.9, "d": 0.05, "e": 0.004}], [1, 2])
    rng, held, n = np.random.default_rng(0), {"a", "c"}, 4000
    covered = 0.0
    for _ in range(n):
        for query in draw(material, rng).queries:
            covered += query.weight / 3 * (set(query.supports[0].claims) <= held)
    assert covered / n == pytest.approx(Expectation.of(material).value(mask(held)), abs=0.03)


def test_sure_supports_are_worth_what_they_cover():
    queries = (
        Query("q1", weight=3, supports=(Support(("a", "b")), Support(("f",)))),
        Query("q2", weight=1, supports=(Support(("c",)),)),
        Query("q3", weight=9),
        Query("q4", weight=9, answerable=False, supports=(Support(("d",)),)),
    )
    expectation = Expectation.of(Material("m", CLAIMS, queries=queries))
    assert expectation.value(mask({"a", "b"})) == 0.75
    assert expectation.value(mask({"a", "c"})) == 0.25
    assert expectation.order == ("c", "a", "b")


def test_the_empty_support_is_always_covered():
    queries = (
        Query("q1", supports=(Support(()),)),
        Query("q2", supports=(Support(("a",)),)),
        Query("q3", supports=(Support(()),)),
    )
    expectation = Expectation.of(Material("m", CLAIMS, queries=queries))
    assert expectation.value(mask(())) == pytest.approx(2 / 3)
    assert expectation.value(mask({"a"})) == 1
    assert expectation.order == ("a",)


@pytest.mark.parametrize(
    "material", [Material("m"), Material("m", CLAIMS), Material("m", CLAIMS, queries=(Query("q"),))]
)
def test_where_nothing_is_asked_nothing_is_worth_anything(material):
    expectation = Expectation.of(material)
    assert expectation.value(np.ones(len(material.claims), np.bool_)) == 0
    assert expectation.order == expectation.memory(3) == ()


def test_a_chance_of_a_claim_that_is_not_there_is_refused():
    query = Query("q", supports=(Support(("a",)),), extra={CHANCES: {"lost": 0.5}})
    with pytest.raises(UnknownName, match="lost"):
        Expectation.of(Material("m", CLAIMS, queries=(query,)))
