"""check_system tells every broken system, with a counterexample that a person can read."""

# ruff: noqa: D101, D102, D105, D107, ARG002 - broken systems: their names say how, their methods are the protocol's

import json
import random
from dataclasses import FrozenInstanceError, replace

import numpy as np
import pytest

from memspan.errors import ShapeError
from memspan.material import Claim, Note
from memspan.policies import Likeness
from memspan.policies.random import random as reservoir
from memspan.systems import KINDS
from memspan.testing import check_system
from memspan.testing.telling import odd, told


class Last:
    """Holds the claims that came last, and reads the first of them: what the broken ones are made of."""

    name = "last"

    def __init__(self, capacity, rng):
        self.capacity, self.rng, self.notes = capacity, rng, {}

    def observe(self, claim):
        self.notes.pop(claim.id, None)
        self.notes[claim.id] = Note(claim.id, claim.text, (claim.id,))
        self.drop()

    def drop(self):
        while len(self.notes) > self.capacity:
            del self.notes[next(iter(self.notes))]

    def held(self):
        return tuple(self.notes.values())

    def read(self, query, k):
        return self.held()[:k]


class HoldsOneTooMany(Last):
    def drop(self):
        while len(self.notes) > self.capacity + 1:
            del self.notes[next(iter(self.notes))]


class DropsLate(Last):
    """Sums up, and keeps what the sum rests on: more than it may."""

    def observe(self, claim):
        before = self.held()
        super().observe(claim)
        if len(before) == self.capacity:
            rests = tuple(dict.fromkeys(name for note in before for name in note.claims))
            self.notes[claim.id] = replace(self.notes[claim.id], claims=tuple({*rests, claim.id}))


class InventsAClaim(Last):
    def observe(self, claim):
        super().observe(claim)
        if len(claim.text) > 12 and "Porto" in claim.text:
            self.notes[claim.id] = replace(self.notes[claim.id], claims=("hearsay",))


class RepeatsIds(Last):
    def held(self):
        return tuple(replace(note, id="note") for note in super().held())

    def read(self, query, k):
        return super().held()[: min(k, 0)]


class ReadsTooMuch(Last):
    def read(self, query, k):
        return self.held()[: k + 1]


class ReadsAllForNone(Last):
    """The slip of a slice from the end: none is all."""

    def read(self, query, k):
        return self.held()[-k:]


class ReadsWhatIsGone(Last):
    def observe(self, claim):
        self.first = getattr(self, "first", Note(claim.id, claim.text, (claim.id,)))
        super().observe(claim)

    def read(self, query, k):
        return (self.first,)[:k] if self.notes else ()


class ReadsPartsOfWhatIsGone(Last):
    def read(self, query, k):
        return tuple(replace(note, claims=(*note.claims, "gone")) for note in super().read(query, k))


class ForgetsWhatItReads(Last):
    def read(self, query, k):
        found = super().read(query, k)
        for note in found:
            self.notes.pop(note.id)
        return found


class StampsWhatItReads(Last):
    def read(self, query, k):
        found = super().read(query, k)
        for note in found:
            self.notes[note.id] = replace(note, time="now")
        return found


class ReadsInTurn(Last):
    turn = 0

    def read(self, query, k):
        self.turn += 1
        held = self.held()
        return (held[self.turn % len(held)],)[:k] if held else ()


class ThrowsDice(Last):
    def drop(self):
        while len(self.notes) > self.capacity:
            del self.notes[random.choice(list(self.notes))]


class HasALock(Last):
    def __init__(self, capacity, rng):
        super().__init__(capacity, rng)
        self.key = lambda: None


class LosesTheLast(Last):
    def __getstate__(self):
        return self.__dict__ | {"notes": dict(list(self.notes.items())[:-1])}


class ForgetsItsBound(Last):
    def __getstate__(self):
        return self.__dict__ | {"capacity": 1}


class SharesItsNotes(Last):
    shared = {}  # noqa: RUF012 - that is the fault

    def __init__(self, capacity, rng):
        super().__init__(capacity, rng)
        self.notes = self.shared


class StumblesOnNothing(Last):
    def read(self, query, k):
        return (next(iter(self.notes.values())),)[:k]


class StumblesOnEmptyText(Last):
    def observe(self, claim):
        _ = claim.text[0]
        super().observe(claim)


class NeedsADate(Last):
    def observe(self, claim):
        if claim.time and not claim.time[0].isdigit():
            raise ValueError(claim.time)
        super().observe(claim)


class RefusesRepeats(Last):
    def __init__(self, capacity, rng):
        super().__init__(capacity, rng)
        self.seen = set()

    def observe(self, claim):
        assert claim.id not in self.seen
        self.seen.add(claim.id)
        super().observe(claim)


class ReadsAsciiOnly(Last):
    def observe(self, claim):
        claim.text.encode("ascii")
        super().observe(claim)


