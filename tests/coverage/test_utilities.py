"""Laws of the utilities: coverage, precision, water, gains, span gap."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memspan.coverage import (
    compile_material,
    covered,
    covered_weight,
    expected_precision,
    gains,
    inflation,
    span_gap,
    u_cov,
    u_prec,
)
from memspan.coverage.utilities import EXACT_SUPPORTS, _gains_by_trial
from memspan.errors import ShapeError
from memspan.material import Claim, KnowledgeItem, Material, Query, Support
from memspan.testing import decimals, memories, problems, truths

TRUTH = truths()
KNOWN = st.sampled_from([0, 1])


def memory_of(data, material, coverage):
    return coverage.memory(data.draw(memories(material)))


@given(problems(), st.data())
def test_coverage_never_falls_when_a_claim_is_added(material, data):
    coverage = compile_material(material)
    memory = memory_of(data, material, coverage)
    before = u_cov(coverage, memory)
    for claim in range(coverage.n_claims):
        more = memory.copy()
        more[claim] = True
        assert u_cov(coverage, more) >= before


@given(problems(defeaters=True), st.data())
def test_a_query_is_covered_exactly_when_one_of_its_supports_lies_inside_the_memory(material, data):
    coverage = compile_material(material)
    held = data.draw(memories(material))
    inside = {
        query.id
        for query in material.queries
        for support in material.supports_of(query)
        if held.issuperset(support.claims) and held.isdisjoint(support.unless)
    }
    answered = covered(coverage, coverage.memory(held))
    assert {coverage.queries[i] for i in np.flatnonzero(answered)} == inside


@given(problems(), st.sampled_from(["answerable", "all"]))
def test_the_full_material_covers_every_query_that_has_a_support(material, over):
    coverage = compile_material(material, over=over)
    everything = np.ones(coverage.n_claims, np.bool_)
    assert covered(coverage, everything).all()
    if over == "answerable" and coverage.total:
        assert u_cov(coverage, everything) == 1


@given(problems(truth=TRUTH, defeaters=True), st.data())
def test_precision_never_exceeds_coverage(material, data):
    coverage = compile_material(material)
    memory = memory_of(data, material, coverage)
    assert 0 <= u_prec(coverage, memory) <= u_cov(coverage, memory) <= 1


@given(problems(truth=TRUTH), st.data())
def test_water_is_never_negative_and_absent_without_false_claims(material, data):
    coverage = compile_material(material)
    memory = memory_of(data, material, coverage)
    assert inflation(coverage, memory) >= 0
    if not (coverage.truth < 0.5).any():
        assert inflation(coverage, memory) == 0


@given(problems(truth=KNOWN), st.data())
def test_precision_is_the_coverage_of_the_true_claims_held(material, data):
    coverage = compile_material(material)
    memory = memory_of(data, material, coverage)
    assert u_prec(coverage, memory) == u_cov(coverage, memory & (coverage.truth >= 0.5))


@given(problems(weights=decimals()), st.data())
def test_fast_gains_equal_their_plain_twin(material, data):
    coverage = compile_material(material)
    memory = memory_of(data, material, coverage)
    np.testing.assert_array_equal(gains(coverage, memory), _gains_by_trial(coverage, memory))


@given(problems(defeaters=True), st.data())
def test_a_gain_is_the_difference_that_the_claim_makes(material, data):
    coverage = compile_material(material)
    memory = memory_of(data, material, coverage)
    found = gains(coverage, memory)
    for claim in range(coverage.n_claims):
        more = memory.copy()
        more[claim] = True
        difference = covered_weight(coverage, more) - covered_weight(coverage, memory)
        assert found[claim] == difference / max(coverage.total, 1)
        if memory[claim]:
            assert found[claim] == 0


def renamed(material, name):
    """Return *material* with claims in another order under other ids, and where each went."""
    new = {claim.id: name(claim.id) for claim in material.claims}

    def moved(supports):
        return tuple(
            Support(tuple(new[c] for c in s.claims), tuple(new[c] for c in s.unless)) for s in supports
        )

    return Material(
        material.id,
        tuple(replace(claim, id=new[claim.id]) for claim in reversed(material.claims)),
        tuple(replace(item, supports=moved(item.supports)) for item in material.items),
        tuple(replace(query, supports=moved(query.supports)) for query in material.queries),
    ), new


@given(problems(truth=TRUTH, defeaters=True), st.data())
def test_names_and_order_of_claims_do_not_matter(material, data):
    other, new = renamed(material, "claim {}".format)
    held = data.draw(memories(material))
    here, there = compile_material(material), compile_material(other)
    memory, same = here.memory(held), there.memory(new[c] for c in held)
    assert u_cov(here, memory) == u_cov(there, same)
    assert u_prec(here, memory) == u_prec(there, same)
    np.testing.assert_array_equal(gains(here, memory), gains(there, same)[::-1])


@given(problems(truth=TRUTH, defeaters=True, weights=decimals()), st.randoms(), st.data())
def test_the_order_of_queries_does_not_matter(material, random, data):
    queries = list(material.queries)
    random.shuffle(queries)
    here, there = compile_material(material), compile_material(replace(material, queries=tuple(queries)))
    memory = memory_of(data, material, here)
    assert u_cov(here, memory) == u_cov(there, memory)
    assert u_prec(here, memory) == u_prec(there, memory)
    assert expected_precision(here, memory) == pytest.approx(expected_precision(there, memory))


@given(problems(truth=TRUTH, defeaters=True), st.data())
def test_a_query_may_be_split_into_two_that_share_its_weight(material, data):
    split = []
    for query in material.queries:
        part = data.draw(st.integers(0, int(query.weight)))
        split += [replace(query, weight=part), replace(query, id=f"{query.id}'", weight=query.weight - part)]
    here, there = compile_material(material), compile_material(replace(material, queries=tuple(split)))
    memory = memory_of(data, material, here)
    assert u_cov(here, memory) == u_cov(there, memory)
    assert u_prec(here, memory) == u_prec(there, memory)


def expected_by_assignment(coverage, memory):
    """Return expected precision by going through every way in which the claims can be true."""
    trust = [1.0 if np.isnan(t) else t for t in coverage.truth]
    expected = 0.0
    for truth in product([True, False], repeat=coverage.n_claims):
        chance = np.prod([t if true else 1 - t for t, true in zip(trust, truth, strict=True)])
        assigned = replace(coverage, truth=np.array(truth, np.float64))
        expected += chance * u_prec(assigned, memory)
    return expected


@given(problems(most_claims=5, truth=TRUTH, defeaters=True), st.data())
def test_expected_precision_equals_the_sum_over_all_assignments_of_truth(material, data):
    coverage = compile_material(material)
    memory = memory_of(data, material, coverage)
    expected = expected_by_assignment(coverage, memory)
    assert expected_precision(coverage, memory) == pytest.approx(expected, abs=1e-12)


@given(problems(truth=KNOWN, defeaters=True), st.data())
def test_expected_precision_is_precision_where_truth_is_known(material, data):
    coverage = compile_material(material)
    memory = memory_of(data, material, coverage)
    assert expected_precision(coverage, memory) == pytest.approx(u_prec(coverage, memory), abs=1e-12)


def test_expected_precision_is_a_lower_bound_past_a_dozen_supports():
    n = EXACT_SUPPORTS + 3
    claims = tuple(Claim(f"c{i}", truth=0.1) for i in range(n))
    query = Query("q", supports=tuple(Support((claim.id,)) for claim in claims))
    coverage = compile_material(Material("many", claims, queries=(query,)))
    found = expected_precision(coverage, np.ones(n, np.bool_))
    assert pytest.approx(found) == 1 - 0.9**EXACT_SUPPORTS
    assert found < 1 - 0.9**n


@given(problems(), st.data())
def test_a_query_with_an_empty_support_is_always_covered(material, data):
    free = Query("free", weight=1, supports=(Support(()),))
    coverage = compile_material(replace(material, queries=(*material.queries, free)))
    memory = memory_of(data, material, coverage)
    assert covered(coverage, memory)[coverage.queries.index("free")]


def overturned(*needed, unless):
    claims = (Claim("old"), Claim("new"), Claim("other"))
    query = Query("q", supports=(Support(needed, unless),))
    coverage = compile_material(Material("m", claims, queries=(query,)))
    return coverage, lambda *held: u_cov(coverage, coverage.memory(held))


def test_an_unless_claim_defeats_its_support():
    coverage, utility = overturned("old", unless=("new",))
    assert not coverage.monotone
    assert (utility(), utility("old"), utility("old", "new"), utility("new")) == (0, 1, 0, 0)
    assert gains(coverage, coverage.memory(["old"])).tolist() == [0, -1, 0]


def test_a_support_of_nothing_holds_until_it_is_defeated():
    _, utility = overturned(unless=("new",))
    assert (utility(), utility("old", "other"), utility("new")) == (1, 1, 0)


def test_a_support_that_defeats_itself_supports_nothing():
    coverage, _ = overturned("old", unless=("old",))
    assert coverage.queries == ()
    assert [dropped.record for dropped in coverage.dropped] == ["query q"]


@given(problems(defeaters=True))
def test_every_query_is_compiled_or_reported_or_unanswerable(material):
    coverage = compile_material(material)
    refusals = [query.id for query in material.queries if not query.answerable]
    reported = [dropped.record.removeprefix("query ") for dropped in coverage.dropped]
    assert sorted([*coverage.queries, *reported, *refusals]) == sorted(query.id for query in material.queries)


@given(problems())
def test_all_queries_are_the_larger_denominator(material):
    answerable, every = compile_material(material), compile_material(material, over="all")
    everything = np.ones(answerable.n_claims, np.bool_)
    assert u_cov(every, everything) <= u_cov(answerable, everything)


@given(problems(), st.data())
def test_the_span_gap_closes_as_claims_are_added(material, data):
    small = data.draw(memories(material))
    large = small | data.draw(memories(material))
    everything = frozenset(claim.id for claim in material.claims)
    assert 0 <= span_gap(material, large).gap <= span_gap(material, small).gap <= 1
    assert span_gap(material, everything).lost == ()


def test_the_span_gap_counts_claims_and_items_alike():
    claims = (Claim("a"), Claim("b"))
    items = (KnowledgeItem("ab", supports=(Support(("a", "b")),)), KnowledgeItem("never"))
    gap = span_gap(Material("m", claims, items), frozenset({"a"}))
    assert gap.lost == ("claim b", "item ab")
    assert gap.gap == pytest.approx(2 / 3)


def test_a_material_of_nothing_has_no_gap_and_no_utility():
    nothing = Material("nothing")
    coverage = compile_material(nothing)
    memory = coverage.memory([])
    assert span_gap(nothing, frozenset()).gap == 0
    assert (u_cov(coverage, memory), u_prec(coverage, memory), expected_precision(coverage, memory)) == (
        0,
        0,
        0,
    )
    assert gains(coverage, memory).shape == (0,)


@pytest.mark.parametrize("memory", [np.zeros(2, np.bool_), np.zeros(3), np.zeros((3, 1), np.bool_)])
def test_a_memory_of_another_shape_or_type_is_refused_with_the_right_one(memory):
    coverage = compile_material(Material("m", (Claim("a"), Claim("b"), Claim("c"))))
    with pytest.raises(ShapeError, match=r"boolean array of shape \(3,\)"):
        u_cov(coverage, memory)


def test_a_claim_that_is_not_there_cannot_be_held():
    coverage = compile_material(Material("m", (Claim("a"),)))
    with pytest.raises(ShapeError, match="'z'"):
        coverage.memory(["a", "z"])
