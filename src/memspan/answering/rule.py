"""A reading rule: which features count how much. A small file that a person can read."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from memspan.answering.again import LOOKS
from memspan.answering.features import MEASURES
from memspan.errors import Fault, FileError

Floats = npt.NDArray[np.float64]

VERSION = 0


@dataclass(frozen=True)
class Linear:
    """A weighted sum: ``bias`` + Σ weight · feature, the logit of a probability."""

    bias: float
    weights: Mapping[str, float]

    @property
    def names(self) -> tuple[str, ...]:
        """The features that count."""
        return tuple(self.weights)

    def logits(self, table: Floats) -> Floats:
        """Return the sum for each row of *table*, whose columns are `names`."""
        values: Floats = self.bias + table @ np.array(list(self.weights.values()), np.float64)
        return values


@dataclass(frozen=True)
class Side:
    """How one kind of question is read: with its answer known, or alone.

    Attributes:
        first: weights of the features of single items.
        again: weights of those features and of `LOOKS` for the best items; None leaves them as they are.
        threshold: probability from which an item counts as part of the support.
    """

    first: Linear
    again: Linear | None = None
    threshold: float = 0.5


@dataclass(frozen=True)
class ReaderRule:
    """Weights for questions whose answer is known, and for those where it is not.

    Attributes:
        name: as outputs name it.
        answered, asked: the two sides.
        embedder: name of the embedder whose cosines it weighs; None where it needs none.
        fitted_on: what its weights come from.
        reliability: how well it did, by side, on materials it was not fitted on.
    """

    name: str
    answered: Side
    asked: Side
    embedder: str | None = None
    fitted_on: str = ""
    reliability: Mapping[str, Mapping[str, float]] = field(default_factory=dict)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the rule as JSON to *path*, whole or not at all.

        Raises:
            FileError: the disk refuses.
        """
        target = Path(path)
        beside = target.with_name(f".{target.name}.tmp")
        try:
            beside.write_text(json.dumps(_document(self), indent=1) + "\n", encoding="utf-8")
            beside.replace(target)
        except OSError as error:
            problem = f"cannot be written: {error.strerror or error}"
            raise FileError(str(target), [Fault("", "", problem)]) from error

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> ReaderRule:
        """Read a rule that `save` wrote.

        Raises:
            FileError: no such file, no such rule, or a feature that this version does not know.
        """
        name = os.fspath(path)
        try:
            return _rule(json.loads(Path(path).read_text(encoding="utf-8")), name)
        except OSError as error:
            raise _refused(name, f"cannot be read: {error.strerror or error}") from error
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            problem = f"is no reading rule ({error!r}); make one with: memspan train reader"
            raise _refused(name, problem) from error


@cache
def shipped() -> ReaderRule:
    """Return the rule that comes with memspan; see docs/how-to/text.md for where it comes from."""
    place = files("memspan.answering") / "shipped.json"
    return _rule(json.loads(place.read_text(encoding="utf-8")), "shipped.json")


def _refused(path: str, problem: str) -> FileError:
    return FileError(path, [Fault("", "", problem)])


def _document(rule: ReaderRule) -> dict[str, Any]:
    return {
        "memspan_reader": VERSION,
        "name": rule.name,
        "embedder": rule.embedder,
        "fitted_on": rule.fitted_on,
        "reliability": {side: dict(found) for side, found in rule.reliability.items()},
        "answered": _side_document(rule.answered),
        "asked": _side_document(rule.asked),
    }


def _side_document(side: Side) -> dict[str, Any]:
    def linear(given: Linear) -> dict[str, Any]:
        return {"bias": given.bias, "weights": dict(given.weights)}

    again = linear(side.again) if side.again else None
    return {"threshold": side.threshold, "first": linear(side.first), "again": again}


def _rule(raw: Any, path: str) -> ReaderRule:
    if raw["memspan_reader"] != VERSION:
        problem = f"is of version {raw['memspan_reader']}; this memspan reads version {VERSION}"
        raise _refused(path, problem)
    return ReaderRule(
        str(raw["name"]),
        _side(raw["answered"], path),
        _side(raw["asked"], path),
        raw["embedder"],
        str(raw["fitted_on"]),
        raw["reliability"],
    )


def _side(raw: Any, path: str) -> Side:
    again = _linear(raw["again"], path, (*MEASURES, *LOOKS)) if raw["again"] else None
    return Side(_linear(raw["first"], path, tuple(MEASURES)), again, float(raw["threshold"]))


def _linear(raw: Any, path: str, known: Sequence[str]) -> Linear:
    strange = [name for name in raw["weights"] if name not in known]
    if strange:
        raise _refused(path, f"weighs {strange[0]!r}, a feature that this version does not know; fit it anew")
    return Linear(float(raw["bias"]), {name: float(value) for name, value in raw["weights"].items()})
