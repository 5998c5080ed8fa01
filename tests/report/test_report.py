import json
import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

import memspan as ms
from memspan.errors import FileError
from memspan.material import Claim, Material, Query, Support
from memspan.optimum import frontier
from memspan.report import Study, finding, render, svg, write_report
from memspan.report.needs import uncovered
from memspan.report.study import landmarks
from memspan.report.tables import overview, sizes
from memspan.report.trail import trail
from memspan.report.wording import percent
from memspan.testing import materials

HOSTILE = "</script><script>alert(1)</script>\"'><img src=x onerror=alert(2)> \u202eRTL\u2028 🦊 {{ 7*7 }}"


def study_of(material: Material) -> Study:
    """Return *material* solved."""
    known = any(claim.truth is not None for claim in material.claims)
    return Study(material, frontier(material), frontier(material, utility="precision") if known else None)


def chain(count: int, source: str = "annotated") -> Material:
    """Return a material of *count* claims, each with a query of its own."""
    claims = tuple(Claim(f"c{i}", f"Claim number {i}.") for i in range(count))
    queries = tuple(Query(f"q{i}", f"Question {i}?", supports=(Support((f"c{i}",)),)) for i in range(count))
    return Material("chain", claims, queries=queries, support_source=source)  # type: ignore[arg-type]


def hostile() -> Material:
    """Return a material whose every text tries to break out of the page."""
    claims = (Claim(f"c{HOSTILE}", HOSTILE, source=HOSTILE), Claim("c2", HOSTILE))
    queries = (
        Query("q1", HOSTILE, answer=HOSTILE, supports=(Support((claims[0].id,)),)),
        Query("q2", HOSTILE, supports=(Support((claims[0].id, "c2")),)),
    )
    return Material(HOSTILE, claims, queries=queries)


