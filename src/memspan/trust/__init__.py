"""Settled queries to belief in what is true: which claims, which supports, which memory."""

from memspan.trust.alarms import Alarm
from memspan.trust.calibration import Bin, Calibration, auc, brier, calibration, ece, log_loss, reliability
from memspan.trust.choosing import (
    BelievedCurve,
    Chosen,
    believed,
    believed_curve,
    known_beliefs,
    optimistic,
    oracle_share,
)
from memspan.trust.doubt import Doubts, doubts
from memspan.trust.engine import Refit
from memspan.trust.measured import MeasuredNoise, MeasuredRate, estimate_noise
from memspan.trust.model import TrustModel
from memspan.trust.noise import Noise, Rate
from memspan.trust.terms import VOTES, Terms
from memspan.trust.trusts import Tau, Trust

__all__ = [
    "VOTES",
    "Alarm",
    "BelievedCurve",
    "Bin",
    "Calibration",
    "Chosen",
    "Doubts",
    "MeasuredNoise",
    "MeasuredRate",
    "Noise",
    "Rate",
    "Refit",
    "Tau",
    "Terms",
    "Trust",
    "TrustModel",
    "auc",
    "believed",
    "believed_curve",
    "brier",
    "calibration",
    "doubts",
    "ece",
    "estimate_noise",
    "known_beliefs",
    "log_loss",
    "optimistic",
    "oracle_share",
    "reliability",
]
