"""How composed relations are named, so that what is generated and what is asked for meet.

>>> along("director", "place of birth")
"director's place of birth"
>>> earlier("date of birth"), same("country"), other("country")
('earlier date of birth than', 'same country as', 'other country than')
"""

from __future__ import annotations

LIFETIME = "lifetime"
"""How long somebody lived."""


def along(*relations: str) -> str:
    """Return the name of following *relations* one after another."""
    return "'s ".join(relations)


def earlier(relation: str) -> str:
    """Return what holds from x to y where the date or number that is *relation* of x comes first."""
    return f"earlier {relation} than"


def same(relation: str) -> str:
    """Return what holds between two that share a value of *relation*."""
    return f"same {relation} as"


def other(relation: str) -> str:
    """Return what holds between two whose values of *relation* differ."""
    return f"other {relation} than"


def steps(relation: str) -> tuple[str, ...]:
    """Return the relations that `along` put together.

    >>> steps("director's place of birth")
    ('director', 'place of birth')
    """
    return tuple(relation.split("'s "))
