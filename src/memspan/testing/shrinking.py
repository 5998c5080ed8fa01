"""The smallest claims that still break a law, and claims drawn from a strategy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from memspan.material import Claim

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

    Claims = SearchStrategy[Sequence[Claim]]

_CALLS = 150  # lists that Hypothesis tries, to break a law again and then on simpler claims
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
    """Return the simplest claims that Hypothesis finds to break, at most as many as the *known* ones."""
    from hypothesis import find
    from hypothesis.errors import HypothesisException

    calls, best = 0, known

    def breaks_anew(claims: Sequence[Claim]) -> bool:
        nonlocal calls, best
        calls += 1
        if calls > _CALLS:
            raise _Enough
        broken = breaks(claims)
        if broken and len(claims) <= len(best):
            best = claims
        return broken

    with suppress(HypothesisException, _Enough):  # also where it breaks now and then, or never again
        find(strategy, breaks_anew, settings=_quiet(_CALLS))
    return best


class _Enough(BaseException):
    """Ends the search; no Exception, which Hypothesis would take for one more failure to explain."""


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
