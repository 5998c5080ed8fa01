"""Scores of every method on drawn worlds, and their means."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from instances import public
from memspan.coverage import Coverage, inflation, u_prec
from memspan.trust import believed, known_beliefs
from memspan.trust.calibration import auc, ece, log_loss
from trust_baselines import Floats, reads
from trust_methods import learned
from trust_world import world

PLACES = 0.2
"""Share of the claims that a memory may hold."""
Case = tuple[str, float, int]
"""A world: ``locomo`` or ``multi``, the share of false claims, the seed."""


@dataclass(frozen=True)
class Score:
    """One method on one world after `count` settlements.

    Attributes:
        kind, base, seed: the world.
        count: settlements that it learned from.
        method: as the tables call it.
        log_loss: over all claims.
        ece, auc: over the claims that were read.
        share: of the oracle's precision, in a memory of `PLACES` of the claims.
        water: mass that only false claims cover in that memory.
    """

    kind: str
    base: float
    seed: int
    count: int
    method: str
    log_loss: float
    ece: float
    auc: float
    share: float
    water: float


def scores(case: Case, counts: Sequence[int]) -> list[Score]:
    """Return the scores of all methods on one world, after each of *counts* settlements of one stream."""
    kind, base, seed = case
    drawn = world(public(""), base, seed, multi=kind == "multi")
    arrays, stream = drawn.coverage, drawn.stream(max(counts), seed)
    best = u_prec(arrays, _memory(arrays, known_beliefs(arrays)))
    found = []
    for count in counts:
        settled = stream[:count]
        touched = np.unique([e for members, _, _ in reads(drawn.material, settled) for e in members])
        for each in learned(drawn, settled, seed):
            memory = _memory(arrays, each.beliefs)
            good = _quality(arrays.truth, each.tau, touched)
            useful = u_prec(arrays, memory) / best, inflation(arrays, memory)
            found.append(Score(*case, count, each.method, *good, *useful))
    return found


def _quality(truth: Floats, tau: Floats, touched: npt.NDArray[np.int64]) -> Iterator[float]:
    yield log_loss(truth, tau)
    yield ece(truth[touched], tau[touched])
    yield auc(truth[touched], tau[touched])


def _memory(coverage: Coverage, beliefs: Floats) -> npt.NDArray[np.bool_]:
    return believed(coverage, beliefs, round(PLACES * coverage.n_claims)).memory


@dataclass(frozen=True)
class Board:
    """Scores, to be looked up and averaged over base rates and seeds."""

    scores: tuple[Score, ...]

    @property
    def columns(self) -> list[tuple[str, int]]:
        """Kinds of worlds and counts of settlements, as tables show them."""
        return list(dict.fromkeys((each.kind, each.count) for each in self.scores))

    def values(self, measure: str, method: str, kind: str, count: int) -> list[float]:
        """Return the values of a measure, one for each world, always in the same order."""
        at = (method, kind, count)
        return [getattr(s, measure) for s in self.scores if (s.method, s.kind, s.count) == at]

    def mean(self, measure: str, method: str, kind: str, count: int) -> float:
        """Return the mean over worlds."""
        return float(np.mean(self.values(measure, method, kind, count)))
