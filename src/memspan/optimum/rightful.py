"""The problem behind the utility ``right``: a query counts while it is answered, and by nothing wrongly.

A wrong support fails where one of its claims is missing or one of its defeaters is held. So each
support of a query is spelled out once per way in which every wrong one fails: the missing claims
become defeaters, the held defeaters become claims. What remains is an ordinary problem.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace

from memspan.coverage.arrays import Coverage
from memspan.errors import ShapeError
from memspan.optimum.problem import Ints, Problem, problem_of

MOST_WAYS = 1_000  # of one query
Way = tuple[frozenset[int], frozenset[int]]


def right_problem(coverage: Coverage, costs: Ints) -> Problem:
    """Read the problem of answering rightly off a compiled material.

    Raises:
        ShapeError: so many wrong supports of one query that spelling them out takes too long.
    """
    problem = problem_of(coverage, costs)
    if coverage.wrong is None:
        return problem
    wrong: dict[str, list[Way]] = defaultdict(list)
    fails = problem_of(coverage.wrong, costs)
    for needed, unless, q in zip(fails.supports, fails.unless, fails.owner, strict=True):
        wrong[coverage.wrong.queries[q]].append((needed, unless))
    rows: dict[int, list[Way]] = defaultdict(list)
    for needed, unless, q in zip(problem.supports, problem.unless, problem.owner, strict=True):
        rows[q].append((needed, unless))
    ways = [
        (needed, unless, q)
        for q, own in rows.items()
        for needed, unless in _spelled(coverage.queries[q], own, wrong[coverage.queries[q]])
    ]
    supports, unlesses, owner = zip(*ways, strict=True) if ways else ((), (), ())
    return replace(problem, supports=supports, unless=unlesses, owner=owner)


def _spelled(query: str, ways: list[Way], wrong: list[Way]) -> list[Way]:
    """Return the ways to answer without any of *wrong*."""
    for needed, unless in wrong:
        ways = _minimal([each for way in ways for each in _failing(way, needed, unless)])
        if len(ways) > MOST_WAYS:
            raise ShapeError(
                f"query {query!r} can be answered rightly in more than {MOST_WAYS:,} ways; "
                "give fewer wrong supports, or ask for the utility coverage"
            )
    return ways


def _failing(way: Way, needed: frozenset[int], unless: frozenset[int]) -> list[Way]:
    """Return the ways in which *way* holds and the wrong support (*needed*, *unless*) does not."""
    held, missing = way
    if needed & missing or unless & held:
        return [way]
    return [
        *((held, missing | {claim}) for claim in sorted(needed - held)),
        *((held | {claim}, missing) for claim in sorted(unless - missing)),
    ]


def _minimal(ways: list[Way]) -> list[Way]:
    """Leave out each way that another one, asking for less, makes idle."""
    distinct = sorted(dict.fromkeys(ways), key=lambda way: len(way[0]) + len(way[1]))
    kept: list[Way] = []
    for held, missing in distinct:
        if not any(other[0] <= held and other[1] <= missing for other in kept):
            kept.append((held, missing))
    return kept
