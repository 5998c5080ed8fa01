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


def small(seed, *, claims=40, settled=100):
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


def rivals(seed):
    """Draw two questions with five answers each, that contradict each other; one answer at most is true."""
    rng = np.random.default_rng(seed)
    true = {5 * group + int(rng.integers(5)) for group in range(2) if rng.random() < 0.95}
    told = tuple(
        Claim(
            f"c{e}",
            source=f"s{rng.integers(3)}",
            truth=int(e in true),
            contradicts=tuple(f"c{other}" for other in range(5 * (e // 5), e)),
        )
        for e in range(10)
    )
    queries = tuple(Query(f"q{e}", supports=(Support((f"c{e}",)),)) for e in range(10))
    material = Material("rivals", told, queries=queries)
    outcomes = [
        Settlement(f"q{e}", float(rng.random() < (0.92 if e in true else 0.08)), (f"c{e}",))
        for e in rng.integers(0, 10, 15).tolist()
    ]
    return Small(material, compile_material(material), tuple(outcomes))


@pytest.fixture(scope="module")
def measured():
    """Log losses of the default model and of the sampler, one row for each of eight worlds."""
    losses = []
    for seed in range(8):
        world = small(seed)
        found = gibbs(world.oracle(), sweeps=3000, seed=seed).tau
        ours = world.model(Terms()).trust().tau
        losses.append([log_loss(world.coverage.truth, tau) for tau in (ours, found)])
    return np.array(losses)


def test_log_loss_is_within_a_hundredth_of_the_sampler(measured):
    ours, reference = measured.mean(axis=0)
    assert ours <= reference + 0.01, measured


@pytest.mark.parametrize("seed", range(4))
def test_trust_is_near_the_posterior_of_the_sampler(seed):
    world = small(seed)
    found = gibbs(world.oracle(), sweeps=4000, seed=seed)
    gap = np.abs(world.model(PLAIN).trust().tau - found.tau)
    assert gap.mean() < 0.03
    assert gap.max() < 0.2


def test_support_beliefs_are_those_of_counting_to_half_a_hundredth_on_average():
    """Over twenty worlds; none is off by more than 0.1, and products of trust are several times worse."""
    gaps, products = [], []
    for seed in range(20):
        world = small(seed, claims=10, settled=40)
        arrays, model = world.coverage, world.model(PLAIN)
        right = exact(world.oracle()).supports[: arrays.n_supports]
        tau = model.trust().tau
        product = [tau[row].prod() for row in np.split(arrays.members, arrays.ptr[1:-1])]
        gaps.append(np.abs(model.beliefs(arrays) - right))
        products.append(np.abs(product - right))
    assert np.concatenate(gaps).mean() < 0.005
    assert np.concatenate(gaps).max() < 0.1
    assert np.concatenate(products).mean() > 3 * np.concatenate(gaps).mean()


def test_answers_that_contradict_each_other_are_trusted_as_counting_says():
    worlds = [rivals(seed) for seed in range(20)]
    gaps = np.array([np.abs(w.model(PLAIN).trust().tau - exact(w.oracle()).tau) for w in worlds])
    assert gaps.mean() < 0.01
    assert gaps.max() < 0.1
