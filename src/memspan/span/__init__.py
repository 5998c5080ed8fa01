"""Claims, a generation operator and answerability to a material with supports."""

from memspan.span.drawing import draw, is_uncertain
from memspan.span.estimate import Estimate, estimate
from memspan.span.expected import Expectation
from memspan.span.finding import CHANCES, READER, find_supports, needs_supports, span_of

__all__ = [
    "CHANCES",
    "READER",
    "Estimate",
    "Expectation",
    "draw",
    "estimate",
    "find_supports",
    "is_uncertain",
    "needs_supports",
    "span_of",
]
