"""The JSON document of a frontier: stable keys that others rely on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from memspan import __version__
from memspan.optimum import ExactSize, Frontier, Point
from memspan.report.line import weights_at
from memspan.report.method import left_out, seconds
from memspan.report.placed import Placed
from memspan.report.study import Study
from memspan.span.drawing import READER
from memspan.span.estimating import DRAWN

FULL_LISTS = 2_000  # claims up to which every point lists its memory
MOST_LISTED = 5_000_000  # ids over all lists of one material


def document(studies: Sequence[Study]) -> dict[str, Any]:
    """Return *studies* as one JSON document; utilities are masses in [0, 1].

    Beyond 2,000 claims ``memory`` is listed up to the saturation only, where it stops changing,
    and is null after it; see docs/cli.md.
    """
    materials = [_material(study) for study in studies]
    return {
        "version": __version__,
        "unit": studies[0].frontier.unit,
        "seconds": round(sum(seconds(study) for study in studies), 3),
        "certificate": " + ".join(
            sorted({kind for each in materials for kind in each["certificate"].split(" + ")})
        ),
        "materials": materials,
    }


def _material(study: Study) -> dict[str, Any]:
    frontier = study.frontier
    return {
        "id": study.material.id,
        "claims": len(study.material.claims),
        "queries": len(study.material.queries),
        "supported": len(frontier.coverage.queries),
        "support_source": frontier.support_source,
        "question_source": study.material.question_source,
        **({"reader": study.material.extra[READER]} if READER in study.material.extra else {}),
        **({"draws": study.estimate.draws} if study.estimate else {}),
        "unit": frontier.unit,
        "baseline": frontier.baseline,
        "saturation": frontier.saturation,
        "certificate": DRAWN if study.estimate else frontier.certificate,
        "weights_rounded": frontier.coverage.rounded,
        "seconds": round(seconds(study), 3),
        **({"memory": _placed(study.placed)} if study.placed else {}),
        "points": list(_points(study)),
        **({"exact_size": _exact_size(study.exact, study.frontier)} if study.exact else {}),
        "dropped": [
            {"record": each.record, "field": each.field, "reason": each.reason, "kept": each.kept}
            for each in left_out(study)
        ],
    }


def _exact_size(exact: ExactSize, frontier: Frontier) -> dict[str, Any]:
    """Return the sizes among the capacities that *frontier* lists, and every dip."""
    sizes = frontier.capacities[frontier.capacities < len(exact.sizes)]
    bounds = zip(sizes.tolist(), exact.lower[sizes].tolist(), exact.upper[sizes].tolist(), strict=True)
    return {
        "points": [{"size": size, "lower": lower, "upper": upper} for size, lower, upper in bounds],
        "dips": [
            {"size": dip.size, "drop": dip.drop, "claims": list(dip.claims), "queries": list(dip.queries)}
            for dip in exact.dips
        ],
    }


def _placed(placed: Placed) -> dict[str, Any]:
    harm = placed.harm
    misled = {"u_right": harm.right, "u_wrong": harm.wrong, "u_none": harm.none} if harm else {}
    return {
        "size": placed.size,
        "u_cov": placed.covers,
        "u_prec": placed.precise,
        "loss": placed.loss.lower,
        "loss_upper": placed.loss.upper,
        "frontier": placed.best.lower,
        "frontier_upper": placed.best.upper,
        **misled,
    }


def _points(study: Study) -> Iterator[dict[str, Any]]:
    frontier = study.frontier
    precise = _precise(study.precision, frontier) if study.precision else [{}] * len(frontier.capacities)
    for point, also, memory in zip(_listed(study), precise, _memories(study), strict=True):
        found: dict[str, Any] = {
            "capacity": point.capacity,
            "lower": point.lower,
            "upper": point.upper,
            "certified": point.certified,
            "certificate": point.certificate,
        }
        yield found | also | {"memory": memory}


def _listed(study: Study) -> Iterable[Point]:
    """Return the points to list: intervals over drawn supports where there are any."""
    if study.estimate is None:
        return study.frontier.points
    return map(study.estimate.at, study.frontier.capacities.tolist())


def _precise(precision: Frontier, frontier: Frontier) -> list[dict[str, float]]:
    """Return the bounds of true claims alone at the capacities that *frontier* lists."""
    mass = precision.coverage.mass
    bounds = zip(*weights_at(precision, frontier.capacities), strict=True)
    return [{"lower_prec": mass(lower), "upper_prec": mass(upper)} for lower, upper in bounds]


def _memories(study: Study) -> list[list[str] | None]:
    """Return the memory at each capacity, None where it is not listed."""
    frontier = study.frontier
    count = len(frontier.capacities)
    if len(frontier.costs) > FULL_LISTS and frontier.saturation is not None:
        count = int(np.searchsorted(frontier.capacities, frontier.saturation)) + 1
    held = np.minimum(frontier.capacities[:count], len(frontier.costs))
    stride = max(1, -(-int(held.sum()) // MOST_LISTED))
    listed = [*range(0, count, stride)]
    memories: list[list[str] | None] = [None] * len(frontier.capacities)
    for i, memory in zip(listed, study.memories(frontier.capacities[listed].tolist()), strict=True):
        memories[i] = list(memory)
    return memories
