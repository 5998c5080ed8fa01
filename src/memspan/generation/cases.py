"""Supports of whatever a procedure works out: every way its look-ups can turn out, as claims and defeaters.

Some knowledge is easier to work out than to write as rules: where a thing is now, what is left after
gains and losses. Such a procedure asks, one claim after another, whether the claim is held. Trying both
answers at each look-up, the likely ways first, gives every combination of held and missing claims that
leads to a result: exactly the supports with `unless` of a Φ that need not be monotone.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import count

from memspan.material import Support

Held = Callable[[str], bool]
"""Whether the claim of that id is held."""
Procedure = Callable[[Held], str | None]
"""Works out a result from what is held; None where it cannot tell."""

Fixed = Mapping[str, bool]
PATIENCE = 32  # ways that are tried to show that a look-up is not needed; it is kept where they run out
_Literals = tuple[tuple[str, ...], tuple[str, ...]]


@dataclass(frozen=True)
class Cases:
    """All supports of all results of one procedure.

    Attributes:
        supports: result to its alternative supports, each claim and defeater in it needed.
        left: share of all memories, each claim held by the toss of a coin, that was not looked into;
            0 where no cap was hit.
    """

    supports: Mapping[str, tuple[Support, ...]]
    left: float = 0.0


def cases(procedure: Procedure, most: int = 256) -> Cases:
    """Return the supports of every result of *procedure*; at most *most* ways are followed.

    >>> def where(held):  # the later move counts
    ...     return "Faro" if held("late") else "Porto" if held("early") else None
    >>> cases(where).supports
    {'Faro': (Support(claims=('late',), ...), 'Porto': (Support(claims=('early',), unless=('late',), ...)}
    """
    found: dict[str, set[_Literals]] = {}
    seen = 0.0
    for number, (result, path) in enumerate(_ways(procedure, {})):
        if number == most:
            return Cases(_sorted(found), 1.0 - seen)
        seen += 0.5 ** len(path)
        if result is not None:
            found.setdefault(result, set()).add(_literals(_needed(procedure, result, path)))
    return Cases(_sorted(found))


def _ways(procedure: Procedure, fixed: Fixed) -> Iterator[tuple[str | None, dict[str, bool]]]:
    """Yield results with the look-ups beyond *fixed* that led to them, those of few look-ups first."""
    ticket = count()
    waiting: list[tuple[int, int, dict[str, bool]]] = [(0, next(ticket), {})]
    while waiting:
        _, _, path = heapq.heappop(waiting)
        start = len(path)

        def held(claim: str, path: dict[str, bool] = path) -> bool:
            return fixed[claim] if claim in fixed else path.setdefault(claim, True)

        result = procedure(held)
        yield result, path
        decided = list(path.items())
        for i in range(start, len(decided)):
            other = dict(decided[:i])
            other[decided[i][0]] = False
            heapq.heappush(waiting, (len(other), next(ticket), other))


def _needed(procedure: Procedure, result: str, path: Fixed) -> Fixed:
    """Drop the look-ups of *path* without which *result* is certain all the same: absences first."""
    kept = dict(path)
    for claim in sorted(path, key=path.__getitem__):
        if _certain(procedure, result, {**kept, claim: not path[claim]}):
            del kept[claim]
    return kept


def _certain(procedure: Procedure, result: str, fixed: Fixed) -> bool:
    """Tell whether *procedure* always comes to *result*; where there are too many ways, it is not certain."""
    for number, (other, _) in enumerate(_ways(procedure, fixed)):
        if other != result or number == PATIENCE:
            return False
    return True


def _literals(path: Fixed) -> _Literals:
    return (
        tuple(claim for claim, held in path.items() if held),
        tuple(claim for claim, held in path.items() if not held),
    )


def _sorted(found: Mapping[str, set[_Literals]]) -> dict[str, tuple[Support, ...]]:
    return {
        result: tuple(
            Support(*literals) for literals in sorted(ways, key=lambda way: (len(way[0]), len(way[1]), way))
        )
        for result, ways in found.items()
    }
