"""Laws × registry: a new operator gets them by its line in OPERATORS."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import memspan as ms
from memspan.errors import UnknownName
from memspan.generation import OPERATORS, operator_named
from memspan.material import KnowledgeItem, Material, Support
from memspan.testing import check_operator, claims


@st.composite
def materials(draw):
    """Draw claims that join, and items that some of them entail, also unless others are held."""
    told = draw(claims())
    if not told:
        return Material("drawn")
    names = st.sampled_from([claim.id for claim in told])
    some = st.lists(names, max_size=3, unique=True).map(tuple)
    few = st.lists(names, max_size=1).map(tuple)
    supports = st.lists(st.builds(Support, some, few), max_size=3).map(tuple)
    items = draw(st.lists(supports, max_size=2))
    return Material("drawn", told, tuple(KnowledgeItem(f"n{i}", f"note {i}", s) for i, s in enumerate(items)))


@pytest.mark.parametrize("name", OPERATORS)
@settings(max_examples=25)
@given(materials())
def test_every_operator_keeps_the_laws(name, material):
    report = check_operator(OPERATORS[name](material), material.claims, examples=3)
    assert report.ok, report


@pytest.mark.parametrize("name", OPERATORS)
@pytest.mark.parametrize("bundled", ["odyssey", "odyssey-composites", "odyssey-noise"])
def test_every_operator_keeps_the_laws_on_the_odyssey(name, bundled):
    material = ms.bundled(bundled)
    report = check_operator(OPERATORS[name](material), material.claims, examples=10)
    assert report.ok, report


@pytest.mark.parametrize("name", OPERATORS)
def test_every_operator_is_named_in_outputs_as_in_the_registry(name):
    assert operator_named(name, Material("m")).name == name


def test_an_unknown_operator_is_told_with_what_was_meant():
    with pytest.raises(UnknownName, match="did you mean 'bridge'"):
        operator_named("brigde", Material("m"))
