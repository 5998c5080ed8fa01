import pytest
from hypothesis import given
from hypothesis import strategies as st

import memspan as ms
from memspan.optimum import frontier
from memspan.report import Study, render, svg
from memspan.report.asides import asides
from memspan.report.placed import place
from memspan.testing import materials


@given(materials(), st.data())
def test_no_memory_lies_above_the_frontier(material, data):
    names = (
        data.draw(st.lists(st.sampled_from([c.id for c in material.claims]), unique=True))
        if material.claims
        else []
    )
    for cost in ("claims", "tokens"):
        placed = place(frontier(material, cost=cost), names)
        assert placed.loss.upper >= 0
        assert placed.covers <= placed.best.upper
        assert placed.water >= 0


@given(materials())
def test_the_best_memory_loses_nothing(material):
    found = frontier(material)
    for capacity in range(len(material.claims) + 1):
        assert place(found, found.memory(capacity)).loss.lower <= 0


def test_water_is_told_where_truth_is_known():
    noise = ms.bundled("odyssey-noise")
    found = frontier(noise)
    told = asides([Study(noise, found, placed=place(found, ["e0", "e1"]))])
    assert len(told) == 1
    assert told[0].startswith("The memory given holds 2 claims and answers 45 %, 35 points below the best")
    assert told[0].endswith("of its size (80 %); 20 points of it by false claims alone.")


@pytest.mark.parametrize("names", [[], ["e1"], ["e1", "e2", "e3", "e4", "e5", "e6"]])
def test_a_memory_is_marked_in_the_picture_and_told_on_the_page(names):
    odyssey = ms.bundled("odyssey")
    found = frontier(odyssey)
    study = Study(odyssey, found, placed=place(found, names))
    assert 'class="yours"' in svg([study])
    assert f"The memory given holds {len(names)} claim" in render([study])
