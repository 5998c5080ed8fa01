"""Judge noise: correction and measurement."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from memspan.datasets.outcomes import Judgement, read_judgements
from memspan.diagnosis import JudgeNoise, corrected, measured_noise
from memspan.errors import NoiseError

SHARES = st.floats(0, 1)


@st.composite
def noises(draw):
    false_right = draw(st.floats(0, 0.9))
    false_wrong = draw(st.floats(0, 0.95 - false_right))
    counts = st.none() | st.integers(200, 5000)
    return JudgeNoise(false_right, false_wrong, draw(counts), draw(counts))


@given(SHARES, st.integers(1, 2000), noises())
def test_a_corrected_rate_is_a_share_inside_its_limits(rate, n, noise):
    assume(noise.false_right + noise.false_wrong < 0.8)
    found = corrected(rate, n, noise)
    assert 0 <= found.lower <= found.estimate <= found.upper <= 1


@given(SHARES, noises())
def test_correcting_a_rate_that_the_judge_distorted_gives_the_true_rate(true, noise):
    judged = true * (1 - noise.false_wrong) + (1 - true) * noise.false_right
    assume(noise.false_right + noise.false_wrong < 0.8)
    assert corrected(judged, 10, noise).estimate == pytest.approx(true, abs=1e-6)


@given(SHARES, st.integers(1, 500))
def test_a_judge_without_noise_leaves_the_rate_as_it_is(rate, n):
    assert corrected(rate, n, JudgeNoise()).estimate == rate


@given(SHARES, SHARES, st.integers(1, 500), noises())
def test_a_higher_judged_rate_never_gives_a_lower_true_rate(one, other, n, noise):
    assume(noise.false_right + noise.false_wrong < 0.8)
    low, high = sorted((one, other))
    assert corrected(low, n, noise).estimate <= corrected(high, n, noise).estimate


def test_noise_that_was_measured_on_few_answers_widens_the_interval():
    widths = [
        interval.upper - interval.lower
        for count in (50, 500, None)
        for interval in [corrected(0.7, 300, JudgeNoise(0.1, 0.1, count, count))]
    ]
    assert widths == sorted(widths, reverse=True)


@pytest.mark.parametrize("measured", [False, True], ids=["exact noise", "measured noise"])
def test_the_limits_hold_the_true_rate_about_as_often_as_they_say(measured):
    rng, held, worlds, n, audited = np.random.default_rng(3), 0, 1000, 200, 150
    for _ in range(worlds):
        judged = rng.binomial(n, 0.7 * 0.9 + 0.3 * 0.15) / n
        noise = JudgeNoise(0.15, 0.1)
        if measured:
            false_right, false_wrong = rng.binomial(audited, [0.15, 0.1]) / audited
            noise = JudgeNoise(float(false_right), float(false_wrong), audited, audited)
        found = corrected(judged, n, noise)
        held += found.lower <= 0.7 <= found.upper
    assert 0.92 <= held / worlds <= 0.98


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((0.6, 0.4), "sum to 1 or more"),
        ((1.2, 0), "allowed is 0 to 1"),
        ((0.1, -0.1), "allowed is 0 to 1"),
        ((0.1, 0.1, 0), "on no answer"),
    ],
)
def test_a_judge_that_tells_nothing_is_refused(arguments, said):
    with pytest.raises(NoiseError, match=said):
        JudgeNoise(*arguments)


@pytest.mark.parametrize(("rate", "n"), [(1.1, 5), (-0.1, 5), (0.5, 0)])
def test_a_rate_that_is_no_share_is_refused(rate, n):
    with pytest.raises(NoiseError, match="allowed is 0 to 1 of at least one"):
        corrected(rate, n, JudgeNoise())


def test_noise_measured_on_too_few_answers_is_refused_where_it_may_tell_nothing():
    with pytest.raises(NoiseError, match="judge more of them"):
        corrected(0.5, 100, JudgeNoise(0.9, 0.05, None, 1))


def test_noise_is_measured_by_kind_and_side():
    told = [("vague", False, 0.5), ("vague", False, 0), ("vague", True, 1), ("vague", True, 0.5)]
    noise = measured_noise(Judgement("m", "q", *each) for each in [*told, ("specific", False, 0)])
    assert noise == {"vague": JudgeNoise(0.25, 0.25, 2, 2), "specific": JudgeNoise(0, 0, 1)}


def test_the_judges_of_locomo_accept_most_vague_wrong_answers_and_few_specific_ones(data):
    noise = measured_noise(read_judgements(data / "locomo" / "judge_stress_dev.jsonl"))
    assert noise["vague"].false_right == pytest.approx(0.654, abs=0.001)
    assert noise["specific"].false_right == pytest.approx(0.102, abs=0.001)
    assert noise["vague"].wrong_answers == noise["specific"].wrong_answers == 1045
