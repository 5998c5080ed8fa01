"""check_system tells every broken system, with a counterexample that a person can read."""

# ruff: noqa: D102, D105, D107, ARG002 - their methods are the protocol's

import json
from dataclasses import FrozenInstanceError

import numpy as np
import pytest

import broken_systems as broken
from broken_systems import Last
from memspan.errors import ShapeError
from memspan.material import Claim, Note
from memspan.policies import Likeness, Writing
from memspan.policies.plain import plain
from memspan.systems import KINDS
from memspan.testing import check_system
from memspan.testing.telling import odd, told

BROKEN = [
    (broken.HoldsOneTooMany, "holds at most its capacity", 2),
    (broken.HoldsThreeForTwo, "holds at most its capacity", 3),
    (broken.HoldsAllForNone, "holds at most its capacity", 1),
    (broken.HoldsTooManyOfMany, "holds at most its capacity", 41),
    (broken.ReadsTooMuchForTwo, "reads at most k", 3),
    (broken.DropsLate, "holds at most its capacity", 2),
    (broken.InventsAClaim, "invents no claim", 1),
    (broken.RepeatsIds, "unique note ids", 2),
    (broken.ReadsTooMuch, "reads at most k", 1),
    (broken.ReadsAllForNone, "reads at most k", 1),
    (broken.ReadsWhatIsGone, "reads what is held", 2),
    (broken.ReadsPartsOfWhatIsGone, "invents no claim", 1),
    (broken.ForgetsWhatItReads, "reading changes nothing", 1),
    (broken.StampsWhatItReads, "reading changes nothing", 1),
    (broken.ReadsInTurn, "reading changes nothing", 2),
    (broken.ThrowsDice, "same seed, same memory", 5),
    (broken.HasALock, "survives save and load", 0),
    (broken.LosesTheLast, "survives save and load", 2),
    (broken.ForgetsItsBound, "survives save and load", 3),
    (broken.SharesItsNotes, "empty memory", 1),
    (broken.StumblesOnNothing, "empty memory", 0),
    (broken.StumblesOnEmptyText, "odd claims", 1),
    (broken.NeedsADate, "odd claims", 1),
    (broken.RefusesRepeats, "odd claims", 2),
    (broken.ReadsAsciiOnly, "odd claims", 1),
    (broken.MarksClaims, "leaves claims alone", 1),
    (broken.SettlesWhatItHolds, "settles", 0),
    (broken.LearnsTooMuch, "settles", 0),
    (broken.ShrinksTooLittle, "shrinks", 3),
    (broken.GrowsWhenCut, "shrinks", 4),
    (broken.AnswersInLists, "answers", 0),
    (broken.AnswersInTexts, "answers", 1),
    (broken.HasNoName, "answers", 0),
]


@pytest.mark.parametrize(("make", "law", "most"), BROKEN, ids=[f"{b[1]}: {b[0].__name__}" for b in BROKEN])
def test_a_broken_system_is_told_with_a_small_counterexample(make, law, most):
    report = check_system(make, examples=6)
    found = {each.law: each for each in report.broken}
    assert not report.ok
    assert law in found, report
    assert len(found[law].claims) <= most
    assert found[law].expected in str(report)
    assert found[law].seen in str(report)


def test_a_system_that_does_its_work_keeps_every_law():
    report = check_system(Last, examples=6)
    assert report.ok, report
    assert (report.system, report.capacity, report.examples) == ("last", 3, 6 + len(odd()) + 1)
    assert (report.settles, report.shrinks) == (False, False)
    assert [name for name, against in report.traits.items() if against is None] == ["nested"]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.label)
def test_a_system_that_can_be_named_keeps_every_law(kind):
    report = check_system(kind, examples=5)
    assert report.ok, report


def test_a_system_may_refuse_to_be_made_for_nothing():
    class Refuses(Last):
        def __init__(self, capacity, rng):
            if capacity < 1:
                raise ValueError("give at least 1")
            super().__init__(capacity, rng)

    report = check_system(Refuses, examples=3)
    assert not [each for each in report.broken if "give at least" in str(each)], report


