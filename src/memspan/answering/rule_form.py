"""What the file of a fitted rule must hold, checked whole: what all rules share, and a reading rule."""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, Field, FiniteFloat, ValidationError

from memspan.answering.again import LOOKS
from memspan.answering.features import features_for
from memspan.errors import Fault, FileError

_SHOWN = 60  # characters of what was seen

Weight = Annotated[float, Field(allow_inf_nan=False, ge=-1e9, le=1e9)]
"""A weight: one beyond a thousand millions is a mistake, and sums of such would overflow."""


class Form(BaseModel):
    """Takes what it names and nothing else."""

    model_config = ConfigDict(strict=True, extra="forbid")


class LinearForm(Form):
    """A weighted sum."""

    bias: Weight
    weights: dict[str, Weight]


class OriginForm(Form):
    """What every fitted rule says of itself."""

    name: str
    embedder: str | None
    fitted_on: str
    measured_on: str
    reliability: dict[str, dict[str, FiniteFloat]]


FormT = TypeVar("FormT", bound=OriginForm)


@dataclass(frozen=True)
class Kind(Generic[FormT]):
    """A kind of rule and its files.

    Attributes:
        what: in messages, e.g. ``reading rule``.
        field: the field that holds the version, and tells the kind.
        version: the one that this memspan reads.
        verb: the command that makes such files.
        form: what a file must hold.
    """

    what: str
    field: str
    version: int
    verb: str
    form: type[FormT]

    @property
    def cure(self) -> str:
        """What to do about a file that cannot be used."""
        return f"make one with: {self.verb}"

    def filled(self, raw: Any, path: str) -> FormT:
        """Return the JSON document *raw*, found at *path*, as a form.

        Raises:
            FileError: it is no such rule; every fault is in it.
        """
        if not isinstance(raw, dict) or self.field not in raw:
            raise FileError(path, [Fault("", "", f"is no {self.what}; {self.cure}")])
        if raw[self.field] != self.version:
            seen = f"is of version {raw[self.field]}; this memspan reads version {self.version}; {self.cure}"
            raise FileError(path, [Fault("", "", seen)])
        try:
            return self.form.model_validate(raw)
        except ValidationError as error:
            raise FileError(path, list(_faults(error))) from error

    def strange(self, place: str, linear: LinearForm | None, known: Container[str]) -> Iterator[Fault]:
        """Yield the features weighed at *place* that are not *known*."""
        for feature in linear.weights if linear else ():
            if feature not in known:
                yield Fault(f"{place}.weights", feature, f"is no feature known here; {self.cure}")


def _faults(error: ValidationError) -> Iterator[Fault]:
    for each in error.errors(include_url=False):
        allowed = each["msg"][0].lower() + each["msg"][1:]
        seen = f"is {each['input']!r:.{_SHOWN}}; {allowed}" if each["type"] != "missing" else "is missing"
        yield Fault(".".join(map(str, each["loc"])), "", seen)


# --- a reading rule -----------------------------------------------------------------------------


class SideForm(Form):
    """How one kind of question is read."""

    first: LinearForm
    again: LinearForm | None


class RuleForm(OriginForm):
    """A whole reading rule."""

    memspan_reader: int
    answered: SideForm
    asked: SideForm


READER = Kind("reading rule", "memspan_reader", 0, "memspan train reader", RuleForm)


def filled(raw: Any, path: str) -> RuleForm:
    """Return the JSON document *raw*, found at *path*, as the form of a reading rule.

    Raises:
        FileError: it is no rule, or one that this version cannot apply; every fault is in it.
    """
    form = READER.filled(raw, path)
    strange = [
        *_strange(form.answered, "answered", form.embedder),
        *_strange(form.asked, "asked", form.embedder),
    ]
    if strange:
        raise FileError(path, strange)
    return form


def _strange(side: SideForm, name: str, embedder: str | None) -> Iterator[Fault]:
    """Yield the features that no question of this side has."""
    alone = features_for(answered=name == "answered", embedded=embedder is not None)
    yield from READER.strange(f"{name}.first", side.first, alone)
    yield from READER.strange(f"{name}.again", side.again, (*alone, *LOOKS))
