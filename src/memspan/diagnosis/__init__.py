"""What a memory system loses, measured: intervals, the noise of judges, what coverage predicts."""

from memspan.diagnosis.association import Association, association
from memspan.diagnosis.interval import Interval, clustered_bootstrap
from memspan.diagnosis.noise import JudgeNoise, corrected, measured_noise

__all__ = [
    "Association",
    "Interval",
    "JudgeNoise",
    "association",
    "clustered_bootstrap",
    "corrected",
    "measured_noise",
]
