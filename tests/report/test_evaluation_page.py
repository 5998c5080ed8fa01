"""The page of an evaluation as text: everything is in it, and nothing in it acts."""

import base64
import json
import re
import xml.etree.ElementTree as ET
from html.parser import HTMLParser
from importlib.resources import files

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import memspan as ms
from evaluations import HOSTILE, hostile, material, several
from memspan.diagnosis import Interval, JudgeNoise, Terms, evaluate
from memspan.diagnosis.running import memory_given
from memspan.material import Material, Query
from memspan.report import carried as carrying
from memspan.report.carried import carried
from memspan.report.curve import Curve, mean_curve
from memspan.report.evaluation_page import evaluation_svg, render_evaluation, write_evaluation
from memspan.report.falling import bars, fall_of
from memspan.report.league import league_of, place_name
from memspan.report.levels import level_of
from memspan.report.placing import GLYPH, HEIGHT, Box, Name, place_names
from memspan.report.systems_chart import NARROW, WIDE, systems_chart
from memspan.report.systems_look import NAMED, PLAIN, look_of
from memspan.report.systems_plane import plane_of_all, plane_of_material, tokens_of
from memspan.testing import problems


class Outline(HTMLParser):
    """Collects elements and attributes of a page."""

    def __init__(self):
        """Start with nothing."""
        super().__init__()
        self.tags, self.attributes = [], []

    def handle_starttag(self, tag, attrs):
        """Take down an element."""
        self.tags.append(tag)
        self.attributes += attrs


def data_of(page):
    return json.loads(re.search(r'class="data">(.*?)</script>', page, re.DOTALL).group(1))


@pytest.fixture(scope="module")
def noise():
    return evaluate(ms.bundled("odyssey-noise"), ["all", memory_given(["e0", "e3"])], [1, 2, 4])


def test_every_system_of_the_league_is_in_every_picture(noise):
    for evaluation in (noise, several()):
        rows = league_of(evaluation).rows
        planes = [plane_of_material(evaluation, g.material.id, rows[0]) for g in evaluation.grounds]
        for plane in [*planes, plane_of_all(evaluation, rows[0])]:
            assert [track.label for track in plane.tracks] == list(rows)
            for layout in (WIDE, NARROW):
                drawn = ET.fromstring(systems_chart(plane, layout, "all"))  # noqa: S314 - our own
                found = {int(e.attrib["data-system"]) for e in drawn.iter() if "data-system" in e.attrib}
                assert found == set(range(len(rows)))
        assert [track.label for track in tokens_of(evaluation)] == list(rows)


@settings(max_examples=12)
@given(st.lists(problems(), min_size=1, max_size=3))
def test_no_spot_lies_above_the_frontier_drawn(found):
    several = [Material(f"m{i}", m.claims, m.items, m.queries) for i, m in enumerate(found)]
    evaluation = evaluate(several, ["all"], [0.3, 0.6])
    plane = plane_of_all(evaluation, "fifo")
    line = plane.precise or plane.frontier
    for track in plane.tracks:
        for spot in track.swept:
            assert spot.y.estimate <= float(line.at(spot.x)[0]) + 1e-9
        assert all(spot.y.estimate <= spot.top + 1e-9 for spot in track.spots)


@settings(max_examples=15)
@given(problems())
def test_the_bars_of_a_waterfall_meet_end_to_end_and_sum(found):
    for point in evaluate(found, ["all"], [1, 3]).points:
        drawn = list(bars(fall_of([point])))
        level = 1.0
        for bar in drawn[1:-1]:
            assert bar.stop - bar.start == pytest.approx(abs(bar.share.estimate), abs=1e-12)
            assert level in (pytest.approx(bar.start, abs=1e-12), pytest.approx(bar.stop, abs=1e-12))
            level -= bar.share.estimate
        assert drawn[-1].stop == pytest.approx(level, abs=1e-12)


def test_the_mean_waterfall_sums_as_each_does():
    evaluation = several()
    for label in league_of(evaluation).rows:
        for capacity in {point.capacity for point in evaluation.of(label)}:
            points = [p for p in evaluation.of(label) if p.capacity == capacity]
            fall = fall_of(points)
            assert sum(part.estimate for _, part in fall.parts) == pytest.approx(
                fall.lost.estimate, abs=1e-12
            )


def test_no_text_acts():
    page = render_evaluation(hostile(), Terms())
    outline = Outline()
    outline.feed(page)
    assert outline.tags.count("script") == 2  # the code and the data
    assert "img" not in outline.tags
    assert not [name for name, _ in outline.attributes if name.startswith("on")]
    assert [
        u for n, u in outline.attributes if n in {"src", "href"} and not u.startswith(("#", "data:,"))
    ] == []
    assert "49" not in re.findall(r"RTL\S* (\S+)", page)
    told = data_of(page)
    assert told["materials"][0]["id"] == HOSTILE
    assert any(HOSTILE in system["label"] for system in told["systems"])
    ET.fromstring(evaluation_svg(hostile()))  # noqa: S314 - it is well formed whatever the names are


