"""The file of a reading rule: what it must hold, checked whole."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel, ConfigDict, FiniteFloat, ValidationError

from memspan.answering.again import LOOKS
from memspan.answering.features import features_for
from memspan.errors import Fault, FileError

VERSION = 0
_CURE = "make one with: memspan train reader"
_SHOWN = 60  # characters of what was seen


class _Form(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")


class LinearForm(_Form):
    """A weighted sum."""

    bias: FiniteFloat
    weights: dict[str, FiniteFloat]


class SideForm(_Form):
    """How one kind of question is read."""

    first: LinearForm
    again: LinearForm | None


class RuleForm(_Form):
    """A whole rule."""

    memspan_reader: int
    name: str
    embedder: str | None
    fitted_on: str
    measured_on: str
    reliability: dict[str, dict[str, FiniteFloat]]
    answered: SideForm
    asked: SideForm


def filled(raw: Any, path: str) -> RuleForm:
    """Return the JSON document *raw*, found at *path*, as a form.

    Raises:
        FileError: it is no rule, or one that this version cannot apply; every fault is in it.
    """
    if not isinstance(raw, dict) or "memspan_reader" not in raw:
        raise FileError(path, [Fault("", "", f"is no reading rule; {_CURE}")])
    if raw["memspan_reader"] != VERSION:
        seen = f"is of version {raw['memspan_reader']}; this memspan reads version {VERSION}; {_CURE}"
        raise FileError(path, [Fault("", "", seen)])
    try:
        form = RuleForm.model_validate(raw)
    except ValidationError as error:
        raise FileError(path, list(_faults(error))) from error
    strange = [
        *_strange(form.answered, "answered", form.embedder),
        *_strange(form.asked, "asked", form.embedder),
    ]
    if strange:
        raise FileError(path, strange)
    return form


def _faults(error: ValidationError) -> Iterator[Fault]:
    for each in error.errors(include_url=False):
        allowed = each["msg"][0].lower() + each["msg"][1:]
        seen = f"is {each['input']!r:.{_SHOWN}}; {allowed}" if each["type"] != "missing" else "is missing"
        yield Fault(".".join(map(str, each["loc"])), "", seen)


def _strange(side: SideForm, name: str, embedder: str | None) -> Iterator[Fault]:
    """Yield the features that no question of this side has."""
    alone = features_for(answered=name == "answered", embedded=embedder is not None)
    for part, linear, known in (("first", side.first, alone), ("again", side.again, (*alone, *LOOKS))):
        for feature in linear.weights if linear else ():
            if feature not in known:
                yield Fault(f"{name}.{part}.weights", feature, f"is no feature known here; {_CURE}")
