"""Maximum flow from queries through their items: Dinic's algorithm on compressed rows."""

from __future__ import annotations

import numba
import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]


@numba.njit(cache=True, nogil=True)
def saturate(
    ptr: Ints, members: Ints, item_ptr: Ints, item_entries: Ints, supply: Ints, room: Ints
) -> tuple[Ints, Bools, Bools]:
    """Send as much of each query's supply as the items have room for.

    Args:
        ptr, members: items of each query, shape (Q + 1,) and (n,).
        item_ptr, item_entries: the entries of *members* that name each item.
        supply: what each query sends, >= 0.
        room: what each item takes, >= 0.

    Returns:
        The flow per entry of *members*, and which queries and items remain reachable from a query
        with supply left: the smallest source side of a minimum cut.
    """
    queries, items = supply.size, room.size
    flow = np.zeros(members.size, np.int64)
    row = np.empty(members.size, np.int64)
    for q in range(queries):
        row[ptr[q] : ptr[q + 1]] = q
    left, free = supply.copy(), room.copy()
    level_q, level_e = np.empty(queries, np.int64), np.empty(items, np.int64)
    next_q, next_e = np.empty(queries, np.int64), np.empty(items, np.int64)
    queue = np.empty(queries + items, np.int64)
    path = np.empty(2 * (queries + items) + 2, np.int64)
    while _levels(ptr, members, item_ptr, item_entries, row, flow, left, free, level_q, level_e, queue):
        next_q[:], next_e[:] = ptr[:-1], item_ptr[:-1]
        for q in range(queries):
            while left[q] > 0 and _push(
                q,
                ptr,
                members,
                item_ptr,
                item_entries,
                row,
                flow,
                left,
                free,
                level_q,
                level_e,
                next_q,
                next_e,
                path,
            ):
                pass
    return flow, level_q >= 0, level_e >= 0


@numba.njit(cache=True, nogil=True)
def _levels(
    ptr: Ints,
    members: Ints,
    item_ptr: Ints,
    item_entries: Ints,
    row: Ints,
    flow: Ints,
    left: Ints,
    free: Ints,
    level_q: Ints,
    level_e: Ints,
    queue: Ints,
) -> bool:
    """Number queries and items by distance from unsent supply; tell whether room was reached."""
    queries = left.size
    level_q[:] = -1
    level_e[:] = -1
    end = 0
    for q in range(queries):
        if left[q] > 0:
            level_q[q] = 0
            queue[end] = q
            end += 1
    start, found = 0, False
    while start < end:
        node = queue[start]
        start += 1
        if node < queries:
            for j in range(ptr[node], ptr[node + 1]):
                e = members[j]
                if level_e[e] < 0:
                    level_e[e] = level_q[node] + 1
                    found = found or free[e] > 0
                    queue[end] = queries + e
                    end += 1
        else:
            e = node - queries
            for p in range(item_ptr[e], item_ptr[e + 1]):
                j = item_entries[p]
                if flow[j] > 0 and level_q[row[j]] < 0:
                    level_q[row[j]] = level_e[e] + 1
                    queue[end] = row[j]
                    end += 1
    return found


@numba.njit(cache=True, nogil=True)
def _push(
    source: int,
    ptr: Ints,
    members: Ints,
    item_ptr: Ints,
    item_entries: Ints,
    row: Ints,
    flow: Ints,
    left: Ints,
    free: Ints,
    level_q: Ints,
    level_e: Ints,
    next_q: Ints,
    next_e: Ints,
    path: Ints,
) -> bool:
    """Push along one path of rising levels from query *source*; tell whether anything moved.

    *path* alternates entries taken forwards (query to item) and backwards (item to query).
    """
    depth, q = 0, source
    while True:
        found = False
        while next_q[q] < ptr[q + 1]:
            e = members[next_q[q]]
            if level_e[e] == level_q[q] + 1:
                found = True
                break
            next_q[q] += 1
        if not found:
            if depth == 0:
                return False
            depth -= 2  # step back over the item that led here, and past the entry that was taken
            e = members[path[depth]]
            next_e[e] += 1
            q = row[path[depth]]
        else:
            path[depth] = next_q[q]
        e = members[path[depth]]
        if free[e] > 0:
            depth += 1
            break
        while next_e[e] < item_ptr[e + 1]:
            j = item_entries[next_e[e]]
            if flow[j] > 0 and level_q[row[j]] == level_e[e] + 1:
                break
            next_e[e] += 1
        if next_e[e] < item_ptr[e + 1]:
            path[depth + 1] = item_entries[next_e[e]]
            q = row[path[depth + 1]]
            depth += 2
        else:
            next_q[q] += 1
    amount = min(left[source], free[members[path[depth - 1]]])
    for i in range(1, depth, 2):
        amount = min(amount, flow[path[i]])
    for i in range(0, depth, 2):
        flow[path[i]] += amount
    for i in range(1, depth, 2):
        flow[path[i]] -= amount
    left[source] -= amount
    free[members[path[depth - 1]]] -= amount
    return True
