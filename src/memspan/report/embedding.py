"""What a page carries for its script: columns and changes, not full lists."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from memspan.material import Claim
from memspan.optimum import Frontier
from memspan.report.line import weights_at
from memspan.report.needs import Route, routes
from memspan.report.study import Study
from memspan.report.trail import Trail, trail

MOST_CHARACTERS = 4_000_000  # of claim texts in one material
LONGEST = 1_000  # characters of one text


def embedded(study: Study, steps: Trail) -> dict[str, Any]:
    """Return one study and its *steps* as the page's script reads it; claims are positions in ``claims``.

    Claims that touch no question are left out where all texts together would make the page
    heavy; ``left_out`` says how many.
    """
    trails = {"coverage": (study.frontier, steps)}
    if study.precision is not None:
        trails["precision"] = (study.precision, trail(study.precision))
    kept = _kept(study, [each for _, each in trails.values()])
    place = {claim: i for i, claim in enumerate(kept)}
    return {
        "id": study.material.id,
        "unit": study.frontier.unit,
        "whole": study.whole,
        "total": study.frontier.coverage.total,
        "annotated": study.frontier.support_source == "annotated",
        "left_out": len(study.material.claims) - len(kept),
        "claims": _claims([study.material.claims[i] for i in kept], study.frontier.costs[kept].tolist()),
        "queries": _queries(study, place),
        "trails": {name: _trail(found, each, place) for name, (found, each) in trails.items()},
    }


def script_safe(document: Any) -> str:
    r"""Return *document* as JSON that cannot end the script element it stands in.

    >>> script_safe({"text": "</script>"})
    '{"text":"\\u003c/script\\u003e"}'
    """
    text = json.dumps(document, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def _kept(study: Study, trails: Iterable[Trail]) -> list[int]:
    """Return the claims to carry: all, or those that touch a question where all would be too much."""
    claims, coverage = study.material.claims, study.frontier.coverage
    if sum(min(len(claim.text), LONGEST) for claim in claims) <= MOST_CHARACTERS:
        return list(range(len(claims)))
    held = {claim for each in trails for step in each.steps for claim in step.enter}
    return sorted(held.union(coverage.members.tolist(), coverage.unless.tolist()))


def _claims(claims: Sequence[Claim], costs: Sequence[int]) -> dict[str, Any]:
    longest = max(80, min(LONGEST, MOST_CHARACTERS // max(len(claims), 1)))
    columns: dict[str, Any] = {
        "id": [claim.id for claim in claims],
        "text": [shortened(claim.text, longest) for claim in claims],
        "source": [shortened(claim.source or "") for claim in claims],
        "cost": list(costs),
    }
    if any(claim.truth is not None for claim in claims):
        columns["truth"] = [claim.truth for claim in claims]
    return columns


def shortened(text: str, longest: int = LONGEST) -> str:
    """Return *text*, cut where it is very long."""
    return text if len(text) <= longest else f"{text[:longest]} …"


def _queries(study: Study, place: Mapping[int, int]) -> dict[str, Any]:
    queries = [study.material.query(name) for name in study.frontier.coverage.queries]
    return {
        "id": [query.id for query in queries],
        "text": [shortened(query.text) for query in queries],
        "answer": [shortened(query.answer or "") for query in queries],
        "weight": study.frontier.coverage.weights.tolist(),
        "routes": [[_route(way, place) for way in each] for each in routes(study.frontier)],
    }


def _route(way: Route, place: Mapping[int, int]) -> list[list[int]]:
    claims = [place[claim] for claim in way.claims]
    return [claims, [place[claim] for claim in way.unless]] if way.unless else [claims]


def _trail(frontier: Frontier, steps: Trail, place: Mapping[int, int]) -> dict[str, Any]:
    lower, upper = weights_at(frontier, steps.capacities)
    return {
        "capacity": steps.capacities.tolist(),
        "lower": lower.tolist(),
        "upper": None if np.array_equal(lower, upper) else upper.tolist(),
        "complete": steps.complete,
        "steps": [
            [[place[i] for i in step.enter], [place[i] for i in step.leave], step.gain, step.lose]
            for step in steps.steps
        ],
    }
