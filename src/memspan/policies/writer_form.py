"""What the file of a write rule must hold, checked whole."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from memspan.answering.rule_form import Kind, LinearForm, OriginForm, Weight
from memspan.errors import Fault, FileError
from memspan.policies.traits import TRAITS
from memspan.policies.writer import VERB


class WriterForm(OriginForm):
    """A whole write rule."""

    memspan_writer: int
    linear: LinearForm
    direction: list[Weight]
    taught_by: list[str] = Field(default_factory=list)


WRITER = Kind("write rule", "memspan_writer", 0, VERB, WriterForm)


def filled(raw: Any, path: str) -> WriterForm:
    """Return the JSON document *raw*, found at *path*, as the form of a write rule.

    Raises:
        FileError: it is no rule, or one that this version cannot apply; every fault is in it.
    """
    form = WRITER.filled(raw, path)
    faults = [*WRITER.strange("linear", form.linear, TRAITS)]
    if bool(form.direction) != (form.embedder is not None):
        seen = f"has {len(form.direction)} entries and the embedder is {form.embedder!r}"
        faults.append(Fault("direction", "", f"{seen}; a rule has both or neither; {WRITER.cure}"))
    if faults:
        raise FileError(path, faults)
    return form
