"""Beliefs on the page of an evaluation: the diagram, its sentence, the water under each system."""

import re
import xml.etree.ElementTree as ET
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluations import HOSTILE, material, several
from memspan.diagnosis import Terms, Trusted, evaluate
from memspan.report.believed import COLUMN, UNCHECKED, quality, told, with_water
from memspan.report.evaluation_page import render_evaluation, write_evaluation
from memspan.report.league import table
from memspan.report.reliability import SQUARE, reliability_chart, reliability_told
from memspan.trust.calibration import calibration

_claims = st.lists(st.tuples(st.integers(0, 1), st.floats(0, 1)), min_size=1, max_size=60)
SYSTEMS = ["optimum", "random", "fifo", "full context"]


def trusted(*, touched=True):
    tau = np.array([0.9, 0.8, 0.7, 0.9, 0.6, 0.8, 0.8, 0.3])
    return Trusted(tau, lambda coverage: np.full(coverage.n_supports, 0.7), tau < 0.85 if touched else None)


def evaluation(count=1, *, known=True, beliefs=None, mark="", touched=True):
    made = [material(f"m{i}{mark}", mark=mark) for i in range(count)]
    if not known:
        made = [replace(m, claims=tuple(replace(c, truth=None) for c in m.claims)) for m in made]
    trust = {m.id: trusted(touched=touched) for m in made[:beliefs]}
    return evaluate(made, SYSTEMS, [1, 3, 5], trust=trust)


@given(_claims)
def test_every_group_is_drawn_inside_its_limits_and_the_picture(claims):
    found = calibration(*zip(*claims, strict=True))
    drawing = ET.fromstring(reliability_chart(found, "beliefs"))  # noqa: S314 - our own
    groups = [each for each in drawing.iter() if each.attrib.get("class") == "group"]
    limits = [each for each in drawing.iter() if each.attrib.get("class") == "limits"]
    assert len(groups) == len(limits) == len(found.bins)
    for group, limit in zip(groups, limits, strict=True):
        low, high = map(float, re.fullmatch(r"M[\d.]+ ([\d.]+)V([\d.]+)", limit.attrib["d"]).groups())
        assert high <= float(group.attrib["cy"]) <= low
        assert SQUARE.left <= float(group.attrib["cx"]) <= SQUARE.right
        assert SQUARE.top <= high <= low <= SQUARE.bottom


def test_a_point_is_as_large_as_its_group():
    belief = np.repeat([0.1, 0.5], [10, 90])
    drawn = reliability_chart(calibration(np.arange(100) % 2, belief), "beliefs")
    radii = [float(r) for r in re.findall(r'class="group"[^>]* r="([\d.]+)"', drawn)]
    assert radii[0] / radii[1] == pytest.approx(3, abs=0.05)


def test_the_sentence_counts_the_groups_that_miss():
    truth, belief = np.zeros(100), np.repeat([0.9, 0.01], 50)
    assert reliability_told(calibration(truth, belief), "settled claims") == (
        "Of 100 settled claims whose truth is known, belief and truth lie 45.5 points apart on average "
        "(ECE); in 1 of 2 groups the belief lies outside the 95 % limits."
    )
    assert reliability_told(calibration([1], [1.0])).startswith("Of 1 claim whose truth is known, ")


def test_the_table_shows_what_is_measured_beside_what_is_expected():
    found = evaluation()
    rows = {row[0]: row[1:] for row in told(found).water.rows}
    assert told(found).water.head[1:] == (
        "covers",
        "water expected",
        "water measured",
        "true expected",
        "true measured",
        "of the best",
    )
    # Each question has one support, believed 0.7; c7 alone is false and answers a quarter of the mass.
    assert rows["full context"] == ("100 %", "30 %", "25 %", "70 %", "75 %", "100 %")
    assert told(found).finding == (
        "At 62.5 % of the claims, fifo covers 50 % of the questions, 15 points of it expected to rest on "
        "false claims alone; measured: 25 points."
    )


def test_without_known_truth_only_what_is_expected_is_shown():
    found = evaluation(known=False)
    assert quality(found) == UNCHECKED
    assert told(found).water.head == ("system", "covers", "water expected", "true expected")
    assert told(found).drawn is None
    page = render_evaluation(found)
    assert UNCHECKED in page
    assert 'class="reliability"' not in page
    assert "measured" not in told(found).finding


def test_several_materials_are_told_together_and_one_by_one():
    found = told(evaluation(3, beliefs=2))
    assert [row[:2] for row in found.measures.rows] == [
        ("settled", "12"),
        ("all", "16"),
        ("m0", "6"),
        ("m1", "6"),
    ]
    assert "2 of 3 materials" in found.note
    unspoken = told(evaluation(2, touched=False))
    assert [row[:2] for row in unspoken.measures.rows] == [("all", "16"), ("m0", "8"), ("m1", "8")]
    assert not unspoken.settled


def test_truth_known_of_some_claims_makes_measured_water_a_lower_bound():
    made = material()
    some = replace(made, claims=(replace(made.claims[0], truth=None), *made.claims[1:]))
    found = evaluate(some, SYSTEMS, [3], trust={"small": trusted()})
    assert "7 of 8 claims" in told(found).note
    assert "the least there is" in told(found).note


def test_the_league_has_the_column_only_where_something_is_believed():
    found = evaluation()
    assert with_water(table(found), found).head == (*table(found).head, COLUMN)
    plain = several()
    assert with_water(table(plain), plain) == table(plain)
    assert told(plain) is None
    assert quality(plain) == ""
    assert "trusted" not in render_evaluation(plain, Terms())
    assert "Beliefs" not in render_evaluation(plain, Terms())


def test_hostile_names_stay_names():
    page = render_evaluation(evaluation(2, mark=HOSTILE))
    assert "<img" not in page
    assert "How far can these memories be trusted?" in page


@pytest.mark.browser
@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 380)])
def test_the_part_on_beliefs_fits_and_reads(browser, tmp_path, scheme, width):
    for name, found in {"one": evaluation(), "many": evaluation(3, beliefs=2)}.items():
        write_evaluation(found, tmp_path / f"{name}.html", Terms())
        page = browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme=scheme, java_script_enabled=name == "many"
        ).new_page()
        said = []
        page.on("console", lambda message, said=said: said.append(message.text))
        page.on("pageerror", lambda error, said=said: said.append(str(error)))
        page.goto((tmp_path / f"{name}.html").as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") == width
        assert page.locator("#trust svg").is_visible()
        box = page.locator("#trust svg").bounding_box()
        assert 250 < box["width"] <= 345
        assert page.locator("#trust table").count() == 2
        for text in page.locator("#trust svg text").all():
            assert contrast(page, text) >= 4.5
        assert said == []
        page.context.close()


def contrast(page, element):
    """Return how well a text stands out from the paper."""
    ink = element.evaluate("(e) => getComputedStyle(e).fill")
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    light, dark = sorted((luminance(ink), luminance(paper)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def luminance(colour):
    parts = [int(each) / 255 for each in re.findall(r"\d+", colour)[:3]]
    linear = [each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
