"""How good beliefs are: laws of each measure, plain twins, and scikit-learn beside them."""

import math
import re
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, false_discovery_control, rankdata

from memspan.errors import ShapeError
from memspan.trust.calibration import (
    CLIP,
    auc,
    brier,
    calibration,
    ece,
    log_loss,
    reliability,
    wilson,
)

# Coarse beliefs are often equal, fine ones hardly ever.
_belief = st.sampled_from([0.0, 0.2, 0.5, 0.8, 1.0]) | st.floats(0, 1)
_claims = st.lists(st.tuples(st.integers(0, 1), _belief), min_size=1, max_size=40)
_bins = st.integers(1, 20)


def apart(claims):
    truth, belief = zip(*claims, strict=True)
    return np.array(truth), np.array(belief)


def plain_reliability(claims, bins):
    """Deal the claims out into groups one by one; a run of equal beliefs goes where most of it lies."""
    claims = sorted(claims, key=lambda each: each[1])
    n, cuts, at = len(claims), [], 0
    for i in range(bins - 1):
        at += n // bins + (1 if i < n % bins else 0)
        cuts.append(at)
    kept = {0, n}
    for cut in cuts:
        if cut < n:
            value = claims[cut][1]
            low = min(i for i in range(n) if claims[i][1] == value)
            high = max(i for i in range(n) if claims[i][1] == value) + 1
            kept.add(low if cut - low <= high - cut else high)
    edges = sorted(kept)
    return [claims[a:b] for a, b in pairwise(edges)]


def plain_auc(truth, belief):
    pairs = [(r, w) for r, t in zip(belief, truth, strict=True) if t for w in belief[truth == 0]]
    return sum((r > w) + (r == w) / 2 for r, w in pairs) / len(pairs) if pairs else math.nan


@given(_claims, _bins)
def test_groups_are_those_dealt_out_one_by_one(claims, bins):
    found, told = plain_reliability(claims, bins), reliability(*apart(claims), bins=bins)
    assert [each.count for each in told] == list(map(len, found))
    for each, group in zip(told, found, strict=True):
        assert each.belief == pytest.approx(sum(b for _, b in group) / len(group), abs=1e-12)
        assert each.rate == sum(t for t, _ in group) / len(group)


@given(_claims, _bins)
def test_groups_hold_every_claim_once_and_never_part_equal_beliefs(claims, bins):
    told = reliability(*apart(claims), bins=bins)
    assert sum(each.count for each in told) == len(claims)
    assert 1 <= len(told) <= bins
    assert all(a.belief <= b.belief + 1e-12 for a, b in pairwise(told))
    distinct = len({belief for _, belief in claims})
    assert len(told) <= distinct
    if distinct == len(claims) >= bins:
        assert max(each.count for each in told) - min(each.count for each in told) <= 1


@given(_claims, _bins, st.randoms(use_true_random=False))
def test_nothing_depends_on_the_order_of_the_claims(claims, bins, chance):
    before = calibration(*apart(claims), bins=bins)
    chance.shuffle(claims)
    after = calibration(*apart(claims), bins=bins)
    assert repr(before) == repr(after)  # nan is not itself
    assert before.bins == after.bins


@given(_claims)
def test_auc_is_the_share_of_pairs_in_the_right_order(claims):
    truth, belief = apart(claims)
    assert auc(truth, belief) == pytest.approx(plain_auc(truth, belief), nan_ok=True)


@given(_claims)
def test_auc_keeps_under_monotone_maps_and_turns_with_the_order(claims):
    truth, belief = apart(claims)
    ranks = rankdata(belief, "dense") / (len(belief) + 1)
    assert auc(truth, ranks) == pytest.approx(auc(truth, belief), nan_ok=True)
    assert auc(truth, 1 - ranks) == pytest.approx(1 - auc(truth, belief), nan_ok=True)
    assert auc(1 - truth, belief) == pytest.approx(1 - auc(truth, belief), nan_ok=True)


@given(st.lists(st.integers(0, 1), min_size=1, max_size=60), _bins)
def test_one_belief_for_all_that_is_the_share_of_true_ones_is_calibrated(truth, bins):
    belief = np.full(len(truth), np.mean(truth))
    assert ece(truth, belief, bins=bins) == pytest.approx(0, abs=1e-12)
    assert len(reliability(truth, belief, bins=bins)) == 1
    assert math.isnan(auc(truth, belief)) or auc(truth, belief) == 0.5


@given(_claims, _bins)
def test_ece_lies_between_the_error_of_the_mean_and_the_root_of_brier(claims, bins):
    truth, belief = apart(claims)
    found = ece(truth, belief, bins=bins)
    assert abs(belief.mean() - truth.mean()) - 1e-12 <= found <= math.sqrt(brier(truth, belief)) + 1e-12
    assert ece(truth, belief, bins=1) == pytest.approx(abs(belief.mean() - truth.mean()), abs=1e-12)


