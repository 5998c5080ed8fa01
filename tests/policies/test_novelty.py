"""Good and Turing: how much of what comes is new, and how often what was seen comes again."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memspan.policies.novelty import Novelty, expected

KEYS = st.lists(st.integers(0, 12), max_size=60)


def seen(keys):
    novelty = Novelty()
    for key in keys:
        novelty.see(key)
    return novelty


@given(KEYS)
def test_what_is_new_is_the_share_that_was_seen_once(keys):
    times = Counter(keys)
    once = sum(count == 1 for count in times.values())
    assert seen(keys).mass == (once / len(keys) if keys else 1.0)


@given(KEYS)
def test_shares_and_novelty_are_a_distribution_and_never_fall_with_the_count(keys):
    novelty = seen(keys)
    times = Counter(keys)
    shares = novelty.shares()
    total = novelty.mass + sum(shares[count] for count in times.values())
    assert total == pytest.approx(1.0)
    ordered = [shares[count] for count in sorted(shares)]
    assert all(a <= b + 1e-12 for a, b in pairwise(ordered))


@given(KEYS, st.integers(0, 12))
def test_forgetting_is_as_if_it_had_never_been_seen(keys, gone):
    novelty = seen(keys)
    novelty.forget(gone)
    without = seen(key for key in keys if key != gone)
    assert novelty.mass == without.mass
    assert novelty.shares() == pytest.approx(without.shares())


def test_the_good_turing_mass_is_near_the_mass_that_was_not_seen():
    rng = np.random.default_rng(0)
    law = 1 / np.arange(1, 301)
    law /= law.sum()
    missed = []
    for _ in range(200):
        drawn = rng.choice(300, 150, p=law)
        missed.append((seen(drawn.tolist()).mass, law.sum() - law[np.unique(drawn)].sum()))
    guessed, real = np.mean(missed, axis=0)
    assert guessed == pytest.approx(real, abs=0.01)


@pytest.mark.parametrize("skewed", [False, True])
def test_what_was_seen_n_times_is_expected_as_often_as_it_comes(skewed):
    rng = np.random.default_rng(1)
    rates = rng.gamma(0.5 if skewed else 50, size=4_000)
    law = rates / rates.sum()
    counts = np.bincount(rng.choice(4_000, 6_000, p=law), minlength=4_000)
    histogram = Counter(counts[counts > 0].tolist())
    found = expected(histogram)
    ratio = found[3] / found[1]
    assert ratio == pytest.approx(law[counts == 3].mean() / law[counts == 1].mean(), rel=0.15)


def test_where_all_are_seen_once_they_are_alike_and_all_that_comes_is_new():
    novelty = seen(range(50))
    assert novelty.mass == 1.0
    assert novelty.shares() == {1: 0.0}
