"""The names under which stores usually keep a memory's text, id, time, owner and origin."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from memspan.datasets.stores.intake import Stored
from memspan.datasets.stores.plain import plain
from memspan.datasets.stores.times import time_of

TEXT = (
    "memory", "memory_text", "memory_content", "text", "content", "page_content", "fact", "note",
    "observation", "reflection", "insight", "preference", "statement", "claim", "summary",
    "document", "chunk", "passage", "body", "sentence", "description", "value", "data", "message",
)  # fmt: skip
"""Fields that hold the text, the surest first."""
ID = ("id", "memory_id", "id_", "uuid", "_id", "node_id", "doc_id", "point_id", "key")
TIME = (
    "created_at", "createdAt", "created", "timestamp", "time", "date", "datetime", "event_time",
    "creation_date", "inserted_at", "valid_at", "ts", "last_accessed",
)  # fmt: skip
UPDATED = (
    "updated_at",
    "updatedAt",
    "updated",
    "modified_at",
    "modified",
    "last_modified",
    "last_modified_date",
)
SOURCE = (
    "source", "source_id", "session", "session_id", "conversation_id", "thread_id", "thread",
    "run_id", "message_id", "document_id", "ref_doc_id", "file_id", "file_name", "file_path",
    "url", "episode_id", "origin", "provenance",
)  # fmt: skip
SPEAKER = ("actor_id", "speaker", "author", "sender", "role")
SCOPE = ("user_id", "user", "agent_id", "agent", "app_id", "namespace", "scope", "tenant", "group_id")
ORIGIN = ("event_ids", "event_id", "claim_ids", "claim_id", "claims", "dia_ids", "dia_id", "evidence", "tags")
VECTORS = frozenset({"embedding", "embeddings", "vector", "vectors", "dense", "sparse_vector"})
NESTED = ("metadata", "meta", "metadata_", "extra_info", "payload")
FEWEST_WORDS = 3
"""A field of no known name is taken for the text where its texts have that many words on average."""
_LOOKED_AT = 300
_LONGEST_ID = 200


def text_field(records: Sequence[Mapping[str, Any]], *, guess: bool) -> str | None:
    """Return the field of *records* that holds the text: by its name, else with *guess* the longest text.

    >>> text_field([{"id": "a", "Fact": "Ana moved."}], guess=False)
    'Fact'
    >>> text_field([{"a": "x", "b": "Ana moved to Porto."}], guess=True)
    'b'
    """
    looked = records[:: max(1, len(records) // _LOOKED_AT)]
    words: dict[str, list[int]] = {}
    for record in looked:
        for name, value in record.items():
            if isinstance(value, str) and isinstance(name, str):
                words.setdefault(name, []).append(len(value.split()))
    named = {name.lower().strip(): name for name, seen in words.items() if 2 * len(seen) >= len(looked)}
    known = next((named[name] for name in TEXT if name in named), None)
    if known or not guess:
        return known
    means = {name: sum(seen) / len(looked) for name, seen in words.items()}
    longest = max(means, key=means.__getitem__, default=None)
    return longest if longest is not None and means[longest] >= FEWEST_WORDS else None


def stored_of(record: Mapping[str, Any], text: str, name: str | None = None) -> Stored:
    """Return *record* as a memory: *text* is the memory itself, *name* its id where that is known.

    >>> kept = stored_of({"id": 7, "user_id": "ana", "metadata": {"event_id": "e1"}}, "Ana moved.")
    >>> kept.id, kept.scope, kept.claims
    ('7', 'user:ana', ('e1',))
    """
    layers = [record, *(record[key] for key in NESTED if isinstance(record.get(key), Mapping))]
    time, updated, speaker, source = (_first(layers, names) for names in (TIME, UPDATED, SPEAKER, SOURCE))
    own, given = _first([record], ID)
    if name is None and isinstance(given, str | int):
        name = str(given)
    used = {own, time[0], updated[0], speaker[0], source[0], *SCOPE}
    return Stored(
        name,
        text,
        time_of(time[1]),
        time_of(updated[1]),
        _worded(source[1]),
        _worded(speaker[1]),
        scope_of(layers),
        origins(layers),
        _kept(record, text, used),
    )


def _kept(record: Mapping[str, Any], text: str, used: set[str]) -> dict[str, Any]:
    """Return what of *record* has no place of its own in a claim; nested metadata stays whole."""
    rest: dict[str, Any] = {}
    for key, value in record.items():
        if key in NESTED and isinstance(value, Mapping):
            rest.update({inner: told for inner, told in value.items() if told is not text})
        elif not (key in used and isinstance(value, str | int | float)) and value is not text:
            rest[str(key)] = value
    return {key: value for key, value in rest.items() if value is not None and key not in VECTORS}


def has_vector(record: Mapping[str, Any]) -> bool:
    """Tell whether *record* carries an embedding, which no claim keeps."""
    return any(record.get(key) for key in VECTORS if key in record)


def origins(layers: Iterable[Mapping[str, Any]]) -> tuple[str, ...]:
    """Return the ids of claims that a memory names as its origin; tags only where nothing else does."""
    for name in ORIGIN:
        for layer in layers:
            value = layer.get(name)
            several = value if isinstance(value, list | tuple) else [value]
            found = tuple(str(each) for each in several if _is_id(each))
            if found:
                return found
    return ()


def _is_id(value: Any) -> bool:
    if isinstance(value, bool) or not isinstance(value, str | int):
        return False
    return 0 < len(str(value)) <= _LONGEST_ID


def scope_of(layers: Iterable[Mapping[str, Any]]) -> str | None:
    """Return whose a memory is, e.g. ``user:ana/agent:guide``."""
    seen: dict[str, str] = {}
    for layer in layers:
        for name in SCOPE:
            value = layer.get(name)
            if isinstance(value, list | tuple) and name in ("namespace", "scope"):
                value = "/".join(str(part) for part in value)
            if isinstance(value, str | int) and value != "":
                seen.setdefault(name.removesuffix("_id"), str(value))
    plainly = [seen.pop(name) for name in ("namespace", "scope") if name in seen]
    return "/".join([*plainly, *(f"{name}:{value}" for name, value in seen.items())]) or None


def rendered(value: Any) -> str:
    """Return a structured *value* as text: the memory itself where it holds one, else all it says.

    >>> rendered({"content": {"content": "Ana likes tea."}}), rendered({"name": "Ana", "age": 31})
    ('Ana likes tea.', 'name: Ana; age: 31')
    """
    if isinstance(value, str):
        return value
    if value is None or value in ({}, []):
        return ""
    if isinstance(value, Mapping):
        return _of_object(value)
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return "\n".join(value)
    return json.dumps(plain(value), ensure_ascii=False)


def _of_object(value: Mapping[Any, Any]) -> str:
    for _ in range(8):
        name = next((name for name in TEXT if isinstance(value.get(name), str)), None)
        if name is not None:
            return str(value[name])
        inner = next((value[name] for name in TEXT if isinstance(value.get(name), Mapping)), None)
        if inner is None:
            break
        value = inner
    shown = plain({key: told for key, told in value.items() if key not in VECTORS})
    parts = (
        f"{key}: {told if isinstance(told, str) else json.dumps(told, ensure_ascii=False)}"
        for key, told in shown.items()
    )
    return "; ".join(parts)


def _first(layers: Iterable[Mapping[str, Any]], names: Iterable[str]) -> tuple[str, Any]:
    """Return the first of *names* that has a value, and the value."""
    found = (
        (name, layer[name]) for layer in layers for name in names if layer.get(name) not in (None, "", [], {})
    )
    return next(found, ("", None))


def _worded(value: Any) -> str | None:
    if isinstance(value, str):
        return value.strip() or None
    if isinstance(value, Mapping):
        value = next(
            (value[key] for key in ("name", "id", "title") if isinstance(value.get(key), str)), value
        )
    return None if value is None else rendered(value) or None
