"""Materials and streams of outcomes for the laws of trust, as Hypothesis draws them."""

from __future__ import annotations

from hypothesis import strategies as st

from memspan.material import Claim, Settlement
from memspan.trust import Noise, Rate, Terms

NAMES = tuple("abcdef")
UNTRUSTED = ("x", "y")


@st.composite
def claims_of(draw, names=NAMES):
    """Claims with sources and links of all kinds; some link to themselves, or twice."""
    some = st.lists(st.sampled_from(names), max_size=2).map(tuple)
    return [
        Claim(
            name,
            source=draw(st.sampled_from([None, "s", "t"])),
            supersedes=draw(some),
            contradicts=draw(some),
            corroborates=draw(some),
        )
        for name in names
    ]


terms = st.builds(
    Terms,
    drift=st.sampled_from([1.0, 0.9, 0.5]),
    learned=st.booleans(),
    base=st.sampled_from([0.5, 0.8]),
    cap=st.sampled_from([2.0, 6.0]),
    settlers=st.sampled_from([{}, {"a": Noise(Rate(1, 4), Rate(2, 30))}]),
)
settlements = st.builds(
    Settlement,
    query=st.sampled_from(["q", "r"]),
    correct=st.sampled_from([0, 1, 0.3]),
    claims=st.lists(st.sampled_from(NAMES), min_size=1, max_size=4, unique=True).map(tuple),
    settler=st.sampled_from([None, "a", *UNTRUSTED]),
    weight=st.sampled_from([1, 1, 0.5, 3, 0]),
)
streams = st.lists(settlements, max_size=25)


def dated(stream, days):
    """Give each outcome of *stream* the day it was settled on; None leaves one without."""
    return [
        Settlement(
            each.query,
            each.correct,
            each.claims,
            each.settler,
            None if day is None else f"2024-01-{day:02d}",
            each.weight,
        )
        for each, day in zip(stream, days, strict=True)
    ]
