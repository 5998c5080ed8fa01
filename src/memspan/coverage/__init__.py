"""A material compiled to arrays, and the utilities over it."""

from memspan.coverage.arrays import Coverage, Memory, compile_material
from memspan.coverage.harm import Harm, harm, harm_weights
from memspan.coverage.utilities import (
    SpanGap,
    covered,
    covered_weight,
    expected_precision,
    gains,
    inflation,
    span_gap,
    u_cov,
    u_prec,
)
from memspan.coverage.weights import Weights, exact_weights

__all__ = [
    "Coverage",
    "Harm",
    "Memory",
    "SpanGap",
    "Weights",
    "compile_material",
    "covered",
    "covered_weight",
    "exact_weights",
    "expected_precision",
    "gains",
    "harm",
    "harm_weights",
    "inflation",
    "span_gap",
    "u_cov",
    "u_prec",
]
