"""The page of an evaluation in a real browser: it answers, it fits, it stays silent and inert."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import memspan as ms
from evaluations import HOSTILE, hostile, material, several
from memspan.diagnosis import STAGES, Evaluation, Terms, evaluate
from memspan.diagnosis.advice import advise
from memspan.diagnosis.running import memory_given
from memspan.material import Claim, Material, Query, Support
from memspan.report.evaluation_page import write_evaluation

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def noise() -> Evaluation:
    """Plain systems and a memory by hand on the Odyssey with its false claim."""
    systems = ["optimum", "fifo", "random", "full context", memory_given(["e0", "e3"])]
    return evaluate(ms.bundled("odyssey-noise"), systems, [1, 2, 4])


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory, noise: Evaluation) -> dict[str, Path]:
    """Pages by name: one material, several, hostile ones."""
    folder = tmp_path_factory.mktemp("pages")
    made = {"noise": noise, "several": several(), "hostile": hostile()}
    for name, evaluation in made.items():
        write_evaluation(evaluation, folder / f"{name}.html", Terms())
    return {name: folder / f"{name}.html" for name in made}


class Visit:
    """A page opened, with everything it said and asked for."""

    def __init__(self, browser: Any, place: Path, address: str = "", **options: Any) -> None:
        """Open *place* in a profile of its own."""
        self.page = browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **options}).new_page()
        self.said: list[str] = []
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("request", self.note)
        self.page.goto(place.as_uri() + address)

    def note(self, request: Any) -> None:
        """Take down what leaves the file."""
        if not request.url.startswith(("file:", "data:")):
            self.said.append(request.url)

    def see(self, selector: str) -> str:
        """Return the text of the first match."""
        return str(self.page.locator(selector).first.inner_text()).replace("\N{NO-BREAK SPACE}", " ")

    def leave(self) -> None:
        """Close it; it must have said nothing and asked for nothing."""
        assert self.said == []
        self.page.context.close()


@pytest.fixture
def visit(browser: Any, pages: dict[str, Path]) -> Iterator[Visit]:
    """The page of one material."""
    opened = Visit(browser, pages["noise"])
    yield opened
    opened.leave()


@pytest.fixture
def many(browser: Any, pages: dict[str, Path]) -> Iterator[Visit]:
    """The page of several materials."""
    opened = Visit(browser, pages["several"])
    yield opened
    opened.leave()


def test_a_system_chosen_is_chosen_everywhere(visit: Visit) -> None:
    visit.page.locator(".legend button", has_text="the memory given").click()
    assert "the memory given at its own size: 35 % of all questions" in visit.see("#falls .say")
    assert visit.see("[data-part=false] .much") == "45 %"
    assert visit.see(".first").startswith("the memory given: Fix noise first")
    assert visit.page.locator(".wide .system.on").get_attribute("data-system") == visit.page.locator(
        ".legend [aria-pressed=true]"
    ).get_attribute("data-system")
    assert visit.see("div.league tr.here .pick-system") == "the memory given"
    visit.page.locator("div.league .pick-system", has_text="fifo").click()
    assert visit.page.locator(".choose-system option:checked").inner_text() == "fifo"


def test_a_bar_opens_the_questions_lost_there_and_closes_them(visit: Visit, noise: Evaluation) -> None:
    visit.page.locator(".legend button", has_text="the memory given").click()
    visit.page.locator("[data-part=false] button").click()
    (point,) = noise.of("the memory given")
    lost = [
        query.text
        for query, stage in zip(noise.grounds[0].material.queries, point.stages, strict=True)
        if STAGES[stage] == "false"
    ]
    assert visit.page.locator(".lost tbody .ask").all_inner_texts() == sorted(
        lost, key=lambda text: -next(q.weight for q in noise.grounds[0].material.queries if q.text == text)
    )
    assert "e0" in visit.see(".lost tbody")
    visit.page.locator(".lost .close").click()
    assert not visit.page.locator(".lost").is_visible()


def test_a_question_tells_what_it_needs_and_who_lost_it_where(visit: Visit) -> None:
    visit.page.locator(".legend button", has_text="the memory given").click()
    visit.page.locator(".matrix .ask", has_text="From which war").click()
    told = visit.see("dialog .inside")
    assert "not held e1" in told
    assert "held e0 false" in told
    assert "false claims" in told
    visit.page.keyboard.press("Escape")
    assert not visit.page.locator("dialog").is_visible()


def test_the_advice_of_the_script_is_that_of_python(browser: Any, tmp_path: Path) -> None:
    for made in (ms.bundled("odyssey-noise"), ms.bundled("odyssey-composites"), material()):
        evaluation = evaluate(made, ["fifo", "random", "full context"], [2, 4])
        write_evaluation(evaluation, tmp_path / "x.html")
        opened = Visit(browser, tmp_path / "x.html")
        for point in evaluation.points:
            ground = evaluation.ground_of(point)
            advice, place = advise(point, ground), ground.material.claim_position
            held = json.dumps([place[name] for name in point.memory])
            told = opened.page.evaluate(
                "(held) => { const data = JSON.parse(document.querySelector('script.data').textContent);"
                " const ground = new Ground(data.materials[0]);"
                " return [ground.additions(new Set(held)), ground.drops(new Set(held))]; }",
                json.loads(held),
            )
            assert [each["claims"] for each in told[0]] == [[place[c] for c in a.claims] for a in advice.add]
            assert [each["gain"] for each in told[0]] == pytest.approx([a.gain for a in advice.add])
            assert [(d["claim"], d["reason"]) for d in told[1]] == [
                (place[d.claim], d.reason) for d in advice.drop
            ]
        opened.leave()


def test_one_of_several_materials_changes_picture_waterfall_and_lists(many: Visit) -> None:
    assert "Means over 3 materials." in many.see("#falls .say")
    before = many.page.locator(".pictures .wide").inner_html()
    many.page.locator(".choose-material").select_option("1")
    assert many.page.locator(".pictures .wide").inner_html() != before
    assert "8 claims" in many.see(".wide")
    assert "It holds" in many.see("#falls .say")
    assert many.page.locator(".matrix tbody tr").count() == 8
    many.page.locator(".choose-material").select_option("-1")
    assert many.page.locator(".matrix tbody tr").count() == 20
    assert "means of 3 materials" in many.see(".wide")


def test_the_script_and_the_page_without_it_show_the_same_bars(browser: Any, pages: dict[str, Path]) -> None:
    for name in ("noise", "several"):
        shown = []
        for script in (True, False):
            opened = Visit(browser, pages[name], java_script_enabled=script)
            blocks = opened.page.locator(".fall li:not(.none) .block").all()
            boxes = [block.bounding_box() for block in blocks]
            shown.append([round(value) for box in boxes for value in (box["x"], box["width"])])
            shown.append(opened.page.locator(".fall .much").all_text_contents())
            opened.page.context.close()
        assert shown[0] == pytest.approx(shown[2], abs=2)
        assert shown[1] == shown[3]


def test_the_address_holds_everything_that_was_chosen(browser: Any, pages: dict[str, Path]) -> None:
    opened = Visit(browser, pages["several"])
    opened.page.locator(".choose-system").select_option(label="fifo")
    opened.page.locator(".choose-place").select_option("1")
    opened.page.locator(".choose-material").select_option("2")
    opened.page.locator("[data-part=write] button").click()
    opened.page.get_by_role("tab", name="Claims to drop").click()
    opened.page.locator(".choose-stage").select_option("3")
    opened.page.wait_for_url("**stage=write**")
    address, said, lost = (
        opened.page.url.partition("#")[2],
        opened.see("#falls .say"),
        opened.see(".lost tbody"),
    )
    opened.leave()
    again = Visit(browser, pages["several"], f"#{address}")
    assert again.see("#falls .say") == said
    assert again.see(".lost tbody") == lost
    assert again.see(".tabs [aria-selected=true]").startswith("Claims to drop")
    assert again.page.locator(".choose-stage").input_value() == "3"
    again.leave()


def test_an_address_that_names_nothing_shows_the_usual(browser: Any, pages: dict[str, Path]) -> None:
    opened = Visit(
        browser, pages["several"], "#system=nobody&at=7%25&material=x&part=toString&tab=constructor"
    )
    assert "Means over 3 materials." in opened.see("#falls .say")
    opened.leave()


def test_the_keyboard_reaches_systems_bars_questions_and_tabs(visit: Visit) -> None:
    visit.page.locator(".legend button", has_text="fifo").focus()
    visit.page.keyboard.press("Enter")
    assert visit.see("div.league tr.here .pick-system") == "fifo"
    visit.page.locator("[data-part=left] button").focus()
    visit.page.keyboard.press("Space")
    assert visit.page.locator("[data-part=left] button").get_attribute("aria-expanded") == "true"
    visit.page.get_by_role("tab", name="Claims to add").focus()
    visit.page.keyboard.press("ArrowRight")
    assert visit.see(".tabs [aria-selected=true]").startswith("Claims to drop")
    visit.page.locator(".matrix .ask").first.focus()
    visit.page.keyboard.press("Enter")
    assert visit.page.locator("dialog").is_visible()


def test_hovering_a_point_tells_its_gap_and_pressing_it_goes_there(visit: Visit) -> None:
    spot = (
        visit.page.locator(".wide .system", has_text="the memory given")
        .get_attribute("data-spots")
        .split(" ")
    )
    chart = visit.page.locator(".wide svg")
    box = chart.bounding_box()
    scale = box["width"] / 740
    visit.page.mouse.move(box["x"] + float(spot[0]) * scale, box["y"] + float(spot[1]) * scale)
    assert visit.see("figure.plane .tip") == (
        "the memory given, own size, 2 claims: 35 %, 25 points below the best; 80 % with false claims"
    )
    visit.page.mouse.down()
    visit.page.mouse.up()
    assert visit.see("div.league tr.here .pick-system") == "the memory given"


def test_hostile_text_is_shown_and_does_nothing(browser: Any, pages: dict[str, Path]) -> None:
    opened = Visit(browser, pages["hostile"], "#part=write&tab=drop")
    assert any(
        HOSTILE.split('"')[0] in text for text in opened.page.locator(".legend button").all_text_contents()
    )
    opened.page.locator(".choose-material").select_option("0")
    opened.page.locator(".matrix .ask").first.click()
    assert "onerror" in opened.see("dialog .inside")
    assert opened.page.evaluate("window.hacked") is None
    assert opened.page.locator("img").count() == 0
    opened.leave()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["noise", "several", "hostile"])
def test_the_page_fits_a_phone(browser: Any, pages: dict[str, Path], name: str, scheme: str) -> None:
    opened = Visit(browser, pages[name], viewport={"width": 380, "height": 800}, color_scheme=scheme)
    assert opened.page.evaluate("document.documentElement.scrollWidth") == 380
    assert opened.page.locator(".narrow svg").first.is_visible()
    plane, tokens = (opened.page.locator(each).bounding_box()["y"] for each in (".plane", ".tokens"))
    assert plane < tokens
    opened.leave()


def test_the_page_reads_without_a_script(browser: Any, pages: dict[str, Path]) -> None:
    for name in ("noise", "several"):
        opened = Visit(browser, pages[name], java_script_enabled=False)
        for part in (
            ".wide svg",
            ".tokens svg",
            ".fall .block",
            "#league .static table",
            "#questions .static",
            ".method dl",
        ):
            assert opened.page.locator(part).first.is_visible(), part
        assert not opened.page.locator(".bar").is_visible()
        opened.page.context.close()


def test_paper_has_the_tables_and_no_controls(visit: Visit) -> None:
    visit.page.emulate_media(media="print")
    assert visit.page.locator("#league .static table").is_visible()
    assert visit.page.locator(".fall .block").first.is_visible()
    assert not visit.page.locator(".bar").is_visible()
    assert not visit.page.locator(".matrix").is_visible()


def test_thousands_of_questions_answer_within_a_blink(browser: Any, tmp_path: Path) -> None:
    claims = tuple(Claim(f"c{i}", f"Claim {i}.") for i in range(1_000))
    queries = tuple(
        Query(f"q{i}", f"Question {i}?", supports=(Support((f"c{i % 1000}",)),)) for i in range(10_000)
    )
    large = Material("large", claims, queries=queries)
    write_evaluation(evaluate(large, [memory_given(["c1", "c2"])], terms=Terms(k=0)), tmp_path / "x.html")
    assert (tmp_path / "x.html").stat().st_size < 6_000_000
    opened = Visit(browser, tmp_path / "x.html")
    took = opened.page.evaluate(
        "(() => { const choose = document.querySelector('.choose-stage'); const start = performance.now();"
        " for (const stage of ['3', '7', ''])"
        " { choose.value = stage; choose.dispatchEvent(new Event('change')); }"
        " return (performance.now() - start) / 3; })()"
    )
    assert opened.page.locator(".matrix tbody tr").count() == 20
    assert took < 1_500  # milliseconds; about 60 on a machine at rest
    opened.leave()
