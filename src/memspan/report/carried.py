"""What the page of an evaluation carries for its script: every point, as small as it can be told."""

from __future__ import annotations

import base64
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np

from memspan.diagnosis import Evaluation, Interval, Point, Standing
from memspan.diagnosis.advice import fix_first
from memspan.diagnosis.ground import Ground, World
from memspan.report.embedding import shortened
from memspan.report.falling import Fall, fall_of
from memspan.report.league import (
    MEANINGS,
    PARTS,
    UNRANKED,
    League,
    end_name,
    league_of,
    place_name,
    shown_points,
)
from memspan.report.levels import level_of
from memspan.report.systems_look import look_of

MOST_BYTES = 4_500_000
"""Of all materials together; what would go beyond it is told in the means alone."""
LONGEST = 400  # characters of one text
MOST_CHARACTERS = 1_500_000  # of all claims and questions together
Order = Mapping[str, int]
"""Labels of systems to their place in the league."""
UNSETTLED = "-"
"""Stage of a question that a recorded run was not asked."""


@dataclass
class Interned:
    """Things that stand once, and are told by their number."""

    rows: list[Any] = field(default_factory=list)
    places: dict[str, int] = field(default_factory=dict)

    def number(self, row: Any) -> int:
        """Return the number of *row*."""
        key = json.dumps(row)
        if key not in self.places:
            self.places[key] = len(self.rows)
            self.rows.append(row)
        return self.places[key]


def carried(evaluation: Evaluation) -> dict[str, Any]:
    """Return *evaluation* as the page's script reads it.

    Systems, capacities and materials are told by their place in their lists; a point by
    ``system/capacity``, the latter ``own`` for the system's own size.
    """
    league, shown = league_of(evaluation), shown_points(evaluation)[0]
    order = {label: i for i, label in enumerate(league.rows)}
    falls, first = Interned(), Interned()
    kept = _materials(evaluation, order, falls, first)
    answered = any(point.u_e2e is not None for point in evaluation.points)
    return {
        "over": evaluation.over,
        "answered": answered,
        "end": end_name(answered=answered),
        "parts": {name: [PARTS[name], MEANINGS[name]] for name in PARTS},
        "systems": _systems(evaluation, league),
        "places": [place_name(share).replace(" ", "") for share in _shares(evaluation)],
        "columns": list(league.places),
        "place": league.place,
        "shown": _key(order[shown.label], shown.place),
        "standings": _standings(evaluation, order),
        "materials": kept,
        "of": len(evaluation.grounds),
        "falls": falls.rows,
        "first": first.rows,
    }


def _systems(evaluation: Evaluation, league: League) -> list[dict[str, Any]]:
    named = {point.label: point for point in evaluation.points}
    looks = {label: look_of(point.system, point.variant) for label, point in named.items()}
    return [
        {
            "label": label,
            "kind": looks[label].kind,
            "mark": looks[label].mark,
            "k": named[label].k,
            "ranked": label not in UNRANKED,
        }
        for label in league.rows
    ]


def _key(system: int, place: int | None) -> str:
    return f"{system}/{'own' if place is None else place}"


def _shares(evaluation: Evaluation) -> list[float]:
    """Return the capacities asked for as shares of the claims, on average, in their order."""
    found = {each.place: each.capacity_share for each in evaluation.standings if each.place is not None}
    return [found[place] for place in sorted(found)]


def _standings(evaluation: Evaluation, order: Order) -> dict[str, Any]:
    groups: dict[tuple[str, int | None], list[Point]] = {}
    for point in evaluation.points:
        groups.setdefault((point.label, point.place), []).append(point)
    told = {}
    for each in evaluation.standings:
        told[_key(order[each.label], each.place)] = {
            **_standing(each),
            "fall": _fall(fall_of(groups[each.label, each.place])),
        }
    return told


def _standing(standing: Standing) -> dict[str, Any]:
    return {
        "share": _ranged(standing.share_prec),
        "read": _ranged(standing.u_read),
        "right": None if standing.u_e2e is None else _ranged(standing.u_e2e),
        "tokens": _ranged(standing.tokens_read),
        "at": _short(standing.capacity_share),
        "n": standing.materials,
    }


def _fall(fall: Fall) -> list[Any]:
    return [*(_ranged(part) for _, part in fall.parts), _ranged(fall.lost), int(fall.answered)]


def _ranged(value: Interval) -> Any:
    """Return a number, with its limits where they are known and apart."""
    if not value.known or value.lower == value.upper:
        return _short(value.estimate)
    return [_short(value.estimate), _short(value.lower), _short(value.upper)]


