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
    Flags,
    Ints,
    Rows,
)
from memspan.kernels.fast.facts import Facts, Marks, Scratch, blank, more_room, room_for, take, trimmed, wider

Lists = tuple[Rows, Rows, Marks, Flags, Ints, Ints]
NOTHING = np.int32(0)  # in place of a thing, of the same type
KNOWN, SHORT, LONG = range(3)  # columns of `Scratch.heads`
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
    own, second = rows[slots[0]], facts.second
    scratch, found = blank(things, caps[1]), room_for(1024, 1024, caps[1])
    ends, count = np.zeros(things + 1, np.int32), scratch.counts
    written = np.array([0, 0, caps[2], 0])  # facts, supports, room for facts without any, ones left out
    for row in range(things):
        count[0] = count[1] = count[2] = 0
        for f in range(own[row], own[row + 1]):
            at = _touch(scratch.where, scratch.column, scratch.heads, count, second[f])
            scratch.heads[at, KNOWN] = f
        for i in range(steps.shape[0]):
            begin, end = row, row + 1
            if steps[i, OUT_FIRST] != ROW:
                if steps[i, OUT_FIRST] != CONSTANT + row:
                    continue
                begin, end = 0, things
            left_rows, right_rows = rows[slots[1 + 2 * i]], rows[slots[2 + 2 * i]]
            for base in range(begin, end):
                if left_rows[base] < left_rows[base + 1]:
                    scratch = _join(
                        steps[i], tests, base, left_rows, right_rows, flips, facts, scratch, first_round
                    )
        if count[0]:
            most = count[0] * caps[0]
            if written[0] + count[0] >= found.first.size or written[1] + most > found.size.size:
                found = more_room(found, written[0], written[1], count[0], most)
            scratch = _remember(facts, scratch)
            _settle(row, facts, scratch, found, written, caps)
        ends[row + 1] = written[0]
    return trimmed(found, written[0], written[1]), ends, written[3] > 0


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
    first, second, ptr, fresh = facts.first, facts.second, facts.ptr, facts.fresh
    sets, sizes, came, marks = facts.claims, facts.size, facts.came, facts.mark
    where, column, heads, count = scratch.where, scratch.column, scratch.heads, scratch.counts
    claims, size, mark, old, after, pairs = _lists(scratch)
    most = claims.shape[1]
    for j in range(left_rows[row], left_rows[row + 1]):
        f = np.int64(flips[j]) if step[LEFT_FLIPPED] else np.int64(j)
        other = first[f] if step[LEFT_FLIPPED] else second[f]
        if not _holds(tests, step[TESTS], step[LEFT_TESTS_END], row, other, NOTHING):
            continue
        alone = step[RIGHT] == NO_RELATION
        key = 0 if alone else _value(step[KEY], row, other, NOTHING)
        begin, end = (0, 1) if alone else (right_rows[key], right_rows[key + 1])
        for k in range(begin, end):
            g = np.int64(flips[k]) if step[RIGHT_FLIPPED] else np.int64(k)
            far = NOTHING
            if alone:
                g = f
            else:
                far = first[g] if step[RIGHT_FLIPPED] else second[g]
            if not first_round and not fresh[f] and not fresh[g]:
                continue
            if not _holds(tests, step[LEFT_TESTS_END], step[TESTS_END], row, other, far):
                continue
            at = _touch(where, column, heads, count, _value(step[OUT_SECOND], row, other, far))
            start, stop = (0, 1) if alone else (ptr[g], ptr[g + 1])
            needed = (ptr[f + 1] - ptr[f]) * (stop - start)
            if max(count[1], count[2]) + needed > size.size:
                scratch = wider(scratch, needed)
                claims, size, mark, old, after, pairs = _lists(scratch)
            for s in range(ptr[f], ptr[f + 1]):
                for right in range(start, stop):
                    t = s if alone else right
                    if not first_round and not came[s] and not came[t]:
                        continue
                    here = count[1]
                    size[here] = _union(sets, sizes, s, t, claims, here)
                    if size[here] <= most:
                        old[here], mark[here] = 0, marks[s] | marks[t]
                        after[here], heads[at, SHORT] = heads[at, SHORT], here
                        count[1] += 1
                    else:
                        here = count[2]
                        pairs[here, 0], pairs[here, 1], pairs[here, 2] = s, t, heads[at, LONG]
                        heads[at, LONG] = here
                        count[2] += 1
    return scratch


