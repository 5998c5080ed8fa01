"""Close facts under rules, with the minimal supports of each: the compiled twin.

Relations are closed in an order in which each comes after those it needs. Relations that need each other are
closed together, in rounds; a round joins what came in the round before with everything.
"""

from __future__ import annotations

import numba
import numpy as np

from memspan.kernels.closure import (
    BY_COUNT,
    HEAD,
    LEFT,
    LEFT_FLIPPED,
    NO_RELATION,
    RIGHT,
    RIGHT_FLIPPED,
    Caps,
    Closure,
    Program,
    Rows,
    Stated,
)
from memspan.kernels.fast.derive import derive
from memspan.kernels.fast.facts import Facts, more_room, room_for


def close(program: Program, stated: Stated, caps: Caps, things: int) -> Closure:
    """Apply *program* to *stated* until nothing new follows.

    Args:
        program: the rules.
        stated: what claims state.
        caps: what bounds the supports.
        things: how many there are; all are below.

    Returns:
        The closure, entry for entry that of the plain twin.
    """
    state = _State(program, caps, things)
    said = _stated(stated, program.relations, things, caps)
    derived = {relation for stratum in program.strata for relation in stratum}
    for relation, (facts, ends) in enumerate(said):
        if relation not in derived:
            state.put(relation, facts, ends)
    for stratum, recursive in zip(program.strata, program.recursive, strict=True):
        for relation in stratum:
            state.put(relation, *said[relation])
        state.close(stratum, recursive)
    return state.closure()


class _State:
    """All facts so far, one relation after the other, and where each thing's begin."""

    def __init__(self, program: Program, caps: Caps, things: int) -> None:
        self.program, self.caps, self.things = program, caps, things
        read = {(s[LEFT], bool(s[LEFT_FLIPPED])) for s in program.steps.tolist()}
        read |= {(s[RIGHT], bool(s[RIGHT_FLIPPED])) for s in program.steps.tolist()}
        turned = sorted(relation for relation, flipped in read if flipped and relation != NO_RELATION)
        self.turned = {relation: program.relations + i for i, relation in enumerate(turned)}
        self.rows = np.zeros((program.relations + len(turned), things + 1), np.int32)
        self.facts = room_for(0, 0, caps.claims)
        self.flips = np.zeros(0, np.int32)
        self.where = [(0, 0)] * program.relations
        self.uncounted = False
        self.count = self.supports = 0

    def close(self, relations: tuple[int, ...], recursive: bool) -> None:
        """Close *relations*, whose stated facts are the last ones put."""
        first_round, changed = True, True
        start = self.where[relations[0]][0]
        while changed:
            found = [self._derived(relation, first_round) for relation in relations]
            self.count, self.supports = start, int(self.facts.ptr[start])
            for relation, (facts, ends) in zip(relations, found, strict=True):
                self.put(relation, facts, ends)
            changed = recursive and any(facts.fresh.any() for facts, _ in found)
            first_round = False
        self.facts.fresh[start : self.count] = 0
        self.facts.came[self.facts.ptr[start] : self.supports] = 0

    def _derived(self, head: int, first_round: bool) -> tuple[Facts, Rows]:
        program = self.program
        steps = program.steps[program.steps[:, HEAD] == head]
        slots = [head]
        for step in steps.tolist():
            slots.append(self.turned[step[LEFT]] if step[LEFT_FLIPPED] else step[LEFT])
            right = head if step[RIGHT] == NO_RELATION else step[RIGHT]
            slots.append(self.turned[right] if step[RIGHT_FLIPPED] else right)
        start, end = self.where[head]
        lost = self.caps.lost - int(np.count_nonzero(np.diff(self.facts.ptr[start : end + 1]) == 0))
        caps = np.array([self.caps.supports, self.caps.claims, max(lost, 0)], np.int64)
        slot_row = np.array(slots, np.int64)
        facts, ends, uncounted = derive(
            steps, program.tests, self.rows, slot_row, self.flips, self.facts, caps, first_round
        )
        self.uncounted = self.uncounted or uncounted
        return facts, ends

    def put(self, relation: int, facts: Facts, ends: Rows) -> None:
        """Put the facts of *relation* last."""
        count, supports = len(facts.first), len(facts.size)
        a, b = self.count, self.supports
        if a + count > len(self.facts.first) or b + supports > len(self.facts.size):
            self.facts = more_room(self.facts, a, b, count, supports)
            self.flips = np.resize(self.flips, len(self.facts.first))
        here = self.facts
        here.first[a : a + count], here.second[a : a + count] = facts.first, facts.second
        here.cut[a : a + count], here.fresh[a : a + count] = facts.cut, facts.fresh
        here.ptr[a : a + count + 1] = facts.ptr + b
        here.size[b : b + supports], here.mark[b : b + supports] = facts.size, facts.mark
        here.came[b : b + supports], here.claims[b : b + supports] = facts.came, facts.claims
        self.count, self.supports = a + count, b + supports
        self.where[relation] = a, self.count
        self.rows[relation] = ends + a
        if relation in self.turned:
            turn(facts.second, a, self.rows[self.turned[relation]], self.flips)

    def closure(self) -> Closure:
        """Return all facts in order of their relations."""
        facts = self.facts
        own = np.concatenate([np.arange(*where) for where in self.where])
        sizes = np.diff(facts.ptr)[own]
        ptr = np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes)])
        supports = np.repeat(facts.ptr[own] - ptr[:-1], sizes) + np.arange(ptr[-1])
        size = facts.size[supports]
        members = facts.claims[supports][np.arange(self.caps.claims) < size[:, None]]
        relation = np.repeat(np.arange(len(self.where), dtype=np.int32), [b - a for a, b in self.where])
        start = np.concatenate([np.zeros(1, np.int64), np.cumsum(size, dtype=np.int64)])
        cut = facts.cut[own]
        return Closure(
            relation, facts.first[own], facts.second[own], ptr, start, members, cut, self.uncounted
        )


