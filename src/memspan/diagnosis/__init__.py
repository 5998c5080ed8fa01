"""A memory system against the frontier: where it stands, and what exactly it loses."""

from memspan.diagnosis.evaluating import Terms, evaluate
from memspan.diagnosis.evaluation import Evaluation, Standing
from memspan.diagnosis.interval import Interval
from memspan.diagnosis.noise import JudgeNoise
from memspan.diagnosis.point import STAGES, Point
from memspan.diagnosis.waterfall import Waterfall

__all__ = [
    "STAGES",
    "Evaluation",
    "Interval",
    "JudgeNoise",
    "Point",
    "Standing",
    "Terms",
    "Waterfall",
    "evaluate",
]
