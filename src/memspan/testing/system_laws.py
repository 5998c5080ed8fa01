"""What every memory system must keep, and the traits that it may have.

Each law looks at one trial and returns the first breach it finds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from memspan.material import Note, Settlement
from memspan.ports import Shrinks
from memspan.testing.system_trial import Guarded, Notes, Run, SystemTrial, resting
from memspan.testing.trial import Breach, Misbehaved

SystemLaw = Callable[[SystemTrial], Breach | None]
_NOBODY = "nobody ever observed this"


def _answers(trial: SystemTrial) -> Breach | None:
    """Every call is made; an error or a wrong type is raised by what guards the calls."""
    for capacity in trial.every_capacity():
        run = trial.run(capacity)
        name = getattr(run.system.system, "name", None)
        if not isinstance(name, str) or not name:
            return Breach("a name: text that is not empty", repr(name))
        trial.reads(capacity)
    return None


def _empty_memory(trial: SystemTrial) -> Breach | None:
    trial.run_anew(
        trial.way.capacity, trial.claims
    )  # what another system has observed is no business of a new one
    system = trial.new(trial.way.capacity)
    for seen, notes in (("held()", system.held()), ("read()", system.read("Who left?", 3))):
        if notes:
            return Breach("a new system holds nothing and reads nothing", f"{seen} gives {_told(notes)}")
    return None


def _capacity(trial: SystemTrial) -> Breach | None:
    if trial.way.late:
        return None
    for capacity in trial.every_capacity():
        breach = _too_large(trial.run(capacity), capacity)
        if breach:
            return breach
    return None


def _no_invention(trial: SystemTrial) -> Breach | None:
    for capacity in trial.capacities():
        run = trial.run(capacity)
        for notes in (*run.steps, *trial.reads(capacity).values()):
            strange = resting(notes) - trial.names
            if strange:
                return Breach("notes rest on claims that were observed", f"{sorted(strange)} were not")
    return None


def _unique_ids(trial: SystemTrial) -> Breach | None:
    for capacity in trial.capacities():
        run = trial.run(capacity)
        for notes in (*run.steps, *trial.reads(capacity).values()):
            twice = [name for name, n in Counter(note.id for note in notes).items() if n > 1]
            if twice:
                return Breach("each note has an id of its own", f"{twice[0]!r} stands twice")
    return None


def _at_most_k(trial: SystemTrial) -> Breach | None:
    for capacity in trial.every_capacity():
        for (text, k), notes in trial.reads(capacity).items():
            if len(notes) > k:
                return Breach(
                    f"read({text[:40]!r}, {k}) gives at most {k} notes", f"{len(notes)}: {_told(notes)}"
                )
    return None


def _held_only(trial: SystemTrial) -> Breach | None:
    for capacity in trial.capacities():
        run = trial.run(capacity)
        ids, memory = {note.id for note in run.held}, resting(run.held)
        for (text, k), notes in trial.reads(capacity).items():
            loose = [note for note in notes if note.id not in ids or not set(note.claims) <= memory]
            if loose:
                seen = f"{_told(loose)}, while {_told(run.held)} is held"
                return Breach(f"read({text[:40]!r}, {k}) gives notes that are held", seen)
    return None


def _reading_is_looking(trial: SystemTrial) -> Breach | None:
    for capacity in trial.capacities():
        system = trial.run_anew(capacity, trial.claims).system
        before, first = system.held(), trial.reads_of(system)
        for (text, k), notes in reversed(first.items()):
            for again in (system.read(text, k), system.read(text, k)):
                if again != notes:
                    asked = f"read({text[:40]!r}, {k}) gives the same when asked again"
                    return Breach(asked, _change(notes, again))
        if system.held() != before:
            return Breach("what is held stays as it was when it is read", _change(before, system.held()))
    return None


def _determinism(trial: SystemTrial) -> Breach | None:
    for capacity in trial.capacities():
        first, again = trial.run(capacity), trial.run_anew(capacity, trial.claims)
        if first.held != again.held:
            return Breach(
                "the same claims and the same seed give the same memory", _change(first.held, again.held)
            )
        if trial.reads(capacity) != trial.reads_of(again.system):
            return Breach("the same claims and the same seed read the same", "they read otherwise")
    return None


def _save_and_load(trial: SystemTrial) -> Breach | None:
    capacity, half = trial.way.capacity, len(trial.claims) // 2
    system = trial.run_anew(capacity, trial.claims[:half]).system
    held, read = system.held(), trial.reads_of(system)
    try:
        again = trial.reopened(system)
    except Exception as error:  # noqa: BLE001 - whatever a system of others raises
        cure = "give reopen=, or define what it holds at the top of a module"
        return Breach("a system can be saved and loaded", f"{type(error).__name__}: {error}; {cure}")
    if again.held() != held:
        return Breach("it holds the same when it is loaded", _change(held, again.held()))
    if trial.reads_of(again) != read:
        return Breach("it reads the same when it is loaded", "it reads otherwise")
    return _goes_on(trial, again, held)


def _goes_on(trial: SystemTrial, again: Guarded, held: Notes) -> Breach | None:
    """Hold a system that was loaded half-way against one that was not, one after the other."""
    capacity, half = trial.way.capacity, len(trial.claims) // 2
    for claim in trial.claims[half:]:
        again.observe(claim)
    after = again.held()
    twin = trial.run_anew(capacity, trial.claims[:half]).system
    if twin.held() != held:
        return None  # nothing to hold it against: another law tells
    for claim in trial.claims[half:]:
        twin.observe(claim)
    if after != twin.held():
        return Breach("it goes on as if it had not been saved", _change(twin.held(), after))
    return None


def _settles(trial: SystemTrial) -> Breach | None:
    capacity = trial.way.capacity
    system = trial.new(capacity)
    outcomes = [
        Settlement("q", 1, (_NOBODY,)),
        Settlement("q", 0, ()),
        Settlement("q", 0.5, None),
        Settlement("q", 1, tuple(claim.id for claim in trial.claims)),
    ]
    steps = []
    for claims in ((), trial.claims):
        for claim in claims:
            system.observe(claim)
        for outcome in outcomes:
            system.settle(outcome)
            steps.append(system.held())
    strange = resting([note for notes in steps for note in notes]) - trial.names
    if strange:
        return Breach("outcomes of unknown claims make no claims", f"{sorted(strange)} are held")
    return None if trial.way.late else _too_large(Run(system, tuple(steps)), capacity)


def _shrinks(trial: SystemTrial) -> Breach | None:
    for capacity in trial.capacities():
        system = trial.run_anew(None if trial.way.late else capacity, trial.claims).system
        if capacity is None or not isinstance(system.system, Shrinks):
            continue
        before, most = system.held(), max(capacity - 1, 1)
        system.shrink(most)
        breach = _too_large(Run(system, (system.held(),)), most)
        if breach:
            return Breach(f"shrink({most}) leaves at most {most} claims", breach.seen)
        more = resting(system.held()) - resting(before)
        if more:
            return Breach(f"shrink({most}) adds nothing", f"{sorted(more)} came in")
    return None


def _order_free(trial: SystemTrial) -> Breach | None:
    capacity = trial.way.capacity
    there, back = trial.run(capacity), trial.run_anew(capacity, trial.claims[::-1])
    return _differ("the claims in reverse give the same memory", there.held, back.held)


def _nested(trial: SystemTrial) -> Breach | None:
    if trial.way.capacity is None:
        return None
    for capacity in range(1, trial.way.capacity + 1):
        less, more = (resting(trial.run(size).held) for size in (capacity, capacity + 1))
        if not less <= more:
            seen = f"{sorted(less - more)} held with {capacity} and not with {capacity + 1}"
            return Breach("what is held is held with a larger capacity too", seen)
    return None


def _indifferent_to_repeats(trial: SystemTrial) -> Breach | None:
    capacity, claims = trial.way.capacity, trial.claims
    once = trial.run(capacity)
    for again in ([claim for claim in claims for _ in range(2)], [*claims, *claims[:1]]):
        breach = _differ(
            "a claim observed again changes nothing", once.held, trial.run_anew(capacity, again).held
        )
        if breach:
            return breach
    return None


SYSTEM_LAWS: Mapping[str, SystemLaw] = {
    "answers": _answers,
    "odd claims": _answers,
    "leaves claims alone": _answers,
    "empty memory": _empty_memory,
    "holds at most its capacity": _capacity,
    "invents no claim": _no_invention,
    "unique note ids": _unique_ids,
    "reads at most k": _at_most_k,
    "reads what is held": _held_only,
    "reading changes nothing": _reading_is_looking,
    "same seed, same memory": _determinism,
    "survives save and load": _save_and_load,
    "settles": _settles,
    "shrinks": _shrinks,
}
"""What every system keeps, in the order in which it is told."""

SYSTEM_TRAITS: Mapping[str, SystemLaw] = {
    "order-free": _order_free,
    "nested": _nested,
    "indifferent to repeats": _indifferent_to_repeats,
}
"""What a system may have or not."""


def system_breach(name: str, trial: SystemTrial) -> Breach | None:
    """Return how the law or trait *name* is broken in *trial*; None also where it cannot be judged."""
    try:
        return {**SYSTEM_LAWS, **SYSTEM_TRAITS}[name](trial)
    except Misbehaved as fault:
        blamed = fault.law == name or (name in _CALLING and fault.law == trial.law)
        return fault.breach if blamed else None


_CALLING = frozenset({"empty memory", "settles", "shrinks"})  # they make calls that no other law makes


# --- words ----------------------------------------------------------------------------------------


def _too_large(run: Run, capacity: int | None) -> Breach | None:
    for notes in run.steps:
        size = len(resting(notes))
        if capacity is not None and size > capacity:
            expected = f"notes that rest on at most {capacity} claim{'' if capacity == 1 else 's'}"
            return Breach(expected, f"on {size}: {', '.join(sorted(resting(notes)))}")
    return None


def _differ(expected: str, one: Notes, other: Notes) -> Breach | None:
    if resting(one) == resting(other):
        return None
    return Breach(expected, f"{_names(one)}, then {_names(other)}")


def _change(before: Notes, after: Notes) -> str:
    if [note.id for note in before] != [note.id for note in after]:
        return f"{_told(before)}, then {_told(after)}"
    first, then = next((one, other) for one, other in zip(before, after, strict=True) if one != other)
    return f"{first}, then {then}"


def _told(notes: Sequence[Note]) -> str:
    return ", ".join(f"{note.id!r}" for note in notes[:8]) or "nothing"


def _names(notes: Sequence[Note]) -> str:
    return ", ".join(sorted(resting(notes))) or "nothing"
