"""The tables that read without JavaScript and on paper: sizes, memories, open questions, first steps."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from textwrap import shorten

import numpy as np

from memspan.coverage import covered
from memspan.report.needs import uncovered
from memspan.report.study import Landmark, Study, landmarks
from memspan.report.trail import Step
from memspan.report.wording import percent, total_size

MOST_ROWS = 200
MOST_OPEN = 25
MOST_STEPS = 15


@dataclass(frozen=True)
class Table:
    """Rows for a page.

    Attributes:
        head: column titles.
        rows: cells as text.
        more: how many rows were left out.
    """

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    more: int = 0


def sizes(study: Study, targets: Sequence[float]) -> Table:
    """Return what each landmark takes, absolutely and as a share of the whole."""
    unit = study.frontier.unit
    rows = [
        (_target(mark), _size(mark), percent((mark.size.size or 0) / max(study.whole, 1)))
        for mark in landmarks(study.frontier, targets)
    ]
    return Table(("answered", unit, "of all"), tuple(rows))


def _target(mark: Landmark) -> str:
    return "all" if mark.target is None else percent(mark.target)


def _size(mark: Landmark) -> str:
    least = mark.size.at_least
    return (
        f"{mark.size.size:,}" if mark.size.certified or least is None else f"{least:,} to {mark.size.size:,}"
    )


def memories(study: Study, targets: Sequence[float]) -> Table:
    """Return the claims held at any landmark, with a dot under each landmark that holds them."""
    marks = landmarks(study.frontier, targets)
    held = [set(names) for names in study.frontier.memories([mark.size.size or 0 for mark in marks])]
    rows = [
        (claim.id, claim.text, claim.source or "", *("●" if claim.id in names else "" for names in held))
        for claim in study.material.claims
        if any(claim.id in names for names in held)
    ]
    head = ("claim", "text", "source", *(_target(mark) for mark in marks))
    return _cut(head, rows, MOST_ROWS)


def open_questions(study: Study, capacity: int) -> Table:
    """Return the questions that the memory at *capacity* leaves open, and what each would need."""
    frontier = study.frontier
    memory = frontier.coverage.memory(frontier.memory(capacity))
    needs = uncovered(frontier, memory, covered(frontier.coverage, memory))
    queries = [study.material.query(name) for name in frontier.coverage.queries]
    rows = [
        (
            queries[need.query].text or queries[need.query].id,
            percent(frontier.coverage.mass(int(frontier.coverage.weights[need.query]))),
            _named(study, need.missing) if not need.drop else f"without {_named(study, need.drop)}",
        )
        for need in needs
    ]
    return _cut(("question", "weight", "needs"), rows, MOST_OPEN)


def first_steps(study: Study, steps: Sequence[Step]) -> Table:
    """Return who enters and leaves over the first capacities, and what that gains."""
    frontier = study.frontier
    gains = np.diff(frontier.lower_weight, prepend=0)
    rows = [
        (
            f"{int(frontier.capacities[i]):,}",
            percent(float(frontier.lower[i])),
            f"+{percent(frontier.coverage.mass(int(gains[i])))}",
            _told(study, step.enter),
            _told(study, step.leave),
        )
        for i, step in enumerate(steps[: MOST_STEPS + 1])
        if i
    ]
    head = (frontier.unit, "answered", "gain", "enters", "leaves")
    return Table(head, tuple(rows), max(0, len(steps) - 1 - len(rows)))


def _named(study: Study, claims: Iterable[int]) -> str:
    return ", ".join(study.material.claims[claim].id for claim in claims)


def _told(study: Study, claims: Iterable[int]) -> str:
    named = (study.material.claims[claim] for claim in claims)
    return "; ".join(f"{claim.id} {shorten(claim.text, 90, placeholder=' …')}".strip() for claim in named)


def _cut(head: tuple[str, ...], rows: Sequence[tuple[str, ...]], most: int) -> Table:
    return Table(head, tuple(rows[:most]), max(0, len(rows) - most))


def overview(studies: Sequence[Study], targets: Sequence[float]) -> Table:
    """Return one row per study: what it holds and what each target takes."""
    head = (
        "material",
        "claims",
        "questions",
        *(percent(target) for target in sorted(targets)),
        "all",
        "proven",
    )
    return Table(head, (*(_summary(study, targets) for study in studies), _total(studies, targets)))


def _total(studies: Sequence[Study], targets: Sequence[float]) -> tuple[str, ...]:
    sizes_in_all = [total_size(studies, target) for target in (*sorted(targets), None)]
    certified = sum(int(study.frontier.certified.sum()) for study in studies)
    capacities = sum(len(study.frontier.capacities) for study in studies)
    estimated = any(study.frontier.support_source != "annotated" for study in studies)
    return (
        "in all",
        f"{sum(len(study.material.claims) for study in studies):,}",
        f"{sum(len(study.frontier.coverage.queries) for study in studies):,}",
        *("-" if size is None else f"{size:,}" for size in sizes_in_all),
        "estimate" if estimated else f"{certified:,} of {capacities:,}",
    )


def _summary(study: Study, targets: Sequence[float]) -> tuple[str, ...]:
    frontier = study.frontier
    wanted: list[int | None] = [None] * (len(targets) + 1)
    if not study.empty:
        wanted = [*(frontier.size_for(target).size for target in sorted(targets)), frontier.saturation]
    certified = f"{int(frontier.certified.sum()):,} of {len(frontier.capacities):,}"
    return (
        study.material.id,
        f"{len(study.material.claims):,}",
        f"{len(frontier.coverage.queries):,}",
        *("-" if size is None else f"{size:,}" for size in wanted),
        "estimate" if frontier.support_source != "annotated" else certified,
    )