class Outline(HTMLParser):
    """Collects elements, attributes and visible text of a page."""

    def __init__(self) -> None:
        """Start with nothing."""
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element."""
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        """Note a text."""
        self.text.append(data)


def outline(page: str) -> Outline:
    """Return what a browser would find in *page*."""
    found = Outline()
    found.feed(page)
    return found


def data_of(page: str) -> list[dict[str, object]]:
    """Return what the page carries for its script."""
    blocks = re.findall(r'<script type="application/json" class="data">(.*?)</script>', page, re.DOTALL)
    return [json.loads(block) for block in blocks]


def test_the_page_starts_with_the_finding() -> None:
    page = render([study_of(ms.bundled("odyssey"))])
    heading = re.search(r"<h1>(.*?)</h1>", page)
    assert heading
    expected = "2 of 6 claims answer 50 % of the questions by weight; 6 answer all of them."
    assert heading[1].replace("\xa0", " ") == expected


def test_the_page_needs_nothing_from_outside() -> None:
    page = outline(render([study_of(ms.bundled("odyssey-noise"))]))
    links = [value for name, value in page.attributes if name in {"src", "href", "srcset", "action", "data"}]
    assert [link for link in links if link and not link.startswith(("#", "data:"))] == []
    assert "@import" not in "".join(page.text)
    assert not re.search(r"url\(|fetch\(|XMLHttpRequest", "".join(page.text))


def test_the_page_reads_without_a_script() -> None:
    page = outline(render([study_of(ms.bundled("odyssey"))]))
    text = "".join(page.text)
    assert {"svg", "table"} <= set(page.tags)
    assert "Circe, who turned his men into swine, kept Odysseus with her for one year." in text
    assert "e3 Circe" in text


def test_hostile_text_stays_text() -> None:
    page = render([study_of(hostile()), study_of(hostile())])
    found = outline(page)
    assert found.tags.count("script") == 1 + 2  # the code, and the data of two materials
    assert "img" not in found.tags
    assert [name for name, _ in found.attributes if name.startswith("on")] == []
    assert "{{ 7*7 }}" in "".join(found.text)
    claims = data_of(page)[0]["claims"]
    assert isinstance(claims, dict)
    assert claims["text"][1] == HOSTILE


@given(materials())
def test_every_material_becomes_a_page_and_a_picture(material: Material) -> None:
    study = study_of(material)
    render([study]).encode()
    ET.fromstring(re.sub(r"[^\x09\x0a\x20-\ud7ff\ue000-\ufffd]", "", svg([study])))  # noqa: S314 - our own


def test_changes_rebuild_every_memory() -> None:
    found = frontier(ms.bundled("odyssey-composites"))
    held: set[int] = set()
    for capacity, step in zip(trail(found).capacities.tolist(), trail(found).steps, strict=True):
        assert held.isdisjoint(step.enter)
        assert held.issuperset(step.leave)
        held = held.union(step.enter).difference(step.leave)
        memory = found.memory(capacity)
        assert {found.coverage.claims[i] for i in held} == set(memory)


def test_changes_rebuild_what_is_answered() -> None:
    found = frontier(ms.bundled("odyssey-noise"))
    answered: set[int] = set()
    for capacity, step in zip(trail(found).capacities.tolist(), trail(found).steps, strict=True):
        answered = answered.union(step.gain).difference(step.lose)
        assert int(found.coverage.weights[list(answered)].sum()) == found.solution.curve.lower[capacity]


def test_long_trails_are_thinned_with_both_ends_kept() -> None:
    found = frontier(chain(1_500))
    steps = trail(found)
    assert not steps.complete
    assert len(steps.capacities) <= 1_000
    assert steps.capacities[[0, -1]].tolist() == [0, 1_500]
    assert "1,000 capacities evenly spread" in render([Study(chain(1_500), found)])


def test_an_unanswered_query_needs_its_cheapest_missing_support() -> None:
    queries = (Query("q", supports=(Support(("a", "b", "c")), Support(("a", "d")))),)
    material = Material("m", tuple(Claim(name) for name in "abcd"), queries=queries)
    found = frontier(material)
    held = found.coverage.memory(["b"])
    needs = uncovered(found, held, np.zeros(1, np.bool_))
    assert [need.missing for need in needs] == [(0, 3)]


def test_a_defeated_query_needs_its_defeater_gone() -> None:
    queries = (Query("q", supports=(Support(("a",), unless=("b",)),)),)
    found = frontier(Material("m", (Claim("a"), Claim("b")), queries=queries))
    needs = uncovered(found, found.coverage.memory(["a", "b"]), np.zeros(1, np.bool_))
    assert [(need.missing, need.drop) for need in needs] == [((), (1,))]


@pytest.mark.parametrize("source", ["found", "generated"])
def test_only_annotated_supports_are_called_proven(source: str) -> None:
    page = render([study_of(chain(4, source)), study_of(chain(3, source))])
    words = outline(page.partition("<body>")[2])
    told = re.sub(r"\{.*\}", "", "".join(words.text))
    assert "optimal" not in told
    assert f"Its supports were {source}" in told


def doubtful(count: int, upper: dict[int, int], **options: str) -> Study:
    """Return a chain solved with the upper bound lifted to *upper* at some capacities."""
    material = chain(count)
    found = frontier(material, **options)  # type: ignore[arg-type]
    lifted = found.solution.curve.upper.copy()
    for capacity, weight in upper.items():
        lifted[capacity] = weight
    curve = replace(found.solution.curve, upper=lifted)  # type: ignore[type-var]
    return Study(material, replace(found, solution=replace(found.solution, curve=curve)))  # type: ignore[type-var]


def test_capacities_that_are_not_certified_are_counted() -> None:
    study = doubtful(4, {2: 3})
    told = finding([study])
    assert "4 of 5 capacities are proven optimal; the widest gap is 25 %, at 2 claims." in told
    assert 'class="band"' in svg([study])


def test_a_size_that_is_not_certified_is_an_interval_everywhere() -> None:
    study = doubtful(4, {2: 3, 3: 4})
    assert finding([study], [0.75]).startswith(
        "2 to 3 of 4 claims answer 75 % of the questions; 3 to 4 answer"
    )
    assert finding([study, study], [0.75]).startswith("Across 2 materials, 4 to 6 of 8 claims answer 75 %")
    assert "6 to 8 answer all of them" in finding([study, study], [0.75])
    assert [row[1] for row in sizes(study, [0.75]).rows] == ["2 to 3", "3 to 4"]
    rows = overview([study, study], [0.75]).rows
    assert [row[3:] for row in rows] == [("2 to 3", "3 to 4", "3 of 5")] * 2 + [
        ("4 to 6", "6 to 8", "6 of 10")
    ]
    assert "75 % · 2 to 3 claims" in svg([study], [0.75])
    assert "75 % · 2 to 3 claims" in svg([study, study], [0.75])


def test_landmarks_stand_at_capacities_that_are_not_listed() -> None:
    found = frontier(chain(10), cost="tokens", capacities=[4, 8])
    assert [mark.target for mark in landmarks(found, [0.1, 0.9])] == [0.1, 0.9, None]


def test_targets_that_one_capacity_reaches_share_a_label() -> None:
    assert "50 % and 80 % · 1 claim" in svg([study_of(chain(1))], [0.5, 0.8])


def test_the_picture_is_well_formed_and_follows_dark_mode() -> None:
    picture = svg([study_of(ms.bundled("odyssey-noise"))])
    root = ET.fromstring(picture)  # noqa: S314 - our own
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert "prefers-color-scheme: dark" in picture


@pytest.mark.parametrize(
    ("share", "told"), [(1, "100 %"), (0, "0 %"), (1 - 1e-9, "> 99.9 %"), (1e-9, "< 0.1 %")]
)
def test_only_all_and_nothing_are_shown_as_such(share: float, told: str) -> None:
    assert percent(share) == told


def test_ten_thousand_claims_make_a_page_that_is_still_small() -> None:
    claims = tuple(Claim(f"c{i}", f"Claim {i} " + "word " * 200) for i in range(10_000))
    queries = tuple(Query(f"q{i}", f"Question {i}?", supports=(Support((f"c{7 * i}",)),)) for i in range(300))
    page = render([study_of(Material("large", claims, queries=queries))])
    assert len(page) < 6_000_000
    assert data_of(page)[0]["left_out"] == 9_700
    assert "without 9,700 claims that touch no question" in page
    assert "evenly spread" not in page


def test_a_report_appears_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "report.html"
    place.write_text("before")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(FileError, match="No space left"):
        write_report([study_of(chain(2))], place)
    assert place.read_text() == "before"
    assert list(tmp_path.iterdir()) == [place]


def test_a_report_needs_a_folder_and_a_file(tmp_path: Path) -> None:
    for place in (tmp_path / "none" / "x.html", tmp_path):
        with pytest.raises(FileError):
            write_report([study_of(chain(2))], place)


def test_what_was_dropped_is_told(fixtures: Path) -> None:
    studies = [study_of(material) for material in ms.load(fixtures / "locomo.json")]
    page = "".join(outline(render(studies)).text)
    dropped = [each.reason for study in studies for each in study.material.dropped]
    assert dropped
    assert [reason for reason in dropped if reason not in page] == []


def test_many_materials_get_thirty_sections_and_a_line_each() -> None:
    studies = [study_of(chain(2))] * 32
    page = render(studies)
    assert page.count("<article") == 30
    assert "2 more stand in the table above" in page
