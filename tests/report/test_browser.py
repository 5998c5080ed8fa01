"""The report in a real browser: it moves, it fits, it stays silent and inert."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import memspan as ms
from memspan.material import Claim, Material, Query, Support
from memspan.optimum import frontier
from memspan.report import Study, write_report

pytestmark = pytest.mark.browser

HOSTILE = "</script><script>window.hacked=1</script><img src=x onerror=window.hacked=2>"


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page over the Odyssey with its false claim, and a hostile material."""
    place = tmp_path_factory.mktemp("report") / "report.html"
    noise = ms.bundled("odyssey-noise")
    claims = (Claim("h1", HOSTILE, source=HOSTILE), Claim("h2", "=1+1"))
    queries = (
        Query("q1", HOSTILE, supports=(Support(("h1",)),)),
        Query("q2", "and?", supports=(Support(("h1", "h2")),)),
    )
    hostile = Material(f"evil {HOSTILE}", claims, queries=queries)
    studies = [
        Study(noise, frontier(noise), frontier(noise, utility="precision")),
        Study(hostile, frontier(hostile)),
    ]
    write_report(studies, place)
    return place


class Visit:
    """A page opened, with everything it said and asked for."""

    def __init__(self, browser: Any, url: str, **options: Any) -> None:
        """Open *url* in a profile of its own."""
        self.page = browser.new_context(**options).new_page()
        self.said: list[str] = []
        self.asked: list[str] = []
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.goto(url)

    def see(self, selector: str) -> str:
        """Return the text of the first visible match."""
        return str(self.page.locator(f".material.shown {selector}").first.inner_text())

    def slide(self, stop: int) -> None:
        """Move the slider as a person does."""
        self.page.locator(".material.shown .capacity").fill(str(stop))


@pytest.fixture
def visit(browser: Any, report: Path) -> Iterator[Visit]:
    """The report opened at desktop size; nothing said and nothing asked for when it closes."""
    opened = Visit(browser, report.as_uri(), viewport={"width": 1280, "height": 900})
    yield opened
    assert opened.said == []
    assert [url for url in opened.asked if not url.startswith(("file:", "data:"))] == []
    opened.page.context.close()


def test_the_slider_changes_the_memory_shown(visit: Visit) -> None:
    visit.slide(1)
    assert "stepped ashore on Ithaca awake" in visit.see(".panel tbody")
    assert "Circe" not in visit.see(".panel tbody")
    assert visit.see(".say").startswith("1 claim answers 45")
    visit.slide(2)
    assert "Circe" in visit.see(".panel tbody")
    assert "Circe" in visit.see(".changes")


def test_the_keyboard_moves_the_slider(visit: Visit) -> None:
    visit.slide(1)
    visit.page.locator(".material.shown .capacity").press("ArrowRight")
    assert visit.see(".say").startswith("2 claims answer 80")


def test_walking_back_undoes_walking_on(visit: Visit) -> None:
    visit.slide(2)
    before = visit.see(".panel tbody")
    visit.slide(5)
    visit.slide(2)
    assert visit.see(".panel tbody") == before


def test_an_unanswered_question_says_what_it_needs(visit: Visit) -> None:
    visit.slide(2)
    visit.page.get_by_role("tab", name="Unanswered").click()
    row = visit.page.locator(".panel tbody tr", has_text="On which island").inner_text()
    assert "e2" in row
    assert "Calypso" in row


def test_the_memory_of_true_claims_holds_no_false_one(visit: Visit) -> None:
    visit.slide(2)
    assert "false" in visit.see(".panel tbody")
    visit.page.locator(".material.shown .aim").select_option("precision")
    assert "false" not in visit.see(".panel tbody")
    assert visit.see(".say").startswith("2 claims answer 60")


def test_search_and_sort_work_on_a_table(visit: Visit) -> None:
    visit.page.get_by_role("tab", name="All claims").click()
    visit.page.get_by_label("search this table").fill("penelope")
    assert visit.page.locator(".shown .panel tbody tr").count() == 1
    visit.page.get_by_label("search this table").fill("")
    visit.page.locator(".shown .panel th button", has_text="helps answer").click()
    assert visit.see(".panel tbody td").strip() == "e0"


def test_the_address_holds_material_capacity_and_table(browser: Any, report: Path) -> None:
    address = f"{report.as_uri()}#material=odyssey-noise&capacity=3&table=steps"
    opened = Visit(browser, address)
    assert opened.see(".say").startswith("3 claims answer 90")
    assert opened.see("[aria-selected=true]") == "Every step"
    opened.slide(4)
    opened.page.wait_for_url("**capacity=4**")
    opened.page.context.close()


def test_hostile_text_is_shown_and_does_nothing(visit: Visit) -> None:
    visit.page.locator("nav.small a").nth(1).click()
    visit.slide(1)
    assert HOSTILE in visit.see(".panel tbody")
    assert visit.page.evaluate("window.hacked") is None


def test_csv_keeps_formulas_as_text(visit: Visit) -> None:
    visit.page.locator("nav.small a").nth(1).click()
    visit.page.get_by_role("tab", name="All claims").click()
    text = visit.page.evaluate(
        "(() => { const table = new Table([{ title: 'a', value: (row) => row }]);"
        " table.show(['=1+1', 'say \"x\"', -1]); return table.csv(); })()"
    )
    assert text == '"a"\r\n"\'=1+1"\r\n"say ""x"""\r\n"-1"'


