"""MemoryBank: what the curve lets go of, by hand."""

from dataclasses import replace
from datetime import date, timedelta

import numpy as np
import pytest

from memspan.material import Claim, Query, Settlement
from memspan.systems import PlainAuthor, Setting
from memspan.systems.memorybank import KINDS, published_curve, released_curve

RELEASED, PAPER = KINDS
START = date(2026, 3, 1)


class _Drawn(np.random.Generator):
    """A source of chance that draws what it is told to."""

    def __new__(cls, *_):
        return super().__new__(cls, np.random.PCG64(0))

    def __init__(self, *numbers):
        super().__init__(np.random.PCG64(0))
        self.numbers = list(numbers)

    def random(self):
        return self.numbers.pop(0)


def turn(name, day, text=None):
    return Claim(name, text or f"text of {name}", time=str(START + timedelta(day)))


def observed(kind, turns, numbers, capacity=None):
    memory = kind.make(Setting(capacity=capacity, rng=_Drawn(*numbers)))
    for each in turns:
        memory.observe(each)
    return memory


def turns_of(memory):
    return {note.id for note in memory.held() if note.kind == "event"}


def test_three_days_keep_by_the_released_curve_what_the_published_one_forgets():
    # released: p = exp(-3/5 * 1) = 0.549 >= 0.5, kept; published: p = exp(-3/1) = 0.0498 < 0.5, gone
    once, three = np.array([1.0]), np.array([3.0])
    assert float(released_curve(three, once)[0]) == pytest.approx(0.549, abs=5e-4)
    assert float(published_curve(three, once)[0]) == pytest.approx(0.0498, abs=5e-5)
    week = [turn("old", 0), turn("new", 3)]
    assert turns_of(observed(RELEASED, week, [0.5, 0.0])) == {"old", "new"}
    assert turns_of(observed(PAPER, week, [0.5, 0.0])) == {"new"}


def test_half_of_what_was_said_once_is_gone_after_three_and_a_half_days_as_released():
    # exp(-t/5) = 1/2 at t = 5 ln 2 = 3.47 days: on day 3 p = 0.549, on day 4 p = 0.449
    told = [turn(name, 0) for name in "abcd"]
    draws = [0.44, 0.45, 0.54, 0.55]
    assert turns_of(observed(RELEASED, [*told, turn("z", 3)], [*draws, 0])) == {"a", "b", "c", "z"}
    assert turns_of(observed(RELEASED, [*told, turn("z", 4)], [*draws, 0])) == {"a", "z"}


def test_a_recall_makes_it_last_longer_as_published_and_shorter_as_released():
    # recalled on day 0, S = 2, two days later: published exp(-2/2) = 0.368, released exp(-2/5*2) = 0.449;
    # not recalled, S = 1: published exp(-2/1) = 0.135, released exp(-2/5*1) = 0.670
    for kind, once, twice in ((PAPER, 0.135, 0.368), (RELEASED, 0.670, 0.449)):
        for drawn in (once - 0.01, once + 0.01, twice - 0.01, twice + 0.01):
            memory = observed(kind, [turn("read", 0), turn("unread", 0)], [drawn, drawn, 0])
            memory.settle(Settlement("q", 1, ("read",)))
            memory.observe(turn("z", 2))
            expected = (
                {"z"} | ({"read"} if drawn < twice else set()) | ({"unread"} if drawn < once else set())
            )
            assert turns_of(memory) == expected


def test_a_recall_counts_from_its_own_day():
    # recalled on day 4, S = 2: on day 5 the age is 1 day, published exp(-1/2) = 0.607 > 0.5;
    # without, exp(-5/1) = 0.007
    memory = observed(PAPER, [turn("a", 0), turn("b", 0), turn("z", 0)], [0.5, 0.5, 0])
    memory.settle(Settlement("q", 1, ("a",), time=str(START + timedelta(4))))
    memory.observe(turn("late", 5)) if memory._rng.numbers else memory._rng.numbers.append(0)
    memory.observe(turn("late", 5))
    assert turns_of(memory) == {"a", "z", "late"}


def test_a_day_keeps_its_summary_until_its_last_turn_is_gone():
    day = [turn("a", 0, "Ana cooks fish"), turn("b", 0, "Ana cooks rice"), turn("c", 0, "Rui sleeps")]
    later = observed(RELEASED, [*day, turn("z", 3)], [0.9, 0.54, 0.9, 0])  # 0.549 on day 3: b alone is left
    kept = {note.id: note.claims for note in later.held() if note.kind == "summary"}
    assert list(kept.values()) == [("a", "b", "c")], "it tells what the turns themselves no longer do"
    gone = observed(RELEASED, [*day, turn("z", 4)], [0.9, 0.54, 0.9, 0])  # 0.449 on day 4
    assert not [note for note in gone.held() if note.kind == "summary"]


def test_forgetting_does_not_depend_on_how_often_it_is_asked():
    told = [turn(str(i), i // 9) for i in range(60)]
    asked, quiet = (RELEASED.make(Setting(rng=np.random.default_rng(3))) for _ in range(2))
    for each in told:
        asked.observe(each)
        quiet.observe(each)
        asked.held()
        asked.read(Query("q", "text"), 5)
    assert asked.held() == quiet.held()


def test_its_ranking_is_retention_and_the_newest_first_among_equals():
    told = [turn("a", 0), turn("b", 0), turn("c", 1), turn("d", 1)]
    ids = [note.id for note in observed(RELEASED, told, [0, 0, 0, 0]).held()]
    assert [name for name in ids if name in "abcd"] == ["d", "c", "b", "a"]
    assert turns_of(observed(RELEASED, told, [0, 0, 0, 0], capacity=2)) == {"c", "d"}


def test_claims_without_a_time_are_an_hour_apart():
    # 24 to a day: at the 73rd hour the first 23 are 3 days old, exp(-3/5) = 0.549 < 0.6 and gone
    told = [Claim(f"c{i}", f"text {i}") for i in range(73)]
    memory = observed(RELEASED, told, [0.6] * 73)
    assert turns_of(memory) == {f"c{i}" for i in range(23, 73)}


def test_the_overall_texts_stand_in_every_read_and_rest_on_what_they_tell():
    told = [turn("a", 0, "Ana cooks"), turn("b", 0, "Ana sleeps"), turn("c", 1, "Rui cooks")]
    memory = observed(RELEASED, told, [0, 0, 0])
    read = memory.read(Query("q", "Who cooks?"), RELEASED.k)
    assert [note.kind for note in read].count("overall") == 1
    assert {claim for note in read if note.kind == "overall" for claim in note.claims} == {"a", "b"}
    assert len(memory.read(Query("q", "Who cooks?"), 1)) == 1


def test_a_model_writes_its_summaries_through_the_author():
    class Terse(PlainAuthor):
        def summary(self, claims, most):
            return replace(super().summary(claims, most), text="in short")

    memory = RELEASED.make(Setting(author=Terse(), rng=_Drawn(0, 0)))
    memory.observe(turn("a", 0))
    memory.observe(turn("b", 1))
    assert "in short" in {note.text for note in memory.held()}