def test_a_trait_that_is_missing_has_a_counterexample():
    report = check_system(Last, examples=6)
    assert len(report.traits["order-free"].claims) == 4, "of four claims three stay"
    assert "then" in report.traits["order-free"].seen
    assert report.ok


def test_chance_comes_from_the_seed_alone():
    made = []

    def make(capacity, rng):
        made.append(int(np.random.default_rng(rng.bit_generator.state["state"]["state"]).integers(9)))
        return Writing(plain("random"), Likeness(), capacity, int(rng.integers(100)))

    assert check_system(make, examples=5, seed=7).ok
    assert len(set(made)) == 1, "each system begins with the same chance"


def test_the_same_check_gives_the_same_report():
    one, other = (check_system(broken.ReadsWhatIsGone, examples=6) for _ in range(2))
    assert one == other
    assert str(one) == str(other)


def test_a_report_is_frozen():
    with pytest.raises(FrozenInstanceError):
        check_system(Last, examples=1).examples = 2


def test_given_claims_are_tried_whole_and_in_parts():
    given = [Claim(f"c{i}", f"statement {i}") for i in range(30)]

    class StumblesLate(Last):
        def observe(self, claim):
            if claim.id == "c29":
                raise RuntimeError("too late")
            super().observe(claim)

    report = check_system(StumblesLate, given, examples=3)
    found = {each.law: each for each in report.broken}["answers"]
    assert [claim.id for claim in found.claims] == ["c29"]
    assert "RuntimeError: too late" in str(report)


class Stored(Last):
    """Keeps its notes in a store elsewhere, so that pickling it saves nothing."""

    stores = []  # noqa: RUF012 - stands for a disk

    def __init__(self, capacity, rng, number=None):
        super().__init__(capacity, rng)
        if number is None:
            number = len(self.stores)
            self.stores.append("[]")
        self.number = number
        self.notes = {name: Note(name, text, (name,)) for name, text in json.loads(self.stores[number])}

    def observe(self, claim):
        super().observe(claim)
        self.stores[self.number] = json.dumps([(note.id, note.text) for note in self.notes.values()])

    def __getstate__(self):
        raise TypeError("it is elsewhere")


def test_a_store_is_reopened_as_its_owner_says():
    kept = check_system(Stored, examples=2, reopen=lambda old: Stored(old.capacity, None, old.number))
    assert kept.ok, kept
    lost = check_system(Stored, examples=2)
    assert [each.law for each in lost.broken] == ["survives save and load"]
    assert "give reopen=" in str(lost)


def test_systems_are_closed():
    open_ = []

    class Closes(Last):
        def __init__(self, capacity, rng):
            super().__init__(capacity, rng)
            open_.append(self)

        def close(self):
            if self in open_:
                open_.remove(self)

    assert check_system(Closes, examples=3).broken[0].law == "survives save and load"  # a local class
    assert len(open_) == 1, "the one that tells its name was not closed"


def test_a_system_without_a_bound_is_tried_without_one():
    class Everything(Last):
        def drop(self):
            pass

    assert "holds at most its capacity" in {each.law for each in check_system(Everything, examples=5).broken}
    free = check_system(Everything, capacity=None, examples=5)
    assert "holds at most its capacity" not in {each.law for each in free.broken}
    assert "no capacity" in str(free)


def test_a_capacity_of_nothing_is_refused():
    with pytest.raises(ShapeError, match="at least 1"):
        check_system(Last, capacity=0)


def test_interruptions_are_not_swallowed():
    class Interrupted(Last):
        def observe(self, claim):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        check_system(Interrupted)


def test_a_long_text_is_shown_short():
    class StumblesOnLength(Last):
        def observe(self, claim):
            if len(claim.text) > 1000:
                raise ValueError("too long")
            super().observe(claim)

    assert len(str(check_system(StumblesOnLength, examples=2))) < 3000


def test_drawn_lists_begin_with_none_and_one_and_are_the_same_each_time():
    lists = told(6, 1)
    assert [len(claims) for claims in lists][:2] == [0, 1]
    assert lists == told(6, 1)
    assert lists != told(6, 2)
