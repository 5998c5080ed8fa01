"""The page of an evaluation: the plane with every system, where questions go, the league, each question."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from markupsafe import Markup

from memspan.diagnosis import STAGES, Evaluation, Interval, Point, Terms
from memspan.diagnosis.advice import advise
from memspan.files import replace_file
from memspan.report.assets import asset, environment, script_hash
from memspan.report.believed import told as told_of_beliefs
from memspan.report.carried import carried
from memspan.report.embedding import script_safe, shortened
from memspan.report.evaluation_method import dropped_of, limits, method, systems_table
from memspan.report.falling import Bar, bars, fall_of
from memspan.report.files import refuse_unwritable
from memspan.report.league import (
    PARTS,
    caution,
    first_fix,
    flattery,
    headline,
    league_of,
    place_name,
    ranged,
    shown_points,
    table,
    whole,
)
from memspan.report.levels import Level, level_of
from memspan.report.method import dropped_rows, versions
from memspan.report.reliability import reliability_chart
from memspan.report.systems_chart import NARROW, WIDE, systems_chart
from memspan.report.systems_look import look_of
from memspan.report.systems_plane import SystemsPlane, plane_of_all, plane_of_material, tokens_of
from memspan.report.tables import Table
from memspan.report.tokens_chart import tokens_chart
from memspan.report.wording import counted, percent

SCRIPTS = ("words.js", "table.js", "advice.js", "fall.js", "drill.js", "pictures.js", "evaluation.js")
STYLES = ("chart.css", "systems.css", "page.css", "evaluation.css")
BELIEVED = ("reliability.css",)
"""Styles of the part on beliefs, where there are some."""
MOST_PLANES = 12
"""Materials that have a picture of their own."""
MOST_STATIC = 15
"""Rows of a table that reads without JavaScript."""
MARGIN = 16  # pixels around a picture that stands alone


def render_evaluation(evaluation: Evaluation, terms: Terms | None = None) -> str:
    """Return the report on *evaluation* as one HTML page that needs neither network nor JavaScript.

    Args:
        evaluation: what was found.
        terms: how it was made; what only they tell is left out without them.

    >>> import memspan as ms
    >>> from memspan.diagnosis import evaluate
    >>> render_evaluation(evaluate(ms.bundled("odyssey"), ["fifo"], [4])).startswith("<!doctype html>")
    True
    """
    code = "\n".join(asset(name) for name in SCRIPTS)
    told = carried(evaluation)
    page = (
        environment()
        .get_template("evaluation.html.jinja")
        .render(
            title=_title(evaluation),
            style=Markup("".join(map(asset, _styles(evaluation)))),  # noqa: S704 - our own files
            code=Markup(code),  # noqa: S704 - likewise
            code_hash=script_hash(code),
            headline=headline(evaluation),
            lead=" ".join(filter(None, (*flattery(evaluation), whole(evaluation), caution(evaluation)))),
            first=first_fix(evaluation),
            versions=versions(),
            **_pictures(evaluation),
            **_fallen(evaluation),
            trust=_trust(evaluation),
            league=_league(evaluation),
            league_table=table(evaluation),
            answered=told["answered"],
            sorted_at=_sorted_at(evaluation),
            level=_level(evaluation),
            lost=_lost(evaluation),
            method=[*method(evaluation, terms), *limits(told["materials"], evaluation)],
            systems=systems_table(evaluation),
            dropped=list(dropped_rows(dropped_of(evaluation))),
            dropped_count=len(dropped_of(evaluation)),
            data=Markup(script_safe(told)),  # noqa: S704 - escaped for a script element
            **_advised(evaluation),
        )
    )
    return page.encode("utf-8", "replace").decode()


def write_evaluation(
    evaluation: Evaluation, path: str | os.PathLike[str], terms: Terms | None = None
) -> None:
    """Write the report on *evaluation* to *path*; the file appears whole or not at all.

    Raises:
        FileError: the disk refuses.
    """
    target = Path(path)
    refuse_unwritable(target)
    replace_file(target, [render_evaluation(evaluation, terms)])


def evaluation_svg(evaluation: Evaluation) -> str:
    """Return the plane of *evaluation* as an SVG file of its own: the mean where materials are several.

    >>> import memspan as ms
    >>> from memspan.diagnosis import evaluate
    >>> evaluation_svg(evaluate(ms.bundled("odyssey"), ["fifo"], [4])).startswith("<svg ")
    True
    """
    drawing = systems_chart(_first_plane(evaluation), WIDE, headline(evaluation))
    width, height = WIDE.width + 2 * MARGIN, WIDE.height + 2 * MARGIN
    view = f"{-MARGIN} {-MARGIN} {width} {height}"
    paper = f'<path class="paper" d="M{-MARGIN} {-MARGIN}h{width}v{height}h{-width}Z"/>'
    head, rest = drawing.split("\n", 1)
    sized = re.sub('viewBox="[^"]*"', f'width="{width}" height="{height}" viewBox="{view}"', head, count=1)
    style = asset("chart.css") + asset("systems.css")
    return f"{sized}\n<style>{style}</style>\n{paper}\n{rest}\n"


def _styles(evaluation: Evaluation) -> tuple[str, ...]:
    return (*STYLES, *BELIEVED) if evaluation.trust else STYLES


def _title(evaluation: Evaluation) -> str:
    grounds = evaluation.grounds
    return grounds[0].material.id if len(grounds) == 1 else counted(len(grounds), "materials")


def _level(evaluation: Evaluation) -> Level | None:
    """Return the level that all materials share, to stand beside their name; else None."""
    levels = {level_of(ground.material) for ground in evaluation.grounds}
    return levels.pop() if len(levels) == 1 else None


# --- pictures -----------------------------------------------------------------------------------


def _first_plane(evaluation: Evaluation) -> SystemsPlane:
    shown = shown_points(evaluation)[0].label
    if len(evaluation.grounds) > 1:
        return plane_of_all(evaluation, shown)
    return plane_of_material(evaluation, evaluation.grounds[0].material.id, shown)


def _pictures(evaluation: Evaluation) -> dict[str, Any]:
    shown = shown_points(evaluation)[0].label
    several, plane = len(evaluation.grounds) > 1, _first_plane(evaluation)
    return {
        "charts": _drawn(plane, headline(evaluation)),
        "false_claims": plane.precise is not None,
        "planes": list(_planes(evaluation, shown)) if several else [],
        "tokens": _paid(evaluation, shown, None),
        "several": several,
    }


def _planes(evaluation: Evaluation, shown: str) -> Iterator[dict[str, str]]:
    """Yield the pictures of the first materials, for the script to change to."""
    for ground in evaluation.grounds[:MOST_PLANES]:
        name = ground.material.id
        if any(point.material == name for point in evaluation.points):
            plane = plane_of_material(evaluation, name, shown)
            yield _drawn(plane, name) | {"tokens": _paid(evaluation, shown, name), "id": name}


def _drawn(plane: SystemsPlane, title: str) -> dict[str, Markup]:
    return {
        "wide": Markup(systems_chart(plane, WIDE, title)),  # noqa: S704 - texts are escaped where it is drawn
        "narrow": Markup(systems_chart(plane, NARROW, title)),  # noqa: S704 - likewise
    }


def _paid(evaluation: Evaluation, shown: str, material: str | None) -> Markup:
    title = "Share of the questions read, against tokens read for a question"
    drawing = tokens_chart(tokens_of(evaluation, material), league_of(evaluation).place, shown, title)
    return Markup(drawing)  # noqa: S704 - texts are escaped where it is drawn


# --- parts --------------------------------------------------------------------------------------


def _fallen(evaluation: Evaluation) -> dict[str, Any]:
    points = shown_points(evaluation)
    return {
        "bars": [_bar(bar) for bar in bars(fall_of(points))],
        "shown": points[0].label,
        "shown_at": _at(evaluation, points),
    }


def _sorted_at(evaluation: Evaluation) -> str:
    """Return the capacity at which the league is sorted; nothing where systems have their own size only."""
    league = league_of(evaluation)
    shares = {each.place: each.capacity_share for each in evaluation.standings}
    return "" if league.place is None else f"{place_name(shares[league.place])} of the claims"


def _at(evaluation: Evaluation, points: Sequence[Point]) -> str:
    """Return at which capacity *points* stand, in words."""
    capacity = points[0].capacity
    if capacity is None:
        return "its own size" if len(points) > 1 else counted(points[0].size, "claims")
    return counted(capacity, "claims") if len(points) == 1 else _sorted_at(evaluation)


def _bar(bar: Bar) -> dict[str, Any]:
    share = bar.share
    return {
        "name": bar.name,
        "label": bar.label,
        "meaning": bar.meaning,
        "told": ranged(Interval(abs(share.estimate), *sorted((abs(share.lower), abs(share.upper))))),
        "left": f"{100 * bar.start:.2f}",
        "width": f"{100 * (bar.stop - bar.start):.2f}",
        "none": not share.estimate and bar.name not in {"all", "left"},
    }


def _trust(evaluation: Evaluation) -> dict[str, Any] | None:
    """Return the part on beliefs; nothing where there are none."""
    found = told_of_beliefs(evaluation)
    if found is None:
        return None
    title = f"Reliability diagram. {found.quality}"
    chart = "" if found.drawn is None else reliability_chart(found.drawn, title)
    return {
        "told": found,
        "chart": Markup(chart),  # noqa: S704 - texts are escaped where it is drawn
        "at": _sorted_at(evaluation),
        "over": "questions that have a support" if evaluation.over == "answerable" else "questions",
    }


def _league(evaluation: Evaluation) -> list[dict[str, Any]]:
    named = {point.label: point for point in evaluation.points}
    rows = []
    for at, label in enumerate(league_of(evaluation).rows):
        look = look_of(named[label].system, named[label].variant)
        rows.append({"at": at, "label": label, "kind": look.kind, "mark": look.mark})
    return rows


def _advised(evaluation: Evaluation) -> dict[str, Any]:
    """Return what to add and to drop in the memory shown, on the material that loses most."""
    points = shown_points(evaluation)
    point = max(points, key=lambda each: each.waterfall.lost.estimate)
    ground = evaluation.ground_of(point)
    advice, material = advise(point, ground), ground.material
    added = [
        (
            "; ".join(_claim(material.claim(name).id, material.claim(name).text) for name in each.claims),
            f"+{percent(each.gain)}",
            "; ".join(shortened(material.query(name).text or name, 90) for name in each.queries[:3]),
        )
        for each in advice.add
    ]
    dropped = [(_claim(each.claim, material.claim(each.claim).text), each.reason) for each in advice.drop]
    return {
        "advised": point.material if len(points) > 1 else "",
        "add": _cut(("claims to add", "gain", "questions that turn"), added),
        "drop": _cut(("claim to drop", "reason"), dropped),
    }


def _claim(name: str, text: str) -> str:
    return f"{name} {shortened(text, 110)}".strip()


def _lost(evaluation: Evaluation) -> Table:
    """Return the questions that the memory shown loses, the heaviest first."""
    rows = []
    for point in shown_points(evaluation):
        material = evaluation.ground_of(point).material
        for query, stage in zip(material.queries, point.stages.tolist(), strict=True):
            if stage < len(STAGES) - 1:
                text = shortened(query.text or query.id, 160)
                rows.append((query.weight, (text, shortened(query.answer or "", 80), PARTS[STAGES[stage]])))
    rows.sort(key=lambda row: -row[0])
    return _cut(("question", "answer", "lost"), [row for _, row in rows])


def _cut(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> Table:
    return Table(head, tuple(rows[:MOST_STATIC]), max(0, len(rows) - MOST_STATIC))
