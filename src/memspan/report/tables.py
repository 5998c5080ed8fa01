"""The tables that read without JavaScript and on paper: sizes, memories, open questions, first steps."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from textwrap import shorten

from memspan.coverage import covered
from memspan.report.line import certified_count, weights_at
from memspan.report.needs import uncovered
from memspan.report.study import Landmark, Study, landmarks, size_for, size_in_all
from memspan.report.trail import Trail
from memspan.report.wording import between, percent, sized, target_name

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


def sizes(study: Study, targets: Sequence[float], capacities: Sequence[int] = ()) -> Table:
    """Return what each landmark takes, absolutely and as a share of the whole; likewise *capacities*."""
    frontier, whole = study.frontier, max(study.whole, 1)
    rows = [
        (mark.size.size or 0, target_name(frontier, mark.target), sized(mark.size), _share(mark, whole))
        for mark in landmarks(frontier, targets, study.estimate)
    ]
    at = frontier.at if study.estimate is None else study.estimate.at
    points = [at(capacity) for capacity in capacities]
    rows += [
        (each.capacity, between(each.lower, each.upper), f"{each.capacity:,}", percent(each.capacity / whole))
        for each in points
    ]
    ordered = sorted(rows, key=lambda row: row[0])
    return Table(("answered", frontier.unit, "of all"), tuple(row[1:] for row in ordered))


def _share(mark: Landmark, whole: int) -> str:
    size = mark.size.size or 0
    least = size if mark.size.at_least is None else mark.size.at_least
    return between(least / whole, size / whole)


def memories(study: Study, targets: Sequence[float]) -> Table:
    """Return the claims held at any landmark, with a dot under each landmark that holds them."""
    marks = landmarks(study.frontier, targets, study.estimate)
    held = [set(names) for names in study.memories([mark.size.size or 0 for mark in marks])]
    rows = [
        (claim.id, claim.text, claim.source or "", *("●" if claim.id in names else "" for names in held))
        for claim in study.material.claims
        if any(claim.id in names for names in held)
    ]
    head = ("claim", "text", "source", *(target_name(study.frontier, mark.target) for mark in marks))
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


def first_steps(study: Study, steps: Trail) -> Table:
    """Return who enters and leaves over the first stops, and what that gains."""
    frontier = study.frontier
    reached = weights_at(frontier, steps.capacities)[0].tolist()
    rows = [
        (
            f"{capacity:,}",
            percent(frontier.coverage.mass(reached[i])),
            f"+{percent(frontier.coverage.mass(reached[i] - reached[i - 1]))}",
            _told(study, step.enter),
            _told(study, step.leave),
        )
        for i, (capacity, step) in enumerate(zip(steps.capacities.tolist(), steps.steps, strict=True))
        if 0 < i <= MOST_STEPS
    ]
    head = (frontier.unit, "answered", "gain", "enters", "leaves")
    return Table(head, tuple(rows), len(steps.steps) - 1 - len(rows))


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
    return (
        "in all",
        f"{sum(len(study.material.claims) for study in studies):,}",
        f"{sum(len(study.frontier.coverage.queries) for study in studies):,}",
        *(sized(size_in_all(studies, target)) for target in (*sorted(targets), None)),
        _proven(studies),
    )


def _summary(study: Study, targets: Sequence[float]) -> tuple[str, ...]:
    wanted: list[float | None] = [*sorted(targets), None]
    return (
        study.material.id,
        f"{len(study.material.claims):,}",
        f"{len(study.frontier.coverage.queries):,}",
        *(
            "-" if study.empty else sized(size_for(study.frontier, target, study.estimate))
            for target in wanted
        ),
        "-" if study.empty else _proven([study]),
    )


def _taken(study: Study, target: float | None) -> str:
    return sized(size_for(study.frontier, target, study.estimate))


def _proven(studies: Sequence[Study]) -> str:
    """Return whether all of *studies* are proven at every capacity, else at how many of them."""
    frontiers = [study.frontier for study in studies if not study.empty]
    if not frontiers:
        return "-"
    if any(frontier.support_source != "annotated" for frontier in frontiers):
        return "estimate"
    certified, total = (sum(each) for each in zip(*map(certified_count, frontiers), strict=True))
    return "yes" if certified == total else f"{certified:,} of {total:,}"
