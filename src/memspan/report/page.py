"""The report: one self-contained page, rendered from a template and drawings made here."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from markupsafe import Markup

from memspan.files import replace_file
from memspan.report import tables
from memspan.report.asides import asides
from memspan.report.assets import asset, environment, script_hash
from memspan.report.chart import chart, thumbnail
from memspan.report.dips import dips
from memspan.report.embedding import embedded, script_safe
from memspan.report.files import refuse_unwritable
from memspan.report.layout import NARROW, WIDE
from memspan.report.method import dropped_rows, left_out, method, versions
from memspan.report.plane import Plane, plane_of, plane_of_mean, view_end
from memspan.report.study import TARGETS, Study, landmarks
from memspan.report.trail import Trail, trail
from memspan.report.wording import counted, finding, sentences

MOST_SECTIONS = 30
MARGIN = 16  # pixels around a picture that stands alone
SCRIPTS = ("words.js", "table.js", "walk.js", "explorer.js", "page.js")


def render(studies: Sequence[Study], targets: Sequence[float] = TARGETS) -> str:
    """Return the report on *studies* as one HTML page that needs neither network nor JavaScript.

    Args:
        studies: at least one; the first 30 get a section, all of them a line in the overview.
        targets: shares of the questions, masses in [0, 1], whose sizes are marked.

    >>> import memspan as ms
    >>> odyssey = ms.bundled("odyssey")
    >>> render([Study(odyssey, ms.frontier(odyssey))]).startswith("<!doctype html>")
    True
    """
    code = "\n".join(asset(name) for name in SCRIPTS)
    page = (
        environment()
        .get_template("page.html.jinja")
        .render(
            title=studies[0].material.id if len(studies) == 1 else counted(len(studies), "materials"),
            finding=_told(studies, targets),
            style=Markup(asset("chart.css") + asset("page.css")),  # noqa: S704 - our own files
            code=Markup(code),  # noqa: S704 - likewise
            code_hash=script_hash(code),
            overview=_overview(studies, targets) if len(studies) > 1 else None,
            sections=[_section(i, study, targets) for i, study in enumerate(studies[:MOST_SECTIONS])],
            unshown=max(0, len(studies) - MOST_SECTIONS),
            versions=versions(),
        )
    )
    return page.encode("utf-8", "replace").decode()


def svg(studies: Sequence[Study], targets: Sequence[float] = TARGETS) -> str:
    """Return the frontier of one study, or the mean of several, as an SVG file of its own."""
    plane = plane_of(studies[0], targets) if len(studies) == 1 else plane_of_mean(studies, targets)
    drawing = chart(plane, WIDE, finding(studies, targets))
    width, height = WIDE.width + 2 * MARGIN, WIDE.height + 2 * MARGIN
    box = f"{-MARGIN} {-MARGIN} {width} {height}"
    paper = f'<path class="paper" d="M{-MARGIN} {-MARGIN}h{width}v{height}h{-width}Z"/>'
    head, rest = drawing.split("\n", 1)
    sized = re.sub('viewBox="[^"]*"', f'width="{width}" height="{height}" viewBox="{box}"', head, count=1)
    return f"{sized}\n<style>{asset('chart.css')}</style>\n{paper}\n{rest}\n"


def write_report(
    studies: Sequence[Study], path: str | os.PathLike[str], targets: Sequence[float] = TARGETS
) -> None:
    """Write the report on *studies* to *path*; the file appears whole or not at all.

    Raises:
        FileError: the disk refuses.
    """
    target = Path(path)
    refuse_unwritable(target)
    replace_file(target, [render(studies, targets)])


def _drawn(plane: Plane, title: str) -> dict[str, Markup]:
    return {
        "wide": Markup(chart(plane, WIDE, title)),  # noqa: S704 - texts are escaped where it is drawn
        "narrow": Markup(chart(plane, NARROW, title)),  # noqa: S704 - likewise
    }


def _told(studies: Sequence[Study], targets: Sequence[float]) -> list[str]:
    """Return what stands above the fold, sentence by sentence."""
    return [*sentences(studies, targets), *asides(studies)]


def _overview(studies: Sequence[Study], targets: Sequence[float]) -> dict[str, Any]:
    full = [study for study in studies if not study.empty]
    end = max((view_end(study) for study in full), default=1)
    return {
        "charts": _drawn(plane_of_mean(studies, targets), finding(studies, targets)) if full else None,
        "table": tables.overview(studies, targets),
        "small": [_thumbnail(study, targets, end) for study in studies[:MOST_SECTIONS]],
    }


def _thumbnail(study: Study, targets: Sequence[float], end: int) -> dict[str, Any]:
    if study.empty:
        return {"id": study.material.id, "drawing": ""}
    drawing = thumbnail(replace(plane_of(study, targets), end=end), finding([study], targets))
    return {"id": study.material.id, "drawing": Markup(drawing)}  # noqa: S704 - escaped where it is drawn


def _limits(steps: Trail, carried: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield what this page leaves out to stay small."""
    if not steps.complete:
        yield (
            "Slider",
            f"stops at {counted(len(steps.capacities), 'capacities')} evenly spread, not at every one",
        )
    if carried["left_out"]:
        yield "Tables", f"without {counted(carried['left_out'], 'claims')} that touch no question"


def _section(index: int, study: Study, targets: Sequence[float]) -> dict[str, Any]:
    dropped = left_out(study)
    how = method(study)
    told: dict[str, Any] = {
        "index": index,
        "id": study.material.id,
        "unit": study.frontier.unit,
        "finding": _told([study], targets),
        "empty": study.empty,
        "method": how,
        "dropped": list(dropped_rows(dropped)),
        "dropped_count": len(dropped),
        "precision": study.precision is not None,
        "dips": dips(study),
    }
    return told if study.empty else told | _explored(study, targets, how)


def _explored(study: Study, targets: Sequence[float], how: Sequence[tuple[str, str]]) -> dict[str, Any]:
    """Return what a section shows of a frontier that is not empty."""
    marks, steps = landmarks(study.frontier, targets), trail(study.frontier)
    usual = marks[-2 if len(marks) > 1 else -1].size.size or 0 if marks else 0
    carried = embedded(study, steps)
    return {
        "charts": _drawn(plane_of(study, targets), finding([study], targets)),
        "sizes": tables.sizes(study, targets),
        "memories": tables.memories(study, targets),
        "open": tables.open_questions(study, usual),
        "open_at": counted(usual, study.frontier.unit),
        "steps": tables.first_steps(study, steps),
        "method": [*how, *_limits(steps, carried)],
        "data": Markup(script_safe(carried)),  # noqa: S704 - escaped for a script element
    }
