"""Presolve: what can be decided or merged before any search, each step written down for the checker.

Steps, repeated until nothing changes:

- *inner*: a support that contains another support of its query is dropped;
- *cheaper*: a support is dropped when another support of its query shares no more with the rest of
  the problem and has no dearer private claims (claims that no other support uses);
- *swap*: a claim is dropped when another, no dearer one can take its place in every support.

Then claims used by exactly the same supports become one item, queries with the same supports become
one query, and what is not connected falls into independent parts.

Source: the optimisation notes of this project; measured there, proven in the docstrings here.
"""

from __future__ import annotations

import math
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from memspan.optimum.problem import Part, Problem

SWAP_TRIALS = 1_000_000  # comparisons spent on looking for swaps


@dataclass(frozen=True)
class Step:
    """One reduction: support *dropped* goes because of support *because* (inner, cheaper),
    or claim *dropped* goes because claim *because* can take its place (swap).
    """  # noqa: D205 - one sentence

    kind: str
    dropped: int
    because: int


@dataclass(frozen=True)
class Presolved:
    """What is left to solve.

    Attributes:
        base: weight that needs no claim (empty supports).
        parts: independent parts, ordered by their first claim.
        steps: every reduction in order, supports and claims as positions in the problem.
    """

    base: int
    parts: tuple[Part, ...]
    steps: tuple[Step, ...]


@dataclass
class _State:
    """The supports still alive while reducing."""

    problem: Problem
    alive: set[int]
    needed: dict[int, frozenset[int]]
    unless: dict[int, frozenset[int]]
    by_query: dict[int, dict[int, None]]  # ordered sets
    by_claim: dict[int, set[int]] = field(default_factory=lambda: defaultdict(set))
    steps: list[Step] = field(default_factory=list)
    trials: int = SWAP_TRIALS

    def drop(self, kind: str, support: int, because: int) -> None:
        self.steps.append(Step(kind, support, because))
        self.remove(support)

    def remove(self, support: int) -> None:
        self.alive.discard(support)
        for claim in self.needed[support]:
            self.by_claim[claim].discard(support)
        del self.by_query[self.problem.owner[support]][support]


def presolve(problem: Problem, deadline: float = math.inf) -> Presolved:
    """Reduce *problem* and split it into independent parts with the same optimum at every capacity.

    Past *deadline* no further reductions are looked for.
    """
    state, base = _start(problem)
    for reduce in (_drop_inner, _drop_cheaper, _drop_swaps):
        if time.perf_counter() < deadline:
            reduce(state, deadline)
    before = -1
    while before < len(state.steps) and time.perf_counter() < deadline:
        before = len(state.steps)
        _drop_cheaper(state, deadline)
        _drop_swaps(state, deadline)
    return Presolved(base, tuple(_parts(state)), tuple(state.steps))


def _start(problem: Problem) -> tuple[_State, int]:
    """Set aside queries of no weight and those that need nothing; forget claims that only defeat."""
    rows: dict[int, list[int]] = defaultdict(list)
    for s, q in enumerate(problem.owner):
        if problem.weights[q] > 0:
            rows[q].append(s)
    useful = frozenset().union(*(problem.supports[s] for ss in rows.values() for s in ss))
    unless = {s: problem.unless[s] & useful for ss in rows.values() for s in ss}
    free = {q for q, ss in rows.items() if any(not problem.supports[s] | unless[s] for s in ss)}
    base = sum(problem.weights[q] for q in free)
    by_query = {q: dict.fromkeys(ss) for q, ss in rows.items() if q not in free}
    alive = {s for ss in by_query.values() for s in ss}
    state = _State(problem, alive, {s: problem.supports[s] for s in alive}, unless, by_query)
    for s in sorted(alive):
        for claim in problem.supports[s]:
            state.by_claim[claim].add(s)
    return state, base


def _drop_inner(state: _State, deadline: float) -> None:
    larger = [ss for ss in state.by_query.values() if any(len(state.needed[s]) != 1 for s in ss)]
    defeats = any(state.unless[s] for s in state.alive)
    for supports in list(state.by_query.values()) if defeats else larger:
        if time.perf_counter() > deadline:
            return
        for a in sorted(supports, key=lambda s: (-len(state.needed[s]), -s)):
            inner = next((b for b in supports if b != a and _inside(state, b, a)), None)
            if inner is not None:
                state.drop("inner", a, inner)


def _inside(state: _State, b: int, a: int) -> bool:
    """Wherever support *a* holds, *b* holds."""
    return state.needed[b] <= state.needed[a] and state.unless[b] <= state.unless[a]


def _drop_cheaper(state: _State, deadline: float) -> None:
    """Drop *a* for *b* of the same query: trade a's private claims for b's, which cost no more.

    Any memory that holds a can hold b instead at no higher cost and loses nothing: b's shared claims
    are among a's, and nobody else uses the private ones.
    """
    defeaters = frozenset().union(*(state.unless[s] for s in state.alive))
    for supports in [ss for ss in state.by_query.values() if len(ss) > 1]:
        if time.perf_counter() > deadline:
            return
        own = [b for b in supports if _split(state, b, defeaters)[1]]  # without private claims it is inner
        for a in list(supports):
            for b in [b for b in own if b != a and b in state.alive]:
                if state.unless[b] <= state.unless[a] and _cheaper(state, b, a, defeaters):
                    state.drop("cheaper", a, b)
                    break


def _cheaper(state: _State, b: int, a: int, defeaters: frozenset[int]) -> bool:
    shared_b, private_b = _split(state, b, defeaters)
    if not shared_b <= state.needed[a]:
        return False
    shared_a, private_a = _split(state, a, defeaters)
    costs = state.problem.costs
    return shared_b <= shared_a and sum(costs[c] for c in private_b) <= sum(costs[c] for c in private_a)


