"""The sampler that the trust model is measured against agrees with counting all truths."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.special import betaln
from scipy.stats import betabinom, binom

from counted_truths import exact
from latent_truths import Latent, Numbers, latent, log_ratio
from memspan.material import Claim, Material, Query, Settlement, Support
from sampled_truths import gibbs

EMPTY = np.zeros(1)


def drawn_world(seed, *, n=9, numbers=None):
    """Draw a world with supports of up to three claims and a few links, some claims with several."""
    rng = np.random.default_rng(seed)
    rows = {tuple(sorted(rng.choice(n, rng.integers(1, 4), replace=False).tolist())) for _ in range(8)}
    links = {tuple(sorted(rng.choice(n, 2, replace=False).tolist())) for _ in range(4)}
    return Latent(
        rng.integers(0, 3, n),
        tuple(sorted(rows)),
        rng.normal(0, 2, len(rows)),
        tuple(sorted(links)),
        tuple((rng.random(len(links)) < 0.4).tolist()),
        numbers or Numbers(),
    )


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("weight", [math.inf, 20.0], ids=["base known", "base learned"])
def test_sampling_agrees_with_counting(seed, weight):
    world = drawn_world(seed, numbers=Numbers(base_weight=weight))
    found, right = gibbs(world, sweeps=20_000, seed=seed), exact(world)
    assert_allclose(found.tau, right.tau, atol=0.015)
    assert_allclose(found.supports, right.supports, atol=0.02)
    bases, _ = world.numbers.bases()
    assert found.base == pytest.approx(right.base @ bases, abs=0.01)


def test_a_lone_claim_keeps_its_prior():
    world = Latent(np.array([0]), ((0,),), EMPTY)
    assert_allclose(exact(world).tau, [0.8])
    assert_allclose(exact(world).supports, [0.8])


@given(d=st.floats(-8, 8), base=st.floats(0.1, 0.9))
def test_evidence_on_one_claim_adds_to_its_log_odds(d, base):
    world = Latent(np.array([0]), ((0,),), np.array([d]), numbers=Numbers(base=base))
    assert exact(world).tau[0] == pytest.approx(1 / (1 + (1 - base) / base * math.exp(-d)))


@given(true=st.floats(0.5, 30))
def test_claims_of_one_source_share_its_reliability(true):
    """With one claim surely true, the next one's odds are (k m + 1) to k (1 - m)."""
    evidence = np.array([200.0, 0.0])
    world = Latent(np.array([0, 0]), ((0,), (1,)), evidence, numbers=Numbers(source_weight=true))
    assert exact(world).tau[1] == pytest.approx((true * 0.8 + 1) / (true + 1))


def test_contradicting_claims_are_hardly_both_true():
    apart = Latent(np.array([0, 1]), ((0, 1),), EMPTY)
    linked = replace(apart, links=((0, 1),), agree=(False,))
    assert_allclose(exact(apart).supports, [0.64])
    assert_allclose(exact(linked).supports, [0.64 * 0.05 / (0.36 + 0.64 * 0.05)])


def test_failures_of_a_pair_leave_each_alone_in_doubt_and_both_together_in_none():
    world = Latent(np.array([0, 1]), ((0, 1),), np.array([log_ratio(0, 20, Numbers())]))
    found = exact(world)
    assert_allclose(found.tau, [0.444, 0.444], atol=0.01)
    assert found.supports[0] < 0.001


@given(right=st.integers(0, 20), wrong=st.integers(0, 20))
def test_counts_weigh_as_the_ratio_of_two_beta_binomials(right, wrong):
    numbers = Numbers(false_wrong=(2.0, 7.0), false_right=(1.5, 9.0))
    n = right + wrong
    ratio = betabinom.logpmf(wrong, n, 2, 7) - betabinom.logpmf(right, n, 1.5, 9)
    assert log_ratio(right, wrong, numbers) == pytest.approx(ratio, abs=1e-9)


@given(right=st.integers(0, 20), wrong=st.integers(0, 20))
def test_errors_that_are_alike_weigh_as_the_ratio_of_two_binomials(right, wrong):
    numbers = Numbers(false_wrong=(2.0, 8.0), false_right=(1.0, 9.0), counts=False)
    n = right + wrong
    ratio = binom.logpmf(wrong, n, 0.2) - binom.logpmf(right, n, 0.1)
    assert log_ratio(right, wrong, numbers) == pytest.approx(ratio, abs=1e-9)


def test_a_material_and_its_settlements_become_rows_counts_and_links():
    claims = (
        Claim("a", source="s"),
        Claim("b", source="s", contradicts=("c",)),
        Claim("c", corroborates=("d",)),
        Claim("d"),
    )
    asked = Query("q", supports=(Support(("b", "a")), Support(("c",))))
    settled = [
        Settlement("q", 1, claims=("a", "b")),
        Settlement("q", 0.25, claims=("b", "a"), weight=2),
        Settlement("q", 0, claims=("a", "b"), settler="Eumaios"),
        Settlement("q", 1, claims=("d",)),
    ]
    numbers = Numbers()
    world = latent(Material("m", claims, queries=(asked,)), settled, numbers)
    assert world.source.tolist() == [0, 0, 1, 2]
    assert world.rows == ((0, 1), (2,), (3,))
    pair = log_ratio(1.5, 1.5, numbers) + log_ratio(0, 1, numbers)
    assert_allclose(world.evidence, [pair, 0, log_ratio(1, 0, numbers)])
    assert dict(zip(world.links, world.agree, strict=True)) == {(1, 2): False, (2, 3): True}


def test_enumeration_stops_at_twelve_claims():
    with pytest.raises(ValueError, match="13 claims"):
        exact(Latent(np.zeros(13, int), ((0,),), EMPTY))


def test_the_learned_base_follows_what_is_known():
    """Three claims of three sources, all surely false: the weight of each base is that of three failures."""
    numbers = Numbers(base_weight=20.0)
    world = Latent(np.arange(3), ((0,), (1,), (2,)), np.full(3, -200.0), numbers=numbers)
    bases, weights = numbers.bases()
    false = betaln(4 * bases, 4 * (1 - bases) + 1) - betaln(4 * bases, 4 * (1 - bases))
    share = np.exp(weights + 3 * false)
    assert_allclose(exact(world).base, share / share.sum(), atol=1e-9)
