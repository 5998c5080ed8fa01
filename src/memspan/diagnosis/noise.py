"""Judges err."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class JudgeNoise:
    """How a judge errs: shares of wrong answers called right, and of right ones called wrong."""

    false_right: float
    false_wrong: float
