import re
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import memspan as ms
from memspan.material import Claim, Material, Query, Support
from memspan.optimum import frontier
from memspan.report import Study, finding, render, svg
from memspan.report.line import certified_count, line_of, mean_line, rises, weights_at
from memspan.report.plane import plane_of_mean
from memspan.report.trail import trail
from memspan.testing import materials


def chain(count, name="chain"):
    """Return a material of *count* claims, each with a question of its own."""
    claims = tuple(Claim(f"c{i}", f"Claim number {i}.") for i in range(count))
    queries = tuple(Query(f"q{i}", supports=(Support((f"c{i}",)),)) for i in range(count))
    return Material(name, claims, queries=queries)


def bare(name="bare"):
    """Return a material whose only question has no support."""
    return Material(name, (Claim("c1", "One."),), queries=(Query("q1"),))


@given(materials(), st.sampled_from(["claims", "tokens", "bytes"]))
def test_a_line_tells_every_capacity_of_its_frontier(material, cost):
    found = frontier(material, cost=cost, capacities=[0, 1])
    line = line_of(found)
    every = range(len(found.solution.curve.lower) + 2)
    points = [found.at(capacity) for capacity in every]
    assert line.sure(every).tolist() == [point.lower for point in points]
    assert line.possible(every).tolist() == [point.upper for point in points]


@given(materials())
def test_the_capacities_listed_change_no_picture(material):
    few, usual = (Study(material, frontier(material, capacities=listed)) for listed in ([1], None))
    assert svg([few]) == svg([usual])


@given(st.lists(materials(), min_size=1, max_size=3), st.sampled_from(["claims", "tokens"]))
def test_the_mean_is_the_mean_at_every_capacity(several, cost):
    found = [frontier(material, cost=cost) for material in several]
    every = range(max(len(each.solution.curve.lower) for each in found) + 1)
    wanted = np.mean([[each.at(capacity).lower for capacity in every] for each in found], axis=0)
    assert mean_line([line_of(each) for each in found]).sure(every) == pytest.approx(wanted)


@given(materials())
def test_every_capacity_is_counted_once(material):
    certified, total = certified_count(frontier(material))
    assert total == len(material.claims) + 1
    assert certified == total


def test_the_mean_and_the_finding_leave_out_the_same_materials():
    studies = [Study(material, frontier(material)) for material in (chain(4), bare(), chain(2))]
    plane = plane_of_mean(studies)
    assert plane.of == (2, 3)
    assert plane.line.lower[-1] == 1
    assert finding(studies).startswith("Across the 2 of 3 materials")
    assert "the mean of 2 of 3" in svg(studies)


@pytest.mark.parametrize("cost", ["claims", "tokens", "bytes"])
def test_several_materials_have_a_mean_in_every_unit(cost):
    studies = [Study(each, frontier(each, cost=cost)) for each in (chain(4, "a"), chain(7, "b"))]
    page = render(studies)
    assert "the mean of 2" in page.partition("<article")[0]


def test_curves_are_steps():
    drawn = re.search(r'class="line" d="M([^"]*)"', svg([Study(chain(3), frontier(chain(3)))]))
    assert drawn
    places = [tuple(map(float, place.split())) for place in drawn[1].split("L")]
    assert all(a[0] == b[0] or a[1] == b[1] for a, b in pairwise(places))


def test_stops_in_another_unit_are_those_where_the_curve_rises():
    found = frontier(ms.bundled("odyssey"), cost="tokens", capacities=[10, 20])
    assert trail(found).capacities.tolist() == [0, *rises(found).tolist()]
    reached = weights_at(found, trail(found).capacities)[0]
    assert (np.diff(reached) > 0).all()
