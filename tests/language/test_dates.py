from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memspan.language.dates import iso_time, relative_dates

DAYS = st.dates(date(1900, 1, 15), date(2200, 12, 1))
WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]


def meant(text, anchor):
    return [(text[found.start : found.end], found.value) for found in relative_dates(text, str(anchor))]


@pytest.mark.parametrize(
    ("written", "iso"),
    [
        ("4:04 pm on 20 January, 2023", "2023-01-20T16:04"),
        ("12:05 am on 1 May, 2024", "2024-05-01T00:05"),
        ("2023/05/28 (Sun) 19:47", "2023-05-28T19:47"),
        ("2024-03-02 10:15", "2024-03-02T10:15"),
        ("2024-03-02T10:15:07.123Z", "2024-03-02T10:15:07Z"),
        ("Sat, 02 Mar 2024 10:15:00 +0100", "2024-03-02T10:15:00+01:00"),
        ("Monday, 5th of June 2023 at 9:00 am", "2023-06-05T09:00"),
        ("May 2023", "2023-05"),
        ("25/12/2023, 10:15", "2023-12-25T10:15"),
        (1709374500, "2024-03-02T10:15:00Z"),
        ("1709374500.000200", "2024-03-02T10:15:00Z"),
    ],
)
def test_a_known_notation_becomes_iso(written, iso):
    assert iso_time(written) == iso


@pytest.mark.parametrize(
    "written", ["02/03/2024", "2024-13-40", "in spring", "00:12:31", "2023", "", None, True]
)
def test_what_is_no_certain_day_is_not_guessed(written):
    assert iso_time(written) is None


def test_a_file_that_tells_the_order_of_its_days_is_believed():
    assert iso_time("02/03/2024", day_first=True) == "2024-03-02"
    assert iso_time("02/03/2024", day_first=False) == "2024-02-03"


@given(DAYS)
def test_a_date_written_out_is_read_back(day):
    assert iso_time(f"{day.day} {day:%B} {day:%Y}") == iso_time(f"{day:%B} {day.day}, {day:%Y}") == str(day)


@given(st.text(max_size=60))
def test_no_text_breaks_the_reading_of_times(text):
    assert iso_time(text) is None or iso_time(text)[:1].isdigit()


@given(DAYS, st.integers(1, 300))
def test_days_and_weeks_ago_are_counted(day, count):
    assert meant(f"{count} days ago", day) == [(f"{count} days ago", str(day - timedelta(days=count)))]
    assert meant("two weeks ago", day) == [("two weeks ago", str(day - timedelta(days=14)))]


@given(DAYS, st.sampled_from(WEEKDAYS))
def test_the_last_and_the_next_weekday_are_within_a_week(day, name):
    (_, before), (_, after) = meant(f"last {name} and next {name}", day)
    for value, away in ((before, day - date.fromisoformat(before)), (after, date.fromisoformat(after) - day)):
        assert WEEKDAYS[date.fromisoformat(value).weekday()] == name
        assert 1 <= away.days <= 7


@given(DAYS)
def test_last_week_is_the_monday_to_sunday_before(day):
    ((_, value),) = meant("last week", day)
    monday, sunday = map(date.fromisoformat, value.split("/"))
    assert (monday.weekday(), (sunday - monday).days) == (0, 6)
    assert sunday < day <= sunday + timedelta(days=7)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("the day before yesterday", "2023-05-06"),
        ("last night", "2023-05-07"),
        ("last year's", "2022"),
        ("a couple of days ago", "2023-05-06"),
        ("3 months ago", "2023-02"),
        ("20 years ago", "2003"),
        ("last May", "2022-05"),
        ("next March", "2024-03"),
        ("this past weekend", "2023-05-06/2023-05-07"),
    ],
)
def test_an_expression_is_as_exact_as_its_unit(text, value):
    assert meant(text, "2023-05-08T13:56") == [(text, value)]


@pytest.mark.parametrize(
    "text",
    ["on Friday", "in two weeks", "a few days ago", "the last week", "last week of May", "she may last may"],
)
def test_what_has_two_readings_is_left_alone(text):
    assert meant(text, "2023-05-08") == []


def test_without_a_day_nothing_is_resolved():
    assert relative_dates("yesterday", None) == relative_dates("yesterday", "2023-05") == []
    assert relative_dates("900 years ago", "0500-01-01") == []