def _short(value: float) -> float | None:
    return float(f"{value:.6g}") if math.isfinite(value) else None


# --- materials ------------------------------------------------------------------------------------


def _materials(
    evaluation: Evaluation, order: Order, falls: Interned, first: Interned
) -> list[dict[str, Any]]:
    """Return the materials with their points: all, at the capacity shown alone, or only the first ones."""
    few = len(evaluation.points) * 60 + _bulk(evaluation) > MOST_BYTES
    place = league_of(evaluation).place
    longest = _longest(evaluation)
    found: list[dict[str, Any]] = []
    taken = 0
    for ground in evaluation.grounds:
        points = [
            point
            for point in evaluation.points
            if point.material == ground.material.id and (not few or point.place in {None, place})
        ]
        told = _material(ground, longest)
        told["points"] = _points(evaluation, points, order, falls, first)
        taken += len(json.dumps(told, ensure_ascii=False).encode("utf-8", "replace"))
        if found and taken > MOST_BYTES:
            break
        found.append(told)
    return found


def _bulk(evaluation: Evaluation) -> int:
    """Return about how many bytes memories and stages take."""
    sizes = {
        ground.material.id: len(ground.material.claims) // 6 + len(ground.material.queries)
        for ground in evaluation.grounds
    }
    return sum(sizes[point.material] for point in evaluation.points)


def _longest(evaluation: Evaluation) -> int:
    count = sum(len(g.material.claims) + 2 * len(g.material.queries) for g in evaluation.grounds)
    return max(60, min(LONGEST, MOST_CHARACTERS // max(count, 1)))


def _material(ground: Ground, longest: int) -> dict[str, Any]:
    material, world, level = ground.material, ground.worlds[0], level_of(ground.material)
    return {
        "id": material.id,
        "level": None if level is None else level.name,
        "claims": {
            "id": [claim.id for claim in material.claims],
            "text": [shortened(claim.text, longest) for claim in material.claims],
            "false": np.flatnonzero(world.coverage.truth < 0.5).tolist(),
        },
        "queries": {
            "id": [query.id for query in material.queries],
            "text": [shortened(query.text, longest) for query in material.queries],
            "answer": [shortened(query.answer or "", longest) for query in material.queries],
            "weight": world.weights.tolist(),
            "counted": _counted(world),
        },
        "ways": _ways(ground),
    }


def _counted(world: World) -> int:
    """Return what utilities are divided by, in the unit of the world's weights."""
    return int(world.weights[world.supported].sum()) if world.frontier.over == "answerable" else world.whole


def _ways(ground: Ground) -> list[list[Any]]:
    """Return every support as its query's place, its claims, and what defeats it where there is something."""
    coverage, place = ground.worlds[0].coverage, ground.worlds[0].place
    needed, unless = coverage.members.tolist(), coverage.unless.tolist()
    rows = zip(
        coverage.owner.tolist(),
        pairwise(coverage.ptr.tolist()),
        pairwise(coverage.unless_ptr.tolist()),
        strict=True,
    )
    return [
        [int(place[query]), needed[a:b], *([unless[c:d]] if d > c else [])] for query, (a, b), (c, d) in rows
    ]


def _points(
    evaluation: Evaluation,
    points: Sequence[Point],
    order: Order,
    falls: Interned,
    first: Interned,
) -> dict[str, list[Any]]:
    told: dict[str, Any] = {}
    for point in points:
        told[_key(order[point.label], point.place)] = [
            point.capacity,
            point.size,
            falls.number(_fall(fall_of([point]))),
            first.number(fix_first(point)[1]),
            _stages(evaluation, point),
            _memory(evaluation, point),
            _short(point.tokens_read),
        ]
    return told


def _stages(evaluation: Evaluation, point: Point) -> str:
    """Return for each query of the material one digit, its place in `STAGES`."""
    asked = evaluation.ground_of(point).material.queries
    stages = point.stages.tolist()
    queries = evaluation.ground(point.material).material.queries
    if len(asked) == len(queries):
        return "".join(map(str, stages))
    known = {query.id: stage for query, stage in zip(asked, stages, strict=True)}
    return "".join(str(known.get(query.id, UNSETTLED)) for query in queries)


def _memory(evaluation: Evaluation, point: Point) -> str:
    """Return which claims are held: one bit each, the first one lowest."""
    material = evaluation.ground(point.material).material
    held = np.zeros(len(material.claims), np.uint8)
    held[[material.claim_position[name] for name in point.memory]] = 1
    return base64.b64encode(np.packbits(held, bitorder="little").tobytes()).decode()
