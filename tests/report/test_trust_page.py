"""The page of trust: whole without JavaScript, inert, and a list to open with it."""

from collections.abc import Iterator
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any

import pytest

import memspan as ms
from memspan.material import Claim, Material, Query, Settlement, Support
from memspan.report.trust_page import render_trust, write_trust
from memspan.report.trust_words import Told
from memspan.trust import Refit, TrustModel, doubts

HOSTILE = "</script><script>window.hacked=1</script><img src=x onerror=window.hacked=2>"


def told(material: Material) -> Told:
    model = TrustModel(material)
    model.settle_many(material.settlements)
    return Told(material, doubts(model, material), model.terms, model.refit())


def odyssey() -> Told:
    bundled = ms.bundled("odyssey-noise")
    made = [Settlement("q1", 0, ("e0",), name, time="2024-03-01") for name in "abc"]
    made += [Settlement("q8", 1, ("e3",), name) for name in "abc"]
    return told(Material("odyssey", bundled.claims, bundled.items, bundled.queries, tuple(made)))


def hostile(count: int = 3) -> Told:
    claims = tuple(Claim(f"{HOSTILE}{i}", f"{HOSTILE} tea", source=HOSTILE) for i in range(count))
    queries = tuple(
        Query(f"{HOSTILE}{i}", HOSTILE, supports=(Support((each.id,)),)) for i, each in enumerate(claims)
    )
    made = tuple(Settlement(each.id, 0, settler=f"{HOSTILE}{i}") for each in queries for i in range(3))
    return told(Material(HOSTILE, claims, queries=queries, settlements=made))


def test_the_page_reads_without_a_script() -> None:
    page = unescape(render_trust(odyssey())).split('<div class="static">')[1].split("<script")[0]
    assert "e0" in page
    assert "2024-03-01" in page
    assert page.count('data-label="settled">wrong</td>') == 3
    assert "wrong 3 of 3 times" in page


def test_outcomes_are_numbered_from_1_and_inferred_ones_are_marked() -> None:
    made = (Settlement("q1", 0, None, "ana"), Settlement("q1", 0, ("e0",), "ben"))
    bundled = ms.bundled("odyssey-noise")
    page = render_trust(told(Material("odyssey", bundled.claims, bundled.items, bundled.queries, made)))
    assert 'data-label="outcome">1</td>' in page
    assert page.count('data-label="settled">wrong, inferred</td>') == page.count(
        'data-label="outcome">1</td>'
    )
    assert 'data-label="settled">wrong</td>' in page


def test_a_refit_that_did_not_come_to_rest_is_told_where_it_can_be_seen() -> None:
    found = odyssey()
    for change, told_so in ((0.2, True), (0.001, False)):
        page = render_trust(replace(found, refit=Refit(100, change)))
        assert ("stopped before it came to rest" in page) == told_so
        assert "not at rest" in page


def test_the_page_tells_what_the_limit_left_out() -> None:
    material = hostile(5).material
    model = TrustModel(material)
    model.settle_many(material.settlements)
    page = render_trust(Told(material, doubts(model, material, limit=2), model.terms, None))
    assert "and 3 more: a greater <code>--limit</code> lists them" in page


def test_nothing_in_a_material_can_act() -> None:
    page = render_trust(hostile())
    assert "<script>window" not in page
    assert "<img" not in page


@pytest.fixture
def visit(visiting: Any, tmp_path: Path) -> Iterator[Any]:
    place = tmp_path / "trust.html"
    write_trust(odyssey(), place)
    with visiting(place) as page:
        yield page


@pytest.mark.browser
def test_a_doubtful_claim_opens_the_settlements_against_it(visit: Any) -> None:
    visit.locator(".doubts summary").first.click()
    rows = visit.locator(".doubts .fold tbody tr")
    assert rows.count() == 3
    assert "wrong" in rows.first.inner_text()
    visit.get_by_placeholder("Search").fill("nothing like it")
    assert visit.locator(".doubts summary").count() == 0


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_fits_a_phone(browser: Any, tmp_path: Path, scheme: str) -> None:
    place = tmp_path / "trust.html"
    write_trust(hostile(), place)
    page = browser.new_context(viewport={"width": 380, "height": 800}, color_scheme=scheme).new_page()
    page.goto(place.as_uri())
    page.locator(".doubts summary").first.click()
    assert page.evaluate("document.documentElement.scrollWidth") <= 380
    assert page.evaluate(
        "[...document.querySelectorAll('.scroll')].every((e) => e.scrollWidth <= e.clientWidth)"
    )
    cell = page.locator(".doubts .fold td[data-label=question]").first
    assert cell.bounding_box()["width"] > 200
    assert page.evaluate("window.hacked") is None
    page.context.close()
