"""Rows of the tables of `association.py`, and where the data lies."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from memspan.diagnosis import Interval, association, clustered_bootstrap

DATA = Path(os.environ.get("MEMSPAN_DATA", Path(__file__).parents[2] / "shared" / "data"))


@dataclass(frozen=True)
class Answer:
    """One settled answer: whether what was read covers its query, whether it is right, and its cluster."""

    covered: bool
    correct: float
    cluster: str


@dataclass(frozen=True)
class Row:
    """How right answers go with coverage in one group of answers."""

    group: str
    n: int
    clusters: int
    covered: str
    right_if_covered: Interval
    right_if_not: Interval
    difference: Interval
    odds_ratio: Interval
    auc: Interval
    wrong_not_covered: Interval
    attributable: Interval


def row(group: str, answers: Iterable[Answer]) -> Row:
    """Return the association in *answers* as a row."""
    given = list(answers)
    found = association(
        [each.covered for each in given],
        [each.correct for each in given],
        [each.cluster for each in given],
        np.random.default_rng(0),
    )
    return Row(
        group,
        len(given),
        found.clusters,
        f"{np.mean([each.covered for each in given]):.0%}",
        found.right_covered,
        found.right_missed,
        found.difference,
        found.odds_ratio,
        found.auc,
        found.missed_of_wrong,
        found.attributable,
    )


def mean_of(values: Iterable[tuple[str, float]]) -> Interval:
    """Return the mean of *values*, each with its cluster, with its interval over clusters."""
    clusters: dict[str, list[float]] = {}
    for cluster, value in values:
        clusters.setdefault(cluster, []).append(value)
    return clustered_bootstrap(clusters, np.random.default_rng(0))