def middle(visit: Visit, selector: str) -> float:
    """Return the middle of an element across the page."""
    box = visit.page.locator(f".material.shown {selector}").first.bounding_box()
    return float(box["x"] + box["width"] / 2)


@pytest.mark.parametrize("width", [1280, 380])
def test_the_thumb_stands_under_the_marker_in_any_unit(browser: Any, tmp_path: Path, width: int) -> None:
    odyssey = ms.bundled("odyssey")
    write_report([Study(odyssey, frontier(odyssey, cost="tokens", capacities=[10, 24]))], tmp_path / "x.html")
    opened = Visit(browser, (tmp_path / "x.html").as_uri(), viewport={"width": width, "height": 900})
    drawn = ".wide" if width > 560 else ".narrow"
    for capacity in (10, 24, 74):
        opened.slide(capacity)
        assert opened.see(".say").startswith(f"{capacity} tokens")
        slider = opened.page.locator(".capacity").bounding_box()
        share = int(opened.page.locator(".capacity").input_value()) / 74
        thumb = slider["x"] + 8 + share * (slider["width"] - 16)
        assert thumb == pytest.approx(middle(opened, f"{drawn} .now"), abs=1.5)
    opened.page.locator(".capacity").press("Home")
    assert opened.see(".say").startswith("0 tokens")
    opened.page.context.close()


def test_every_step_in_tokens_gains_something(browser: Any, tmp_path: Path) -> None:
    odyssey = ms.bundled("odyssey")
    write_report([Study(odyssey, frontier(odyssey, cost="tokens"))], tmp_path / "x.html")
    opened = Visit(browser, f"{(tmp_path / 'x.html').as_uri()}#table=steps")
    gains = opened.page.locator(".panel tbody tr td:nth-child(3)").all_inner_texts()
    assert gains
    assert "+0\u00a0%" not in gains
    opened.page.context.close()


def test_materials_with_nothing_to_cover_are_shown_and_stay_quiet(browser: Any, tmp_path: Path) -> None:
    bare = Material("bare", (Claim("c", "One."),), queries=(Query("q", "Why?"),))
    studies = [Study(each, frontier(each)) for each in (bare, ms.bundled("odyssey"))]
    write_report(studies, tmp_path / "x.html")
    opened = Visit(browser, (tmp_path / "x.html").as_uri())
    assert opened.see(".finding").startswith("Nothing to cover in bare: no question has a support yet.")
    opened.page.locator("nav.small a").nth(1).click()
    assert opened.see(".say").startswith("2 claims")
    assert opened.said == []
    opened.page.context.close()


def test_the_table_of_materials_shows_its_sizes_on_a_phone(browser: Any, report: Path) -> None:
    opened = Visit(browser, report.as_uri(), viewport={"width": 380, "height": 800})
    last = opened.page.locator(".summary th", has_text="all").bounding_box()
    assert last["x"] + last["width"] <= 380
    tops = {button.bounding_box()["y"] for button in opened.page.locator(".shown .tabs button").all()}
    assert len(tops) == 1
    opened.page.context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_fits_a_phone(browser: Any, report: Path, scheme: str) -> None:
    size = {"width": 380, "height": 800}
    opened = Visit(browser, report.as_uri(), viewport=size, color_scheme=scheme)
    assert opened.page.evaluate("document.documentElement.scrollWidth") == 380
    assert opened.page.locator(".material.shown .narrow svg").is_visible()
    opened.page.locator(".material.shown .panel td.prose").first.wait_for(state="visible")
    assert opened.said == []
    opened.page.context.close()


def test_the_page_reads_without_a_script(browser: Any, report: Path) -> None:
    opened = Visit(browser, report.as_uri(), java_script_enabled=False)
    assert opened.page.locator("article .static table").first.is_visible()
    assert opened.page.locator("article .wide svg").first.is_visible()
    assert not opened.page.locator(".explore").first.is_visible()
    opened.page.context.close()


def test_paper_has_the_tables_and_no_controls(visit: Visit) -> None:
    visit.page.emulate_media(media="print")
    assert visit.page.locator("article .static table").first.is_visible()
    assert not visit.page.locator(".capacity").first.is_visible()


def test_ten_thousand_claims_move_within_a_blink(browser: Any, tmp_path: Path) -> None:
    claims = tuple(Claim(f"c{i}", f"Claim {i}, of no interest.") for i in range(10_000))
    queries = tuple(Query(f"q{i}", f"Question {i}?", supports=(Support((f"c{i}",)),)) for i in range(900))
    large = Material("large", claims, queries=queries)
    write_report([Study(large, frontier(large))], tmp_path / "large.html")
    opened = Visit(browser, (tmp_path / "large.html").as_uri())
    opened.page.get_by_role("tab", name="All claims").click()
    took = opened.page.evaluate(
        "(() => { const slider = document.querySelector('.capacity'); const start = performance.now();"
        " for (let i = 0; i < 20; i += 1)"
        " { slider.value = 40 * i; slider.dispatchEvent(new Event('input')); }"
        " return (performance.now() - start) / 20; })()"
    )
    assert opened.page.locator(".panel tbody tr").count() == 50
    assert took < 100  # milliseconds for a step; about 10 on a machine at rest
    opened.page.context.close()
