"""Shares as people type them."""

from __future__ import annotations


def shares_in(text: str) -> list[float]:
    """Return the shares in *text*, with commas between, decimal or per cent; none where one is neither.

    >>> shares_in("0.05, 10%"), shares_in("much")
    ([0.05, 0.1], [])
    """
    parts = [part.strip() for part in text.split(",")]
    try:
        return [float(part.removesuffix("%")) / (100 if part.endswith("%") else 1) for part in parts]
    except ValueError:
        return []
