"""Supports without the superfluous ones: what is entailed stays the same."""

from __future__ import annotations

from collections.abc import Iterable

from memspan.material import Support


def minimal(supports: Iterable[Support]) -> tuple[Support, ...]:
    """Return the *supports* that no other makes superfluous, shortest first, else in the order given.

    One support makes another superfluous where it holds whenever the other does (its claims and its
    `unless` are parts of the other's) and is no less probable. A support that defeats itself is
    superfluous too.

    >>> a, b = Support(("a",)), Support(("a", "b"))
    >>> minimal([b, a]) == (a,)
    True
    >>> late = Support(("a",), unless=("c",))
    >>> [each.claims for each in minimal([b, late])]
    [('a',), ('a', 'b')]
    """
    kept: list[Support] = []
    able = (each for each in supports if not set(each.claims) & set(each.unless))
    for each in sorted(able, key=lambda s: (len(set(s.claims)), len(set(s.unless)), -_probability(s))):
        if not any(_spares(other, each) for other in kept):
            kept.append(each)
    return tuple(kept)


def _spares(one: Support, other: Support) -> bool:
    """Tell whether *one* makes *other* superfluous."""
    holds_whenever = set(one.claims) <= set(other.claims) and set(one.unless) <= set(other.unless)
    return holds_whenever and _probability(one) >= _probability(other)


def _probability(support: Support) -> float:
    return 1 if support.probability is None else support.probability