def _split(state: _State, s: int, defeaters: frozenset[int]) -> tuple[set[int], set[int]]:
    private = {c for c in state.needed[s] if len(state.by_claim[c]) == 1 and c not in defeaters}
    return set(state.needed[s]) - private, private


def _drop_swaps(state: _State, deadline: float) -> None:
    """Drop claim *e* for claim *f*: f costs no more and completes every support that e completes.

    Replacing e by f in any memory keeps each query answered, so some best memory never holds e.
    """
    if any(state.unless[s] for s in state.alive):
        return
    kept = {q: {state.needed[s] for s in ss} for q, ss in state.by_query.items()}
    for e in sorted(state.by_claim, key=lambda c: (len(state.by_claim[c]), -c)):
        rows = [(state.problem.owner[s], state.needed[s]) for s in state.by_claim[e]]
        if state.trials <= 0 or time.perf_counter() > deadline:
            return
        if not rows:
            continue
        for f in _candidates(state, e, rows):
            state.trials -= 1
            if state.trials <= 0:
                break
            if all(_replaces(kept[q], needed, e, f) for q, needed in rows):
                state.steps.append(Step("swap", e, f))
                for s in list(state.by_claim[e]):
                    kept[state.problem.owner[s]].discard(state.needed[s])
                    state.remove(s)
                break


def _candidates(state: _State, e: int, rows: list[tuple[int, frozenset[int]]]) -> Iterator[int]:
    """Yield claims that could replace *e*: they stand in a support of its rarest query."""
    costs, owner = state.problem.costs, min(rows, key=lambda row: len(state.by_query[row[0]]))
    rest = owner[1] - {e}
    for s in list(state.by_query[owner[0]]):
        extra = state.needed[s] - rest
        if len(extra) == 1 and e not in extra:
            f = next(iter(extra))
            if costs[f] <= costs[e] and len(state.by_claim[f]) >= len(rows):
                yield f


def _replaces(kept: set[frozenset[int]], needed: frozenset[int], e: int, f: int) -> bool:
    swapped = needed - {e} | {f}
    return swapped in kept or (len(swapped) > 1 and any(other <= swapped for other in kept))


def _parts(state: _State) -> Iterator[Part]:
    """Merge equal queries and claims that always go together, and yield the connected parts."""
    families: dict[frozenset[tuple[frozenset[int], frozenset[int]]], list[int]] = defaultdict(list)
    for q in sorted(state.by_query):
        families[frozenset((state.needed[s], state.unless[s]) for s in state.by_query[q])].append(q)
    rows = [(needed, unless, g) for g, family in enumerate(families) for needed, unless in _ordered(family)]
    groups = list(families.values())
    roles: dict[int, list[tuple[int, bool]]] = defaultdict(list)
    for i, (needed, unless, _) in enumerate(rows):
        for claim in needed | unless:
            roles[claim].append((i, claim in needed))
    items: dict[tuple[tuple[int, bool], ...], list[int]] = defaultdict(list)
    for claim in sorted(roles):
        items[tuple(roles[claim])].append(claim)
    item_of = {claim: min(group) for group in items.values() for claim in group}
    claims_of = {min(group): tuple(group) for group in items.values()}
    merged = [
        (frozenset(item_of[c] for c in needed), frozenset(item_of[c] for c in unless), g)
        for needed, unless, g in rows
    ]
    for component in components(merged):
        yield part_of(state.problem, [merged[i] for i in component], claims_of, groups)


def _ordered(
    family: frozenset[tuple[frozenset[int], frozenset[int]]],
) -> list[tuple[frozenset[int], frozenset[int]]]:
    return sorted(family, key=lambda pair: (sorted(pair[0]), sorted(pair[1])))


def components(rows: list[tuple[frozenset[int], frozenset[int], int]]) -> list[list[int]]:
    """Return the rows of each connected component, ordered by its lowest claim."""
    parent: dict[int, int] = {}

    def root(node: int) -> int:
        parent.setdefault(node, node)
        while parent[node] != node:
            parent[node] = parent[parent[node]]
            node = parent[node]
        return node

    anchor: dict[int, int] = {}
    for needed, unless, q in rows:
        nodes = sorted(needed | unless)
        first = root(anchor.setdefault(q, nodes[0]))
        for node in nodes:
            a, b = root(first), root(node)
            parent[max(a, b)] = min(a, b)
    found: dict[int, list[int]] = defaultdict(list)
    for i, (_, _, q) in enumerate(rows):
        found[root(anchor[q])].append(i)
    return [found[key] for key in sorted(found)]


def part_of(
    problem: Problem,
    rows: list[tuple[frozenset[int], frozenset[int], int]],
    claims_of: dict[int, tuple[int, ...]],
    groups: Sequence[Sequence[int]],
) -> Part:
    """Number the items and queries of *rows* anew; *claims_of* and *groups* say what stands behind them."""
    items = sorted({item for needed, unless, _ in rows for item in needed | unless})
    queries = sorted({q for _, _, q in rows})
    item_position = {item: i for i, item in enumerate(items)}
    query_position = {q: i for i, q in enumerate(queries)}
    return Part(
        costs=tuple(sum(problem.costs[c] for c in claims_of[item]) for item in items),
        supports=tuple(frozenset(item_position[i] for i in needed) for needed, _, _ in rows),
        unless=tuple(frozenset(item_position[i] for i in unless) for _, unless, _ in rows),
        owner=tuple(query_position[q] for _, _, q in rows),
        weights=tuple(sum(problem.weights[o] for o in groups[q]) for q in queries),
        claims=tuple(claims_of[item] for item in items),
        queries=tuple(tuple(groups[q]) for q in queries),
    )
