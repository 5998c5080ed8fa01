"""Memory systems, each broken in its own way: what `check_system` has to tell."""

# ruff: noqa: D101, D102, D105, D107, ARG002 - their names say how, their methods are the protocol's

import random
from dataclasses import replace

from memspan.material import Note


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


class HoldsThreeForTwo(Last):
    def __init__(self, capacity, rng):
        super().__init__(3 if capacity == 2 else capacity, rng)


class HoldsAllForNone(Last):
    """Keeps ``[-capacity:]``, which is all of them for 0."""

    def drop(self):
        self.notes = dict(list(self.notes.items())[-self.capacity :])


class HoldsTooManyOfMany(Last):
    def __init__(self, capacity, rng):
        super().__init__(capacity, rng)
        self.seen = 0

    def drop(self):
        self.seen += 1
        if self.seen <= 40:
            super().drop()


class ReadsTooMuchForTwo(Last):
    def read(self, query, k):
        return self.held() if k == 2 else self.held()[:k]


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
