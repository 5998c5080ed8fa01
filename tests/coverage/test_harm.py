"""Laws of harm: right, wrong and none share the mass of the queries, in integers."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memspan.coverage import Harm, compile_material, covered_weight, harm, harm_weights, u_cov
from memspan.errors import ShapeError
from memspan.material import Claim, Material, Query, Support
from memspan.testing import decimals, memories, problems

OVER = st.sampled_from(["answerable", "all"])


@st.composite
def misled(draw, **options):
    """Draw a material whose queries have wrong supports as well: those of a twin over the same claims."""
    material = draw(problems(defeaters=True, **options))
    names = [claim.id for claim in material.claims]
    chosen = st.lists(st.sampled_from(names), max_size=2, unique=True) if names else st.just([])
    wrong = st.lists(st.builds(Support, chosen.map(tuple), chosen.map(tuple)), max_size=2).map(tuple)
    return replace(material, queries=tuple(replace(query, wrong=draw(wrong)) for query in material.queries))


def plain(material, held, over):
    """Return the weights right, wrong and none query by query: the plain twin."""

    def holds(supports):
        return any(held.issuperset(s.claims) and held.isdisjoint(s.unless) for s in supports)

    right = wrong = total = 0
    for query in material.queries:
        supports = [s for s in material.supports_of(query) if set(s.claims).isdisjoint(s.unless)]
        if over == "all" or supports:
            total += query.weight
            wrong += query.weight * holds(query.wrong)
            right += query.weight * (holds(supports) and not holds(query.wrong))
    return right, wrong, total - right - wrong


@given(misled(), OVER, st.data())
def test_right_wrong_and_none_are_those_found_query_by_query(material, over, data):
    coverage, held = compile_material(material, over=over), data.draw(memories(material))
    found, expected = harm_weights(coverage, coverage.memory(held)), plain(material, held, over)
    unit = sum(expected) / max(coverage.total, 1)
    assert tuple(weight * unit for weight in found) == pytest.approx(expected)


@given(misled(weights=decimals()), OVER, st.data())
def test_right_wrong_and_none_sum_to_all_that_counts_in_integers(material, over, data):
    coverage = compile_material(material, over=over)
    memory = coverage.memory(data.draw(memories(material)))
    weights, masses = harm_weights(coverage, memory), harm(coverage, memory)
    assert sum(weights) == coverage.total
    assert min(weights) >= 0
    assert masses.right + masses.wrong + masses.none == pytest.approx(1, abs=1e-15)


@given(misled(), st.data())
def test_coverage_lies_between_right_and_right_plus_wrong(material, data):
    coverage = compile_material(material)
    memory = coverage.memory(data.draw(memories(material)))
    right, wrong, _ = harm_weights(coverage, memory)
    assert right <= covered_weight(coverage, memory) <= right + wrong


@given(problems(defeaters=True), OVER, st.data())
def test_without_wrong_supports_right_is_coverage(material, over, data):
    coverage = compile_material(material, over=over)
    memory = coverage.memory(data.draw(memories(material)))
    found = harm(coverage, memory)
    assert coverage.wrong is None
    assert (found.right, found.wrong) == (u_cov(coverage, memory), 0)


def moved():
    """Ana moved: the old address answers wrongly until the new one is held."""
    where = Query(
        "where", weight=3, supports=(Support(("new",)),), wrong=(Support(("old",), unless=("new",)),)
    )
    came = Query("came from", weight=1, supports=(Support(("old",)),))
    return compile_material(Material("moved", (Claim("old"), Claim("new")), queries=(where, came)))


@pytest.mark.parametrize(
    ("held", "expected"),
    [
        ([], Harm(0, 0, 1)),
        (["old"], Harm(0.25, 0.75, 0)),
        (["new"], Harm(0.75, 0, 0.25)),
        (["old", "new"], Harm(1, 0, 0)),
    ],
)
def test_an_outdated_claim_alone_answers_wrongly(held, expected):
    coverage = moved()
    assert harm(coverage, coverage.memory(held)) == expected


def test_a_query_that_both_answers_follow_for_counts_as_wrong():
    query = Query("q", supports=(Support(("a",)),), wrong=(Support(("b",)),))
    coverage = compile_material(Material("m", (Claim("a"), Claim("b")), queries=(query,)))
    both = coverage.memory(["a", "b"])
    assert harm(coverage, both) == Harm(0, 1, 0)
    assert u_cov(coverage, both) == 1


def test_a_refusal_answered_is_wrong_where_all_queries_count():
    refusal = Query("q", answerable=False, wrong=(Support(("a",)),))
    material = Material("m", (Claim("a"),), queries=(refusal,))
    for over, expected in (("all", Harm(0, 1, 0)), ("answerable", Harm(0, 0, 1))):
        coverage = compile_material(material, over=over)
        assert harm(coverage, coverage.memory(["a"])) == expected


def test_a_memory_of_another_shape_is_refused():
    with pytest.raises(ShapeError, match="shape"):
        harm(moved(), np.ones(3, np.bool_))
