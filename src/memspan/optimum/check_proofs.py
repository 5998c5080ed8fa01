"""The checker's third part: shares, fixings, reductions and search trees, in Python integers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence

from memspan.optimum.certificates import Fixing, Leaf, Proof, Reduction, Sharing, Tree
from memspan.optimum.exact import Solution
from memspan.optimum.problem import Part, Problem
from memspan.optimum.shares import Shares

CheckSolution = Callable[[Problem, Solution], Iterator[str]]


def shares_fault(part: Part, shares: Shares) -> str:
    """Shares are one number >= 0 per entry, in a positive scale."""
    size = sum(len(support) for support in part.supports)
    if shares.scale <= 0 or len(shares.values) != size or (shares.values < 0).any():
        return "shares are negative, or not one per entry"
    return ""


def collected(part: Part, shares: Shares, fixed: Mapping[int, bool]) -> tuple[int, list[int]]:
    """Return the rest that is free and what each item collects, in the shares' scale."""
    values = shares.values.tolist()
    items = [0] * len(part.costs)
    rest: dict[int, int] = defaultdict(int)
    at = 0
    for needed, q in zip(part.supports, part.owner, strict=True):
        own = list(zip(sorted(needed), values[at : at + len(needed)], strict=True))
        at += len(needed)
        if any(fixed.get(item) is False for item in needed):
            continue
        rest[q] = max(rest[q], part.weights[q] * shares.scale - sum(share for _, share in own))
        for item, share in own:
            items[item] += share
    return sum(rest.values()), items


def purchases(worth: Sequence[tuple[int, int]], top: int) -> list[int]:
    """Return the most that (worth, cost) pairs, bought by the piece, are worth at each capacity 0..top."""
    best = [sum(value for value, cost in worth if cost == 0)]
    dear = sorted(
        (pair for pair in worth if pair[1] > 0), key=lambda pair: (pair[0] << 64) // pair[1], reverse=True
    )
    full = best[0]
    for value, cost in dear:
        for step in range(1, cost + 1):
            if len(best) > top:
                return best
            best.append(full + -(-value * step // cost))
        full += value
    return best + [best[-1]] * (top + 1 - len(best))


def leaf_bound(part: Part, leaf: Leaf, capacity: int) -> int:
    """Return the bound that a leaf's shares prove for memories that agree with it; -1 where none fits."""
    left = capacity - sum(part.costs[item] for item, held in leaf.fixed.items() if held)
    if left < 0:
        return -1
    rest, items = collected(part, leaf.shares, leaf.fixed)
    held = sum(items[item] for item, is_held in leaf.fixed.items() if is_held)
    free = [(items[item], part.costs[item]) for item in range(len(items)) if item not in leaf.fixed]
    return (rest + held + purchases(free, left)[-1]) // leaf.shares.scale


def fixing_fault(part: Part, fixing: Fixing) -> str:
    """Deciding any fixed item otherwise must keep the bound at what was already reached."""
    fault = shares_fault(part, fixing.shares)
    if fault or fixing.price < 0:
        return fault or "a price is negative"
    rest, items = collected(part, fixing.shares, {})
    slack = [item - fixing.price * cost for item, cost in zip(items, part.costs, strict=True)]
    whole = rest + fixing.capacity * fixing.price + sum(max(0, value) for value in slack)
    for item, held in fixing.fixed.items():
        otherwise = whole - max(0, slack[item]) if held else whole + min(0, slack[item])
        if otherwise // fixing.shares.scale > fixing.reached:
            return f"item {item} is fixed although deciding it otherwise may do better"
    return ""


def cover_fault(leaves: Sequence[Mapping[int, bool]], fixed: Mapping[int, bool]) -> str:
    """The leaves must cover every memory that agrees with *fixed*."""
    if any(leaf.items() <= fixed.items() for leaf in leaves):
        return ""
    shared = (
        set.intersection(*({item for item in leaf if item not in fixed} for leaf in leaves))
        if leaves
        else set()
    )
    if not shared:
        return "the tree's leaves leave memories uncovered"
    item = min(shared)
    for held in (True, False):
        fault = cover_fault([leaf for leaf in leaves if leaf[item] is held], {**fixed, item: held})
        if fault:
            return fault
    return ""


def searched_faults(
    part: Part, upper: Sequence[int], proofs: Sequence[Proof], check: CheckSolution
) -> Iterator[str]:
    """Hold *upper* against the best bound that valid *proofs* give at each capacity or above it."""
    top = len(upper) - 1
    proven = [sum(part.weights)] * (top + 1)
    checked: dict[int, list[str]] = {}
    for proof in proofs:
        if isinstance(proof, Sharing):
            faults = [shares_fault(part, proof.shares)]
            if not faults[0]:
                rest, items = collected(part, proof.shares, {})
                collect = purchases(list(zip(items, part.costs, strict=True)), top)
                proven = [
                    min(p, (rest + c) // proof.shares.scale) for p, c in zip(proven, collect, strict=True)
                ]
        else:
            bound, faults = _bound_at(part, proof, checked, check)
            capacity = proof.fixing.capacity
            proven[capacity] = min(proven[capacity], bound)
        yield from (fault for fault in faults if fault)
    for capacity in range(top - 1, -1, -1):
        proven[capacity] = min(proven[capacity], proven[capacity + 1])
    for capacity, (claimed, bound) in enumerate(zip(upper, proven, strict=True)):
        if claimed < bound:
            yield f"at capacity {capacity} the bound is {claimed}, the certificates prove {bound}"


def _bound_at(
    part: Part, proof: Reduction | Tree, checked: dict[int, list[str]], check: CheckSolution
) -> tuple[int, list[str]]:
    """Return the bound that *proof* gives at its capacity, and what is wrong with it."""
    fixing = proof.fixing
    faults = [fixing_fault(part, fixing)]
    if isinstance(proof, Tree):
        faults += [shares_fault(part, leaf.shares) for leaf in proof.leaves]
        faults.append(cover_fault([leaf.fixed for leaf in proof.leaves], fixing.fixed))
        leaves = [] if any(faults) else [leaf_bound(part, leaf, fixing.capacity) for leaf in proof.leaves]
        return max([fixing.reached, *leaves]), faults
    solution = proof.solution
    if id(solution) not in checked:
        checked[id(solution)] = list(check(solution.problem, solution))
    faults += checked[id(solution)]
    if not _is_remainder(solution.problem, part, fixing.fixed):
        faults.append("the problem solved is not what the fixed items leave")
    left = fixing.capacity - sum(part.costs[item] for item, held in fixing.fixed.items() if held)
    upper = solution.curve.upper
    inner = int(upper[min(left, len(upper) - 1)]) if left >= 0 else -1
    return max(fixing.reached, inner), faults


def _is_remainder(problem: Problem, part: Problem, fixed: Mapping[int, bool]) -> bool:
    """Tell whether *problem* is what is left of *part* once items are fixed, the free ones renumbered."""
    free = [item for item in range(len(part.costs)) if item not in fixed]
    number = {item: i for i, item in enumerate(free)}
    left = [
        (frozenset(number[item] for item in needed if item in number), q)
        for needed, q in zip(part.supports, part.owner, strict=True)
        if not any(fixed.get(item) is False for item in needed)
    ]
    return (
        left == list(zip(problem.supports, problem.owner, strict=True))
        and problem.costs == tuple(part.costs[item] for item in free)
        and problem.weights == part.weights
        and problem.monotone
    )
