"""The JSON document of a replay: stable keys that others rely on."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from memspan import __version__
from memspan.environments.trials import Trial
from memspan.intervals import Interval
from memspan.report.replay_cells import BASELINE, Cell, Floats, Row, Told
from memspan.report.replay_words import COLUMNS, headline, notes, verdict

DIGITS = 6


def document(told: Told) -> dict[str, Any]:
    """Return what was *told* as one JSON document; numbers that are not known are null.

    Shares are in [0, 1], regret is in queries, curves have one number for each step.
    """
    return {
        "version": __version__,
        "headline": headline(told),
        "notes": list(notes(told)),
        "column": COLUMNS[told.setting.disclosure],
        "setting": {**asdict(told.setting), "seeds": list(told.seeds)},
        "rule": asdict(told.judged),
        "baseline": BASELINE,
        "policies": told.means,
        "materials": [asdict(each) for each in told.materials],
        "left_out": [{"material": name, "reason": why} for name, why in told.left_out],
        "cells": [_cell(told, cell) for cell in told.cells],
        "trials": [_trial(trial) for trial in told.replay.trials],
    }


def _cell(told: Told, cell: Cell) -> dict[str, Any]:
    return {
        "queries": cell.order,
        **_asked(cell.share),
        "capacities": list(cell.capacities),
        "bound": {"kind": cell.kind, "reached": number(cell.reached), "curve": curve(cell.bound)},
        "steps": len(cell.bound),
        "asked": cell.asked,
        "best": cell.best.policy,
        "alike": list(cell.alike),
        "not_told_apart": list(cell.near),
        "verdict": verdict(told, cell),
        "policies": [_row(told, row) for row in cell.rows],
    }


def _asked(share: float) -> dict[str, Any]:
    whole = isinstance(share, int)
    return {"share": None if whole else share, "capacity": share if whole else None}


def _row(told: Told, row: Row) -> dict[str, Any]:
    return {
        "policy": row.policy,
        "share_of_bound": interval(row.attained),
        "ratio": interval(row.ratio),
        "answered": interval(row.collected),
        "regret": interval(row.regret.end),
        "over_draws": over_draws(row),
        "growth": interval(row.regret.growth if told.grows else Interval(math.nan)),
        "expected": curve(row.expected),
        "regret_curve": {
            "mean": curve(row.regret.mean),
            "lower": curve(row.regret.lower),
            "upper": curve(row.regret.upper),
        },
    }


def _trial(trial: Trial) -> dict[str, Any]:
    return {
        "material": trial.material,
        "policy": trial.policy,
        "queries": trial.order,
        **_asked(trial.share),
        "held_at_most": trial.capacity,
        "seed": trial.seed,
        "steps": len(trial.collected),
        "asked": trial.asked,
        "answered": number(float(np.nansum(trial.collected))),
        "share_of_bound": number(trial.attained),
        "regret": number(float(trial.regret[-1])) if len(trial.regret) else 0.0,
        "bound_kind": trial.bound_kind,
        "bound_reached": number(trial.reached),
    }


def number(value: float) -> float | None:
    """Return *value* for JSON, which knows neither nan nor infinity: None stands for them."""
    return round(value, DIGITS) if math.isfinite(value) else None


def interval(value: Interval) -> dict[str, float | None]:
    """Return an estimate and its limits."""
    return {"estimate": number(value.estimate), "lower": number(value.lower), "upper": number(value.upper)}


def over_draws(row: Row) -> dict[str, Any]:
    """Return the share of the bound over draws of the questions: how many, the least and the most."""
    known = [share for share in row.draws if not math.isnan(share)]
    return {
        "draws": len(row.draws),
        "lowest": number(min(known, default=math.nan)),
        "highest": number(max(known, default=math.nan)),
    }


def curve(values: Floats) -> Sequence[float | None]:
    """Return one number for each step."""
    return [number(value) for value in values.tolist()]
