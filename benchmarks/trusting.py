"""Rows of the tables of `trust_real.py`: how well a score ranks what is known to be wrong below the rest."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from scipy.stats import rankdata

from memspan.diagnosis import Interval, clustered_bootstrap
from memspan.material import Material, Query, Settlement
from memspan.trust import Terms, TrustModel, engine

DATA = Path(os.environ.get("MEMSPAN_DATA", Path(__file__).parents[2] / "shared" / "data"))
Floats = npt.NDArray[np.float64]
engine.MANY = 1  # hundreds of small models: the compiled twin saves minutes and gives the same


@dataclass(frozen=True)
class Scored:
    """Something to rank: whether it is wrong, its scores, and what it shares with others."""

    wrong: bool
    scores: Mapping[str, float]
    cluster: str


@dataclass(frozen=True)
class Ranking:
    """How often a score is lower for what is wrong than for the rest; .5 says nothing."""

    group: str
    wrong: int
    others: int
    score: str
    auc: Interval
    less_the_baseline: Interval | None = None


def rankings(group: str, given: Iterable[Scored], baseline: str | None = None) -> Iterator[Ranking]:
    """Yield a row for each score of *given*, with what it has over the *baseline* score."""
    rows = list(given)
    wrong = sum(each.wrong for each in rows)
    for name in rows[0].scores:
        over = None if baseline in (None, name) else interval(rows, name, baseline)
        yield Ranking(group, wrong, len(rows) - wrong, name, interval(rows, name), over)


def interval(rows: Sequence[Scored], score: str, less: str | None = None) -> Interval:
    """Return the AUC of a score, or how much greater it is than that of another, over whole clusters."""
    clusters: dict[str, list[list[float]]] = {}
    for each in rows:
        told = [float(each.wrong), each.scores[score], each.scores[less] if less else 0.0]
        clusters.setdefault(each.cluster, []).append(told)

    def statistic(table: Floats) -> float:
        wrong = table[:, 0] == 1
        found = auc(wrong, table[:, 1])
        return found - auc(wrong, table[:, 2]) if less else found

    return clustered_bootstrap(clusters, np.random.default_rng(0), 1000, statistic)


def auc(wrong: npt.NDArray[np.bool_], scores: Floats) -> float:
    """Return the chance that one that is wrong scores below one that is not, ties by halves."""
    n, m = int(wrong.sum()), int((~wrong).sum())
    if not n or not m:
        return float("nan")
    ranks = rankdata(scores)
    return float(1 - (ranks[wrong].sum() - n * (n + 1) / 2) / (n * m))


def fitted(material: Material, settlements: Iterable[Settlement], terms: Terms | None = None) -> TrustModel:
    """Return the trust that *settlements* leave, refitted."""
    model = TrustModel(material, terms=terms)
    model.settle_many(settlements)
    model.refit()
    return model


def support_of(material: Material, query: Query) -> tuple[str, ...]:
    """Return the one support of *query*."""
    (support,) = material.supports_of(query)
    return support.claims


def share(settlements: Iterable[Settlement]) -> float:
    """Return the share of right outcomes."""
    return float(np.mean([each.correct for each in settlements]))