class MarksClaims(Last):
    def observe(self, claim):
        claim.extra["seen"] = True
        super().observe(claim)


class SettlesWhatItHolds(Last):
    def settle(self, settlement):
        for name in settlement.claims or ():
            self.notes[name] = self.notes.pop(name)


class LearnsTooMuch(Last):
    def settle(self, settlement):
        for name in settlement.claims or ():
            self.notes[name] = Note(name, "", (name,))


class ShrinksTooLittle(Last):
    def shrink(self, capacity):
        while len(self.notes) > capacity + 1:
            self.notes.popitem()


class GrowsWhenCut(Last):
    def observe(self, claim):
        self.every = [*getattr(self, "every", []), claim.id]
        super().observe(claim)

    def shrink(self, capacity):
        self.notes = {name: Note(name, "", (name,)) for name in getattr(self, "every", [])[:capacity]}


class AnswersInLists(Last):
    def held(self):
        return list(super().held())


class AnswersInTexts(Last):
    def read(self, query, k):
        return tuple(note.text for note in super().read(query, k))


class HasNoName(Last):
    name = ""


BROKEN = [
    (HoldsOneTooMany, "holds at most its capacity", 2),
    (DropsLate, "holds at most its capacity", 2),
    (InventsAClaim, "invents no claim", 1),
    (RepeatsIds, "unique note ids", 2),
    (ReadsTooMuch, "reads at most k", 1),
    (ReadsAllForNone, "reads at most k", 1),
    (ReadsWhatIsGone, "reads what is held", 2),
    (ReadsPartsOfWhatIsGone, "invents no claim", 1),
    (ForgetsWhatItReads, "reading changes nothing", 1),
    (StampsWhatItReads, "reading changes nothing", 1),
    (ReadsInTurn, "reading changes nothing", 2),
    (ThrowsDice, "same seed, same memory", 5),
    (HasALock, "survives save and load", 0),
    (LosesTheLast, "survives save and load", 2),
    (ForgetsItsBound, "survives save and load", 3),
    (SharesItsNotes, "empty memory", 1),
    (StumblesOnNothing, "empty memory", 0),
    (StumblesOnEmptyText, "odd claims", 1),
    (NeedsADate, "odd claims", 1),
    (RefusesRepeats, "odd claims", 2),
    (ReadsAsciiOnly, "odd claims", 1),
    (MarksClaims, "leaves claims alone", 1),
    (SettlesWhatItHolds, "settles", 0),
    (LearnsTooMuch, "settles", 0),
    (ShrinksTooLittle, "shrinks", 3),
    (GrowsWhenCut, "shrinks", 4),
    (AnswersInLists, "answers", 0),
    (AnswersInTexts, "answers", 1),
    (HasNoName, "answers", 0),
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
    assert (report.system, report.capacity, report.examples) == ("last", 3, 8 + len(odd()))
    assert (report.settles, report.shrinks) == (False, False)
    assert [name for name, against in report.traits.items() if against is None] == ["nested"]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.label)
def test_a_system_that_can_be_named_keeps_every_law(kind):
    report = check_system(kind, examples=5)
    assert report.ok, report


def test_a_trait_that_is_missing_has_a_counterexample():
    report = check_system(Last, examples=6)
    assert len(report.traits["order-free"].claims) == 4, "of four claims three stay"
    assert "then" in report.traits["order-free"].seen
    assert report.ok


def test_chance_comes_from_the_seed_alone():
    made = []

    def make(capacity, rng):
        made.append(int(np.random.default_rng(rng.bit_generator.state["state"]["state"]).integers(9)))
        return reservoir(Likeness(), capacity, rng=rng)

    assert check_system(make, examples=5, seed=7).ok
    assert len(set(made)) == 1, "each system begins with the same chance"


def test_the_same_check_gives_the_same_report():
    one, other = (check_system(ReadsWhatIsGone, examples=6) for _ in range(2))
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


class OnDisk(Last):
    """Keeps its notes in a file, so that pickling it saves nothing."""

    folder, count = None, 0

    def __init__(self, capacity, rng, path=None):
        super().__init__(capacity, rng)
        OnDisk.count += 1
        self.path = path or self.folder / str(OnDisk.count)
        if self.path.exists():
            self.notes = {name: Note(name, text, (name,)) for name, text in json.loads(self.path.read_text())}

    def observe(self, claim):
        super().observe(claim)
        self.path.write_text(json.dumps([(note.id, note.text) for note in self.notes.values()]))

    def __getstate__(self):
        raise TypeError("it is on disk")


def test_a_store_on_disk_is_reopened_as_its_owner_says(tmp_path):
    OnDisk.folder = tmp_path
    kept = check_system(OnDisk, examples=2, reopen=lambda old: OnDisk(old.capacity, None, old.path))
    assert kept.ok, kept
    lost = check_system(OnDisk, examples=2)
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
