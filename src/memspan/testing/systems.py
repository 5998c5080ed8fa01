"""The laws of a memory system, tried on any implementation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from memspan.errors import ShapeError
from memspan.material import Claim
from memspan.policies import Likeness
from memspan.ports import MemorySystem, Settles, Shrinks
from memspan.systems.kind import Setting, SystemKind
from memspan.testing.counterexample import Counterexample
from memspan.testing.shrinking import smallest
from memspan.testing.system_laws import SYSTEM_LAWS, SYSTEM_TRAITS, system_breach
from memspan.testing.system_trial import Make, SystemTrial, Way, pickled
from memspan.testing.telling import many, odd, parts, told
from memspan.testing.trial import Breach

Lists = Sequence[tuple[str, tuple[Claim, ...]]]
"""What is odd about them (nothing, mostly), and claims."""


@dataclass(frozen=True)
class SystemReport:
    """What was found out about a memory system.

    Attributes:
        system: its name.
        capacity: claims that it was allowed; None where no bound was tried.
        examples: lists of claims that were tried.
        broken: a counterexample for each law that fails.
        traits: ``order-free`` (claims in reverse give the same memory), ``nested`` (with a larger capacity it
            still holds what it held) and ``indifferent to repeats`` (a claim observed twice counts
            once), each with a counterexample, or None where none was found.
        settles: whether it learns from settled queries.
        shrinks: whether it can be cut to a capacity afterwards.
    """

    system: str
    capacity: int | None
    examples: int
    broken: tuple[Counterexample, ...]
    traits: Mapping[str, Counterexample | None]
    settles: bool
    shrinks: bool

    @property
    def ok(self) -> bool:
        """Whether every law held."""
        return not self.broken

    def __str__(self) -> str:
        """Return the verdict, the traits, and each counterexample."""
        verdict = "keeps every law" if self.ok else f"breaks {'; '.join(each.law for each in self.broken)}"
        bound = "no capacity" if self.capacity is None else f"capacity {self.capacity}"
        traits = ", ".join(f"{'' if told is None else 'not '}{name}" for name, told in self.traits.items())
        able = [word for word, is_so in (("settles", self.settles), ("shrinks", self.shrinks)) if is_so]
        lines = [
            f"{self.system} {verdict} ({bound}, {self.examples} lists of claims)",
            "; ".join([traits, *able]),
        ]
        return "\n\n".join(["\n".join(lines), *map(str, self.broken)])


def check_system(
    make: SystemKind | Callable[[int | None, np.random.Generator], MemorySystem],
    claims: Sequence[Claim] | None = None,
    *,
    capacity: int | None = 3,
    reopen: Callable[[MemorySystem], MemorySystem] | None = None,
    examples: int = 20,
    seed: int = 0,
) -> SystemReport:
    """Try the laws of a memory system, and find the smallest claims on which one fails.

    The laws: it answers in the types of the protocol, also for odd claims (empty, very long, repeated,
    in other scripts, without time or out of order), and leaves claims alone; a new one is empty; what it
    holds rests on at most *capacity* claims after each one observed, all of them observed (capacities 0
    to 3 are tried too); notes have ids of their own; a read gives at most k notes, all of them held, and
    changes nothing; the same seed gives the same memory; saved and loaded it holds and reads the same,
    and goes on the same. Where it settles, unknown claims do no harm; where it shrinks, it does so, and
    adds nothing. A system that never returns is not caught, nor one that depends on how Python orders
    sets.

    Args:
        make: builds an empty system from a capacity and a source of chance; or a kind. A kind that is not
            `SystemKind.bounded` is made without a bound and, where it shrinks, cut afterwards.
        claims: what it observes, whole and in parts; by default small claims that are drawn. A list of
            60 and odd ones are tried in any case.
        capacity: claims it may hold, at least 1; None for a system without a bound.
        reopen: saves a system and returns it as loaded, for stores on disk; by default pickle does both.
        examples: lists of claims that are tried, beside the odd ones.
        seed: of the system's chance, and of the lists.

    Returns:
        A report; print it. The same arguments give the same report. Systems with a method ``close``
        are closed.

    Raises:
        ShapeError: the *capacity* is below 1.

    Source: arXiv 2608.11654, sections 2 and 3; `memspan.ports.MemorySystem`.

    >>> from memspan.systems import systems_named
    >>> report = check_system(systems_named("fifo")[0], examples=5)
    >>> report.ok, report.traits["nested"] is None, report.traits["order-free"] is None
    (True, True, False)
    """
    if capacity is not None and capacity < 1:
        raise ShapeError(f"capacity is {capacity}; give at least 1, or None for a system without a bound")
    late = isinstance(make, SystemKind) and not make.bounded
    way = Way(_make(make), capacity, late, seed, pickled if reopen is None else reopen)
    lists = [
        ("", each) for each in (told(examples, seed) if claims is None else parts(claims, examples, seed))
    ]
    lists += [*odd().items(), ("", many(seed))]
    first = way.make(capacity, np.random.default_rng(seed))
    found = _broken(way, lists)
    return SystemReport(
        str(getattr(first, "name", type(first).__name__)),
        capacity,
        len(lists),
        tuple(found[law] for law in SYSTEM_LAWS if law in found),
        {trait: found.get(trait) for trait in SYSTEM_TRAITS},
        isinstance(first, Settles),
        isinstance(first, Shrinks),
    )


def _make(given: SystemKind | Make) -> Make:
    if not isinstance(given, SystemKind):
        return given
    likeness, kind = Likeness(), given
    return lambda capacity, rng: kind.make(Setting(capacity=capacity, likeness=likeness, rng=rng))


def _broken(way: Way, lists: Lists) -> dict[str, Counterexample]:
    """Return for each law and trait that fails the shortest of *lists* that shows it, cut down."""
    found: dict[str, Counterexample] = {}
    for oddity, claims in sorted(lists, key=lambda each: len(each[1])):
        with SystemTrial(way, claims, oddity) as trial:
            laws = [law for law in (*SYSTEM_LAWS, *SYSTEM_TRAITS) if law not in found]
            fails = [law for law in laws if system_breach(law, trial) is not None]
        found |= {law: _counterexample(law, way, oddity, claims) for law in fails}
    return found


def _counterexample(law: str, way: Way, oddity: str, known: tuple[Claim, ...]) -> Counterexample:
    """Return a counterexample to *law* among the *known* claims, without superfluous ones."""

    def breach(claims: Sequence[Claim]) -> Breach | None:
        with SystemTrial(way, claims, oddity) as trial:
            return system_breach(law, trial)

    least = smallest(known, lambda claims: breach(claims) is not None)
    for claims in (least, known):
        found = breach(claims)
        if found is not None:
            return Counterexample(law, claims, None, found.expected, found.seen)
    return Counterexample(law, known, None, "the same each time", "the law failed once, and then no more")
