"""How a result was computed: versions, time, certificates, supports, weights, and what was dropped."""

from __future__ import annotations

import platform
from collections.abc import Iterator, Sequence

import numpy as np

import memspan
from memspan.material import Dropped
from memspan.optimum import ExactSize, Frontier
from memspan.report.counts import tally
from memspan.report.line import certified_count
from memspan.report.origins import NOTES, reader_told
from memspan.report.study import Study
from memspan.report.wording import counted, percent, widest_gap
from memspan.span.drawing import READER
from memspan.span.estimating import Estimate

MOST_DROPPED = 200

SOURCES = {
    "annotated": "annotated: the data set itself says which claims answer which question",
    "found": "found by memspan in the text: an estimate; read every number here as one",
    "generated": "generated together with their questions: an estimate; read every number here as one",
}


def method(study: Study) -> list[tuple[str, str]]:
    """Return what a reader needs to judge or repeat *study*, as (name, value)."""
    frontier = study.frontier
    rows = [
        ("Supports", SOURCES[frontier.support_source]),
        ("Questions", f"{_questions(study)}; {NOTES[study.material.question_source]}"),
        ("Weights", _weights(frontier)),
        ("Capacity", _capacity(study)),
        *(_proofs(frontier) if study.estimate is None else [("Draws", _draws(study.estimate))]),
        ("Baseline", f"the full material answers {percent(frontier.baseline)} of that mass"),
        ("Time", f"{seconds(study):.2f} s"),
        ("Versions", versions()),
    ]
    if READER in study.material.extra:
        rows.insert(1, ("Reader", reader_told(study.material)))
    if "operator" in study.material.extra:
        rows.insert(1, ("Items", f"those of the operator {study.material.extra['operator']}"))
    if study.exact is not None:
        rows.insert(5, ("Exact sizes", _exact(study.exact)))
    if study.precision is not None:
        rows.insert(1, ("Truth", _truth(frontier)))
    return rows


def _proofs(frontier: Frontier) -> list[tuple[str, str]]:
    return [("Bounds", _bounds(frontier)), ("Certificates", _certificates(frontier))]


def _draws(estimate: Estimate) -> str:
    return (
        f"supports drawn {estimate.draws} times by their probability, each draw solved; intervals hold the "
        "middle 90 % of the draws, and make no allowance for a reader that is wrong; the table of memories "
        "is chosen by expected coverage; what the slider and the steps show are the likeliest supports"
    )


def seconds(study: Study) -> float:
    """Return the seconds that solving took."""
    return sum(each.seconds for each in (study.frontier, study.precision, study.exact) if each)


def versions() -> str:
    """Return the versions that a result depends on."""
    return f"memspan {memspan.__version__}, numpy {np.__version__}, Python {platform.python_version()}"


def left_out(study: Study) -> tuple[Dropped, ...]:
    """Return everything that the loader and the computation dropped or repaired."""
    return (*study.material.dropped, *study.frontier.dropped)


def _questions(study: Study) -> str:
    found = tally([study])
    parts = [f"{found.count:,} of {counted(found.asked, 'questions')} have a support and count"]
    if found.refused:
        parts.append(f"the right answer to {found.refused:,} is a refusal")
    if found.bare:
        parts.append(f"{found.bare:,} have no support")
    return "; ".join(parts)


def _weights(frontier: Frontier) -> str:
    coverage = frontier.coverage
    exact = "rounded to a grid of 2⁻⁴⁰ of their sum" if coverage.rounded else "exact integers"
    over = "the questions that have a support"
    if coverage.total != int(coverage.weights.sum()):
        over = "all questions, answerable or not"
    return f"{exact}; utilities are shares of the weight of {over}"


def _capacity(study: Study) -> str:
    unit = study.frontier.unit
    if unit == "claims":
        return f"counts claims; {counted(study.whole, unit)} in all; every number of them is solved"
    declared = all(unit in claim.costs for claim in study.material.claims)
    how = "as the material declares them" if declared else "estimated from the text"
    return f"counts {unit}, {how}; {counted(study.whole, unit)} in all; every number of them is solved"


def _bounds(frontier: Frontier) -> str:
    certified, total = certified_count(frontier)
    met = f"lower and upper bound are equal in exact arithmetic at {certified:,} of {total:,} capacities"
    if certified == total:
        return met
    return f"{met}; the widest interval is {percent(widest_gap(frontier)[0])}"


def _exact(exact: ExactSize) -> str:
    sizes, closed = len(exact.sizes), int(exact.certified.sum())
    told = counted(len(exact.dips), "dips") if exact.dips else "no dip"
    return (
        f"claims can defeat answers here, so exactly S claims can do worse than at most S; bounds meet at "
        f"{closed:,} of {sizes:,} sizes; {told}"
    )


def _certificates(frontier: Frontier) -> str:
    parts = len(frontier.solution.parts)
    return f"{frontier.certificate}, over {counted(parts, 'independent parts')}"


def _truth(frontier: Frontier) -> str:
    truth = frontier.coverage.truth
    known, false = int((~np.isnan(truth)).sum()), int((truth < 0.5).sum())
    return f"known for {counted(known, 'claims')}, {false:,} of them false; unknown counts as true"


def dropped_rows(dropped: Sequence[Dropped]) -> Iterator[tuple[str, str, str, str]]:
    """Yield what was dropped as (record, field, reason, outcome), the first 200."""
    for each in dropped[:MOST_DROPPED]:
        yield each.record, each.field, each.reason, "kept, repaired" if each.kept else "left out"
