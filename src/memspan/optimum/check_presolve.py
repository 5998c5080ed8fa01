"""The checker's first half: every reduction is replayed, and the parts are held against what is left.

Nothing here is shared with `presolve`; claims and supports are plain sets.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from memspan.optimum.presolve import Presolved, Step
from memspan.optimum.problem import Part, Problem

Support = tuple[frozenset[int], frozenset[int]]


def presolve_faults(problem: Problem, presolved: Presolved) -> Iterator[str]:
    """Yield what is wrong with the reduction of *problem* to *presolved*."""
    alive, base = _alive(problem)
    if base != presolved.base:
        yield f"{presolved.base} is said to need no claim; it is {base}"
    for number, step in enumerate(presolved.steps):
        problems = _apply(problem, alive, step)
        if problems:
            yield f"reduction {number} ({step.kind}) does not hold: {problems}"
    yield from _part_faults(problem, alive, presolved.parts)


def _alive(problem: Problem) -> tuple[dict[int, Support], int]:
    """Return the supports that matter, and the weight of the queries that need nothing.

    A claim that only defeats is never worth holding, so it defeats nothing.
    """
    weighty = [s for s, q in enumerate(problem.owner) if problem.weights[q] > 0]
    useful = {claim for s in weighty for claim in problem.supports[s]}
    alive = {s: (problem.supports[s], problem.unless[s] & useful) for s in weighty}
    free = {problem.owner[s] for s, (needed, unless) in alive.items() if not needed and not unless}
    kept = {s: support for s, support in alive.items() if problem.owner[s] not in free}
    return kept, sum(problem.weights[q] for q in free)


def _apply(problem: Problem, alive: dict[int, Support], step: Step) -> str:
    """Check *step* against the supports still alive, then carry it out; return what is wrong."""
    if step.kind == "swap":
        fault = _swap_fault(problem, alive, step.dropped, step.because)
        for s in [s for s, (needed, _) in alive.items() if step.dropped in needed]:
            del alive[s]
        return fault
    if step.kind not in ("inner", "cheaper"):
        return "it is of an unknown kind"
    if step.dropped not in alive or step.because not in alive or step.dropped == step.because:
        return "it names a support that is gone"
    fault = _dominance_fault(problem, alive, step)
    del alive[step.dropped]
    return fault


def _dominance_fault(problem: Problem, alive: Mapping[int, Support], step: Step) -> str:
    (needed, unless), (other, other_unless) = alive[step.dropped], alive[step.because]
    if problem.owner[step.dropped] != problem.owner[step.because]:
        return "the two supports answer different queries"
    if not other_unless <= unless:
        return "the support that stays is defeated by more"
    if step.kind == "inner":
        return "" if other <= needed else "the support that stays is not inside the one dropped"
    public = {claim for s, pair in alive.items() if s != step.dropped for claim in pair[0] | pair[1]} | unless
    own = needed - public
    others = {claim for s, pair in alive.items() if s != step.because for claim in pair[0] | pair[1]}
    private = other - others - other_unless
    if not other - private <= needed - own:
        return "the support that stays shares a claim that the dropped one lacks"
    cheaper = sum(problem.costs[c] for c in private) <= sum(problem.costs[c] for c in own)
    return "" if cheaper else "the support that stays has dearer private claims"


def _swap_fault(problem: Problem, alive: Mapping[int, Support], dropped: int, because: int) -> str:
    if any(unless for _, unless in alive.values()):
        return "claims are swapped although some defeat"
    if problem.costs[because] > problem.costs[dropped]:
        return "the claim that stays costs more"
    by_query: dict[int, list[frozenset[int]]] = defaultdict(list)
    for s, (needed, _) in alive.items():
        if dropped not in needed:
            by_query[problem.owner[s]].append(needed)
    for s, (needed, _) in alive.items():
        if dropped in needed:
            swapped = needed - {dropped} | {because}
            if not any(other <= swapped for other in by_query[problem.owner[s]]):
                return f"support {s} is not completed by the claim that stays"
    return ""


def _part_faults(problem: Problem, alive: Mapping[int, Support], parts: tuple[Part, ...]) -> Iterator[str]:
    """Hold the parts against the supports that are left: every query once, claims apart, costs right."""
    left: dict[int, set[Support]] = defaultdict(set)
    for s, support in alive.items():
        left[problem.owner[s]].add(support)
    seen_claims: set[int] = set()
    for number, part in enumerate(parts):
        claims = [claim for group in part.claims for claim in group]
        if len(set(claims)) != len(claims) or seen_claims & set(claims):
            yield f"part {number} shares claims with another part"
        seen_claims |= set(claims)
        if part.costs != tuple(sum(problem.costs[c] for c in group) for group in part.claims):
            yield f"part {number} has wrong costs"
        yield from _query_faults(problem, part, left, number)
    if left:
        yield f"{len(left)} queries are in no part"


def _query_faults(problem: Problem, part: Part, left: dict[int, set[Support]], number: int) -> Iterator[str]:
    supports: dict[int, set[Support]] = defaultdict(set)
    for needed, unless, q in zip(part.supports, part.unless, part.owner, strict=True):
        supports[q].add((frozenset(part.expand(needed)), frozenset(part.expand(unless))))
    for q, group in enumerate(part.queries):
        if part.weights[q] != sum(problem.weights[o] for o in group):
            yield f"part {number}, query {q}: its weight is not the sum of the queries merged"
        for original in group:
            if left.pop(original, None) != supports[q]:
                yield f"part {number}, query {q}: not the supports of query {original}"
