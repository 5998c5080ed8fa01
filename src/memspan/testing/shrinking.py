"""The smallest claims that still break a law, and claims drawn from a strategy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from memspan.material import Claim

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

    Claims = SearchStrategy[Sequence[Claim]]

_TRIES = 200  # lists that Hypothesis draws to break a law again, before it makes them simpler
Breaks = Callable[[Sequence[Claim]], bool]


def smallest(claims: Sequence[Claim], breaks: Breaks) -> tuple[Claim, ...]:
    """Return a part of *claims* that still breaks, none of whose claims can be left out.

    Source: Zeller and Hildebrandt, *Simplifying and Isolating Failure-Inducing Input*, 2002,
    in its short form: cut out ever smaller pieces.
    """
    left = tuple(claims)
    size = max(len(left) // 2, 1)
    while True:
        before, at = len(left), 0
        while at < len(left):
            fewer = left[:at] + left[at + size :]
            if breaks(fewer):
                left = fewer
            else:
                at += size
        if size == 1 and len(left) == before:
            return left
        size = max(size // 2, 1)


def drawn(strategy: Claims, examples: int) -> list[tuple[Claim, ...]]:
    """Return *examples* lists of claims, the same each time."""
    from hypothesis import Phase, given, settings

    lists: list[tuple[Claim, ...]] = []

    @settings(_quiet(examples), phases=[Phase.generate])
    @given(strategy)
    def collect(claims: Sequence[Claim]) -> None:
        lists.append(tuple(claims))

    collect()
    return lists


def simplest(strategy: Claims, breaks: Breaks, known: Sequence[Claim]) -> Sequence[Claim]:
    """Return the simplest claims that Hypothesis finds to break, or the *known* ones where it finds none."""
    from hypothesis import find
    from hypothesis.errors import HypothesisException

    try:
        found = find(strategy, breaks, settings=_quiet(_TRIES))
    except HypothesisException:  # breaks now and then, or only beyond so many examples
        return known
    return found if len(found) <= len(known) else known


def _quiet(examples: int) -> Any:
    """Return settings that keep no files and complain of nothing but the law."""
    from hypothesis import HealthCheck, settings

    return settings(
        max_examples=examples,
        database=None,
        deadline=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
    )
