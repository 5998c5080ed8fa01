"""What trials add up to: laws of shares, regret and reads."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memspan.environments.reads import Reads
from memspan.environments.replaying import Setting, replay
from memspan.environments.trials import Replay, Trial
from memspan.errors import ContractError, ShapeError, UnknownName
from memspan.executor import Pool
from memspan.material import Claim, Query
from memspan.policies.even import Even
from memspan.policies.named import POLICIES, policies_named
from memspan.policies.plain import plain
from memspan.policies.writer import shipped
from replays import diary


def trial(material, expected, policy="p", bound=1.0):
    values = np.array(expected, float)
    full = np.full(len(values), bound)
    return Trial(material, policy, "uniform", 0.1, 1, 0, np.round(values), values, full, "iid", 1.0)


curves = st.lists(st.floats(0, 1), min_size=2, max_size=12)


@given(st.lists(curves, min_size=1, max_size=4))
def test_regret_never_falls_and_ends_at_what_the_bound_is_ahead(rows):
    made = Replay(tuple(trial(f"m{i}", row) for i, row in enumerate(rows)))
    regret = made.regret("p", "uniform", 0.1)
    length = min(map(len, rows))
    assert len(regret.mean) == length
    assert (np.diff(regret.mean) >= -1e-12).all()
    behind = np.mean([length - sum(row[:length]) for row in rows])
    assert regret.end.estimate == pytest.approx(behind, abs=1e-9)
    assert regret.end.known == (len(rows) > 1)


@given(st.lists(curves, min_size=2, max_size=4))
def test_a_policy_is_once_as_good_as_itself(rows):
    made = Replay(tuple(trial(f"m{i}", [*row, 0.5]) for i, row in enumerate(rows)))
    same = made.ratio("p", "p", "uniform", 0.1)
    assert (same.estimate, same.lower, same.upper) == pytest.approx((1, 1, 1))


def test_linear_regret_grows_with_exponent_1_and_none_with_0():
    late = Replay((trial("a", [0.5] * 100), trial("b", [0.5] * 100)))
    assert late.regret("p", "uniform", 0.1).growth.estimate == pytest.approx(1)
    early = Replay((trial("a", [0.0] * 10 + [1.0] * 90),))
    assert early.regret("p", "uniform", 0.1).growth.estimate == pytest.approx(0)


def test_a_material_of_which_nothing_can_be_answered_does_not_count():
    made = Replay((trial("a", [0.5, 0.5]), trial("b", [0, 0], bound=0.0)))
    assert made.attained("p", "uniform", 0.1).estimate == 0.5
    nothing = Replay((trial("b", [0, 0], bound=0.0),))
    assert np.isnan(nothing.attained("p", "uniform", 0.1).estimate)
    assert np.isnan(nothing.ratio("p", "p", "uniform", 0.1).estimate)


def test_levels_pass_over_steps_at_which_nothing_is_asked():
    one, two = trial("a", [np.nan, 0.5]), trial("b", [1.0, 0.0])
    assert Replay((one, two)).expected("p", "uniform", 0.1).tolist() == [1.0, 0.25]


def test_a_cell_that_was_not_played_is_refused():
    with pytest.raises(UnknownName):
        Replay((trial("a", [1.0]),)).attained("q", "uniform", 0.1)


@pytest.mark.parametrize("order", ["uniform", "zipf", "mix", "once", "iid"])
@pytest.mark.parametrize("write", ["stream", "full", "swap"])
def test_no_policy_exceeds_the_bound_and_all_meet_the_same_queries(order, write):
    setting = Setting(write=write, disclosure="supports")
    found = replay([diary("ana")], POLICIES, orders=[order], shares=[0.2], seeds=[0], setting=setting)
    for each in found.trials:
        assert np.nansum(each.expected) <= np.nansum(each.bound) + 1e-6
        assert (np.isnan(each.collected) == np.isnan(found.trials[0].collected)).all()
        assert each.bound_kind == ("clairvoyant" if (order, write) == ("once", "stream") else each.bound_kind)


def test_a_whole_number_is_a_capacity_and_1_is_not_all():
    found = replay([diary("ana")], policies_named("lfu"), shares=[1, 1.0, 5], seeds=[0])
    assert [each.capacity for each in found.trials] == [1, 24, 5]


@pytest.mark.parametrize("share", [0, 0.0, -0.1, 1.5, -2])
def test_a_capacity_that_is_none_is_refused(share):
    with pytest.raises(ShapeError):
        replay([diary("ana")], policies_named("lfu"), shares=[share])


def test_every_policy_travels_to_other_processes():
    here = replay([diary("ana")], POLICIES, shares=[0.2], seeds=[0])
    there = replay([diary("ana")], POLICIES, shares=[0.2], seeds=[0], workers=Pool(1))
    for one, other in zip(here.trials, there.trials, strict=True):
        assert one.policy == other.policy
        assert np.array_equal(one.expected, other.expected, equal_nan=True)


def test_each_trial_is_told_when_it_is_done():
    said = []
    replay([diary("ana")], policies_named("lfu"), orders=["uniform", "zipf"], seeds=[0], told=said.append)
    assert said == ["ana, uniform, lfu", "ana, zipf, lfu"]


def test_the_fewer_materials_the_more_draws():
    for count, draws in ((1, 5), (4, 5), (5, 1)):
        found = replay([diary(f"m{i}") for i in range(count)], ["fifo"])
        assert len({each.seed for each in found.trials}) == draws
        assert len(found.by_draw("fifo", "iid", 0.1)) == draws


def test_without_a_prior_the_shipped_rule_judges():
    def shares(**how):
        return replay([diary("ana")], ["static"], shares=[0.2], **how).attained("static", "iid", 0.2).estimate

    assert shares() == shares(prior=shipped().prior()) != shares(prior=Even())


@given(st.lists(st.tuples(curves, curves), min_size=2, max_size=5))
def test_a_difference_is_that_of_what_is_attained(rows):
    pairs = [(ours[:n], theirs[:n]) for ours, theirs in rows for n in [min(len(ours), len(theirs))]]
    made = Replay(
        tuple(
            trial(f"m{i}", row, policy)
            for i, pair in enumerate(pairs)
            for policy, row in zip("pq", pair, strict=True)
        )
    )
    gap = made.difference("p", "q", "uniform", 0.1)
    p, q = (made.attained(name, "uniform", 0.1).estimate for name in "pq")
    assert gap.estimate == pytest.approx(p - q, abs=1e-9)
    assert gap.lower <= gap.estimate <= gap.upper


def test_what_is_no_policy_and_what_is_called_as_another_is_refused():
    with pytest.raises(UnknownName, match="did you mean fifo"):
        replay([diary("ana")], ["fifoo"])
    with pytest.raises(ContractError, match="called 'lfu'"):
        replay([diary("ana")], ["lfu", plain("lfu")])


# --- reads ------------------------------------------------------------------------------------------


@given(st.integers(0, 8), st.lists(st.booleans(), min_size=6, max_size=6))
def test_what_is_read_is_held_and_as_much_as_is_allowed(k, held):
    claims = [Claim(str(i), f"{'tea ' * i}and rain") for i in range(6)]
    read = Reads(claims, k)(Query("", "tea"), np.array(held))
    assert (read <= np.array(held)).all()
    assert read.sum() == min(k, sum(held))


def test_reading_all_is_coverage_by_true_claims_and_reading_nothing_answers_nothing():
    lfu, diaries = policies_named("lfu"), [diary("ana")]
    setting = Setting(reward="precision")
    whole = replay(diaries, lfu, shares=[0.3], setting=setting).trials[0]
    all_read = replace(setting, reward="end-to-end", read=100)
    assert np.array_equal(
        replay(diaries, lfu, shares=[0.3], setting=all_read).trials[0].expected,
        whole.expected,
        equal_nan=True,
    )
    nothing = replay(diaries, lfu, shares=[0.3], setting=replace(all_read, read=0)).trials[0]
    assert np.nansum(nothing.expected) == np.nansum(nothing.collected) == 0


def test_a_negative_number_to_read_is_refused():
    with pytest.raises(ShapeError):
        Reads([Claim("a")], -1)
