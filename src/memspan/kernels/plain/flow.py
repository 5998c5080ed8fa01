"""Maximum flow from queries through their items, one augmenting path at a time, in Python integers."""

from __future__ import annotations

from collections import deque
from itertools import pairwise

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]


def saturate(
    ptr: Ints,
    members: Ints,
    item_ptr: Ints,  # noqa: ARG001 - the fast twin's interface
    item_entries: Ints,  # noqa: ARG001
    supply: Ints,
    room: Ints,
) -> tuple[list[int], Bools, Bools]:
    """Send as much of each query's supply as the items have room for; see the fast twin.

    Supplies and room may be Python integers of any size (object arrays).
    """
    bounds = ptr.tolist()
    rows = [range(a, b) for a, b in pairwise(bounds)]
    item = members.tolist()
    entries: list[list[int]] = [[] for _ in room]
    for j, e in enumerate(item):
        entries[e].append(j)
    row = [q for q, own in enumerate(rows) for _ in own]
    flow = [0] * len(item)
    left, free = [int(x) for x in supply], [int(x) for x in room]
    while True:
        came_q, came_e, goal = _search(rows, item, entries, row, flow, left, free)
        if goal is None:
            reached_q = np.array([q in came_q for q in range(len(left))], np.bool_)
            reached_e = np.array([e in came_e for e in range(len(free))], np.bool_)
            return flow, reached_q, reached_e
        forwards, backwards, e = [], [], goal
        while True:
            j = came_e[e]
            forwards.append(j)
            back = came_q[row[j]]
            if back is None:
                break
            backwards.append(back)
            e = item[back]
        source = row[forwards[-1]]
        amount = min([left[source], free[goal], *(flow[j] for j in backwards)])
        for j in forwards:
            flow[j] += amount
        for j in backwards:
            flow[j] -= amount
        left[source] -= amount
        free[goal] -= amount


def _search(
    rows: list[range],
    item: list[int],
    entries: list[list[int]],
    row: list[int],
    flow: list[int],
    left: list[int],
    free: list[int],
) -> tuple[dict[int, int | None], dict[int, int], int | None]:
    """Breadth first from queries with supply left; return how each node was reached and a free item."""
    came_q: dict[int, int | None] = {q: None for q, rest in enumerate(left) if rest > 0}
    came_e: dict[int, int] = {}
    queue = deque((q, True) for q in came_q)
    goal = None
    while queue:
        node, is_query = queue.popleft()
        if is_query:
            for j in rows[node]:
                if item[j] not in came_e:
                    came_e[item[j]] = j
                    queue.append((item[j], False))
                    goal = item[j] if goal is None and free[item[j]] > 0 else goal
        else:
            for j in entries[node]:
                if flow[j] > 0 and row[j] not in came_q:
                    came_q[row[j]] = j
                    queue.append((row[j], True))
    return came_q, came_e, goal
