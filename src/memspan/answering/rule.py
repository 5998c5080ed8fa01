"""A reading rule: which features count how much. A small file that a person can read."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from memspan.answering.linear import Linear
from memspan.answering.rule_file import document_in
from memspan.files import replace_file

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Side:
    """How one kind of question is read: with its answer known, or alone.

    Attributes:
        first: weights of the features of single items.
        again: weights of those features and of `LOOKS` for the best items; None leaves them as they are.
    """

    first: Linear
    again: Linear | None = None


@dataclass(frozen=True)
class ReaderRule:
    """Weights for questions whose answer is known, and for those where it is not.

    Attributes:
        name: as outputs name it.
        answered, asked: the two sides.
        embedder: name of the embedder whose cosines it weighs; None where it needs none.
        fitted_on: what its weights come from.
        measured_on: questions that it was not fitted on.
        reliability: how well it did on those, by side.
    """

    name: str
    answered: Side
    asked: Side
    embedder: str | None = None
    fitted_on: str = ""
    measured_on: str = ""
    reliability: Mapping[str, Mapping[str, float]] = field(default_factory=dict)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the rule as JSON to *path*, whole or not at all.

        Raises:
            FileError: the disk refuses, or `load` would: a weight that is no number, an unknown feature.
        """
        replace_file(Path(path), [_document(self, os.fspath(path))])

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> ReaderRule:
        """Read a rule that `save` wrote.

        Raises:
            FileError: no such file, no such rule, or a feature that this version does not know.
        """
        return _rule(document_in(path, "memspan train reader"), os.fspath(path))


@cache
def shipped() -> ReaderRule:
    """Return the rule that comes with memspan; see docs/how-to/text.md for where it comes from."""
    text = (files("memspan.answering") / "shipped.json").read_text(encoding="utf-8")
    return _rule(json.loads(text), "shipped.json")


def _document(rule: ReaderRule, path: str) -> str:
    from memspan.answering.rule_form import READER, filled

    return filled({READER.field: READER.version, **asdict(rule)}, path).model_dump_json(indent=1) + "\n"


def _rule(raw: Any, path: str) -> ReaderRule:
    from memspan.answering.rule_form import filled

    form = filled(raw, path).model_dump(exclude={"memspan_reader"})
    answered, asked = _side(form.pop("answered")), _side(form.pop("asked"))
    return ReaderRule(answered=answered, asked=asked, **form)


def _side(form: dict[str, Any]) -> Side:
    again = Linear(**form["again"]) if form["again"] else None
    return Side(Linear(**form["first"]), again)
