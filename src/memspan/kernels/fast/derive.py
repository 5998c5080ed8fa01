"""Find the facts of one relation from those of others, row by row: what the compiled closure repeats.

A head's facts are found for one first thing after the other: whatever its steps lead to is gathered in
one dense row, so that no fact is ever hashed.
"""

from __future__ import annotations

import numba
import numpy as np

from memspan.kernels.closure import (
    BY_COUNT,
    BY_LENGTH,
    CONSTANT,
    FAR,
    KEY,
    LEFT_FLIPPED,
    LEFT_TESTS_END,
    NO_RELATION,
    OTHER,
    OUT_FIRST,
    OUT_SECOND,
    RIGHT,
    RIGHT_FLIPPED,
    ROW,
    TESTS,
    TESTS_END,
    Ints,
    Rows,
)
from memspan.kernels.fast.facts import Facts, Scratch, blank, more_room, room_for, trimmed, wider

SUPPORTED, NEW = 1, 2  # a fact got supports in the last round; it was not there before


@numba.njit(cache=True, nogil=True)
def derive(
    steps: Ints,
    tests: Ints,
    rows: Rows,
    slots: Ints,
    flips: Rows,
    facts: Facts,
    caps: Ints,
    first_round: bool,
) -> tuple[Facts, Rows, bool]:
    """Find the facts of one head: those it has, and those its *steps* lead to.

    Args:
        steps, tests: the steps of this head, see `Program`.
        rows: shape (n, things + 1): where each thing's facts begin, for each way a relation is read.
        slots: the row of *rows* for the head's own facts, then for the left and right side of each step.
        flips: facts in order of their second thing, where *rows* of flipped relations point.
        facts: everything known so far.
        caps: supports of a fact, claims of a support, and how many more facts without support.
        first_round: everything counts as new.

    Returns:
        The facts in order, where each first thing's begin, and whether some fact was not counted.
    """
    things = rows.shape[1] - 1
    scratch = blank(things, caps[1])
    found, ends = room_for(1024, 1024, caps[1]), np.zeros(things + 1, np.int32)
    facts_found = supports_found = 0
    left, uncounted = caps[2], False
    order = np.empty(64, np.int64)
    longest = np.empty(2 * caps[1], np.int32)
    for row in range(things):
        scratch.count[:] = 0
        for f in range(rows[slots[0], row], rows[slots[0], row + 1]):
            scratch.known[_touch(scratch, facts.second[f])] = f
        for i in range(steps.shape[0]):
            step = steps[i]
            begin, end = row, row + 1
            if step[OUT_FIRST] != ROW:
                if step[OUT_FIRST] != CONSTANT + row:
                    continue
                begin, end = 0, things
            left_rows, right_rows = rows[slots[1 + 2 * i]], rows[slots[2 + 2 * i]]
            for base in range(begin, end):
                if left_rows[base] < left_rows[base + 1]:
                    scratch = _join(
                        step, tests, base, left_rows, right_rows, flips, facts, scratch, first_round
                    )
        met = scratch.count[0]
        if facts_found + met >= found.first.size or supports_found + met * caps[0] > found.size.size:
            found = more_room(found, facts_found, supports_found, met, met * caps[0])
        for second in np.sort(scratch.column[:met]):
            at = scratch.where[second]
            scratch.where[second] = -1
            f = scratch.known[at]
            if f >= 0 and scratch.short[at] < 0 and scratch.long[at] < 0:
                kept = _copy(facts, f, found, facts_found, supports_found)
            else:
                if f >= 0:
                    scratch = _remember(facts, f, at, scratch)
                listed = _listed(scratch, at)
                if listed > order.size:
                    order = np.empty(2 * listed, np.int64)
                kept = _select(scratch, at, order, listed, found, facts_found, supports_found, caps)
                if f >= 0:
                    found.cut[facts_found] |= facts.cut[f]
                else:
                    found.fresh[facts_found] |= NEW
                _lengthy(facts, scratch, at, found, facts_found, supports_found, kept, longest)
                if f < 0 and kept == 0:
                    if left == 0:
                        uncounted = True
                        continue
                    left -= 1
            found.first[facts_found], found.second[facts_found] = row, second
            facts_found += 1
            supports_found += kept
            found.ptr[facts_found] = supports_found
        ends[row + 1] = facts_found
    return trimmed(found, facts_found, supports_found), ends, uncounted


