"""The belief in rates against a plain twin, and what counts and exposure do to it."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memspan.policies.outlook import Lived, Outlook, likeliest
from memspan.policies.rates import Seen, gamma, laws, real, zipf

GRID = [2.0 ** (k / 2) for k in range(-12, 15)]
EXPOSED = st.floats(0, 30)
USES = st.integers(1, 20)
CHANCE = st.floats(0.01, 0.99)
LAW = st.sampled_from([gamma(0.5), gamma(2.0), zipf()])


def plain(law, uses, exposed, spread):
    """Return evidence and expected rate, one grid point after the other."""
    weighed = [w * g**uses * math.exp(-g * exposed / spread) for w, g in zip(law, GRID, strict=True)]
    whole = sum(weighed)
    return whole, sum(w * g for w, g in zip(weighed, GRID, strict=True)) / whole / spread


@given(LAW, st.integers(0, 20), EXPOSED, st.floats(0.4, 2))
def test_evidence_and_rate_are_those_of_the_plain_twin(law, uses, exposed, spread):
    seen = Seen.of(np.array([float(uses)]), np.array([exposed / spread]))
    evidence, rate = plain(law, uses, exposed, spread)
    assert seen.evidence(law)[0] * math.exp(seen.peaks[0]) == pytest.approx(evidence, rel=1e-6)
    assert seen.rates(law)[0] / spread == pytest.approx(rate, rel=1e-6)


@pytest.mark.parametrize("law", laws())
def test_a_law_is_a_distribution_whose_mean_is_about_one(law):
    assert law.sum() == pytest.approx(1)
    assert (law * GRID).sum() == pytest.approx(1, abs=0.1)


@given(LAW, CHANCE, EXPOSED, st.floats(0.1, 5))
def test_exposure_without_use_lowers_the_rate(law, chance, exposed, more):
    outlook = Outlook(1.0, 0.0, 0.8, law)
    once, again = outlook.silent(np.full(2, chance), np.array([exposed, exposed + more]))
    assert again <= once


@given(LAW, USES, EXPOSED)
def test_a_use_raises_the_rate_and_exposure_lowers_it(law, uses, exposed):
    outlook = Outlook(1.0, 0.0, 0.8, law)
    less, more, longer = outlook.used(
        np.array([uses, uses + 1.0, uses + 1.0]), np.array([exposed, exposed, exposed + 1])
    )
    assert less <= more * (1 + 1e-12)
    assert longer <= more * (1 + 1e-12)


@given(LAW, CHANCE, EXPOSED)
def test_a_use_is_worth_more_than_silence(law, chance, exposed):
    outlook = Outlook(1.0, 0.0, 0.8, law)
    assert outlook.used(np.ones(1), np.array([exposed]))[0] > outlook.silent(
        np.array([chance]), np.array([exposed])
    )


@given(st.lists(CHANCE, min_size=2, max_size=9))
def test_without_data_the_order_is_the_priors(chances):
    given_ = np.array(chances)
    rates = Outlook.usual(0.8, 0.5).silent(given_, np.zeros(len(given_)))
    assert (np.argsort(-rates, kind="stable") == np.argsort(-given_.round(15), kind="stable")).all()


@given(st.floats(0, 1e6), st.floats(0, 1e6))
def test_no_count_and_no_exposure_is_too_large(uses, exposed):
    outlook = Outlook(1.0, 0.0, 0.02, zipf())
    assert np.isfinite(outlook.used(np.array([uses]), np.array([exposed]))).all()
    assert np.isfinite(outlook.silent(np.array([1 - 1e-17]), np.array([exposed]))).all()


@given(CHANCE, st.floats(0, 1))
def test_silence_never_makes_a_claim_likelier_to_be_needed(chance, silence):
    assert real(np.array([chance]), np.array([silence]))[0] <= chance + 1e-12


def world(rng, needed, odds, law_shape, n=300, queries=40.0):
    """Draw what was used of *n* claims that were all held as long."""
    rates = np.where(needed, rng.gamma(law_shape, 1 / law_shape, n), 0) / 0.8
    exposed = np.full(n, queries / 10)
    return odds, rng.poisson(rates * exposed).astype(float), exposed


def test_a_prior_that_says_nothing_is_found_out():
    rng = np.random.default_rng(0)
    odds = rng.normal(-1, 2, 300)
    seen = _judged(world(rng, rng.random(300) < 0.3, odds, 1.0))
    assert seen.trusted <= 0.05, "never 0: what is left of it breaks ties"


def test_a_prior_that_is_right_is_kept():
    rng = np.random.default_rng(1)
    odds = rng.normal(-1, 2, 300)
    needed = rng.random(300) < 1 / (1 + np.exp(-odds))
    seen = _judged(world(rng, needed, odds, 1.0))
    assert (seen.trusted, seen.shift) == (1.0, 0.0)


def test_a_prior_whose_level_is_too_high_is_shifted_down():
    rng = np.random.default_rng(2)
    odds = rng.normal(-3, 1, 300)
    needed = rng.random(300) < 1 / (1 + np.exp(-odds))
    seen = _judged(world(rng, needed, odds + 2, 1.0))
    assert seen.shift < 0


def test_rates_that_are_all_alike_and_rates_that_are_not_are_told_apart():
    rng = np.random.default_rng(3)
    odds = np.full(300, 3.0)
    spread = {}
    for shape in (0.25, 6.0):
        law = _judged(world(rng, np.ones(300, bool), odds, shape)).law
        spread[shape] = (law * np.array(GRID) ** 2).sum()
    assert spread[0.25] > spread[6.0]


def _judged(drawn):
    odds, uses, exposed = drawn
    return likeliest(Lived(odds, uses, exposed), odds, 0.8)
