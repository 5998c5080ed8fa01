"""The names under which stores usually keep a memory's text, id, time, owner and origin."""

from __future__ import annotations

import json
from collections.abc import Sequence
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
    "created_at", "createdat", "created", "timestamp", "time", "date", "datetime", "date_time",
    "event_time", "creation_date", "creation_time", "created_on", "created_time", "date_created",
    "inserted_at", "added_at", "added", "added_on", "date_added", "saved_at", "saved", "stored_at",
    "recorded_at", "written_at", "valid_at", "ts", "last_accessed",
)  # fmt: skip
UPDATED = (
    "updated_at", "updatedat", "updated", "updated_on", "date_updated", "last_updated", "modified_at",
    "modified", "last_modified", "last_modified_date",
)  # fmt: skip
SOURCE = (
    "source", "source_id", "session", "session_id", "sessionid", "conversation_id", "conversation",
    "thread_id", "thread", "chat_id", "chat", "run_id", "message_id",
    "document_id", "ref_doc_id", "file_id", "file_name", "file_path", "url",
    "episode_id", "origin", "provenance",
)  # fmt: skip
SPEAKER = ("actor_id", "actor", "speaker", "said_by", "author", "sender", "role")
SCOPE = (
    "user_id", "user", "userid", "username", "user_name", "owner", "owner_id", "person", "person_id",
    "agent_id", "agent", "app_id", "namespace", "scope", "tenant", "group_id",
)  # fmt: skip
_USERS = frozenset(SCOPE[:9])
ORIGIN = ("event_ids", "event_id", "claim_ids", "claim_id", "claims", "dia_ids", "dia_id", "evidence", "tags")
VECTORS = frozenset({"embedding", "embeddings", "vector", "vectors", "dense", "sparse_vector"})
NESTED = ("metadata", "meta", "metadata_", "extra_info", "payload")
_NOTHING: tuple[Any, ...] = ("", [], {})
_SPACES = ("namespace", "scope")
_ROLES = {
    name: (role, rank)
    for role, names in (
        ("origin", ORIGIN),
        ("scope", SCOPE),
        ("speaker", SPEAKER),
        ("source", SOURCE),
        ("updated", UPDATED),
        ("time", TIME),
        ("id", ID),
    )
    for rank, name in enumerate(names)
}
KNOWN = frozenset({*TEXT, *_ROLES})
"""Every name of a field that has a place of its own, as `folded_name` gives it."""
FEWEST_WORDS = 3
"""A field of no known name is taken for the text where its texts have that many words on average."""
_LOOKED_AT = 300
_LONGEST_ID = 200


def folded_name(name: Any) -> Any:
    """Return the *name* of a field as it is looked up: without case, with ``_`` for spaces and hyphens.

    >>> folded_name("User ID"), folded_name("created-at"), folded_name("createdAt")
    ('user_id', 'created_at', 'createdat')
    """
    return name.strip().lower().replace(" ", "_").replace("-", "_") if isinstance(name, str) else name


def text_field(records: Sequence[dict[str, Any]], *, guess: bool) -> str | None:
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
    named = {folded_name(name): name for name, seen in words.items() if 2 * len(seen) >= len(looked)}
    known = next((named[name] for name in TEXT if name in named), None)
    if known or not guess:
        return known
    means = {name: sum(seen) / len(looked) for name, seen in words.items()}
    longest = max(means, key=means.__getitem__, default=None)
    return longest if longest is not None and means[longest] >= FEWEST_WORDS else None


def stored_of(record: dict[str, Any], text: str, name: str | None = None) -> Stored:
    """Return *record* as a memory: *text* is the memory itself, *name* its id where that is known.

    >>> kept = stored_of({"id": 7, "user_id": "ana", "metadata": {"event_id": "e1"}}, "Ana moved.")
    >>> kept.id, kept.scope, kept.claims
    ('7', 'user:ana', ('e1',))
    """
    found, used = _found(record)
    given = found.get("id")
    if name is None and isinstance(given, str | int):
        name = str(given)
    return Stored(
        name,
        text,
        time_of(found.get("time", found.get("updated"))),
        time_of(found.get("updated")),
        _worded(found.get("source")),
        _worded(found.get("speaker")),
        _scope(found["scope"]) if "scope" in found else None,
        found.get("origin", ()),
        _kept(record, text, used),
    )


