"""The JSON document of an evaluation: stable keys that others rely on."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import Any

from memspan import __version__
from memspan.diagnosis import STAGES, Evaluation, Interval, Point, Standing
from memspan.diagnosis.advice import advise
from memspan.diagnosis.trusted import Reliability
from memspan.trust.calibration import Calibration

MOST_ADVISED = 60
"""Points that come with claims to add and to drop; with more of them, ask for fewer systems or capacities."""
MOST_DRILLED = 60
"""Points that say of each query where it was lost."""


def document(evaluation: Evaluation) -> dict[str, Any]:
    """Return *evaluation* as one JSON document; utilities are masses in [0, 1].

    A number that is not sure has its bounds beside it, under its name with ``_interval``.
    """
    few = len(evaluation.points) <= MOST_ADVISED
    return {
        "version": __version__,
        "over": evaluation.over,
        "materials": [
            {
                "id": ground.material.id,
                "claims": len(ground.material.claims),
                "queries": len(ground.material.queries),
                "supported": len(ground.frontier.coverage.queries),
                "support_source": ground.frontier.support_source,
                "question_source": ground.material.question_source,
                "draws": len(ground.worlds),
                "baseline": ground.frontier.baseline,
                **_trust(evaluation.trust.get(ground.material.id)),
            }
            for ground in evaluation.grounds
        ],
        "points": [
            {**_point(point), **(_drilled(evaluation, point) if few else {})} for point in evaluation.points
        ],
        "dropped": [
            {"record": each.record, "field": each.field, "reason": each.reason, "kept": each.kept}
            for each in evaluation.dropped
        ],
        "flattered": [
            {"system": label, "materials": list(names)} for label, names in evaluation.flattered.items()
        ],
        "league": [_standing(standing) for standing in evaluation.standings],
    }


def _point(point: Point) -> dict[str, Any]:
    return {
        "material": point.material,
        "system": point.system,
        "variant": point.variant,
        "capacity": point.capacity,
        "size": point.size,
        "notes": point.notes,
        "invented": point.invented,
        "k": point.k,
        **_told("u_cov", point.u_cov),
        **_told("u_prec", point.u_prec),
        **_told("inflation", point.inflation),
        "frontier": point.frontier.lower,
        "frontier_upper": point.frontier.upper,
        **_told("loss", point.loss),
        **_told("loss_prec", point.loss_prec),
        **_told("share", point.share),
        **_told("share_prec", point.share_prec),
        **_told("u_read", point.u_read),
        **(_told("u_e2e", point.u_e2e) if point.u_e2e else {"u_e2e": None}),
        "tokens_held": point.tokens_held,
        "tokens_read": point.tokens_read,
        "waterfall": {
            **{name: part.estimate for name, part in point.waterfall.parts},
            "lost": point.waterfall.lost.estimate,
            "answered": point.waterfall.answered,
            "intervals": {
                name: [part.lower, part.upper]
                for name, part in point.waterfall.parts
                if part.lower < part.upper
            },
        },
        "memory": list(point.memory),
        **(_told("u_prec_expected", point.u_prec_expected) if point.u_prec_expected else {}),
        **(_told("water_expected", point.water_expected) if point.water_expected else {}),
    }


def _trust(found: Reliability | None) -> dict[str, Any]:
    """Return how good the beliefs are, over all claims and over those that settlements spoke about."""
    if found is None:
        return {}
    return {"trust": {**_calibration(found.known), "touched": _calibration(found.touched)}}


def _calibration(found: Calibration | None) -> dict[str, Any]:
    if found is None:
        return {"n": 0, "ece": None, "brier": None, "log_loss": None, "auc": None, "bins": []}
    auc = None if math.isnan(found.auc) else found.auc
    return {**asdict(found), "auc": auc, "bins": [asdict(each) for each in found.bins]}


def _told(name: str, value: Interval) -> dict[str, Any]:
    told: dict[str, Any] = {name: value.estimate}
    if value.known and value.lower < value.upper:
        told[f"{name}_interval"] = [value.lower, value.upper]
    return told


def _drilled(evaluation: Evaluation, point: Point) -> dict[str, Any]:
    ground = evaluation.ground_of(point)
    advice = advise(point, ground)
    return {
        "first": advice.first,
        "cause": advice.cause,
        "add": [
            {"claims": list(each.claims), "gain": each.gain, "queries": list(each.queries)}
            for each in advice.add
        ],
        "drop": [{"claim": each.claim, "reason": each.reason} for each in advice.drop],
        "queries": {
            query.id: STAGES[stage]
            for query, stage in zip(ground.material.queries, point.stages.tolist(), strict=True)
        },
    }


def _standing(standing: Standing) -> dict[str, Any]:
    return {
        "system": standing.system,
        "variant": standing.variant,
        "capacity_share": standing.capacity_share if math.isfinite(standing.capacity_share) else None,
        "own_size": standing.place is None,
        "materials": standing.materials,
        **_told("share", standing.share),
        **_told("share_prec", standing.share_prec),
        **_told("u_read", standing.u_read),
        **(_told("u_e2e", standing.u_e2e) if standing.u_e2e else {"u_e2e": None}),
        **_told("tokens_read", standing.tokens_read),
        **(_told("water_expected", standing.water_expected) if standing.water_expected else {}),
    }
