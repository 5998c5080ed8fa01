"""The page of an audit: whole without JavaScript, inert, and a list to work through with it."""

from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest

import memspan as ms
from memspan.audit import audit
from memspan.material import Claim, Material
from memspan.report.audit_page import render_audit, write_audit
from memspan.report.audit_words import Needs, headline

HOSTILE = "</script><script>window.hacked=1</script><img src=x onerror=window.hacked=2>"


def of_known(fixtures: Path) -> Material:
    return ms.load(fixtures / "audit_held_out.json")[0]


def hostile() -> Material:
    claims = tuple(Claim(f"{HOSTILE}{i}", f"{HOSTILE} tea", source=HOSTILE) for i in range(3))
    return Material(HOSTILE, (*claims, Claim("f1", "=1+1 is two"), Claim("f2", "=1+1 is two")))


def test_the_page_reads_without_a_script(fixtures: Path) -> None:
    found = audit(of_known(fixtures))
    page = unescape(render_audit([found]).split('<section class="static">')[1].split("</section>")[0])
    assert [each.memory for each in found.removals if f">{each.memory}</td>" not in page] == []


def test_nothing_in_a_memory_can_act() -> None:
    page = render_audit([audit(hostile())])
    assert "<script>window" not in page
    assert "<img" not in page


def test_a_page_over_several_stores_has_a_part_for_each(fixtures: Path) -> None:
    page = render_audit([audit(of_known(fixtures)), audit(hostile())])
    assert page.count('<article class="store') == 2
    assert "in 2 stores" in page


def test_what_no_question_needs_is_told_apart(fixtures: Path) -> None:
    found = audit(of_known(fixtures))
    page = render_audit([found], Needs(("3 of 114 claims answer all of the questions.",), ("q1", "q2"), 5))
    assert "No question needs them: 2 (likely)" in page
    assert "No question was asked" not in page


def test_an_empty_store_has_a_page() -> None:
    nothing = audit(Material("nothing"))
    assert headline([nothing]) == "There is no memory to look at."
    assert "no memory" in render_audit([nothing])


# --- in a browser -----------------------------------------------------------------------------------


@pytest.fixture
def visit(visiting: Any, fixtures: Path, tmp_path: Path) -> Iterator[Any]:
    """The page of the known store; it says nothing and asks for nothing."""
    place = tmp_path / "audit.html"
    write_audit([audit(of_known(fixtures))], place)
    with visiting(place) as page:
        yield page


@pytest.mark.browser
def test_what_is_sure_is_chosen_and_the_count_follows(visit: Any) -> None:
    status = visit.locator(".chosen p")
    assert status.inner_text().startswith("13 of 45 chosen: 88 tokens, 9.5")
    visit.locator(".choice tbody input:not(:checked)").first.focus()
    visit.keyboard.press("Space")
    assert status.inner_text().startswith("14 of 45 chosen")


@pytest.mark.browser
def test_a_filter_narrows_what_is_chosen_at_once(visit: Any) -> None:
    visit.locator(".filters select").first.select_option("superseded versions")
    assert visit.locator(".choice tbody tr").count() == 12
    visit.get_by_role("button", name="Choose all found").click()
    assert visit.locator(".chosen p").inner_text().startswith("25 of 45 chosen")
    visit.get_by_placeholder("Search").fill("smokes")
    assert visit.locator(".choice tbody tr").count() == 1


@pytest.mark.browser
def test_the_csv_holds_what_is_chosen(visit: Any) -> None:
    with visit.expect_download() as caught:
        visit.get_by_role("button", name="Download CSV").click()
    lines = Path(caught.value.path()).read_text("utf-8").splitlines()
    assert lines[0] == '"id","what","reason","confidence","kept instead","text","tokens"'
    assert len(lines) == 14


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_fits_a_phone(browser: Any, fixtures: Path, tmp_path: Path, scheme: str) -> None:
    place = tmp_path / "audit.html"
    write_audit([audit(of_known(fixtures)), audit(hostile())], place)
    page = browser.new_context(viewport={"width": 380, "height": 800}, color_scheme=scheme).new_page()
    page.goto(place.as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") <= 380
    assert page.evaluate("window.hacked") is None
    page.context.close()


@pytest.mark.browser
def test_ten_thousand_rows_are_paged(browser: Any, tmp_path: Path) -> None:
    claims = tuple(Claim(f"c{i}", f"Note {i // 2} of the harbour master.") for i in range(20_000))
    place = tmp_path / "audit.html"
    write_audit([audit(Material("many", claims))], place)
    page = browser.new_context().new_page()
    page.goto(place.as_uri())
    assert page.locator(".choice tbody tr").count() == 50
    assert "10,000" in page.locator(".chosen p").inner_text()
    page.get_by_role("button", name="Next").click()
    assert page.locator(".choice .count").inner_text().startswith("51")
    page.context.close()
