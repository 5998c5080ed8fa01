"""The JSON document of trust: stable keys that others rely on."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from memspan import __version__
from memspan.cli.trusting import Weighed
from memspan.report.trust_reasons import reason
from memspan.trust.doubt import DoubtfulClaim
from memspan.trust.suspects import ErrorRate, Settler


def document(found: Weighed) -> dict[str, Any]:
    """Return *found* as one JSON document; trust and rates are in [0, 1], weights in log-odds."""
    told = found.told
    doubts = told.doubts
    return {
        "version": __version__,
        "material": told.material.id,
        "claims": len(told.material.claims),
        "touched": doubts.touched,
        "false": doubts.false,
        "less_sure": doubts.less_sure,
        "unlisted": {"doubtful": doubts.more, "sets": doubts.more_sets},
        "outcomes": {
            "read": doubts.outcomes,
            "silent": doubts.silent,
            "unsure": doubts.unsure,
            "inferred": doubts.inferred,
            "whole": doubts.whole,
        },
        "doubtful": [_claim(each) for each in doubts.claims],
        "sets": [asdict(each) for each in doubts.sets],
        "noise": {
            "above": doubts.noisy,
            "false_wrong": _rate(doubts.erring.false_wrong),
            "false_right": _rate(doubts.erring.false_right),
        },
        "settlers": [_settler(each) for each in doubts.settlers],
        "sources": [asdict(each) for each in doubts.sources],
        "pool": asdict(doubts.pool),
        "calibration": None if told.calibration is None else _finite(asdict(told.calibration)),
        "alarms": [{**asdict(each), "told": str(each)} for each in doubts.alarms],
        "refit": None if found.refit is None else {**asdict(found.refit), "converged": found.refit.converged},
    }


def _claim(claim: DoubtfulClaim) -> dict[str, Any]:
    told = asdict(claim)
    trust = told.pop("trust")
    return {**trust, "why": reason(claim), **told}


def _settler(settler: Settler) -> dict[str, Any]:
    return {
        "name": settler.name,
        "outcomes": settler.outcomes,
        "suspicious": settler.suspicious,
        "untrusted": settler.untrusted,
        "false_wrong": _rate(settler.false_wrong),
        "false_right": _rate(settler.false_right),
    }


def _finite(measures: dict[str, Any]) -> dict[str, Any]:
    return {name: None if value != value else value for name, value in measures.items()}  # noqa: PLR0124 - nan


def _rate(rate: ErrorRate) -> dict[str, Any]:
    return {**asdict(rate), "high": rate.high}
