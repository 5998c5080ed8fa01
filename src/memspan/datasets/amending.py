"""What a log of settlements holds beside them: corrections and revocations; and what is left in force."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from memspan.errors import Fault, UnknownName
from memspan.material import Extra, Settlement, outcome_faults


@dataclass(frozen=True, slots=True)
class Correction:
    """A settlement had another outcome than was said first.

    Attributes:
        of: id of the settlement.
        correct: the outcome that holds from now on: 1 right, 0 wrong, or the probability of right.
        time: when it was corrected.
        extra: fields memspan does not know, kept as they came.
    """

    of: str
    correct: float
    time: str | None = None
    extra: Extra = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Revocation:
    """A settlement is taken back for good.

    Attributes:
        of: id of the settlement.
        time: when it was taken back.
        extra: fields memspan does not know, kept as they came.
    """

    of: str
    time: str | None = None
    extra: Extra = field(default_factory=dict)


Entry = Settlement | Correction | Revocation
"""One line of a log."""


def in_force(log: Iterable[Entry]) -> tuple[Settlement, ...]:
    """Return the settlements of *log* as its corrections and revocations leave them, in its order.

    Args:
        log: entries in the order in which they were made, e.g. what `read_settlements` gives.

    Returns:
        The settlements that are not revoked, each with its last outcome. What is revoked stays so,
        whatever is corrected later.

    Raises:
        UnknownName: an entry amends a settlement that does not stand before it.

    >>> first, second = Settlement("q1", 1, id="s1"), Settlement("q2", 1, id="s2")
    >>> left = in_force([first, second, Correction("s1", 0), Revocation("s2")])
    >>> [(settlement.id, settlement.correct) for settlement in left]
    [('s1', 0)]
    """
    made: dict[str | int, Settlement] = {}
    known: set[str] = set()
    for i, entry in enumerate(log):
        if isinstance(entry, Settlement):
            made[i if entry.id is None else entry.id] = entry
            known |= set() if entry.id is None else {entry.id}
        elif entry.of not in known:
            raise UnknownName(f"no settlement {entry.of!r} stands before entry {i}, which amends it")
        elif isinstance(entry, Revocation):
            made.pop(entry.of, None)
        elif entry.of in made:
            made[entry.of] = replace(made[entry.of], correct=entry.correct)
    return tuple(made.values())


def log_faults(placed: Iterable[tuple[str, Entry]]) -> Iterator[Fault]:
    """Yield what is wrong in a log, given as entries with their places: ids, references and ranges."""
    places: dict[str, str] = {}
    for place, entry in placed:
        if isinstance(entry, Settlement):
            yield from outcome_faults(place, entry)
            if entry.id is not None and entry.id in places:
                problem = f"{entry.id!r} stands in {places[entry.id]} already; ids are unique"
                yield Fault(place, "id", problem)
            elif entry.id is not None:
                places[entry.id] = place
            continue
        if entry.of not in places:
            problem = f"names settlement {entry.of!r}, which does not stand above; amend what has an id"
            yield Fault(place, "of", problem)
        if isinstance(entry, Correction):
            yield from outcome_faults(place, Settlement(entry.of, entry.correct))
