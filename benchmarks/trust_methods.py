"""Who believes what after the same settlements: the trust model, plain counting, and a sampler."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from memspan.coverage import Coverage
from memspan.material import Settlement
from memspan.trust import Terms, TrustModel
from trust_baselines import adf, counted, fractional, products
from trust_world import World

sys.path.append(str(Path(__file__).parents[1] / "tests"))

from latent_truths import Numbers, latent
from sampled_truths import gibbs

Floats = npt.NDArray[np.float64]
IGNORE = "ignore trust"
ONLINE, REFIT, PRODUCT = "trust model", "trust model, refit", "trust model, products"
COUNTED, WIDE, FRACTIONAL, FLAT = "Beta, equal blame", "Beta, prior worth 4", "Beta, fractional", "ADF, flat"
KNOWN, LEARNED = "Gibbs", "Gibbs, base learned"
METHODS = (IGNORE, COUNTED, WIDE, FRACTIONAL, FLAT, PRODUCT, ONLINE, REFIT, KNOWN, LEARNED)
SWEEPS, CHAINS = 1000, 4


@dataclass(frozen=True)
class Learned:
    """What a method believes: of each claim, and of each support that all of it is true."""

    method: str
    tau: Floats
    beliefs: Floats


def learned(drawn: World, settled: Sequence[Settlement], seed: int) -> Iterator[Learned]:
    """Yield what each method believes after *settled*; *seed* is the sampler's."""
    yield Learned(IGNORE, np.full(drawn.coverage.n_claims, Terms().base), np.ones(drawn.coverage.n_supports))
    yield from _by_counting(drawn, settled)
    yield from _by_model(drawn, settled)
    yield from _by_sampling(drawn, settled, seed)


def _by_model(drawn: World, settled: Sequence[Settlement]) -> Iterator[Learned]:
    """Yield what the trust model believes online, and after a refit."""
    model = TrustModel(drawn.material)
    model.settle_many(settled)
    tau = model.trust().tau
    yield Learned(ONLINE, tau, model.beliefs(drawn.coverage))
    yield Learned(PRODUCT, tau, products(drawn.coverage, tau))
    model.refit()
    yield Learned(REFIT, model.trust().tau, model.beliefs(drawn.coverage))


def _by_counting(drawn: World, settled: Sequence[Settlement]) -> Iterator[Learned]:
    for method, tau in (
        (COUNTED, counted(drawn.material, settled)),
        (WIDE, counted(drawn.material, settled, weight=Terms().source_weight)),
        (FRACTIONAL, fractional(drawn.material, settled)),
        (FLAT, adf(drawn.material, settled)),
    ):
        yield Learned(method, tau, products(drawn.coverage, tau))


def _by_sampling(drawn: World, settled: Sequence[Settlement], seed: int) -> Iterator[Learned]:
    """Yield the posterior under the trust model's priors, the base once given and once learned."""
    for method, weight in ((KNOWN, math.inf), (LEARNED, Terms().base_weight)):
        asked = latent(drawn.material, settled, numbers(Terms(), weight))
        found = gibbs(asked, sweeps=SWEEPS, burn=SWEEPS // 5, chains=CHAINS, seed=seed)
        at = {row: i for i, row in enumerate(asked.rows)}
        yield Learned(method, found.tau, found.supports[[at[row] for row in _rows(drawn.coverage)]])


def numbers(terms: Terms, base_weight: float) -> Numbers:
    """Return the trust model's *terms* as its oracles take them: neither caps nor drift."""
    noise = terms.noise
    return Numbers(
        base=terms.base,
        base_weight=base_weight,
        source_weight=terms.source_weight,
        contradiction=terms.contradiction,
        corroboration=terms.corroboration,
        false_wrong=(noise.false_wrong.a, noise.false_wrong.b),
        false_right=(noise.false_right.a, noise.false_right.b),
    )


def _rows(coverage: Coverage) -> Iterator[tuple[int, ...]]:
    for start, end in zip(coverage.ptr[:-1].tolist(), coverage.ptr[1:].tolist(), strict=True):
        yield tuple(sorted(coverage.members[start:end].tolist()))
