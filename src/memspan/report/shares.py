"""Probabilities, their intervals and log-odds as text."""

from __future__ import annotations


def share(value: float) -> str:
    """Return a probability to two digits; only 0 and 1 themselves are shown as such.

    >>> share(0.123), share(0.001), share(0.9999)
    ('0.12', '< 0.01', '> 0.99')
    """
    if 0 < value < 0.005:
        return "< 0.01"
    return "> 0.99" if 0.995 <= value < 1 else f"{value:.2f}"


def span(lower: float, upper: float) -> str:
    """Return an interval of shares."""
    return f"{share(lower)} to {share(upper)}"


def pull(weight: float) -> str:
    """Return log-odds with their sign.

    >>> pull(-2.25), pull(0.4)
    ('−2.2', '+0.4')
    """
    return f"{'+' if weight >= 0 else '−'}{abs(weight):.1f}"  # noqa: RUF001 - a minus sign