@numba.njit(cache=True, nogil=True)
def turn(second: Rows, start: int, rows: Rows, flips: Rows) -> None:
    """Order the facts from *start* on by their second thing: into *flips*, and where each begins."""
    rows[:] = 0
    for thing in second:
        rows[thing + 1] += 1
    rows[0] = start
    for thing in range(rows.size - 1):
        rows[thing + 1] += rows[thing]
    at = rows[:-1].copy()
    for i in range(second.size):
        flips[at[second[i]]] = start + i
        at[second[i]] += 1


def _stated(stated: Stated, relations: int, things: int, caps: Caps) -> list[tuple[Facts, Rows]]:
    """Return for each relation the facts that claims state, and where each thing's begin."""
    order = np.lexsort((stated.claim, stated.second, stated.first, stated.relation))
    relation, first, second, claim = (column[order] for column in stated)
    is_new = np.ones(len(order), np.bool_)
    is_new[1:] = (np.diff(relation) != 0) | (np.diff(first) != 0) | (np.diff(second) != 0)
    begins = np.flatnonzero(is_new)
    rank = np.arange(len(order)) - np.repeat(begins, np.diff(begins, append=len(order)))
    kept = np.flatnonzero(rank < caps.supports)
    many = np.diff(begins, append=len(order))
    found = []
    for number in range(relations):
        own = begins[slice(*np.searchsorted(relation[begins], [number, number + 1]))]
        low, high = np.searchsorted(relation[kept], [number, number + 1])
        facts = room_for(len(own), high - low, caps.claims)
        counts = many[np.searchsorted(begins, own)]
        facts.first[:], facts.second[:] = first[own], second[own]
        facts.ptr[1:] = np.cumsum(np.minimum(counts, caps.supports))
        facts.cut[:] = np.where(counts > caps.supports, BY_COUNT, 0)
        facts.fresh[:], facts.came[:], facts.size[:] = 0, 0, 1
        facts.claims[:, 0] = claim[kept[low:high]]
        facts.mark[:] = np.uint64(1) << (facts.claims[:, 0] % 64).astype(np.uint64)
        ends = np.searchsorted(facts.first, np.arange(things + 1)).astype(np.int32)
        found.append((facts, ends))
    return found
