"""Lazy greedy maximum coverage with buckets of like gains: the compiled twin."""

from __future__ import annotations

import numba
import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Rows = npt.NDArray[np.int32]
PER_OCTAVE = 4  # buckets per doubling of the gain; more do not pay at a million claims


@numba.njit(cache=True, nogil=True)
def rank(ptr: Ints, queries: Rows, weights: Ints) -> tuple[Ints, Ints]:
    """Order claims by greedy marginal gain until nothing more is gained.

    Gains only fall, so a claim waits in the bucket of its last known gain and is looked at again when
    that bucket comes up; inside the top bucket a heap orders by gain, then position.

    Args:
        ptr, queries: the queries that each claim answers, shape (E + 1,) and (n,).
        weights: weight of each query, > 0.

    Returns:
        The claims picked, in order, and the value reached after each.
    """
    claims = ptr.size - 1
    left = weights.copy()  # what a query still adds; 0 once covered
    waiting = np.full(64 * PER_OCTAVE, -1, np.int32)
    behind = np.empty(claims, np.int32)
    top = 0
    for e in range(claims - 1, -1, -1):
        gain = 0
        for j in range(ptr[e], ptr[e + 1]):
            gain += left[queries[j]]
        if gain > 0:
            b = _bucket(gain)
            behind[e] = waiting[b]
            waiting[b] = e
            top = max(top, b)
    gains, heap = np.empty(claims, np.int64), np.empty(claims, np.int32)
    picked, values = np.empty(claims, np.int64), np.empty(claims, np.int64)
    count = value = 0
    for b in range(top, -1, -1):
        size = 0
        e = waiting[b]
        while e >= 0:
            following = behind[e]
            gain = 0
            for j in range(ptr[e], ptr[e + 1]):
                gain += left[queries[j]]
            if gain > 0:
                lower = _bucket(gain)
                if lower == b:
                    gains[size], heap[size] = gain, e
                    size += 1
                else:
                    behind[e] = waiting[lower]
                    waiting[lower] = e
            e = following
        for i in range(size // 2 - 1, -1, -1):
            _sift(gains, heap, size, i)
        while size > 0:
            e, gain = heap[0], 0
            for j in range(ptr[e], ptr[e + 1]):
                gain += left[queries[j]]
            if gain == gains[0]:
                for j in range(ptr[e], ptr[e + 1]):
                    left[queries[j]] = 0
                value += gain
                picked[count], values[count] = e, value
                count += 1
                gain = 0
            lower = _bucket(gain) if gain > 0 else -1
            if lower == b:
                gains[0] = gain
            else:
                if lower >= 0:
                    behind[e] = waiting[lower]
                    waiting[lower] = e
                size -= 1
                gains[0], heap[0] = gains[size], heap[size]
            _sift(gains, heap, size, 0)
    return picked[:count], values[:count]


@numba.njit(cache=True, nogil=True)
def _bucket(gain: int) -> int:
    """Number gains > 0 by octave and quarter."""
    octave, rest = 0, gain
    while rest > 1:
        rest >>= 1
        octave += 1
    return octave * PER_OCTAVE + (((gain - (1 << octave)) * PER_OCTAVE) >> octave)


@numba.njit(cache=True, nogil=True)
def _sift(gains: Ints, heap: Rows, size: int, i: int) -> None:
    """Move entry *i* down to its place: larger gains first, then lower positions."""
    gain, e = gains[i], heap[i]
    while True:
        child = 2 * i + 1
        if child >= size:
            break
        other = child + 1
        if other < size and (
            gains[other] > gains[child] or (gains[other] == gains[child] and heap[other] < heap[child])
        ):
            child = other
        if gains[child] > gain or (gains[child] == gain and heap[child] < e):
            gains[i], heap[i] = gains[child], heap[child]
            i = child
        else:
            break
    gains[i], heap[i] = gain, e


@numba.njit(cache=True, nogil=True)
def read_once(ptr: Ints, queries: Rows, weights: Ints) -> int:
    """Gather every incidence once: the floor that any selection has to pay."""
    total = 0
    for e in range(ptr.size - 1):
        for j in range(ptr[e], ptr[e + 1]):
            total += weights[queries[j]]
    return total