@numba.njit(cache=True, nogil=True)
def _join(
    step: Ints,
    tests: Ints,
    row: int,
    left_rows: Rows,
    right_rows: Rows,
    flips: Rows,
    facts: Facts,
    scratch: Scratch,
    first_round: bool,
) -> Scratch:
    """Gather what *step* leads to from the left facts of *row*; return the scratch, which may have grown."""
    most = scratch.claims.shape[1]
    for j in range(left_rows[row], left_rows[row + 1]):
        f = np.int64(flips[j]) if step[LEFT_FLIPPED] else np.int64(j)
        other = facts.first[f] if step[LEFT_FLIPPED] else facts.second[f]
        if not _holds(tests, step[TESTS], step[LEFT_TESTS_END], row, other, 0):
            continue
        begin, end = facts.ptr[f], facts.ptr[f + 1]
        if step[RIGHT] == NO_RELATION:
            if first_round or facts.fresh[f]:
                at = _touch(scratch, _value(step[OUT_SECOND], row, other, 0))
                if scratch.count[1] + end - begin > scratch.size.size:
                    scratch = wider(scratch, end - begin)
                for s in range(begin, end):
                    if first_round or facts.came[s]:
                        _recall(facts, s, at, scratch, 0)
            continue
        key = _value(step[KEY], row, other, 0)
        for k in range(right_rows[key], right_rows[key + 1]):
            g = np.int64(flips[k]) if step[RIGHT_FLIPPED] else np.int64(k)
            if not first_round and not facts.fresh[f] and not facts.fresh[g]:
                continue
            far = facts.first[g] if step[RIGHT_FLIPPED] else facts.second[g]
            if not _holds(tests, step[LEFT_TESTS_END], step[TESTS_END], row, other, far):
                continue
            at = _touch(scratch, _value(step[OUT_SECOND], row, other, far))
            start, stop = facts.ptr[g], facts.ptr[g + 1]
            pairs = (end - begin) * (stop - start)
            if max(scratch.count[1], scratch.count[2]) + pairs > scratch.size.size:
                scratch = wider(scratch, pairs)
            for s in range(begin, end):
                for t in range(start, stop):
                    if first_round or facts.came[s] or facts.came[t]:
                        here = scratch.count[1]
                        size = _union(facts, s, t, scratch.claims[here], most)
                        if size <= most:
                            scratch.size[here], scratch.old[here] = size, 0
                            scratch.mark[here] = facts.mark[s] | facts.mark[t]
                            scratch.after[here], scratch.short[at] = scratch.short[at], here
                            scratch.count[1] += 1
                        else:
                            here = scratch.count[2]
                            scratch.one[here], scratch.other[here] = s, t
                            scratch.long_after[here], scratch.long[at] = scratch.long[at], here
                            scratch.count[2] += 1
    return scratch


@numba.njit(cache=True, nogil=True)
def _value(term: int, row: int, other: int, far: int) -> int:
    if term == ROW:
        return row
    if term == OTHER:
        return other
    return far if term == FAR else term - CONSTANT


@numba.njit(cache=True, nogil=True)
def _holds(tests: Ints, start: int, end: int, row: int, other: int, far: int) -> bool:
    for i in range(start, end):
        same = _value(tests[i, 1], row, other, far) == _value(tests[i, 2], row, other, far)
        if same != (tests[i, 0] == 1):
            return False
    return True


@numba.njit(cache=True, nogil=True)
def _touch(scratch: Scratch, second: int) -> int:
    """Return the place of *second* in the row, a new one where it was not met yet."""
    at = scratch.where[second]
    if at < 0:
        at = scratch.count[0]
        scratch.where[second], scratch.column[at] = at, second
        scratch.known[at] = scratch.short[at] = scratch.long[at] = -1
        scratch.count[0] += 1
    return int(at)


@numba.njit(cache=True, nogil=True)
def _union(facts: Facts, s: int, t: int, out: Rows, most: int) -> int:
    """Merge two supports into *out*; return the size, or *most* + 1 where it does not fit."""
    i = j = n = 0
    one, other = facts.claims[s], facts.claims[t]
    i_end, j_end = facts.size[s], facts.size[t]
    while i < i_end or j < j_end:
        if n == most:
            return most + 1
        if j == j_end or (i < i_end and one[i] <= other[j]):
            out[n] = one[i]
            j += j < j_end and one[i] == other[j]
            i += 1
        else:
            out[n] = other[j]
            j += 1
        n += 1
    return n


@numba.njit(cache=True, nogil=True)
def _recall(facts: Facts, s: int, at: int, scratch: Scratch, old: int) -> None:
    """Let a support as it is be a candidate."""
    here = scratch.count[1]
    size = facts.size[s]
    scratch.size[here], scratch.mark[here], scratch.old[here] = size, facts.mark[s], old
    for i in range(size):
        scratch.claims[here, i] = facts.claims[s, i]
    scratch.after[here], scratch.short[at] = scratch.short[at], here
    scratch.count[1] += 1


