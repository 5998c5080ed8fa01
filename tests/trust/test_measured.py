"""Measured noise: rates rest on outcomes of which it is known what they should be, and on no others."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import memspan as ms
from memspan.datasets.outcomes import read_outcomes
from memspan.errors import NoiseError, UnknownName
from memspan.material import CONTEXT, Claim, Material, Query, Settlement, Support
from memspan.trust import Noise, Rate, Terms, TrustModel, estimate_noise
from memspan.trust.measured import (
    MOST,
    UNANSWERABLE,
    UNAUDITED,
    UNKNOWN_READS,
    UNSUPPORTED,
    UNSURE,
    WEIGHTLESS,
    alike,
    limits,
)

TRUTH = {"t1": 1, "t2": 1, "f": 0, "u": None}
WORLD = Material(
    "world",
    tuple(Claim(name, truth=truth) for name, truth in TRUTH.items()),
    queries=(
        Query("one", supports=(Support(("t1",)),)),
        Query("pair", supports=(Support(("t1", "f")), Support(("t2", "u")))),
        Query("either", supports=(Support(("t1",)), Support(("f",)))),
        Query("found", supports=(Support(("t1",), probability=0.7),)),
        Query("beaten", supports=(Support(("t1",), unless=("f",)),)),
        Query("none"),
        Query("refuse", answerable=False, supports=(Support(("t1",)),)),
    ),
)
READS = st.none() | st.lists(st.sampled_from(sorted(TRUTH)), unique=True).map(tuple)
QUERIES = st.sampled_from([query.id for query in WORLD.queries])
SETTLERS = st.sampled_from([None, "ann", "bob"])


@st.composite
def outcomes(draw):
    correct = draw(st.sampled_from([0, 1, 0.5]))
    return Settlement(draw(QUERIES), correct, draw(READS), draw(SETTLERS), weight=draw(st.integers(0, 3)))


TOLD = st.lists(outcomes(), max_size=12)
FEWER = settings(max_examples=40)


def both(found):
    return found.overall.false_wrong, found.overall.false_right


def crowd(rng, *, rates=(0.1, 0.1), strength=10.0, supports=60, votes=5):
    """Return a material of single claims, half of them false, and outcomes that err at Beta rates."""
    claims = tuple(Claim(f"c{i}", truth=i % 2) for i in range(supports))
    queries = tuple(Query(f"q{i}", supports=(Support((f"c{i}",)),)) for i in range(supports))
    told = []
    for i in range(supports):
        mean = rates[0] if i % 2 else rates[1]
        rate = rng.beta(mean * strength, (1 - mean) * strength)
        errs = rng.random(rng.integers(1, votes + 1)) < rate
        told += [Settlement(f"q{i}", int(bool(i % 2) != err), (f"c{i}",), "judge") for err in errs.tolist()]
    return Material("crowd", claims, queries=queries), told


@FEWER
@given(TOLD)
def test_every_outcome_bears_on_one_rate_or_is_left_out_with_a_reason(told):
    found = estimate_noise(WORLD, told)
    counted = sum(each.outcomes for each in both(found))
    left = sum(found.left_out.values())
    bearing = [each for each in told if not estimate_noise(WORLD, [each]).left_out]
    assert left + len(bearing) == len(told)
    assert counted == sum(each.weight for each in bearing)


@FEWER
@given(TOLD)
def test_estimates_lie_within_limits_and_errors_within_outcomes(told):
    found = estimate_noise(WORLD, told)
    everyone = [found.overall, *found.by_settler.values()]
    for rate in (side for errors in everyone for side in (errors.false_wrong, errors.false_right)):
        assert 0 <= rate.errors <= rate.outcomes
        assert not rate.measured or 0 <= rate.lower <= rate.estimate <= rate.upper <= 1
        assert 0 < rate.rate.mean < 1


@FEWER
@given(TOLD, st.randoms(use_true_random=False))
def test_the_order_of_outcomes_does_not_matter(told, random):
    other = list(told)
    random.shuffle(other)
    for one, two in zip(both(estimate_noise(WORLD, told)), both(estimate_noise(WORLD, other)), strict=True):
        assert one.rate.mean == pytest.approx(two.rate.mean, abs=1e-12)
        assert (one.lower, one.upper) == pytest.approx((two.lower, two.upper), abs=1e-9)


@FEWER
@given(TOLD)
def test_an_outcome_of_weight_three_counts_as_three(told):
    thrice = [replace(each, weight=1) for each in told for _ in range(int(each.weight))]
    for one, two in zip(both(estimate_noise(WORLD, told)), both(estimate_noise(WORLD, thrice)), strict=True):
        assert (one.outcomes, one.errors, one.supports) == (two.outcomes, two.errors, two.supports)
        assert one.rate.mean == pytest.approx(two.rate.mean, abs=1e-12)


@FEWER
@given(TOLD)
def test_turning_every_outcome_round_turns_the_estimates_round(told):
    turned = [replace(each, correct=1 - each.correct) for each in told]
    for one, two in zip(both(estimate_noise(WORLD, told)), both(estimate_noise(WORLD, turned)), strict=True):
        assert not one.measured or one.estimate == pytest.approx(1 - two.estimate)


@FEWER
@given(TOLD)
def test_where_nothing_bears_on_a_rate_it_stays_as_granted_and_says_so(told):
    found = estimate_noise(WORLD, told)
    for rate, granted in zip(both(found), (Noise().false_wrong, Noise().false_right), strict=True):
        assert rate.measured or rate.rate == granted
        assert rate.measured == ("taken for granted" not in str(rate))


@pytest.mark.parametrize(
    ("query", "claims", "bears"),
    [
        ("one", ("t1", "f"), "false_wrong"),
        ("one", ("t2", "f"), "false_right"),
        ("one", (), "false_right"),
        ("pair", ("t1", "f"), "false_right"),
        ("pair", ("t1", "t2"), "false_right"),
        ("pair", ("t2", "u"), UNAUDITED),
        ("either", ("t1",), "false_wrong"),
        ("either", ("f",), "false_right"),
        ("either", ("t1", "f"), UNAUDITED),
        ("beaten", ("t1",), "false_wrong"),
        ("beaten", ("t1", "f"), "false_right"),
        ("found", ("t1",), UNSURE),
        ("found", (), UNSURE),
        ("none", ("t1",), UNSUPPORTED),
        ("refuse", ("t1",), UNANSWERABLE),
        ("refuse", (), UNANSWERABLE),
        ("one", None, UNKNOWN_READS),
    ],
)
def test_what_bears_on_what(query, claims, bears):
    found = estimate_noise(WORLD, [Settlement(query, 1, claims)])
    sides = {"false_wrong": found.overall.false_wrong, "false_right": found.overall.false_right}
    assert [*found.left_out, *(name for name, rate in sides.items() if rate.measured)] == [bears]


def test_where_the_whole_material_was_read_every_support_was():
    whole = Settlement("one", 0, extra={CONTEXT: "full"})
    assert estimate_noise(WORLD, [whole]).overall.false_wrong.estimate == 1


def test_an_outcome_without_weight_bears_on_nothing():
    assert estimate_noise(WORLD, [Settlement("one", 0, ("t1",), weight=0)]).left_out == {WEIGHTLESS: 1}


def test_an_audit_takes_the_place_of_what_the_material_says():
    told = [Settlement("one", 1, ("t1",))]
    assert estimate_noise(WORLD, told, {"t1": False}).overall.false_right.estimate == 1
    assert estimate_noise(WORLD, told, {"t2": True}).left_out == {UNAUDITED: 1}


def test_what_is_not_there_is_named():
    with pytest.raises(UnknownName, match="zz"):
        estimate_noise(WORLD, [], {"zz": True})
    with pytest.raises(UnknownName, match="no query 'zz'"):
        estimate_noise(WORLD, [Settlement("zz", 1)])


@pytest.mark.parametrize("strength", [3.0, 10.0, 1e6], ids=["very unlike", "unlike", "alike"])
def test_the_limits_hold_the_true_rates_about_as_often_as_they_say(strength):
    rng, worlds, rates = np.random.default_rng(5), 150, (0.2, 0.1)
    held = np.zeros(2)
    for _ in range(worlds):
        found = both(estimate_noise(*crowd(rng, rates=rates, strength=strength, votes=4)))
        held += [each.lower <= rate <= each.upper for each, rate in zip(found, rates, strict=True)]
    assert ((held / worlds > 0.905) & (held / worlds < 0.99)).all()


def test_with_many_outcomes_rates_and_spread_are_those_of_the_world():
    found = estimate_noise(*crowd(np.random.default_rng(1), rates=(0.3, 0.15), supports=2000, votes=8))
    assert found.noise.false_wrong.mean == pytest.approx(0.3, abs=0.02)
    assert found.noise.false_right.mean == pytest.approx(0.15, abs=0.02)
    for rate in both(found):
        assert rate.spread
        assert 5 < rate.rate.a + rate.rate.b < 25


def test_supports_that_do_not_differ_are_taken_as_alike_within_limits():
    found = estimate_noise(*crowd(np.random.default_rng(1), strength=1e6, supports=2000, votes=8))
    assert all(rate.rate.a + rate.rate.b > MOST / 2 for rate in both(found))


def test_few_outcomes_move_a_rate_little_and_their_spread_is_not_told():
    found = estimate_noise(*crowd(np.random.default_rng(2), supports=4)).overall.false_wrong
    assert not found.spread
    assert found.rate.a + found.rate.b == pytest.approx(10)
    assert abs(found.rate.mean - 0.1) < abs(found.estimate - 0.1) or found.estimate == pytest.approx(0.1)


def test_settlers_are_drawn_towards_all_together():
    bad = [Settlement("one", 0, ("t1",), "bad")] * 50 + [Settlement("one", 1, (), "bad")] * 50
    good = [Settlement("either", 1, ("t1",), "good")] * 400 + [Settlement("either", 0, (), "good")] * 400
    found = estimate_noise(WORLD, [*bad, *good, Settlement("one", 0, (), "new")])
    assert found.silent == ("bad",)
    assert set(found.settlers) == {"good", "new"}
    assert found.by_settler["new"].false_wrong.rate == found.noise.false_wrong
    assert found.settlers["good"].false_wrong.mean < found.noise.false_wrong.mean


def test_outcomes_that_say_nothing_are_refused_where_noise_is_asked_for():
    found = estimate_noise(WORLD, [Settlement("one", 0, ("t1",)), Settlement("one", 1, ())] * 100)
    assert not found.overall.tells
    with pytest.raises(NoiseError, match="sum to 1 or more"):
        _ = found.noise


@given(st.integers(2, 40), st.integers(1, 6))
def test_groups_of_one_rate_are_not_alike_and_groups_that_agree_within_are(groups, size):
    counts = np.full(groups, float(size))
    split = np.where(np.arange(groups) % 2, counts, 0.0)
    assert alike(split, counts) == pytest.approx(float(size > 1))
    assert alike(counts / 2, counts) == 0


@pytest.mark.parametrize("strength", [2.0, 10.0, 40.0])
def test_spread_is_that_of_the_world_in_the_long_run(strength):
    rng = np.random.default_rng(0)
    counts = rng.integers(1, 9, 50_000)
    errors = rng.binomial(counts, rng.beta(0.15 * strength, 0.85 * strength, len(counts)))
    assert 1 / alike(errors.astype(float), counts.astype(float)) - 1 == pytest.approx(strength, rel=0.1)


def test_of_one_support_nothing_is_known_about_others():
    assert limits(0.3, 500.0, 1) == (0.0, 1.0)


def test_measured_noise_makes_better_trust_than_granted_noise_where_outcomes_err_much():
    """Half of the claims are audited; belief in the others is what is compared."""
    rng = np.random.default_rng(7)
    material, told = crowd(rng, rates=(0.4, 0.3), supports=400, votes=8)
    audited = {claim.id: claim.truth == 1 for claim in material.claims[:200]}
    losses = []
    for terms in (Terms(), Terms(noise=estimate_noise(material, told, audited).noise)):
        model = TrustModel(material, terms=terms)
        model.settle_many(told)
        model.refit()
        truth = np.array([claim.truth for claim in material.claims[200:]])
        tau = model.trust().tau[200:]
        losses.append(float(-np.log(np.where(truth == 1, tau, 1 - tau)).mean()))
    assert losses[1] < losses[0]


def test_runs_that_read_all_of_locomo_tell_false_wrong_and_nothing_of_false_right(data):
    materials = ms.load(data / "locomo" / "locomo10_dev.json")
    told = read_outcomes(data / "locomo" / "settled_fullcontext_dev.jsonl", materials)
    material = materials[0]
    found = estimate_noise(
        material, told.settlements[material.id], dict.fromkeys(material.claim_position, True)
    )
    assert set(found.by_settler) == set(told.settlers)
    assert found.overall.false_wrong.outcomes == 324
    assert found.overall.false_right.rate == Rate(1, 9)
    assert not found.overall.false_right.measured
