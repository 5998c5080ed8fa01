"""The trust model believes what sampling and counting all truths say, on small worlds."""

from dataclasses import dataclass

import numpy as np
import pytest

from counted_truths import exact
from latent_truths import Numbers, latent
from memspan.coverage import Coverage, compile_material
from memspan.material import Claim, Material, Query, Settlement, Support
from memspan.trust import Terms, TrustModel
from memspan.trust.calibration import log_loss
from sampled_truths import gibbs

PLAIN = Terms(base_weight=1e9, cap=40, drift=1)
"""The model without what the oracles lack: a base that is learned, caps and drift."""


@dataclass(frozen=True)
class Small:
    """A drawn material, its arrays and what was settled."""

    material: Material
    coverage: Coverage
    settled: tuple[Settlement, ...]

    def oracle(self, **numbers):
        """Return the world as oracles read it; its first supports are those of `coverage`."""
        return latent(self.material, self.settled, Numbers(**numbers))

    def model(self, terms):
        """Return the model after all that was settled, refitted."""
        model = TrustModel(self.material, terms=terms)
        model.settle_many(self.settled)
        model.refit()
        return model


def small(seed, *, claims=40, settled=300):
    """Draw sources of differing reliability, links between neighbours, supports of one to three claims."""
    rng = np.random.default_rng(seed)
    reliable = rng.beta(2.0, 1.0, max(2, claims // 8))
    source = rng.integers(0, len(reliable), claims)
    true = rng.random(claims) < reliable[source]
    links = [{} for _ in range(claims)]
    for e in range(0, claims - 1, 3):
        kind = "corroborates" if true[e] == true[e + 1] else "contradicts"
        links[e] = {kind: (f"c{e + 1}",)}
    rows = {
        tuple(sorted(rng.choice(claims, rng.integers(1, 4), replace=False).tolist())) for _ in range(claims)
    }
    rows = sorted(rows)
    queries = [Query(f"q{i}", supports=(Support(tuple(f"c{e}" for e in row)),)) for i, row in enumerate(rows)]
    told = [Claim(f"c{e}", source=f"s{source[e]}", truth=int(true[e]), **links[e]) for e in range(claims)]
    material = Material("small", tuple(told), queries=tuple(queries))
    chance = (1.0 + np.arange(len(rows))) ** -0.5
    outcomes = []
    for q in rng.choice(len(rows), settled, p=chance / chance.sum()).tolist():
        right = rng.random() < (0.92 if true[list(rows[q])].all() else 0.08)
        outcomes.append(Settlement(f"q{q}", float(right), queries[q].supports[0].claims))
    return Small(material, compile_material(material), tuple(outcomes))


@pytest.fixture(scope="module")
def measured():
    """Log losses of the default model and of the sampler, one row for each of ten worlds."""
    losses = []
    for seed in range(10):
        world = small(seed)
        found = gibbs(world.oracle(), sweeps=2000, seed=seed).tau
        losses.append(
            [log_loss(world.coverage.truth, tau) for tau in (world.model(Terms()).trust().tau, found)]
        )
    return np.array(losses)


def test_log_loss_is_within_a_hundredth_of_the_sampler(measured):
    ours, reference = measured.mean(axis=0)
    assert ours <= reference + 0.01, measured


@pytest.mark.parametrize("seed", range(4))
def test_trust_is_near_the_posterior_of_the_sampler(seed):
    world = small(seed)
    found = gibbs(world.oracle(), sweeps=4000, seed=seed)
    gap = np.abs(world.model(PLAIN).trust().tau - found.tau)
    assert gap.mean() < 0.02
    assert gap.max() < 0.15


@pytest.mark.parametrize("seed", range(20))
def test_support_beliefs_are_near_those_of_counting(seed):
    world = small(seed, claims=10, settled=40)
    right = exact(world.oracle()).supports[: world.coverage.n_supports]
    gap = np.abs(world.model(PLAIN).beliefs(world.coverage) - right)
    assert gap.mean() < 0.03
    assert gap.max() < 0.15