def test_the_svg_stands_alone_and_says_the_finding(noise):
    drawing = ET.fromstring(evaluation_svg(noise))  # noqa: S314 - our own
    title = next(each for each in drawing.iter() if each.tag.endswith("title"))
    assert "of what the best memory could" in title.text
    assert drawing.attrib["width"]


def test_the_page_carries_what_points_say(noise):
    told = carried(noise)
    order = {system["label"]: i for i, system in enumerate(told["systems"])}
    for point in noise.points:
        place = point.place
        row = told["materials"][0]["points"][f"{order[point.label]}/{'own' if place is None else place}"]
        assert row[:2] == [point.capacity, point.size]
        assert told["falls"][row[2]][-2] == pytest.approx(point.waterfall.lost.estimate, abs=1e-5)
        assert [int(stage) for stage in row[4]] == point.stages.tolist()
        bits = np.unpackbits(np.frombuffer(base64.b64decode(row[5]), np.uint8), bitorder="little")
        held = [noise.grounds[0].material.claims[i].id for i in np.flatnonzero(bits)]
        assert held == list(point.memory)


def test_the_page_stays_small_whatever_was_evaluated(monkeypatch):
    monkeypatch.setattr(carrying, "MOST_BYTES", 4_000)
    evaluation = several(6)
    told = carried(evaluation)
    assert 1 <= len(told["materials"]) < 6
    assert len(told["standings"]) == len(evaluation.standings)
    assert {key.split("/")[1] for key in told["materials"][0]["points"]} <= {str(told["place"]), "own"}
    assert "of the first" in render_evaluation(evaluation)


def test_a_name_looks_the_same_on_every_page_and_no_two_of_the_eight_look_alike():
    assert look_of("mem0", "released") == look_of("mem0", "released")
    looks = [look_of(name) for name in (*NAMED, "optimum", "the memory given")]
    assert len({look.hue for look in looks}) == len(looks)
    assert len({look.mark for look in looks[:8]}) == 8
    assert {look_of(name).hue for name in PLAIN} == {"plain"}
    assert look_of("letta").hue == look_of("memgpt").hue


def luminance(colour):
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_every_colour_of_a_system_can_be_read_on_its_paper():
    style = files("memspan.report").joinpath("page", "systems.css").read_text("utf-8")
    light, dark = style.split("@media (prefers-color-scheme: dark)")
    dark = dark.split("}\n}")[0]
    for paper, rules in (("#ffffff", light), ("#14171c", dark)):
        tones = re.findall(r"--[ho]\d: (#[0-9a-f]{6})", rules)
        assert len(tones) == 12
        for tone in tones:
            low, high = sorted((luminance(tone), luminance(paper)))
            assert (high + 0.05) / (low + 0.05) >= 4.5, tone


CONES = {
    "all": np.eye(3),
    "no green": np.array([[0.3673, 0.8606, -0.228], [0.2801, 0.6725, 0.0474], [-0.0118, 0.0429, 0.9689]]),
    "no red": np.array([[0.1523, 1.0526, -0.2049], [0.1145, 0.7863, 0.0992], [-0.0039, -0.0481, 1.052]]),
}
"""How linear light is seen; Machado, Oliveira and Fernandes 2009."""


def seen(colour, cones):
    """Return a colour as CIE Lab, as eyes with *cones* see it."""
    parts = np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    light = np.clip(cones @ np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4), 0, 1)
    xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]) @ light
    x, y, z = np.cbrt(np.maximum(xyz / [0.9505, 1, 1.089], 0.0089))
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize("cones", CONES)
def test_the_eight_stay_apart_for_every_eye(cones):
    style = files("memspan.report").joinpath("page", "systems.css").read_text("utf-8")
    for rules in style.split("@media (prefers-color-scheme: dark)"):
        eight = [seen(tone, CONES[cones]) for tone in re.findall(r"--h\d: (#[0-9a-f]{6})", rules)]
        assert len(eight) == 8
        apart = [np.linalg.norm(one - other) for i, one in enumerate(eight) for other in eight[:i]]
        assert min(apart) >= 14


@settings(max_examples=30)
@given(st.lists(st.tuples(st.floats(0, 300), st.floats(0, 200)), min_size=1, max_size=12))
def test_names_that_are_shown_do_not_lie_on_one_another(places):
    names = [Name(f"system {i}", (place,)) for i, place in enumerate(places)]
    found = place_names(names, np.array(places), [], Box(0, 0, 300, 200))
    shown = [(each, name) for each, name in zip(found, names, strict=True) if each.clear]
    for i, (one, name) in enumerate(shown):
        for other, _ in shown[:i]:
            apart = abs(one.y - other.y) >= HEIGHT + 1 - 1e-9
            assert apart or one.anchor != other.anchor or abs(one.x - other.x) >= GLYPH * len(name.text) * 0.9


