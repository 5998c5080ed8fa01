"""Rows that the closure kernels fill: facts with their supports, and one row of facts in the making."""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np
import numpy.typing as npt

from memspan.kernels.closure import Flags, Ints, Rows

Marks = npt.NDArray[np.uint64]


class Facts(NamedTuple):
    """Facts and their supports, one relation after the other.

    Attributes:
        first, second: things, ascending within a relation.
        ptr: the supports of each fact, with the end of the last.
        cut, fresh: flags of each fact.
        size, mark: how many claims a support has, and a word with a bit for each of them.
        came: whether the support came in the last round.
        claims: shape (S, longest), ascending; what lies beyond `size` means nothing.
    """

    first: Rows
    second: Rows
    ptr: Ints
    cut: Flags
    fresh: Flags
    size: Rows
    mark: Marks
    came: Flags
    claims: Rows


class Scratch(NamedTuple):
    """One row in the making: second things met, and for each a list of candidates and of too long pairs."""

    where: Rows
    column: Rows
    heads: Ints
    size: Rows
    mark: Marks
    old: Flags
    after: Ints
    claims: Rows
    pairs: Ints
    counts: Ints  # of things met, candidates, too long pairs


@numba.njit(cache=True, nogil=True)
def blank(things: int, longest: int) -> Scratch:
    """Return an empty row over *things*."""
    room = 1024
    return Scratch(
        np.full(things, -1, np.int32),
        np.empty(things, np.int32),
        np.empty((things, 3), np.int64),
        np.empty(room, np.int32),
        np.empty(room, np.uint64),
        np.empty(room, np.int8),
        np.empty(room, np.int64),
        np.empty((room + 1, longest), np.int32),
        np.empty((room, 3), np.int64),
        np.zeros(3, np.int64),
    )


@numba.njit(cache=True, nogil=True)
def wider(scratch: Scratch, more: int) -> Scratch:
    """Return the scratch with room for *more* candidates and as many too long pairs."""
    had = scratch.size.size
    room = 2 * (had + more)
    grown = Scratch(
        scratch.where,
        scratch.column,
        scratch.heads,
        np.empty(room, np.int32),
        np.empty(room, np.uint64),
        np.empty(room, np.int8),
        np.empty(room, np.int64),
        np.empty((room + 1, scratch.claims.shape[1]), np.int32),
        np.empty((room, 3), np.int64),
        scratch.counts,
    )
    for i in range(had):  # loops, not slices: they compile in a tenth of the time
        grown.size[i], grown.mark[i], grown.old[i] = scratch.size[i], scratch.mark[i], scratch.old[i]
        grown.after[i] = scratch.after[i]
        for j in range(3):
            grown.pairs[i, j] = scratch.pairs[i, j]
        for j in range(scratch.claims.shape[1]):
            grown.claims[i, j] = scratch.claims[i, j]
    return grown


@numba.njit(cache=True, nogil=True)
def room_for(facts: int, supports: int, longest: int) -> Facts:
    """Return room for so many facts and supports."""
    return Facts(
        np.empty(facts, np.int32),
        np.empty(facts, np.int32),
        np.zeros(facts + 1, np.int64),
        np.empty(facts, np.int8),
        np.empty(facts, np.int8),
        np.empty(supports, np.int32),
        np.empty(supports, np.uint64),
        np.empty(supports, np.int8),
        np.empty((supports, longest), np.int32),
    )


@numba.njit(cache=True, nogil=True)
def more_room(had: Facts, facts: int, supports: int, more_facts: int, more_supports: int) -> Facts:
    """Return what is *had*, up to *facts* and *supports*, with room for as much again and more."""
    grown = room_for(2 * facts + more_facts + 1, 2 * supports + more_supports, had.claims.shape[1])
    for f in range(facts):
        grown.first[f], grown.second[f], grown.ptr[f + 1] = had.first[f], had.second[f], had.ptr[f + 1]
        grown.cut[f], grown.fresh[f] = had.cut[f], had.fresh[f]
    for i in range(supports):
        take(had, i, grown, i, had.came[i])
    return grown


@numba.njit(cache=True, nogil=True)
def take(had: Facts, support: int, new: Facts, to: int, came: int) -> None:
    """Copy a support, and say whether it came in this round."""
    new.size[to], new.mark[to], new.came[to] = had.size[support], had.mark[support], came
    for j in range(had.claims.shape[1]):
        new.claims[to, j] = had.claims[support, j]


@numba.njit(cache=True, nogil=True)
def trimmed(had: Facts, facts: int, supports: int) -> Facts:
    """Return what is *had*, up to *facts* and *supports*."""
    return Facts(
        had.first[:facts],
        had.second[:facts],
        had.ptr[: facts + 1],
        had.cut[:facts],
        had.fresh[:facts],
        had.size[:supports],
        had.mark[:supports],
        had.came[:supports],
        had.claims[:supports],
    )
