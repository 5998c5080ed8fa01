"""Forms: what a chat model is asked to fill, and the filled form found in what it said."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pydantic import BaseModel, ValidationError

_OPENING = re.compile(r"[{\[]")
_TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[{}\[\]]', re.DOTALL)
_SHOWN = 5  # faults that a model is told at once
_CANDIDATES = 50  # documents looked at in one answer; text full of brackets holds none


@dataclass(frozen=True)
class Filled:
    """A form as a model filled it.

    Attributes:
        text: the JSON document.
        value: the document as an instance of the form; None where it does not fit.
        problem: what is wrong with it, in words for the model; empty where it fits.
    """

    text: str
    value: BaseModel | None
    problem: str = ""


def fill(text: str, form: type[BaseModel]) -> Filled:
    r"""Find a document in *text* that fits *form*: the whole of it, or the first one within.

    >>> from pydantic import BaseModel
    >>> class City(BaseModel):
    ...     name: str
    >>> fill('Sure! ```json\n{"name": "Porto"}\n```', City).value
    City(name='Porto')
    >>> fill('{"town": "Porto"}', City).problem
    'name: Field required'
    """
    from pydantic import ValidationError

    problem = "it holds no JSON document"
    for document in _documents(text):
        try:
            return Filled(document, form.model_validate_json(document))
        except ValidationError as error:
            problem = _told(error)
    return Filled(text, None, problem)


def schema_of(form: type[BaseModel]) -> dict[str, Any]:
    """Return the JSON Schema of *form* as strict servers want it: every field asked for, no other allowed."""
    strict = _strict(form.model_json_schema())
    return dict(strict)


def instruction(form: type[BaseModel]) -> str:
    """Say in words which JSON document is wanted, for servers that cannot be held to a schema."""
    schema = json.dumps(schema_of(form), ensure_ascii=False, separators=(",", ":"))
    return f"Answer with one JSON document and nothing else. It fits this JSON Schema:\n{schema}"


def _documents(text: str) -> Iterator[str]:
    bare = text.rpartition("</think>")[2].strip()  # what a reasoning model thinks aloud is no answer
    if not bare:
        return
    if bare[0] in "{[":
        yield bare
    position = 0
    for _ in range(_CANDIDATES):
        found = _OPENING.search(bare, position)
        if found is None:
            return
        position = _closing(bare, found.start())
        if not position:
            return  # cut short: what lies inside is a part, not the document
        yield bare[found.start() : position]


def _closing(text: str, start: int) -> int:
    """Return the position behind the bracket that closes the one at *start*; 0 where nothing does."""
    depth = 0
    for found in _TOKEN.finditer(text, start):
        depth += (found.group() in "{[") - (found.group() in "}]")
        if depth == 0:
            return found.end()
    return 0


def _told(error: ValidationError) -> str:
    faults = error.errors(include_url=False, include_context=False, include_input=False)
    lines = [
        f"{'.'.join(str(part) for part in fault['loc'])}: {fault['msg']}".removeprefix(": ")
        for fault in faults[:_SHOWN]
    ]
    more = [f"and {len(faults) - _SHOWN} more"] if len(faults) > _SHOWN else []
    return "; ".join(lines + more)


def _strict(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_strict(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    strict = {key: _strict(part) for key, part in schema.items()}
    if isinstance(strict.get("properties"), dict) and strict.get("type") == "object":
        strict |= {"required": list(strict["properties"]), "additionalProperties": False}
    return strict
