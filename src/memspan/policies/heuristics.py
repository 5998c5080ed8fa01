"""Plain ways to say what will be asked for: what a learned write rule is held against."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import numpy.typing as npt

from memspan.policies.traits import TRAITS

Floats = npt.NDArray[np.float64]

_PLACE = {name: i for i, name in enumerate(TRAITS)}


def first(table: Floats) -> Floats:
    """Score claims by age: the first are kept."""
    return -np.arange(len(table), dtype=np.float64)


def recency(table: Floats) -> Floats:
    """Score claims by age: the last are kept."""
    return np.arange(len(table), dtype=np.float64)


def length(table: Floats) -> Floats:
    """Score claims by their number of words."""
    return _counted(table, "words")


def mass(table: Floats) -> Floats:
    """Score claims by the tf-idf mass of their stems."""
    return _counted(table, "mass")


def importance(table: Floats) -> Floats:
    """Score claims by surface cues: digits, capitals, words of time, and .3 of their length, in deviations.

    >>> table = np.zeros((2, len(TRAITS)))
    >>> table[1, _PLACE["numbers"]] = 1
    >>> bool(np.diff(importance(table)) > 0)
    True
    """
    timed = _counted(table, "times") + _counted(table, "dates")
    cues = (_counted(table, "numbers"), _counted(table, "capitals"), timed, _counted(table, "words"))
    weights = (1.0, 1.0, 1.0, 0.3)
    scores: Floats = np.sum([w * _standard(cue) for w, cue in zip(weights, cues, strict=True)], axis=0)
    return scores


def _counted(table: Floats, name: str) -> Floats:
    """Return the count behind a trait that is its logarithm."""
    counts: Floats = np.expm1(table[:, _PLACE[name]])
    return counts


def _standard(values: Floats) -> Floats:
    if not len(values):
        return values
    spread = values.std()
    standard: Floats = (values - values.mean()) / (spread if spread > 0 else 1.0)
    return standard


HEURISTICS: Mapping[str, Callable[[Floats], Floats]] = {
    "recency": recency,
    "first": first,
    "length": length,
    "tf-idf mass": mass,
    "importance": importance,
}
"""The heuristics by name: a table of traits to one score for each claim."""
