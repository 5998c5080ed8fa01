"""Coverage against right answers: the figures of a 2 x 2 table."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memspan.diagnosis import association
from memspan.errors import ShapeError

ROWS = st.lists(
    st.tuples(st.booleans(), st.sampled_from([0, 1 / 3, 2 / 3, 1]), st.sampled_from("abcde")), min_size=1
)
FIGURES = (
    "right_covered",
    "right_missed",
    "difference",
    "odds_ratio",
    "phi",
    "auc",
    "missed_of_wrong",
    "attributable",
)


def of(rows, seed=0, draws=100):
    covered, correct, clusters = zip(*rows, strict=True)
    return association(covered, correct, clusters, np.random.default_rng(seed), draws=draws)


def table(covered_right, covered_wrong, missed_right, missed_wrong):
    """Return answers that make up the table, each a cluster of its own."""
    cells = [
        (True, 1, covered_right),
        (True, 0, covered_wrong),
        (False, 1, missed_right),
        (False, 0, missed_wrong),
    ]
    rows = [(covered, correct) for covered, correct, n in cells for _ in range(n)]
    return [(*row, str(i)) for i, row in enumerate(rows)]


def test_a_table_worked_by_hand():
    # 30 right and 10 wrong where covered, 20 right and 40 wrong where not: 75 % against 33 %;
    # 50 are wrong, 40 of them not covered; were all as good as the covered ones, 25 would be wrong.
    found = of(table(30, 10, 20, 40))
    assert (found.n, found.clusters) == (100, 100)
    assert found.right_covered.estimate == pytest.approx(3 / 4)
    assert found.right_missed.estimate == pytest.approx(1 / 3)
    assert found.difference.estimate == pytest.approx(5 / 12)
    assert found.odds_ratio.estimate == pytest.approx(30.5 * 40.5 / (10.5 * 20.5))
    assert found.phi.estimate == pytest.approx((30 * 40 - 10 * 20) / math.sqrt(40 * 60 * 50 * 50))
    assert found.auc.estimate == pytest.approx((1 + 30 / 50 - 10 / 50) / 2)
    assert found.missed_of_wrong.estimate == pytest.approx(40 / 50)
    assert found.attributable.estimate == pytest.approx((0.5 - 0.25) / 0.5)


def test_coverage_that_says_nothing_explains_nothing():
    found = of(table(10, 30, 5, 15))
    assert found.difference.estimate == found.phi.estimate == 0
    assert found.auc.estimate == pytest.approx(0.5)
    assert found.attributable.estimate == pytest.approx(0)


def test_coverage_that_decides_explains_every_error():
    found = of(table(9, 0, 0, 9))
    assert found.phi.estimate == found.auc.estimate == found.missed_of_wrong.estimate == 1
    assert found.attributable.estimate == found.difference.estimate == 1


def test_where_all_is_covered_nothing_is_said_of_what_is_not():
    found = of(table(8, 2, 0, 0))
    assert math.isnan(found.right_missed.estimate)
    assert math.isnan(found.difference.estimate)
    assert not found.difference.known
    assert found.missed_of_wrong.estimate == found.attributable.estimate == 0


@given(ROWS)
def test_the_auc_is_the_chance_that_a_right_answer_is_covered_rather_than_a_wrong_one(rows):
    right = [(covered, correct) for covered, correct, _ in rows if correct]
    wrong = [(covered, 1 - correct) for covered, correct, _ in rows if correct < 1]
    found = of(rows).auc.estimate
    if not right or not wrong:
        assert math.isnan(found)
        return
    pairs = [(1 if a > b else 0.5 if a == b else 0, u * v) for a, u in right for b, v in wrong]
    weight = sum(v for _, v in pairs)
    assert found == pytest.approx(sum(s * v for s, v in pairs) / weight)


@given(ROWS, st.integers(0, 3))
def test_every_interval_holds_its_estimate_or_says_nothing_of_its_limits(rows, seed):
    found = of(rows, seed)
    for name in FIGURES:
        interval = getattr(found, name)
        assert not interval.known or interval.lower <= interval.estimate <= interval.upper
    assert found.n == pytest.approx(len(rows))
    assert found.clusters == len({cluster for *_, cluster in rows})


@given(ROWS)
def test_the_order_of_the_answers_does_not_matter_to_the_estimates(rows):
    one, other = of(rows), of(rows[::-1])
    for name in FIGURES:
        assert getattr(one, name).estimate == pytest.approx(getattr(other, name).estimate, nan_ok=True)


def test_answers_of_one_cluster_leave_the_limits_unknown():
    found = of([(True, 1, "a"), (False, 0, "a"), (True, 0, "a")])
    assert not any(getattr(found, name).known for name in FIGURES)


def test_runs_that_copy_one_another_add_no_certainty():
    once = table(12, 6, 7, 15)
    assert str(of(once * 5).difference) == str(of(once).difference)


@pytest.mark.parametrize(
    "arguments",
    [([], [], []), ([True], [1, 0], ["a", "b"]), ([True], [1], []), ([True], [1.5], ["a"])],
    ids=["empty", "answers", "clusters", "range"],
)
def test_columns_that_do_not_fit_are_refused(arguments):
    with pytest.raises(ShapeError):
        association(*arguments, np.random.default_rng(0))
