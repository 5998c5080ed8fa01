"""The probability that a memory tells a claim, and what speaks against it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from memspan.answering.linear import Linear, probability
from memspan.diagnosis.containment import Containment
from memspan.diagnosis.facts import Conflict, Facts, conflict, facts
from memspan.diagnosis.foreign import damped
from memspan.diagnosis.telling import FEATURES, Compared, compare, plain
from memspan.language.names import reading
from memspan.material import Claim

Floats = npt.NDArray[np.float64]

LEAST = 0.05  # chances below are none: a store of somebody else has hundreds of them
CONTAINED = 0.9  # a claim that holds a memory near word for word is told by it
_LIKELY = 0.5
_ECHOED = 0.5  # of a memory's words by rarity: below, a claim cannot hold nearly all of it

RULE = Linear(
    -11.883,
    {
        "told": 4.296,
        "told_much": -1.588,
        "echo": 3.691,
        "echo_much": -0.894,
        "clause_echo": 2.422,
        "window_echo": 2.441,
        "pieces": -0.492,
        "echo_gap": 1.029,
        "told_rival": 1.644,
        "pieces_rival": 6.995,
        "clause_rival": 3.125,
        "rank": 1.214,
        "lead": 0.015,
        "claim_mass": -0.14,
        "memory_mass": 1.708,
        "asks": -0.698,
        "shared_mass": 1.577,
        "rarest": 1.455,
        "unheard": -1.523,
        "clause_unheard": 2.616,
    },
)
"""Weights as ``benchmarks/matching.py --fit`` finds them on LoCoMo conversations 1-3, own
stores and foreign ones, and HaluMem user 3."""
RELIABILITY = {"precision": 0.84, "recall": 0.61, "calibration_error": 0.06}
"""Measured on LoCoMo conversations 4-7: observations matched to the turns that they were written from."""


class Pair(NamedTuple):
    """A memory and a claim by position, the probability that the one tells the other, what speaks against it.

    Where there is a conflict the chance is what it would be without; it counts for nothing.
    """

    memory: int
    claim: int
    chance: float
    against: Conflict | None = None


def pairs(memories: Sequence[Claim], claims: Sequence[Claim], rule: Linear = RULE) -> list[Pair]:
    """Return the pairs with a chance of at least 0.05, memories in order, then claims.

    A memory that says what a claim says, case, accents and punctuation aside, tells that one for certain
    and is compared with no other; nor are others with it, as rivals.

    >>> claims = [Claim("c1", "Ana moved to Porto."), Claim("c2", "Rui cooks.")]
    >>> [(p.memory, p.claim, p.chance) for p in pairs([Claim("m", "ana moved to porto")], claims)]
    [(0, 0, 1.0)]
    """
    same = [Pair(*place, 1.0) for place in _same(memories, claims)]
    settled = {pair.memory for pair in same}
    left = [place for place in range(len(memories)) if place not in settled]
    by_text = _by_text([memories[place] for place in left], claims, rule, len(settled))
    return sorted([*same, *(pair._replace(memory=left[pair.memory]) for pair in by_text)])


def _by_text(
    memories: Sequence[Claim], claims: Sequence[Claim], rule: Linear, settled: int
) -> Iterator[Pair]:
    compared = compare(memories, claims)
    chances = probability(rule.logits(FEATURES, compared.table))
    parsed = _Parsed(memories, claims, compared)
    alike = _contained(compared, chances, parsed)
    sure = settled + len({*compared.memory[alike > 0].tolist()})
    chances = np.where(alike > 0, 0.0, chances)
    chances = damped(chances, compared.memory, len(memories) + settled, sure)
    chances = np.maximum(chances, alike)
    for at in np.flatnonzero(chances >= LEAST).tolist():
        memory, claim = int(compared.memory[at]), int(compared.claim[at])
        yield Pair(
            memory, claim, float(chances[at]), parsed.conflict(memory, claim, int(compared.clause[at]))
        )


def _contained(compared: Compared, chances: Floats, parsed: _Parsed) -> Floats:
    """Return the chance that pairs have for their wording alone, where a memory has no likelier claim."""
    best = np.zeros(len(parsed.memories))
    np.maximum.at(best, compared.memory, chances)
    echoed = compared.table[:, FEATURES.index("echo")] >= _ECHOED
    found = np.zeros(len(chances))
    for at in np.flatnonzero(echoed & ((chances >= _LIKELY) | (best[compared.memory] < _LIKELY))).tolist():
        if parsed.contained(int(compared.memory[at]), int(compared.claim[at])):
            found[at] = max(CONTAINED, float(chances[at]))
    return found


def _same(memories: Sequence[Claim], claims: Sequence[Claim]) -> Iterator[tuple[int, int]]:
    """Yield which memories read like which claims; of equal claims those of the memory's day, where told."""
    by_reading: dict[str, list[int]] = {}
    for place, claim in enumerate(claims):
        by_reading.setdefault(reading(plain(claim)), []).append(place)
    by_reading.pop("", None)
    for place, memory in enumerate(memories):
        alike = by_reading.get(reading(plain(memory)), [])
        day = (memory.time or "")[:10]
        of_that_day = [other for other in alike if day and (claims[other].time or "")[:10] == day]
        yield from ((place, other) for other in of_that_day or alike)


@dataclass(frozen=True)
class _Parsed:
    """The facts of texts, each found when it is first asked for."""

    memories: Sequence[Claim]
    claims: Sequence[Claim]
    compared: Compared

    @cached_property
    def _found(self) -> dict[tuple[str, int], Facts]:
        return {}

    def conflict(self, memory: int, claim: int, clause: int) -> Conflict | None:
        """Return what speaks against a pair."""
        text = self.compared.clauses[clause]
        return conflict(self._of("memory", memory), text, self._of("claim", claim))

    def contained(self, memory: int, claim: int) -> bool:
        """Whether a claim holds a memory near word for word."""
        return self._containment.holds(self._of("claim", claim), self._of("memory", memory))

    @cached_property
    def _containment(self) -> Containment:
        return Containment(self.claims)

    def _of(self, kind: str, place: int) -> Facts:
        if (kind, place) not in self._found:
            told = (self.memories if kind == "memory" else self.claims)[place]
            self._found[kind, place] = facts(replace(told, text=plain(told)))
        return self._found[kind, place]
