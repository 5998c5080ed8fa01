"""Settled queries as arrays, and what each claim in memory had to do with an outcome.

Everything here looks at one settlement at a time and names few claims: those of the supports that
held. So thousands of settlements are one pass over rows, whatever the memory holds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from memspan.coverage.arrays import Coverage, offsets
from memspan.errors import ShapeError
from memspan.ports import Outcome

Bools = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Parts:
    """What claims get of settlements: entries (settlement, claim, value), all else 0.

    Attributes:
        settlement, claim: positions, each pair at most once.
        value: the credit.
    """

    settlement: Ints
    claim: Ints
    value: Floats


@dataclass(frozen=True)
class Settled:
    """T settled queries, the memories that answered them, and what was told of the supports.

    Attributes:
        memories: bool (E, n), each of the memories.
        episode: which memory answered, shape (T,).
        correct: 1 right, 0 wrong, or the probability of right, shape (T,).
        told: whether supports, or claims used, were told, shape (T,).
        missed: whether they were told of misses as well, i.e. all supports, shape (T,).
        ptr, members: support s needs the claims ``members[ptr[s]:ptr[s + 1]]``, each once.
        owner: the settlement that each support belongs to.
    """

    memories: Bools
    episode: Ints
    correct: Floats
    told: Bools
    missed: Bools
    ptr: Ints
    members: Ints
    owner: Ints

    @property
    def n_claims(self) -> int:
        """Number of claims n."""
        return int(self.memories.shape[1])

    @property
    def count(self) -> int:
        """Number of settlements T."""
        return len(self.correct)

    @cached_property
    def support(self) -> Ints:
        """The support that each of `members` belongs to."""
        return np.repeat(np.arange(len(self.owner)), np.diff(self.ptr))

    @cached_property
    def lacking(self) -> Ints:
        """How many of its claims each support lacks."""
        rows = self.episode[self.owner][self.support]
        absent = ~self.memories[rows, self.members]
        return np.bincount(self.support[absent], minlength=len(self.owner))

    @cached_property
    def held(self) -> Ints:
        """How many supports of each settlement held."""
        return np.bincount(self.owner[self.lacking == 0], minlength=self.count)


def settled(outcomes: Sequence[Outcome], memories: Bools) -> Settled:
    """Lay out *outcomes*; *memories* has one row for each of them.

    Raises:
        ShapeError: a position beyond the claims, or an outcome that is no probability.
    """
    strange = [outcome.correct for outcome in outcomes if not 0 <= outcome.correct <= 1]
    if strange:
        raise ShapeError(f"a settled query is {strange[0]}; give 1 right, 0 wrong, or a probability")
    told = [outcome.supports if outcome.supports is not None else _rested(outcome) for outcome in outcomes]
    rows = [sorted(set(support)) for supports in told for support in supports or ()]
    members = np.array([claim for row in rows for claim in row], np.int64)
    if len(members) and not 0 <= members.min() <= members.max() < memories.shape[1]:
        wrong = members[(members < 0) | (members >= memories.shape[1])][0]
        raise ShapeError(
            f"a settled query names claim {wrong}; memories have {memories.shape[1]}; count claims from 0"
        )
    return Settled(
        memories,
        np.arange(len(outcomes)),
        np.array([outcome.correct for outcome in outcomes], np.float64),
        np.array([supports is not None for supports in told], np.bool_),
        np.array([outcome.supports is not None for outcome in outcomes], np.bool_),
        offsets(len(row) for row in rows),
        members,
        np.repeat(np.arange(len(told)), [len(supports or ()) for supports in told]),
    )


def _rested(outcome: Outcome) -> tuple[tuple[int, ...], ...] | None:
    """Return the claims used as the one support that is known; none where nothing was found."""
    if outcome.used is None:
        return None
    return (outcome.used,) if outcome.used else ()


def asked(coverage: Coverage, memories: Bools, episode: Ints, queries: Ints) -> Settled:
    """Settle *queries* of a compiled material by coverage; ``memories[episode[t]]`` answers query t.

    Raises:
        ShapeError: a support of the material can be defeated.
    """
    if not coverage.monotone:
        raise ShapeError(
            "some support has defeaters (unless); credit is for supports that cannot be defeated"
        )
    first = np.searchsorted(coverage.owner, np.arange(len(coverage.queries) + 1))
    supports, owner = spread(first[queries], first[queries + 1])
    lengths = np.diff(coverage.ptr)[supports]
    members = coverage.members[spread(coverage.ptr[supports], coverage.ptr[supports + 1])[0]]
    every = np.ones(len(queries), np.bool_)
    unknown = Settled(
        memories,
        episode,
        every.astype(np.float64),
        every,
        every,
        offsets(lengths),
        members.astype(np.int64),
        owner,
    )
    return replace(unknown, correct=(unknown.held > 0).astype(np.float64))


def spread(starts: Ints, ends: Ints) -> tuple[Ints, Ints]:
    """Return the ranges from *starts* up to *ends* one after another, and the row of each entry."""
    lengths = ends - starts
    rows = np.repeat(np.arange(len(starts)), lengths)
    begun = np.repeat(offsets(lengths)[:-1], lengths)
    return starts[rows] + np.arange(len(rows)) - begun, rows


def used_alone(told: Settled) -> Settled:
    """Return what is known where only the claims used are told: of each hit the first support that held."""
    holds = np.flatnonzero(told.lacking == 0)
    _, first = np.unique(told.owner[holds], return_index=True)
    kept = holds[first]
    entries, _ = spread(told.ptr[kept], told.ptr[kept + 1])
    nothing = np.zeros(told.count, np.bool_)
    lengths = np.diff(told.ptr)[kept]
    return Settled(
        told.memories,
        told.episode,
        told.correct,
        told.told,
        nothing,
        offsets(lengths),
        told.members[entries],
        told.owner[kept],
    )


def within(told: Settled, memories: Bools) -> Settled:
    """Return the same queries as if these *memories* had answered them, by their supports."""
    other = replace(told, memories=memories)
    return replace(other, correct=(other.held > 0).astype(np.float64))


def leave_one_out(told: Settled) -> Parts:
    """Return u(M) - u(M - i) for the claims i of M: the claims without which no support would hold."""
    holds = told.lacking[told.support] == 0
    pairs = told.owner[told.support[holds]] * told.n_claims + told.members[holds]
    pairs, times = np.unique(pairs, return_counts=True)
    settlement, claim = np.divmod(pairs, told.n_claims)
    needed = (times == told.held[settlement]) & (told.correct[settlement] > 0)
    settlement = settlement[needed]
    return Parts(settlement, claim[needed], told.correct[settlement])


def flip(told: Settled) -> Parts:
    """Return u(M + i) - u(M - i) for every claim i: what leaving it out, or taking it in, would change."""
    without = leave_one_out(told)
    one_short = (told.lacking == 1) & (told.held[told.owner] == 0) & (told.correct[told.owner] < 1)
    rows = told.episode[told.owner][told.support]
    entries = one_short[told.support] & ~told.memories[rows, told.members]
    pairs = np.unique(told.owner[told.support[entries]] * told.n_claims + told.members[entries])
    settlement, claim = np.divmod(pairs, told.n_claims)
    return Parts(
        np.concatenate([without.settlement, settlement]),
        np.concatenate([without.claim, claim]),
        np.concatenate([without.value, 1 - told.correct[settlement]]),
    )
