"""The page of a replay: the answer, curves under the bound, each policy in each cell, how it was made."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from markupsafe import Markup

from memspan.environments.trials import FEW
from memspan.files import replace_file
from memspan.report.assets import asset, environment, script_hash
from memspan.report.embedding import script_safe
from memspan.report.files import refuse_unwritable
from memspan.report.method import versions
from memspan.report.replay_cells import BASELINE, Cell, Floats, Row, Told
from memspan.report.replay_chart import NARROW, WIDE, hue, level_chart, regret_chart, smoothed
from memspan.report.replay_tables import (
    around,
    around_named,
    brief,
    decimals,
    limits,
    shown,
)
from memspan.report.replay_words import (
    BOUNDS,
    COLUMNS,
    COUNTS,
    ORDERS,
    OTHERS,
    REWARDS,
    WRITES,
    capacity_told,
    headline,
    named,
    notes,
)
from memspan.report.tables import Table
from memspan.report.wording import counted, percent

MOST_CELLS = 40
MOST_MATERIALS = 200
POINTS = 120  # of a curve that are carried for the pointer
KEYS = {
    "iid": "what no policy can expect more than at that step",
    "remaining": "what no policy can expect more than, the mean of all steps so far",
    "clairvoyant": "what one who knew every question would have answered, the mean of all steps so far; only "
    "where it ends is it a bound, since such a one may lose early to win late",
}
"""What the curve of the bound says, by its kind."""
SCRIPTS = ("words.js", "table.js", "replay.js")
STYLES = ("chart.css", "page.css", "systems.css", "replay.css")


def render_replay(told: Told) -> str:
    """Return what is *told* of a replay as one HTML page that needs neither network nor JavaScript."""
    code = "\n".join(asset(name) for name in SCRIPTS)
    cells = told.cells[:MOST_CELLS]
    page: str = (
        environment()
        .get_template("replay.html.jinja")
        .render(
            title=_title(told),
            column=COLUMNS[told.setting.disclosure],
            finding=headline(told),
            notes=list(notes(told)),
            style=Markup("".join(asset(name) for name in STYLES)),  # noqa: S704 - our own files
            code=Markup(code),  # noqa: S704 - likewise
            code_hash=script_hash(code),
            baseline=BASELINE,
            several=len(told.materials) > 1,
            around=around_named(told).removesuffix(" interval"),
            grows=told.grows,
            counts=COUNTS,
            across=_across(told) if len(told.cells) > 1 else None,
            cells=[_cell(told, i, cell) for i, cell in enumerate(cells)],
            unshown=len(told.cells) - len(cells),
            policies=[(name, means, hue(name)) for name, means in told.means.items()],
            materials=_materials(told),
            left_out=told.left_out[:MOST_MATERIALS],
            method=list(_method(told)),
            data=Markup(script_safe(_carried(told, cells))),  # noqa: S704 - escaped for a script element
            versions=versions(),
        )
    )
    return page.encode("utf-8", "replace").decode()


def write_replay(told: Told, path: str | os.PathLike[str]) -> None:
    """Write the page to *path*; the file appears whole or not at all.

    Raises:
        FileError: the disk refuses.
    """
    target = Path(path)
    refuse_unwritable(target)
    replace_file(target, [render_replay(told)])


def _title(told: Told) -> str:
    return counted(len(told.materials), "materials") if len(told.materials) > 1 else told.materials[0].id


def _cell(told: Told, index: int, cell: Cell) -> dict[str, Any]:
    title = f"{named(told, cell)}: {cell.best.policy} {shown(cell.best.attained.estimate)} of the bound"
    return {
        "index": index,
        "name": named(told, cell),
        "order": cell.order,
        "drawn": ORDERS[cell.order],
        "capacity": capacity_told(told, cell),
        "size": _size(told, cell),
        "kind": cell.kind,
        "bound": BOUNDS[cell.kind],
        "key": KEYS[cell.kind],
        "level": _drawn(level_chart, cell, f"Expected coverage by step; {title}"),
        "regret": _drawn(regret_chart, cell, f"Regret by step; {title}"),
        "rows": [_row(told, row) for row in cell.rows],
    }


def _across(told: Told) -> dict[str, Any]:
    """Return the share of the bound of each policy in each cell, the best of each cell marked."""
    cells = told.cells
    return {
        "head": [brief(told, cell) for cell in cells],
        "rows": [(row.policy, [_share(cell, row.policy) for cell in cells]) for row in told.first.rows],
    }


def _share(cell: Cell, policy: str) -> tuple[str, bool]:
    share = cell.row(policy).attained.estimate
    return shown(share), policy in cell.alike and not math.isnan(share)


def _size(told: Told, cell: Cell) -> str:
    least, most = cell.capacities
    unit = told.setting.cost
    return counted(least, unit) if least == most else f"{least:,} to {counted(most, unit)}"


def _drawn(chart: Any, cell: Cell, title: str) -> dict[str, Markup]:
    return {
        "wide": Markup(chart(cell, WIDE, title)),  # noqa: S704 - texts are escaped where it is drawn
        "narrow": Markup(chart(cell, NARROW, title)),  # noqa: S704 - likewise
    }


def _row(told: Told, row: Row) -> dict[str, Any]:
    return {
        "policy": row.policy,
        "kind": hue(row.policy),
        "means": told.means.get(row.policy, ""),
        "share": shown(row.attained.estimate),
        "spread": around(told, row) if around_named(told) else "-",
        "ratio": decimals(row.ratio.estimate, 2),
        "ratios": limits(row.ratio, 2),
        "regret": decimals(row.regret.end.estimate, 1),
        "regrets": limits(row.regret.end, 1),
        "growth": decimals(row.regret.growth.estimate, 2),
        "growths": limits(row.regret.growth, 2),
        "answered": shown(row.collected.estimate),
    }


def _materials(told: Told) -> Table:
    """Return what was replayed, and how the best and the baseline did on each."""
    cell = told.first
    names = list(dict.fromkeys((cell.best.policy, BASELINE)))
    shares = {name: _by_material(told, name, cell) for name in names}
    rows = [
        (
            each.id,
            f"{each.claims:,}",
            f"{each.batches:,}",
            f"{each.queries:,}",
            *(shown(shares[name].get(each.id, math.nan)) for name in names),
        )
        for each in told.materials
    ]
    head = ("material", "claims", "sessions", "questions", *names)
    return Table(head, tuple(rows[:MOST_MATERIALS]), max(0, len(rows) - MOST_MATERIALS))


def _by_material(told: Told, policy: str, cell: Cell) -> dict[str, float]:
    found = told.replay.chosen(policy, cell.order, cell.share)
    return {trials[0].material: float(np.mean([trial.attained for trial in trials])) for trials in found}


# --- what the script reads --------------------------------------------------------------------------


def _carried(told: Told, cells: tuple[Cell, ...]) -> dict[str, Any]:
    return {
        "baseline": BASELINE,
        "several": len(told.materials) > 1,
        "around": around_named(told).removesuffix(" interval"),
        "grows": told.grows,
        "materials": [
            [each.id, each.claims, each.batches, each.queries] for each in told.materials[:MOST_MATERIALS]
        ],
        "cells": [_numbers(told, cell) for cell in cells],
    }


def _numbers(told: Told, cell: Cell) -> dict[str, Any]:
    length = len(cell.bound)
    places = np.linspace(0, max(length - 1, 0), min(POINTS, length)).round().astype(int)
    return {
        "name": named(told, cell),
        "capacity": capacity_told(told, cell),
        "steps": (places + 1).tolist(),
        "bound": _rounded(smoothed(cell, cell.bound)[places], 4),
        "rows": [_figures(told, cell, row, places) for row in cell.rows],
    }


def _figures(told: Told, cell: Cell, row: Row, places: Any) -> dict[str, Any]:
    shares = _by_material(told, row.policy, cell)
    return {
        "policy": row.policy,
        "kind": hue(row.policy),
        "share": _known(row.attained.estimate, 5),
        "spread": around(told, row) if around_named(told) else "-",
        "ratio": _known(row.ratio.estimate, 4),
        "ratios": limits(row.ratio, 2),
        "answered": _known(row.collected.estimate, 5),
        "end": _known(row.regret.end.estimate, 2),
        "regrets": limits(row.regret.end, 1),
        "growth": _known(row.regret.growth.estimate, 3),
        "growths": limits(row.regret.growth, 2),
        "expected": _rounded(smoothed(cell, row.expected)[places], 3),
        "regret": _rounded(row.regret.mean[places], 1),
        "materials": [_known(shares.get(each.id, math.nan), 4) for each in told.materials[:MOST_MATERIALS]],
    }


def _rounded(values: Floats, digits: int) -> list[float | None]:
    return [_known(value, digits) for value in values.tolist()]


def _known(value: float, digits: int) -> float | None:
    return round(value, digits) if math.isfinite(value) else None


# --- how it was computed ------------------------------------------------------------------------------


def _method(told: Told) -> Iterator[tuple[str, str]]:
    setting = told.setting
    yield "Column", f"{COLUMNS[setting.disclosure]}; figures of different columns are not compared"
    yield "Materials", f"{counted(len(told.materials), 'materials')}, each a cluster; {_supports(told)}"
    yield "Arrival", _arrival(told)
    yield "Memory", f"{_writing(told)}; capacity counts {setting.cost}"
    yield "Questions", "; ".join(f"{order}: {ORDERS[order]}" for order in told.replay.orders)
    if setting.drifts_at is not None:
        yield "Drift", f"popularity is drawn anew after {percent(setting.drifts_at)} of the questions"
    read = f" ({setting.read} claims, by words alike)" if setting.reward == "end-to-end" else ""
    yield "A hit", f"where {REWARDS[setting.reward]}{read}"
    for kind in dict.fromkeys(cell.kind for cell in told.cells):
        yield "Bound", f"{BOUNDS[kind]}; {_reached(told, kind)}"
    yield (
        "Share",
        "what a policy expects to answer, summed over the steps, by what the bound sums to",
    )
    yield "Regret", "bound less expectation, summed over the steps; as long as the shortest episode"
    yield "Answered", "the share of the questions that happened to be drawn"
    if told.grows:
        yield (
            "Growth",
            "log2 of how many times regret grows in the second half: 0 it stops, 1 it goes on as before",
        )
    few = f"with fewer than {FEW} materials they tell nothing apart, with one they are unknown"
    yield "Intervals", f"95 %, bootstrap over materials; {few}"
    if len(told.materials) == 1 and len(told.seeds) > 1:
        yield "Draws", "the least and the most over the draws of the questions of this material"
    yield "Rule", _rule(told)
    yield "Seeds", ", ".join(map(str, told.seeds))
    yield "Versions", versions()


def _supports(told: Told) -> str:
    return f"supports {' and '.join(sorted({each.certainty for each in told.materials}))}"


def _arrival(told: Told) -> str:
    if told.setting.arriving == "whole":
        return f"claims appear as a whole, then {counted(told.setting.steps, 'questions')} at most are asked"
    return (
        f"claims appear by sessions, then {counted(told.setting.per_batch, 'questions')} are asked after each"
    )


def _writing(told: Told) -> str:
    if told.setting.write == "swap":
        return f"at each write {counted(told.setting.swaps, 'claims')} can be taken in again"
    return WRITES[told.setting.write]


def _reached(told: Told, kind: str) -> str:
    least = min(cell.reached for cell in told.cells if cell.kind == kind)
    if math.isnan(least):
        return "a relaxation: it may lie above what can be reached"
    if least >= 0.9995:
        return "proven to be reached at each step"
    return f"some memory is proven to reach {percent(least)} of it at least"


def _rule(told: Told) -> str:
    if not told.judged.fitted_on:
        return "none: claims that were never used look alike"
    if told.judged.name == OTHERS:
        return "rules fitted on the other materials, one for each"
    return f"{told.judged.name} ({told.judged.fitted_on})"