@numba.njit(cache=True, nogil=True)
def _remember(facts: Facts, f: int, at: int, scratch: Scratch) -> Scratch:
    """Let the supports that a fact has already compete with the candidates."""
    if scratch.count[1] + facts.ptr[f + 1] - facts.ptr[f] > scratch.size.size:
        scratch = wider(scratch, facts.ptr[f + 1] - facts.ptr[f])
    for s in range(facts.ptr[f], facts.ptr[f + 1]):
        _recall(facts, s, at, scratch, 1)
    return scratch


@numba.njit(cache=True, nogil=True)
def _listed(scratch: Scratch, at: int) -> int:
    count, here = 0, scratch.short[at]
    while here >= 0:
        count, here = count + 1, scratch.after[here]
    return count


@numba.njit(cache=True, nogil=True)
def _select(
    scratch: Scratch,
    at: int,
    order: Ints,
    listed: int,
    found: Facts,
    f: int,
    start: int,
    caps: Ints,
) -> int:
    """Keep the best minimal candidates as supports of the fact *f*; return how many."""
    here = scratch.short[at]
    for i in range(listed):
        order[i], here = here, scratch.after[here]
    for i in range(listed // 2 - 1, -1, -1):
        _sift(scratch, order, i, listed)
    found.cut[f] = found.fresh[f] = 0
    kept = 0
    while listed > 0:
        best = order[0]
        listed -= 1
        order[0] = order[listed]
        _sift(scratch, order, 0, listed)
        size, mark, claims = scratch.size[best], scratch.mark[best], scratch.claims[best]
        if _is_held(found, start, kept, size, mark, claims):
            continue
        if kept == caps[0]:
            found.cut[f] |= BY_COUNT
            break
        s = start + kept
        found.size[s], found.mark[s], found.came[s] = size, mark, 1 - scratch.old[best]
        for i in range(size):
            found.claims[s, i] = claims[i]
        found.fresh[f] |= found.came[s] * SUPPORTED
        kept += 1
    return kept


@numba.njit(cache=True, nogil=True)
def _is_held(found: Facts, start: int, kept: int, size: int, mark: np.uint64, claims: Rows) -> bool:
    """Tell whether one of the supports from *start* on lies within *claims*."""
    for s in range(start, start + kept):
        if found.mark[s] & ~mark == 0 and found.size[s] <= size:
            i = 0
            for j in range(size):
                if i < found.size[s] and found.claims[s, i] == claims[j]:
                    i += 1
            if i == found.size[s]:
                return True
    return False


@numba.njit(cache=True, nogil=True)
def _lengthy(
    facts: Facts,
    scratch: Scratch,
    at: int,
    found: Facts,
    f: int,
    start: int,
    kept: int,
    claims: Rows,
) -> None:
    """Note whether a pair of supports that together are too long holds none of those kept."""
    here = scratch.long[at]
    while here >= 0 and not found.cut[f] & BY_LENGTH:
        s, t = scratch.one[here], scratch.other[here]
        size = _union(facts, s, t, claims, claims.size)
        if not _is_held(found, start, kept, size, facts.mark[s] | facts.mark[t], claims):
            found.cut[f] |= BY_LENGTH
        here = scratch.long_after[here]


@numba.njit(cache=True, nogil=True)
def _sift(scratch: Scratch, order: Ints, i: int, size: int) -> None:
    """Move entry *i* of a heap down to its place: the best candidate on top."""
    while True:
        child = 2 * i + 1
        if child >= size:
            return
        if child + 1 < size and _is_better(scratch, order[child + 1], order[child]):
            child += 1
        if not _is_better(scratch, order[child], order[i]):
            return
        order[i], order[child] = order[child], order[i]
        i = child


@numba.njit(cache=True, nogil=True)
def _is_better(scratch: Scratch, one: int, other: int) -> bool:
    """Order candidates: shorter, then lower claims, then what the fact has already."""
    if scratch.size[one] != scratch.size[other]:
        return bool(scratch.size[one] < scratch.size[other])
    for i in range(scratch.size[one]):
        if scratch.claims[one, i] != scratch.claims[other, i]:
            return bool(scratch.claims[one, i] < scratch.claims[other, i])
    return bool(scratch.old[one] > scratch.old[other])


@numba.njit(cache=True, nogil=True)
def _copy(facts: Facts, f: int, found: Facts, to: int, start: int) -> int:
    """Take over a fact that nothing new leads to."""
    found.cut[to], found.fresh[to] = facts.cut[f], 0
    kept = facts.ptr[f + 1] - facts.ptr[f]
    for i in range(kept):
        s = facts.ptr[f] + i
        found.size[start + i], found.mark[start + i] = facts.size[s], facts.mark[s]
        found.came[start + i] = 0
        found.claims[start + i] = facts.claims[s]
    return int(kept)