@numba.njit(cache=True, nogil=True)
def _lists(scratch: Scratch) -> Lists:
    return scratch.claims, scratch.size, scratch.mark, scratch.old, scratch.after, scratch.pairs


@numba.njit(cache=True, nogil=True)
def _value(term: int, row: int, other: int | np.int32, far: int | np.int32) -> int:
    if term == ROW:
        return row
    if term == OTHER:
        return int(other)
    return int(far) if term == FAR else term - CONSTANT


@numba.njit(cache=True, nogil=True)
def _holds(tests: Ints, start: int, end: int, row: int, other: int | np.int32, far: int | np.int32) -> bool:
    for i in range(start, end):
        same = _value(tests[i, 1], row, other, far) == _value(tests[i, 2], row, other, far)
        if same != (tests[i, 0] == 1):
            return False
    return True


@numba.njit(cache=True, nogil=True)
def _touch(where: Rows, column: Rows, heads: Ints, count: Ints, second: int | np.int32) -> int:
    """Return the place of *second* in the row, a new one where it was not met yet."""
    at = where[second]
    if at < 0:
        at = count[0]
        where[second], column[at] = at, second
        heads[at, KNOWN] = heads[at, SHORT] = heads[at, LONG] = -1
        count[0] += 1
    return int(at)


@numba.njit(cache=True, nogil=True)
def _union(sets: Rows, sizes: Rows, s: int, t: int, out: Rows, here: int) -> int:
    """Merge supports *s* and *t* into row *here* of *out*; return the size, the width + 1 where too long."""
    i = j = n = 0
    i_end, j_end, most = sizes[s], sizes[t], int(out.shape[1])
    while i < i_end or j < j_end:
        if n == most:
            return most + 1
        if j == j_end or (i < i_end and sets[s, i] <= sets[t, j]):
            out[here, n] = sets[s, i]
            j += j < j_end and sets[s, i] == sets[t, j]
            i += 1
        else:
            out[here, n] = sets[t, j]
            j += 1
        n += 1
    return int(n)


@numba.njit(cache=True, nogil=True)
def _remember(facts: Facts, scratch: Scratch) -> Scratch:
    """Let the supports that facts of the row have already compete with what was gathered for them."""
    ptr, heads, count = facts.ptr, scratch.heads, scratch.counts
    for at in range(count[0]):
        f = heads[at, KNOWN]
        if f < 0 or (heads[at, SHORT] < 0 and heads[at, LONG] < 0):
            continue
        if count[1] + ptr[f + 1] - ptr[f] > scratch.size.size:
            scratch = wider(scratch, ptr[f + 1] - ptr[f])
        for s in range(ptr[f], ptr[f + 1]):
            here = count[1]
            scratch.size[here], scratch.mark[here], scratch.old[here] = facts.size[s], facts.mark[s], 1
            for j in range(facts.claims.shape[1]):
                scratch.claims[here, j] = facts.claims[s, j]
            scratch.after[here], heads[at, SHORT] = heads[at, SHORT], here
            count[1] += 1
    return scratch


@numba.njit(cache=True, nogil=True)
def _settle(row: int, facts: Facts, scratch: Scratch, found: Facts, written: Ints, caps: Ints) -> None:
    """Write the facts of *row* in order, each with the best of its supports."""
    where, heads, pairs, count = scratch.where, scratch.heads, scratch.pairs, scratch.counts
    lists = _lists(scratch)
    order, long = np.empty(count[1], np.int64), np.empty((1, 2 * caps[1]), np.int32)
    first, second, ptr, cut, fresh = found.first, found.second, found.ptr, found.cut, found.fresh
    for thing in np.sort(scratch.column[: count[0]]):
        at = where[thing]
        where[thing] = -1
        to, start = written[0], written[1]
        known = heads[at, KNOWN]
        cut[to] = fresh[to] = 0
        if known >= 0:
            cut[to] = facts.cut[known]
        if known >= 0 and heads[at, SHORT] < 0 and heads[at, LONG] < 0:
            kept = _copy(facts, known, found, start)
        else:
            kept = _choose(lists, heads[at, SHORT], order, found, to, start, caps[0])
            if _is_cut(facts, pairs, heads[at, LONG], found, start, kept, long):
                cut[to] |= BY_LENGTH
            if known < 0:
                fresh[to] |= NEW
                if kept == 0:
                    if written[2] == 0:
                        written[3] = 1
                        continue
                    written[2] -= 1
        first[to], second[to], ptr[to + 1] = row, thing, start + kept
        written[0], written[1] = to + 1, start + kept


