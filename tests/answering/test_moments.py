from datetime import date, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memspan.answering.moments import Calendar, Moment, day_of, meant, moments
from memspan.material import Claim

DAYS = st.dates(date(1000, 1, 1), date(2999, 12, 31))
MOMENTS = st.builds(Moment, st.dates(date(2020, 1, 1), date(2020, 3, 1)), st.sampled_from([1, 2, 31, 366]))


def read(text):
    return [(moment.first.isoformat(), moment.days) for moment in moments(text)]


@given(
    DAYS,
    st.sampled_from(["{d} {m} {y}", "{m} {d}, {y}", "{d}{m}, {y}", "{d} of {m} {y}", "{y}-{n:02}-{d:02}"]),
)
def test_a_whole_date_is_read_in_each_of_its_forms(day, form):
    month = f"{day:%B}"
    for name in {month, month.upper(), month[:3]}:
        text = form.format(d=day.day, m=name, y=day.year, n=day.month)
        assert read(f"Seen on {text}.") == [(day.isoformat(), 1)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", []),
        ("in May 2023", [("2023-05-01", 31)]),
        ("back in 1999", [("1999-01-01", 366)]),
        ("the 3rd of June, 2022 and July 2022", [("2022-06-03", 1), ("2022-07-01", 31)]),
        ("21Janury, 2022", [("2022-01-21", 1)]),
        ("31 February 2023", []),
        ("2023-13-40", []),
        ("May 20231", []),
        ("112 May 2023", [("2023-05-01", 31)]),
        ("the market 2021, a summary 2022", [("2021-01-01", 366), ("2022-01-01", 366)]),
        ("room 0000-00-00", []),
    ],
)
def test_only_dates_are_dates_each_as_precise_as_it_was_said(text, found):
    assert read(text) == found


@given(st.text(max_size=60), st.one_of(st.none(), st.text(max_size=12), DAYS.map(date.isoformat)))
def test_any_text_and_any_time_are_read(text, time):
    assert all(moment.days >= 1 for moment in meant(Claim("c", text, time=time)))


def test_what_is_relative_is_resolved_by_the_time_of_the_claim():
    said = Claim("c", "We met last weekend, and in May 2020.", time="2023-05-08T09:00")
    assert list(meant(said)) == [Moment(date(2020, 5, 1), 31), Moment(date(2023, 5, 6), 2)]
    assert list(meant(Claim("c", "We met last weekend.", time="long ago"))) == []


@pytest.mark.parametrize("time", [None, "", "long ago", "2023", "2023-05", "2023-02-30", "0000-01-01"])
def test_a_time_without_a_day_has_none(time):
    assert day_of(time) is None


@given(st.lists(st.lists(MOMENTS, max_size=3), max_size=4), st.lists(MOMENTS, max_size=3))
def test_agreement_equals_the_best_pair(each, wanted):
    def of(one, other):
        gap = max(
            (one.first - other.first).days - other.days + 1, (other.first - one.first).days - one.days + 1, 0
        )
        wider = max(one.days, other.days)
        return (1.0 if wider <= 2 else 0.8 if wider <= 31 else 0.5) * np.exp(-gap / 3)

    best = [max((of(one, other) for one in found for other in wanted), default=0) for found in each]
    assert Calendar.of(each).agreement(wanted) == pytest.approx(best)


@given(st.lists(st.lists(MOMENTS, max_size=3), max_size=4), st.lists(MOMENTS, max_size=3))
def test_nearness_lies_between_nothing_and_one_and_is_one_within_the_moment(each, wanted):
    near = Calendar.of(each).nearness(wanted, reach=10)
    assert ((near >= 0) & (near <= 1)).all()
    for found, value in zip(each, near.tolist(), strict=True):
        within = any(0 <= (one.first - other.first).days < other.days for one in found for other in wanted)
        assert (value == 1) == within


def test_what_was_said_long_before_counts_less_than_what_was_said_after():
    day = date(2023, 5, 8)
    around = [[Moment(day + timedelta(days=away), 1)] for away in (-5, -1, 0, 1, 5)]
    early, eve, same, morrow, late = Calendar.of(around).nearness([Moment(day, 1)], reach=10)
    assert same > eve == morrow > late > early
