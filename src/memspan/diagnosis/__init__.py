"""A memory system against the frontier: where it stands, and what exactly it loses."""

from memspan.diagnosis.advice import Advice, advise
from memspan.diagnosis.association import Association, association
from memspan.diagnosis.evaluating import Terms, evaluate
from memspan.diagnosis.evaluation import Evaluation, Standing
from memspan.diagnosis.noise import JudgeNoise, corrected, measured_noise
from memspan.diagnosis.point import STAGES, Point
from memspan.diagnosis.trusted import Reliability, Trusted
from memspan.diagnosis.waterfall import Waterfall
from memspan.intervals import Interval, clustered_bootstrap

__all__ = [
    "STAGES",
    "Advice",
    "Association",
    "Evaluation",
    "Interval",
    "JudgeNoise",
    "Point",
    "Reliability",
    "Standing",
    "Terms",
    "Trusted",
    "Waterfall",
    "advise",
    "association",
    "clustered_bootstrap",
    "corrected",
    "evaluate",
    "measured_noise",
]