@given(_claims)
def test_brier_is_reliability_less_resolution_plus_uncertainty(claims):
    truth, belief = apart(claims)
    groups = [(truth[belief == value], value) for value in set(belief.tolist())]
    base, n = truth.mean(), len(truth)
    miss = sum(len(each) * (value - each.mean()) ** 2 for each, value in groups) / n
    resolution = sum(len(each) * (each.mean() - base) ** 2 for each, _ in groups) / n
    assert brier(truth, belief) == pytest.approx(miss - resolution + base * (1 - base), abs=1e-12)


@given(st.integers(1, 50), st.integers(0, 50), st.floats(0, 1))
def test_the_share_of_true_ones_is_the_best_single_belief(true, false, other):
    truth = np.repeat([1, 0], [true, false])
    best = np.full(len(truth), np.clip(truth.mean(), CLIP, 1 - CLIP))
    for measure in (brier, log_loss):
        # At a share of 1 the clip, not the belief, has the last word.
        assert measure(truth, best) <= measure(truth, np.full(len(truth), other)) + 1e-7


@given(_claims)
def test_log_loss_is_that_of_each_claim_and_finite(claims):
    truth, belief = apart(claims)
    each = [-math.log(min(max(b if t else 1 - b, CLIP), 1 - CLIP)) for t, b in claims]
    assert log_loss(truth, belief) == pytest.approx(sum(each) / len(each), abs=1e-9)
    assert 0 < log_loss(truth, belief) <= -math.log(CLIP) + 1e-9


@given(st.integers(1, 10_000), st.floats(0, 1))
def test_the_limits_of_a_share_are_wilsons(count, share):
    true = round(share * count)
    told = binomtest(true, count).proportion_ci(method="wilson")
    assert wilson(true, count) == pytest.approx((told.low, told.high), abs=1e-12)
    assert 0 <= wilson(true, count)[0] <= true / count <= wilson(true, count)[1] <= 1


def test_perfect_beliefs_have_no_error_and_opposite_ones_all_of_it():
    truth = np.array([0, 1, 1, 0, 1])
    right, wrong = calibration(truth, truth), calibration(truth, 1 - truth)
    assert (right.ece, right.brier, right.auc) == (0, 0, 1)
    assert (wrong.ece, wrong.brier, wrong.auc) == (1, 1, 0)
    assert right.log_loss == pytest.approx(CLIP, rel=1e-3)


def test_calibrated_beliefs_have_a_small_error_and_limits_that_hold():
    rng = np.random.default_rng(5)
    belief = rng.beta(2, 1, 40_000)
    found = calibration(rng.random(40_000) < belief, belief)
    assert found.ece < 0.012
    missed = [1 - binomtest(round(b.rate * b.count), b.count, b.belief).pvalue for b in found.bins]
    assert all(false_discovery_control([1 - each for each in missed]) > 0.01)


def test_scikit_learn_says_the_same():
    metrics = pytest.importorskip("sklearn.metrics")
    curve = pytest.importorskip("sklearn.calibration").calibration_curve
    rng = np.random.default_rng(0)
    belief = rng.random(600)
    truth = (rng.random(600) < belief**2).astype(int)
    found = calibration(truth, belief)
    assert found.auc == pytest.approx(metrics.roc_auc_score(truth, belief))
    assert found.brier == pytest.approx(metrics.brier_score_loss(truth, belief))
    assert found.log_loss == pytest.approx(metrics.log_loss(truth, np.clip(belief, CLIP, 1 - CLIP)))
    rates, beliefs = curve(truth, belief, n_bins=15, strategy="quantile")
    assert [each.rate for each in found.bins] == pytest.approx(rates.tolist())
    assert [each.belief for each in found.bins] == pytest.approx(beliefs.tolist())
    rounded = np.round(belief, 1)
    assert auc(truth, rounded) == pytest.approx(metrics.roc_auc_score(truth, rounded))


@pytest.mark.parametrize(
    ("truth", "belief", "said"),
    [
        ([0, 1], [0.5], "truth has shape (2,) and belief (1,); give two rows of the same length"),
        ([[0, 1]], [[0.5, 0.5]], "truth has shape (1, 2)"),
        ([], [], "there is no claim; give at least one whose truth is known"),
        ([0, 0.5], [0.5, 0.5], "truth[1] is 0.5; give 0 or 1, and leave out claims of unknown truth"),
        ([math.nan], [0.5], "truth[0] is nan; give 0 or 1"),
        ([0, 1], [0.5, 1.5], "belief[1] is 1.5; give a probability, 0 to 1"),
        ([0], [math.nan], "belief[0] is nan; give a probability"),
    ],
)
def test_what_is_no_belief_is_refused_with_its_cure(truth, belief, said):
    for measure in (calibration, reliability, ece, brier, log_loss, auc):
        with pytest.raises(ShapeError, match=re.escape(said)):
            measure(truth, belief)


def test_fewer_than_one_group_is_refused():
    with pytest.raises(ShapeError, match="bins is 0; give how many groups there may be, 1 or more"):
        calibration([0, 1], [0.5, 0.5], bins=0)
