"""What to do about a memory: claims to add and to drop, queries that would turn, and what to fix first."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

import numpy as np
import numpy.typing as npt

from memspan.coverage import Coverage, Memory, covered, covered_weight
from memspan.coverage.utilities import holding
from memspan.diagnosis.ground import Ground, World
from memspan.diagnosis.point import Point
from memspan.diagnosis.waterfall import Waterfall

Flags = npt.NDArray[np.bool_]
Reason = Literal["false", "redundant", "unused"]
Cause = Literal["selection", "noise", "generation", "reading", "reasoning", "capacity", "nothing"]
MOST_ADDED = 20
MOST_PARTS = 6
"""Claims of a support whose parts are looked up too: 62 of them at most."""
MOST_TRIED = 3_000
"""Claims whose loss is tried one by one before dropping stops looking for redundant ones."""
_CAUSES: dict[Cause, tuple[str, ...]] = {
    "selection": ("write",),
    "noise": ("false",),
    "generation": ("generation",),
    "reading": ("read",),
    "reasoning": ("reasoner",),
    "capacity": ("compression",),
}
_CURES = {
    "selection": "the claims that are kept are not those that questions need",
    "noise": "false claims answer in place of true ones",
    "generation": "extraction and composition leave answerable questions without a support",
    "reading": "what is held is not found when it is asked for",
    "reasoning": "what was read rightly is answered wrongly",
    "capacity": "even the best memory of this size leaves that open; hold more",
}


@dataclass(frozen=True)
class Add:
    """Claims that together would turn queries.

    Attributes:
        claims: ids to add.
        gain: mass of the queries that turn, after the additions before this one.
        queries: ids of those queries.
    """

    claims: tuple[str, ...]
    gain: float
    queries: tuple[str, ...]


@dataclass(frozen=True)
class Drop:
    """A claim that can go without loss of precision, after those before it went.

    Attributes:
        claim: its id.
        reason: ``unused``: no query's support needs it; ``false``; ``redundant``: what it covers is
            covered without it, or its support is not complete.
    """

    claim: str
    reason: Reason


@dataclass(frozen=True)
class Advice:
    """What to do about one point.

    Attributes:
        cause: what loses most.
        first: one sentence: what to fix first, and how much it is worth.
        add: in the order of what they gain for each claim.
        drop: all of them together cost nothing.
    """

    cause: Cause
    first: str
    add: tuple[Add, ...]
    drop: tuple[Drop, ...]

    @property
    def turning(self) -> tuple[str, ...]:
        """Ids of the queries that the additions would turn."""
        return tuple(query for each in self.add for query in each.queries)


def advise(point: Point, ground: Ground) -> Advice:
    """Return what to do about *point*; where supports are not sure, by the first world.

    Where trust was learned, no claims are added that make a support more likely false than true.

    >>> import memspan as ms
    >>> from memspan.diagnosis.evaluating import evaluate
    >>> found = evaluate(ms.bundled("odyssey"), ["fifo"], [4])
    >>> told = advise(found.points[0], found.grounds[0])
    >>> told.cause, told.add[0].claims
    ('selection', ('e1',))
    """
    coverage = ground.worlds[0].coverage
    memory = coverage.memory(point.memory)
    cause, first = fix_first(point)
    additions = _additions(coverage, memory, _doubted(ground.worlds[0]))
    return Advice(cause, first, tuple(additions), tuple(_drops(coverage, memory)))


def _doubted(world: World) -> Flags:
    """Return which supports are more likely false than true, where the truth is not known."""
    coverage = world.coverage
    if world.beliefs is None:
        return np.zeros(coverage.n_supports, np.bool_)
    unknown = np.isnan(coverage.truth)[coverage.members]
    rows = np.repeat(np.arange(coverage.n_supports), np.diff(coverage.ptr))
    open_to_doubt = np.bincount(rows, unknown, minlength=coverage.n_supports) > 0
    doubted: Flags = open_to_doubt & (world.beliefs < 0.5)
    return doubted


def fix_first(point: Point) -> tuple[Cause, str]:
    """Return what loses most at *point*, and say so in one sentence."""
    losses = {cause: _lost(point.waterfall, parts) for cause, parts in _CAUSES.items()}
    cause = max(losses, key=lambda each: losses[each])
    if losses[cause] <= 0:
        return "nothing", f"{point.label} loses nothing that could be mended."
    worth = f"{100 * losses[cause]:.1f} % of the questions"
    others = sorted((each for each in losses if each != cause and losses[each] > 0), key=lambda c: -losses[c])
    rest = ", ".join(f"{each} {100 * losses[each]:.1f} %" for each in others)
    more = f" ({rest})" if rest else ""
    return cause, f"Fix {cause} first: it loses {worth}{more}; {_CURES[cause]}."


def _lost(waterfall: Waterfall, parts: Sequence[str]) -> float:
    named = dict(waterfall.parts)
    return sum(named[part].estimate for part in parts)


def _additions(coverage: Coverage, memory: Memory, doubted: Flags) -> Iterator[Add]:
    """Yield sets of true claims that complete supports, the best gain for each claim first."""
    memory = memory.copy()
    for _ in range(MOST_ADDED):
        open_weight, queries = _completions(coverage, memory, doubted)
        if not open_weight:
            return
        missing = max(open_weight, key=lambda each: (open_weight[each] / len(each), [-i for i in each]))
        memory[list(missing)] = True
        yield Add(
            tuple(coverage.claims[i] for i in missing),
            coverage.mass(open_weight[missing]),
            tuple(coverage.queries[q] for q in sorted(queries[missing])),
        )


def _completions(
    coverage: Coverage, memory: Memory, doubted: Flags
) -> tuple[dict[tuple[int, ...], int], dict[tuple[int, ...], set[int]]]:
    """Return the claims that each open support lacks, with the weight of the queries they would cover."""
    answered = covered(coverage, memory, true_only=True)
    false = coverage.truth < 0.5
    queries: dict[tuple[int, ...], set[int]] = defaultdict(set)
    for s in np.flatnonzero(~answered[coverage.owner] & ~doubted).tolist():
        needed = coverage.members[coverage.ptr[s] : coverage.ptr[s + 1]]
        defeated = memory[coverage.unless[coverage.unless_ptr[s] : coverage.unless_ptr[s + 1]]].any()
        missing = tuple(needed[~memory[needed]].tolist())
        if missing and not false[needed].any() and not defeated and coverage.weights[coverage.owner[s]]:
            queries[missing].add(int(coverage.owner[s]))
    alone = {missing: frozenset(found) for missing, found in queries.items()}
    for missing in alone:  # what a part completes, the whole completes too
        if len(missing) <= MOST_PARTS:
            parts = (part for size in range(1, len(missing)) for part in combinations(missing, size))
            queries[missing] = queries[missing].union(*(alone.get(part, ()) for part in parts))
    return {each: int(coverage.weights[sorted(found)].sum()) for each, found in queries.items()}, queries


def _drops(coverage: Coverage, memory: Memory) -> Iterator[Drop]:
    """Yield claims whose loss costs no precision, one after the other."""
    memory = memory.copy()
    used = np.zeros(coverage.n_claims, np.bool_)
    used[coverage.members] = True
    false: npt.NDArray[np.bool_] = coverage.truth < 0.5
    for i in np.flatnonzero(memory & ~used).tolist():
        memory[i] = False
        yield Drop(coverage.claims[i], "false" if false[i] else "unused")
    for i in np.flatnonzero(memory & false).tolist():
        memory[i] = False
        yield Drop(coverage.claims[i], "false")
    before = covered_weight(coverage, memory, true_only=True)
    for i in _by_use(coverage, memory)[:MOST_TRIED]:
        memory[i] = False
        if covered_weight(coverage, memory, true_only=True) < before:
            memory[i] = True
        else:
            yield Drop(coverage.claims[i], "redundant")


def _by_use(coverage: Coverage, memory: Memory) -> list[int]:
    """Return the claims held, those in the fewest complete supports first."""
    holds = holding(coverage, memory)
    rows = np.repeat(holds, np.diff(coverage.ptr))
    uses = np.bincount(coverage.members[rows], minlength=coverage.n_claims)
    held = np.flatnonzero(memory)
    order: list[int] = held[np.argsort(uses[held], kind="stable")].tolist()
    return order
