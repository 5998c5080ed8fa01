"""Settled queries to belief in what is true: which claims, which supports, which memory."""

from memspan.trust.choosing import (
    BelievedCurve,
    Chosen,
    believed,
    believed_curve,
    known_beliefs,
    optimistic,
    oracle_share,
)

__all__ = [
    "BelievedCurve",
    "Chosen",
    "believed",
    "believed_curve",
    "known_beliefs",
    "optimistic",
    "oracle_share",
]
