"""The page of a replay: whole without JavaScript, inert, and one policy to follow through it."""

from collections.abc import Iterator
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from memspan.environments.replaying import Setting, replay
from memspan.material import Claim, Material, Query, Support
from memspan.policies.even import Even
from memspan.policies.named import POLICIES, policies_named
from memspan.report.replay_cells import Judged, Laid, Told
from memspan.report.replay_chart import MOST_POINTS, NARROW, WIDE, level_chart, regret_chart, smoothed
from memspan.report.replay_page import render_replay, write_replay
from replays import diary

HOSTILE = "</script><script>window.hacked=1</script><img src=x onerror=window.hacked=2>"


def told(materials: list[Material], **how: Any) -> Told:
    kinds = [kind for name in ("fifo", "gamma-poisson", "lfu") for kind in policies_named(name)]
    found = replay(materials, kinds, **{"seeds": (0,), "prior": Even(), **how})
    laid = tuple(Laid(m.id, len(m.claims), 4, len(m.queries), "annotated", "given") for m in materials)
    return Told(found, Setting(), laid, (0,), Judged("even"), tuple(kinds))


@pytest.fixture(scope="module")
def several() -> Told:
    return told([diary("ana"), diary("benno")], orders=["uniform", "once"], shares=[0.2, 3])


def hostile() -> Told:
    claims = tuple(Claim(f"{HOSTILE}{i}", HOSTILE, source=f"{HOSTILE}{i // 2}") for i in range(8))
    queries = tuple(
        Query(f"{HOSTILE}{i}", HOSTILE, supports=(Support((c.id,)),)) for i, c in enumerate(claims)
    )
    named = replace(told([Material(HOSTILE, claims, queries=queries)]), left_out=((HOSTILE, HOSTILE),))
    return replace(named, judged=Judged(HOSTILE, HOSTILE))


def test_the_page_reads_without_a_script(several: Told) -> None:
    page = unescape(render_replay(several).split('<script type="application/json"')[0])
    for order in ("uniform", "once"):
        for size in ("20\N{NO-BREAK SPACE}% of the claims", "3 claims"):
            assert f">queries {order}, {size}" in page
    for policy in ("fifo", "gamma-poisson", "lfu"):
        assert page.count(f'data-policy="{policy}"') >= 4
    assert "clairvoyant" in page
    assert 'class="column"' in page
    assert page.index("</h1>") < page.index('data-policy="bound"')


def test_each_material_is_a_cluster_of_its_own(several: Told) -> None:
    page = render_replay(several).split('class="materials"')[1]
    assert page.index(">ana<") < page.index(">benno<")
    assert "2 materials, each a cluster; supports annotated" in page


def test_nothing_in_a_material_can_act() -> None:
    page = render_replay(hostile())
    assert "<script>window" not in page
    assert "<img" not in page


def test_a_long_replay_makes_a_small_page() -> None:
    long = told([diary("ana"), diary("benno")], orders=["uniform"], setting=Setting(per_batch=1_000))
    assert len(long.first.bound) == 4_000
    assert len(render_replay(long)) < 150_000
    for chart in (level_chart, regret_chart):
        for layout in (WIDE, NARROW):
            courses = [
                part.split('"')[0] for part in chart(long.first, layout, "t").split('class="curve" d="')[1:]
            ]
            assert max(course.count("L") for course in courses) <= MOST_POINTS


def test_names_lie_neither_on_one_another_nor_outside(several: Told) -> None:
    drawn = level_chart(several.first, WIDE, "t")
    heights = sorted(float(part.split('y="')[1].split('"')[0]) for part in drawn.split('<text class="" ')[1:])
    assert len(heights) == 4
    assert min(np.diff(heights)) >= 13.9
    assert heights[-1] <= WIDE.height


def test_only_where_each_is_asked_once_curves_are_smoothed(several: Told) -> None:
    uniform, once = several.cells[0], replace(several.cells[2], bound=np.ones(40))
    assert smoothed(uniform, uniform.bound) is uniform.bound
    values = np.array([0.0, np.nan, *np.ones(38)])
    drawn = smoothed(once, values)
    assert drawn[:4].tolist() == pytest.approx([0, 0, 1 / 2, 2 / 3])
    assert drawn[-1] == pytest.approx(np.nanmean(values))


def test_the_clairvoyant_is_a_bound_where_its_curve_ends(several: Told) -> None:
    once = several.cells[2]
    assert once.kind == "clairvoyant"
    bound = smoothed(once, once.bound)[-1]
    assert all(smoothed(once, row.expected)[-1] <= bound + 1e-9 for row in once.rows)
    assert "only where it ends is it a bound" in render_replay(several)


def test_of_many_curves_only_those_that_matter_have_colours() -> None:
    found = replay([diary("ana")], POLICIES, shares=[0.2], seeds=(0,))
    laid = (Laid("ana", 24, 4, 9, "annotated", "given"),)
    drawn = level_chart(Told(found, Setting(), laid, (0,), Judged("even"), POLICIES).first, WIDE, "t")
    kinds = {part.split('"')[2]: part.split('"')[0] for part in drawn.split('<g class="policy ')[1:]}
    grey = {name for name, kind in kinds.items() if "rest" in kind.split()}
    assert len(POLICIES) - 5 <= len(grey) <= len(POLICIES) - 3
    assert "lfu" not in grey


def test_the_best_of_each_column_is_marked(several: Told) -> None:
    table = render_replay(several).split('class="numbers across"')[1].split("</table>")[0]
    assert table.count('class="best"') == sum(len(cell.alike) for cell in several.cells)


@pytest.fixture
def visit(visiting: Any, tmp_path: Path, several: Told) -> Iterator[Any]:
    place = tmp_path / "replay.html"
    write_replay(several, place)
    with visiting(place) as page:
        yield page


@pytest.mark.browser
def test_one_cell_is_shown_and_another_can_be_chosen(visit: Any) -> None:
    assert visit.locator(".cell.each:visible h2").inner_text() == (
        "queries uniform, 20\N{NO-BREAK SPACE}% of the claims"
    )
    visit.get_by_role("button", name="queries once, 3 claims").click()
    assert visit.locator(".cell.each:visible h2").inner_text() == "queries once, 3 claims"
    assert "for queries once, 3 claims" in visit.locator(".where").inner_text()


@pytest.mark.browser
def test_a_policy_is_followed_through_pictures_and_tables(visit: Any) -> None:
    visit.locator(".cell.each:visible .pick", has_text="fifo").click()
    on = visit.locator(".sheet .pair > :first-child .wide .policy.on")
    assert set(on.evaluate_all("(all) => all.map((e) => e.dataset.policy)")) == {"bound", "lfu", "fifo"}
    assert "fifo" in visit.locator(".by-material thead").inner_text()
    visit.locator(".sheet .wide svg").first.hover()
    tip = visit.locator(".sheet .tip").first.inner_text()
    assert tip.startswith("step ")
    assert "fifo " in tip
    visit.locator(".cell.each:visible .pick", has_text="fifo").click()
    assert visit.locator(".dimmed").count() == 0


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_fits_a_phone(browser: Any, tmp_path: Path, scheme: str) -> None:
    place = tmp_path / "replay.html"
    write_replay(hostile(), place)
    page = browser.new_context(viewport={"width": 380, "height": 800}, color_scheme=scheme).new_page()
    page.goto(place.as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") <= 380
    assert page.evaluate(
        "[...document.querySelectorAll('.ranks .scroll')].every((e) => e.scrollWidth <= e.clientWidth)"
    )
    assert page.evaluate("window.hacked") is None
    page.context.close()