def _found(record: dict[str, Any]) -> tuple[dict[str, Any], set[str]]:
    """Return the value for each role, from the record itself before what is nested, and the fields used."""
    found: dict[str, Any] = {}
    used: set[str] = set()
    _look(record, found, used)
    for key in NESTED:
        if isinstance(record.get(key), dict):
            _look(
                {name: value for name, value in record[key].items() if folded_name(name) not in ID},
                found,
                used,
            )
    return found, used


def _look(layer: dict[str, Any], found: dict[str, Any], used: set[str]) -> None:
    """Take from *layer* the value of each role that has none yet, by the surest name."""
    best: dict[str, tuple[int, str, Any]] = {}
    for key, value in layer.items():
        name = folded_name(key)
        known = _ROLES.get(name)
        if known is None or value is None or value in _NOTHING:
            continue
        role, rank = known
        if role == "scope":
            found.setdefault(role, {}).setdefault(name, value)
            used.add(key)
        elif role not in found and (role not in best or rank < best[role][0]):
            given = origins(value) if role == "origin" else value
            if given != ():
                best[role] = rank, key, given
    for role, (_, key, value) in best.items():
        found[role] = value
        if role != "origin":
            used.add(key)


def _kept(record: dict[str, Any], text: str, used: set[str]) -> dict[str, Any]:
    """Return what of *record* has no place of its own in a claim; nested metadata stays whole."""
    rest: dict[str, Any] = {}
    for key, value in record.items():
        if key in NESTED and isinstance(value, dict):
            rest.update({inner: told for inner, told in value.items() if told is not text})
        elif not (key in used and isinstance(value, str | int | float)) and value is not text:
            rest[str(key)] = value
    return {key: value for key, value in rest.items() if value is not None and key not in VECTORS}


def has_vector(record: dict[str, Any]) -> bool:
    """Tell whether *record* carries an embedding, which no claim keeps."""
    return any(record.get(key) for key in VECTORS if key in record)


def origins(value: Any) -> tuple[str, ...]:
    """Return the ids in *value*, one or a list of them.

    >>> origins(["D1:1", "D1:2"]), origins("e1"), origins({"no": "id"})
    (('D1:1', 'D1:2'), ('e1',), ())
    """
    several = value if isinstance(value, list | tuple) else [value]
    return tuple(str(each) for each in several if _is_id(each))


def _is_id(value: Any) -> bool:
    if isinstance(value, bool) or not isinstance(value, str | int):
        return False
    return 0 < len(str(value)) <= _LONGEST_ID


def _scope(given: dict[str, Any]) -> str | None:
    """Return whose a memory is, e.g. ``user:ana/agent:guide``."""
    plainly: list[str] = []
    owners: dict[str, str] = {}
    for name in sorted(given, key=SCOPE.index):
        value = given[name]
        if name in _SPACES:
            parts = value if isinstance(value, list | tuple) else [value]
            plainly += [str(part) for part in parts if isinstance(part, str | int)]
        elif isinstance(value, str | int):
            owners.setdefault("user" if name in _USERS else name.removesuffix("_id"), str(value))
    return "/".join([*plainly, *(f"{name}:{value}" for name, value in owners.items())]) or None


def rendered(value: Any) -> str:
    """Return a structured *value* as text: the memory itself where it holds one, else all it says.

    >>> rendered({"content": {"content": "Ana likes tea."}}), rendered({"name": "Ana", "age": 31})
    ('Ana likes tea.', 'name: Ana; age: 31')
    """
    if isinstance(value, str):
        return value
    if value is None or value in ({}, []):
        return ""
    if isinstance(value, dict):
        return _of_object(value)
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return "\n".join(value)
    return json.dumps(plain(value), ensure_ascii=False)


def _of_object(value: dict[Any, Any]) -> str:
    for _ in range(8):
        name = next((name for name in TEXT if isinstance(value.get(name), str)), None)
        if name is not None:
            return str(value[name])
        inner = next((value[name] for name in TEXT if isinstance(value.get(name), dict)), None)
        if inner is None:
            break
        value = inner
    shown = plain({key: told for key, told in value.items() if key not in VECTORS})
    parts = (
        f"{key}: {told if isinstance(told, str) else json.dumps(told, ensure_ascii=False)}"
        for key, told in shown.items()
    )
    return "; ".join(parts)


def _worded(value: Any) -> str | None:
    if isinstance(value, str):
        return value.strip() or None
    if isinstance(value, dict):
        value = next(
            (value[key] for key in ("name", "id", "title") if isinstance(value.get(key), str)), value
        )
    return None if value is None else rendered(value) or None