@numba.njit(cache=True, nogil=True)
def _choose(lists: Lists, here: int, order: Ints, found: Facts, to: int, start: int, most: int) -> int:
    """Write the best minimal candidates of the list that begins *here* as supports of the fact *to*."""
    claims, size, mark, old, after, _ = lists
    sets, sizes, marks, came = found.claims, found.size, found.mark, found.came
    listed = kept = 0
    while here >= 0:
        order[listed] = here
        listed, here = listed + 1, after[here]
    for i in range(listed // 2 - 1, -1, -1):
        _sift(claims, size, old, order, i, listed)
    while listed > 0:
        best = order[0]
        listed -= 1
        order[0] = order[listed]
        _sift(claims, size, old, order, 0, listed)
        if _is_held(sets, sizes, marks, start, kept, claims, best, size[best], mark[best]):
            continue
        if kept == most:
            found.cut[to] |= BY_COUNT
            break
        new = start + kept
        sizes[new], marks[new], came[new] = size[best], mark[best], 1 - old[best]
        for i in range(size[best]):
            sets[new, i] = claims[best, i]
        if came[new]:
            found.fresh[to] |= SUPPORTED
        kept += 1
    return kept


@numba.njit(cache=True, nogil=True)
def _is_cut(facts: Facts, pairs: Ints, here: int, found: Facts, start: int, kept: int, long: Rows) -> bool:
    """Tell whether a pair of the list that begins *here*, too long together, holds none of those kept."""
    sets, sizes, marks = found.claims, found.size, found.mark
    while here >= 0:
        s, t = pairs[here, 0], pairs[here, 1]
        size = _union(facts.claims, facts.size, s, t, long, 0)
        if not _is_held(sets, sizes, marks, start, kept, long, 0, size, facts.mark[s] | facts.mark[t]):
            return True
        here = pairs[here, 2]
    return False


@numba.njit(cache=True, nogil=True)
def _is_held(
    sets: Rows,
    sizes: Rows,
    marks: Marks,
    start: int,
    kept: int,
    claims: Rows,
    here: int,
    size: int,
    mark: np.uint64,
) -> bool:
    """Tell whether one of the *kept* supports from *start* on lies within row *here* of *claims*."""
    for s in range(start, start + kept):
        if marks[s] & ~mark == 0 and sizes[s] <= size:
            i = 0
            for j in range(size):
                if i < sizes[s] and sets[s, i] == claims[here, j]:
                    i += 1
            if i == sizes[s]:
                return True
    return False


@numba.njit(cache=True, nogil=True)
def _sift(claims: Rows, size: Rows, old: Flags, order: Ints, i: int, listed: int) -> None:
    """Move entry *i* of a heap down to its place: the best candidate on top."""
    while True:
        child = 2 * i + 1
        if child >= listed:
            return
        if child + 1 < listed and _is_better(claims, size, old, order[child + 1], order[child]):
            child += 1
        if not _is_better(claims, size, old, order[child], order[i]):
            return
        order[i], order[child] = order[child], order[i]
        i = child


@numba.njit(cache=True, nogil=True)
def _is_better(claims: Rows, size: Rows, old: Flags, one: int, other: int) -> bool:
    """Order candidates: shorter, then lower claims, then what the fact has already."""
    if size[one] != size[other]:
        return bool(size[one] < size[other])
    for i in range(size[one]):
        if claims[one, i] != claims[other, i]:
            return bool(claims[one, i] < claims[other, i])
    return bool(old[one] > old[other])


@numba.njit(cache=True, nogil=True)
def _copy(facts: Facts, f: int, found: Facts, start: int) -> int:
    """Take over the supports of a fact that nothing new leads to; return how many."""
    for i in range(facts.ptr[f + 1] - facts.ptr[f]):
        take(facts, facts.ptr[f] + i, found, start + i, 0)
    return int(facts.ptr[f + 1] - facts.ptr[f])
