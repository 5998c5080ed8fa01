"""How a memory server is asked, and where its answers hold what: the protocol, and mappings to others."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

_PLACE = re.compile(r"\{(\w+)\}")
Paths = tuple[str, ...]
"""Dotted paths into a JSON object; the first that leads to something counts."""


@dataclass(frozen=True)
class Call:
    """One request of a memory server, with places to fill.

    A text that is just ``{name}`` becomes the value itself, null where there is none; within a longer
    text it is written out. Names are ``id``, ``text``, ``time``, ``source`` and ``speaker`` of the claim,
    ``query`` and ``k`` of the question, ``capacity``, and ``space``: a name of its own for each memory,
    for servers that keep several apart.

    Attributes:
        path: below the URL of the server, with a query string where there is one.
        body: JSON; None sends none.
        method: of HTTP.
        answer: dotted path to the list of notes in the answer; empty where the answer is the list.

    >>> Call("/add", {"user": "{space}", "n": "{k}", "at": "on {time}"}).filled({"space": "s", "k": 3})
    ('/add', {'user': 's', 'n': 3, 'at': 'on '})
    """

    path: str
    body: Any = None
    method: str = "POST"
    answer: str = ""

    def filled(self, values: Mapping[str, Any]) -> tuple[str, Any]:
        """Return path and body with *values* in their places; what has none is empty."""
        path = _PLACE.sub(lambda found: quote(_written(values.get(found[1])), safe=""), self.path)
        return path, _filled(self.body, values)


@dataclass(frozen=True)
class Fields:
    """Where an object that stands for a note holds what.

    Attributes:
        text: the text.
        id: the server's own id of the note.
        claims: ids of the claims it rests on: a list, or one id.
    """

    text: Paths = ("text", "memory", "content", "fact")
    id: Paths = ("id", "memory_id")
    claims: Paths = ("claims", "claim_ids", "claim_id", "metadata.claims", "metadata.claim_id")


@dataclass(frozen=True)
class HttpForm:
    """How a memory server is asked; by default the protocol that memspan asks for.

    Attributes:
        ingest: takes the next claim.
        query: reads at most k notes.
        held: lists all notes; None where the server cannot.
        reset: forgets everything; None where that is the user's own concern.
        fields: where a note holds what.
    """

    ingest: Call = field(
        default_factory=lambda: Call(
            "/ingest", {name: f"{{{name}}}" for name in ("id", "text", "time", "source", "speaker")}
        )
    )
    query: Call = field(
        default_factory=lambda: Call("/query", {"query": "{query}", "k": "{k}"}, answer="notes")
    )
    held: Call | None = field(default_factory=lambda: Call("/held", method="GET", answer="notes"))
    reset: Call | None = field(default_factory=lambda: Call("/reset", {"capacity": "{capacity}"}))
    fields: Fields = field(default_factory=Fields)


def at(document: Any, path: str) -> Any:
    """Return what stands at the dotted *path* of *document*; None where nothing does.

    >>> at({"data": {"notes": [1]}}, "data.notes")
    [1]
    """
    for part in path.split(".") if path else ():
        document = document.get(part) if isinstance(document, Mapping) else None
    return document


def first_at(document: Any, paths: Paths) -> Any:
    """Return what stands at the first of *paths* that leads to something."""
    return next((found for path in paths if (found := at(document, path)) is not None), None)


def _filled(template: Any, values: Mapping[str, Any]) -> Any:
    if isinstance(template, Mapping):
        return {name: _filled(each, values) for name, each in template.items()}
    if isinstance(template, list | tuple):
        return [_filled(each, values) for each in template]
    if not isinstance(template, str):
        return template
    whole = _PLACE.fullmatch(template)
    if whole:
        return values.get(whole[1])
    return _PLACE.sub(lambda found: _written(values.get(found[1])), template)


def _written(value: Any) -> str:
    return "" if value is None else str(value)