def test_names_always_find_the_same_place():
    names = [Name("one", ((10, 10), (40, 40))), Name("two", ((12, 11),))]
    assert place_names(names, np.zeros((0, 2)), [], Box(0, 0, 99, 99)) == place_names(
        names, np.zeros((0, 2)), [], Box(0, 0, 99, 99)
    )


def test_levels_are_told_where_they_are_known():
    assert level_of(Material("m", queries=(Query("q"),))).name == "0"
    assert level_of(material()) is None
    assert level_of(Material("m", queries=(Query("q", category="multi-session"),))).name == "1b"
    assert level_of(Material("m", extra={"format": "locomo"})).name == "1b"
    assert level_of(Material("m", extra={"level": "9"})) is None


def test_the_level_of_locomo_is_on_the_page(data):
    conversation = ms.load(data / "locomo" / "locomo10_dev.json")[0]
    page = render_evaluation(evaluate(conversation, ["fifo"], [20]))
    assert "level 1b" in page


def test_the_mean_of_curves_is_exact_where_it_is_known():
    one = Curve(*(np.array(row, float) for row in ([0, 1, 2], [0, 0.5, 1], [0, 0.5, 1], [0, 0.5, 1])))
    mean = mean_curve([one, one], [2, 4], [(0.3, 0.6)])
    assert float(mean.at(0.3)[0]) >= 0.6
    assert (np.diff(mean.value) >= 0).all()
    assert (mean.low <= mean.value).all()
    assert (mean.value <= mean.high).all()


def test_supports_that_are_not_sure_have_intervals_in_picture_and_waterfall():
    evaluation = evaluate(material(sure=False), ["fifo"], [3], terms=Terms(draws=6))
    plane = plane_of_material(evaluation, "small", "fifo")
    assert plane.frontier.banded
    assert '<path class="band"' in evaluation_svg(evaluation)
    fall = fall_of(evaluation.points)
    assert any(part.lower < part.upper for _, part in fall.parts)
    page = render_evaluation(evaluation)
    assert "drawn 6 times" in page
    assert "An estimate, not a proof: supports were found, not annotated." in page


def test_false_claims_draw_a_frontier_of_their_own_and_the_water(noise):
    drawing = evaluation_svg(noise)
    assert "best by true claims" in drawing
    assert 'class="water"' in drawing


def test_a_recorded_run_stands_beside_simulated_ones():
    evaluation = evaluate(
        material(settled=True), ["fifo", "recorded"], [3], terms=Terms(noise=JudgeNoise(0.1, 0.05))
    )
    page = render_evaluation(evaluation, Terms(noise=JudgeNoise(0.1, 0.05)))
    told = data_of(page)
    assert told["answered"]
    assert "recorded elsewhere" in page
    assert "calls 10 % of wrong answers right".replace(" %", "\N{NO-BREAK SPACE}%") in page


def test_stand_ins_for_models_are_called_so(noise):
    page = render_evaluation(noise, Terms(seed=7))
    assert "no model was asked" in page
    assert "<dd>7; the same seed" in page
    assert "no model was asked" not in render_evaluation(noise)


def test_a_page_is_written_whole(tmp_path, noise):
    write_evaluation(noise, tmp_path / "x.html", Terms())
    assert (tmp_path / "x.html").read_text("utf-8") == render_evaluation(noise, Terms())


@pytest.mark.parametrize("queries", [(), (Query("q", "Why?"),), (Query("q", "Why?", answerable=False),)])
def test_materials_with_nothing_to_cover_have_a_page(queries):
    bare = Material("bare", material().claims, queries=queries)
    for materials in ([bare], [bare, material()]):
        page = render_evaluation(evaluate(materials, ["fifo", "full context"], [0, 2]))
        assert "bare" in page
        ET.fromstring(evaluation_svg(evaluate(materials, ["fifo"], [2])))  # noqa: S314 - our own


def test_a_material_without_claims_has_a_page():
    page = render_evaluation(evaluate(Material("empty"), ["fifo", "full context"], [0]))
    assert "empty" in page


@given(st.floats(0.01, 1))
def test_a_capacity_is_named_within_a_third_of_a_percent(share):
    assert abs(float(place_name(share).removeprefix("> ").removesuffix(" %")) - 100 * share) <= 0.3


def test_one_number_has_no_limits():
    assert carrying._ranged(Interval(0.25)) == 0.25
    assert carrying._ranged(Interval(0.25, 0.1, 0.5)) == [0.25, 0.1, 0.5]
