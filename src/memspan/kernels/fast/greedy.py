"""Lazy greedy maximum coverage with buckets of like gains: the compiled twin."""

from __future__ import annotations

import math

import numba
import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Rows = npt.NDArray[np.int32]
Weights = npt.NDArray[np.int32] | npt.NDArray[np.int64]
PER_OCTAVE = 8  # buckets per doubling of the gain; more do not pay at a million claims
BUCKETS = 60 * PER_OCTAVE
WORDS = 4096  # of a chunk of records
LONG = 250  # queries; a claim with more is read from its own row, not from a record


@numba.njit(cache=True, nogil=True)
def rank(ptr: Ints, queries: Rows, weights: Weights) -> tuple[Ints, Ints]:
    """Order claims by greedy marginal gain until nothing more is gained.

    Gains only fall, so a claim waits in the bucket of its last known gain and is looked at again when
    that bucket comes up; inside the top bucket a heap orders by gain, then position. A claim waits as
    a record of its queries that were still uncovered, so that buckets are written and read in order.

    Args:
        ptr, queries: the queries that each claim answers, shape (E + 1,) and (n,).
        weights: weight of each query, > 0; int32 where they fit is faster.

    Returns:
        The claims picked, in order, and the value reached after each.
    """
    claims = ptr.size - 1
    left = weights.copy()  # what a query still adds; 0 once covered
    chunks = 2 * ((queries.size + 2 * claims) // (WORDS - LONG - 2) + BUCKETS + 2)
    pool, behind = np.empty(chunks * WORDS, np.int32), np.full(chunks, -1, np.int32)
    # per bucket: first chunk, last chunk, words used in the last; then the stack of unused chunks
    first, last = np.full(BUCKETS, -1, np.int32), np.full(BUCKETS, -1, np.int32)
    used = np.full(BUCKETS, WORDS, np.int64)
    spare = np.arange(chunks + 1).astype(np.int32)
    spare[chunks] = chunks
    for e in range(claims):
        gain = np.int64(0)
        for j in range(ptr[e], ptr[e + 1]):
            gain += left[queries[j]]
        if gain > 0:
            b = _bucket(gain)
            _wait(e, queries, ptr[e], ptr[e + 1], left, b, pool, behind, first, last, used, spare)
    gains, heap = np.empty(claims, np.int64), np.empty(claims, np.int64)
    picked, values = np.empty(claims, np.int64), np.empty(claims, np.int64)
    count, value = 0, np.int64(0)
    for b in range(BUCKETS - 1, -1, -1):
        size, chunk = 0, first[b]
        while chunk >= 0:
            at, end = chunk * WORDS + 1, chunk * WORDS + pool[chunk * WORDS]
            while at < end:
                row, start, stop = _row(pool, at, ptr, queries)
                gain = np.int64(0)
                for j in range(start, stop):
                    gain += left[row[j]]
                lower = _bucket(gain) if gain > 0 else -1
                if lower == b:
                    gains[size], heap[size] = gain, at
                    size += 1
                elif lower >= 0:
                    _wait(pool[at], row, start, stop, left, lower, pool, behind, first, last, used, spare)
                at += 2 + max(pool[at + 1], 0)
            chunk = behind[chunk]
        for i in range(size // 2 - 1, -1, -1):
            _sift(gains, heap, pool, size, i)
        while size > 0:
            at, gain = heap[0], np.int64(0)
            row, start, stop = _row(pool, at, ptr, queries)
            for j in range(start, stop):
                gain += left[row[j]]
            if gain == gains[0]:
                for j in range(start, stop):
                    left[row[j]] = 0
                value += gain
                picked[count], values[count] = pool[at], value
                count += 1
                gain = np.int64(0)
            lower = _bucket(gain) if gain > 0 else -1
            if lower == b:
                gains[0] = gain
            else:
                if lower >= 0:
                    _wait(pool[at], row, start, stop, left, lower, pool, behind, first, last, used, spare)
                size -= 1
                gains[0], heap[0] = gains[size], heap[size]
            _sift(gains, heap, pool, size, 0)
        _release(first[b], behind, spare)
    return picked[:count].copy(), values[:count].copy()


@numba.njit(cache=True, nogil=True)
def _row(pool: Rows, at: int, ptr: Ints, queries: Rows) -> tuple[Rows, int, int]:
    """Return where the queries of the record *at* stand: in the record, or in the claim's own row."""
    if pool[at + 1] >= 0:
        return pool, at + 2, at + 2 + pool[at + 1]
    return queries, ptr[pool[at]], ptr[pool[at] + 1]


@numba.njit(cache=True, nogil=True)
def _wait(
    e: int,
    row: Rows,
    start: int,
    stop: int,
    left: Weights,
    b: int,
    pool: Rows,
    behind: Rows,
    first: Rows,
    last: Rows,
    used: Ints,
    spare: Rows,
) -> None:
    """Let claim *e* wait last in bucket *b*: its number, how many queries, those still uncovered.

    The first word of a chunk counts the words used in it. `spare` is a stack, its height on top.
    """
    room = 2 if stop - start > LONG else 2 + stop - start
    if used[b] + room > WORDS:
        height = spare[spare.size - 1] - 1
        spare[spare.size - 1] = height
        chunk = spare[height]
        if last[b] >= 0:
            behind[last[b]] = chunk
        else:
            first[b] = chunk
        behind[chunk] = -1
        last[b], used[b] = chunk, 1
    base = last[b] * WORDS
    at = base + used[b]
    pool[at] = e
    if room == 2:
        pool[at + 1] = -1
    else:
        kept = 0
        for j in range(start, stop):
            q = row[j]
            if left[q] > 0:
                pool[at + 2 + kept] = q
                kept += 1
        pool[at + 1] = kept
        room = 2 + kept
    used[b] += room
    pool[base] = used[b]


@numba.njit(cache=True, nogil=True)
def _release(chunk: int, behind: Rows, spare: Rows) -> None:
    """Put a bucket's chunks back on the stack of unused ones."""
    while chunk >= 0:
        spare[spare[spare.size - 1]] = chunk
        spare[spare.size - 1] += 1
        chunk = behind[chunk]


@numba.njit(cache=True, nogil=True)
def _bucket(gain: np.int64) -> int:
    """Number gains > 0 by octave and quarter; larger gains never come before smaller ones."""
    octave = math.frexp(float(gain))[1] - 1
    return int(octave * PER_OCTAVE + (((gain - (1 << octave)) * PER_OCTAVE) >> octave))


@numba.njit(cache=True, nogil=True)
def _sift(gains: Ints, heap: Ints, pool: Rows, size: int, i: int) -> None:
    """Move entry *i* down to its place: larger gains first, then lower positions."""
    if i >= size:
        return
    gain, e = gains[i], heap[i]
    while True:
        child = 2 * i + 1
        if child >= size:
            break
        other = child + 1
        if other < size and (
            gains[other] > gains[child]
            or (gains[other] == gains[child] and pool[heap[other]] < pool[heap[child]])
        ):
            child = other
        if gains[child] > gain or (gains[child] == gain and pool[heap[child]] < pool[e]):
            gains[i], heap[i] = gains[child], heap[child]
            i = child
        else:
            break
    gains[i], heap[i] = gain, e


@numba.njit(cache=True, nogil=True)
def read_once(ptr: Ints, queries: Rows, weights: Weights) -> int:
    """Gather every incidence once: the floor that any selection has to pay."""
    total = 0
    for e in range(ptr.size - 1):
        for j in range(ptr[e], ptr[e + 1]):
            total += weights[queries[j]]
    return total
