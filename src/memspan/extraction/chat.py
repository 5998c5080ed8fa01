"""Conversations in JSON, whoever wrote it: messages, sessions of messages, trees of messages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from memspan.extraction.document import Document, Passage
from memspan.language.dates import iso_time
from memspan.material import Dropped

_SPEAKERS = ("name", "speaker", "author", "role", "from", "sender", "user", "username")
_TEXTS = ("content", "text", "message", "body", "value", "parts", "utterance")
_TIMES = ("timestamp", "time", "date", "created_at", "create_time", "createdAt", "datetime", "sent_at", "ts")
_OWN_NAMES = ("dia_id", "id", "message_id")
_TITLES = ("sample_id", "title", "name", "id", "conversation_id", "question_id", "uuid")
_LISTS = ("messages", "conversation", "conversations", "turns", "dialogue", "dialog", "chat", "history")
_SESSION = re.compile(r"session_(\d+)")
_HALF = re.compile("[\ud800-\udfff]")
_DEEPEST = 6  # levels of objects in which messages are looked for
_LONGEST_NAME = 60

Session = tuple[str, str | None, Sequence[Any]]
"""Label, time, messages."""


@dataclass
class _Found:
    """A conversation as it lies in the file."""

    name: str = ""
    time: str | None = None
    sessions: list[Session] = field(default_factory=list)
    dropped: list[Dropped] = field(default_factory=list)


def read_chat(name: str, ident: str, value: Any, time: str | None) -> list[Document]:
    """Return one document for each conversation in the JSON *value*; none where it holds no message."""
    found = list(_conversations(value, 0))
    several = len(found) > 1
    documents = []
    for number, one in enumerate(found, 1):
        called = one.name or (f"{ident} {number}" if several else ident)
        documents.append(_document(one, called, one.name or name if several else name, time))
    return documents


# --- where the messages are -----------------------------------------------------------------------


def is_message(value: Any) -> bool:
    """Tell whether *value* is an object with a speaker and something said."""
    return isinstance(value, dict) and any(k in value for k in _TEXTS) and any(k in value for k in _SPEAKERS)


def _are_messages(value: Any) -> bool:
    if not isinstance(value, list) or not value:
        return False
    return 2 * sum(is_message(each) for each in value) >= len(value)


def _conversations(value: Any, depth: int) -> Iterator[_Found]:
    if depth > _DEEPEST:
        return
    if _are_messages(value):
        yield _Found(sessions=[("", None, value)])
    elif isinstance(value, list):
        for each in value:
            yield from _conversations(each, depth + 1)
    elif isinstance(value, dict):
        yield from _of_object(value, depth)


def _of_object(value: dict[str, Any], depth: int) -> Iterator[_Found]:
    name = next((str(value[key]) for key in _TITLES if isinstance(value.get(key), str | int)), "")
    time = next((t for key in _TIMES if (t := _iso(value.get(key)))), None)
    here = _here(value)
    if here is not None:
        yield _Found(name[:_LONGEST_NAME], time, *here)
        return
    inner = [value[key] for key in sorted(value, key=_preference) if isinstance(value[key], dict | list)]
    for each in inner:
        found = list(_conversations(each, depth + 1))
        for one in found:
            one.name = one.name or (name[:_LONGEST_NAME] if len(found) == 1 else "")
            one.time = one.time or time
            yield one
        if found:
            return


def _preference(key: str) -> int:
    return _LISTS.index(key) if key in _LISTS else len(_LISTS)


def _here(value: dict[str, Any]) -> tuple[list[Session], list[Dropped]] | None:
    """Return the sessions that lie directly in an object; None where there are none."""
    if isinstance(value.get("mapping"), dict):
        return _branch(value["mapping"], value.get("current_node"))
    numbered = sorted(
        (int(match[1]), key)
        for key in value
        if (match := _SESSION.fullmatch(key)) and _are_messages(value[key])
    )
    if numbered:
        times = {key: _iso(value.get(f"{key}_date_time")) for _, key in numbered}
        return [(f"session {n}", times[key], value[key]) for n, key in numbered], []
    for key in sorted(value, key=_preference):
        if _are_messages(value[key]):
            return [("", None, value[key])], []
        if "session" in key and isinstance(value[key], list):
            listed = list(_listed(value, key))
            if listed:
                return listed, []
    return None


def _listed(value: dict[str, Any], key: str) -> Iterator[Session]:
    """Yield the sessions of a list of sessions, with times from beside it or inside it."""
    sessions = value[key]
    beside = [v for k, v in value.items() if "date" in k and isinstance(v, list) and len(v) == len(sessions)]
    for i, session in enumerate(sessions):
        time = _iso(beside[0][i]) if beside else None
        if _are_messages(session):
            yield f"session {i + 1}", time, session
        elif isinstance(session, dict):
            inside = next((v for v in session.values() if _are_messages(v)), None)
            own = next((t for name in _TIMES if (t := _iso(session.get(name)))), None)
            if inside is not None:
                yield f"session {i + 1}", own or time, inside


def _branch(nodes: Mapping[str, Any], current: Any) -> tuple[list[Session], list[Dropped]]:
    """Return the messages from the root of a tree to its current leaf, and what lies beside that way."""
    way: list[Any] = []
    here: Any = current if isinstance(current, str) and current in nodes else _last_leaf(nodes)
    seen: set[Any] = set()
    while isinstance(here, str) and here in nodes and here not in seen and isinstance(nodes[here], dict):
        seen.add(here)
        way.append(nodes[here].get("message"))
        here = nodes[here].get("parent")
    messages = [message for message in reversed(way) if isinstance(message, dict)]
    beside = sum(isinstance(n, dict) and bool(n.get("message")) for k, n in nodes.items() if k not in seen)
    left = "1 message" if beside == 1 else f"{beside:,} messages"
    broken = isinstance(here, str)  # the way to the root ended at a node that is missing, odd or met twice
    where = (
        f"that a tree broken at {here!r:.40} does not lead to"
        if broken
        else "on other branches (edited or answered anew)"
    )
    reason = f"{left} {where} left out"
    return [("", None, messages)], [Dropped("mapping", "", reason)] if beside else []


def _last_leaf(nodes: Mapping[str, Any]) -> str | None:
    leaves = [key for key, node in nodes.items() if isinstance(node, dict) and not node.get("children")]
    return leaves[-1] if leaves else None


# --- what the messages say ------------------------------------------------------------------------


def _document(found: _Found, ident: str, shown: str, anchor: str | None) -> Document:
    dropped = list(found.dropped)
    passages: list[Passage] = []
    names: set[str] = set()
    number = 0
    for label, time, messages in found.sessions:
        for raw in messages:
            number += 1
            place = ", ".join(part for part in (shown, label, f"message {number}") if part)
            passage = _passage(place, raw, time or found.time or anchor, dropped)
            if passage is None:
                continue
            name = passage.name if passage.name and passage.name not in names else f"m{number}"
            names.add(name)
            passages.append(
                Passage(
                    passage.text, 0, passage.end, place, name, "prose", None, passage.speaker, passage.time
                )
            )
    return Document(ident, "chat", tuple(passages), time=found.time or anchor, dropped=tuple(dropped))


def _passage(place: str, raw: Any, time: str | None, dropped: list[Dropped]) -> Passage | None:
    """Return a message as a passage; None, and a note in *dropped*, where it says nothing."""
    if not isinstance(raw, dict):
        dropped.append(Dropped(place, "", f"is {type(raw).__name__}, not an object"))
        return None
    said, others = _said(raw)
    text = _HALF.sub("\N{REPLACEMENT CHARACTER}", said)
    if text != said:
        dropped.append(Dropped(place, "text", "held half characters (lone surrogates); replaced", kept=True))
    if others:
        dropped.append(Dropped(place, "content", f"parts that are no text are left out: {', '.join(others)}"))
    if not text.strip():
        if not others:
            dropped.append(Dropped(place, "content", "says nothing"))
        return None
    own = next((t for key in _TIMES if (t := _iso(raw.get(key)))), None)
    return Passage(text, 0, len(text), place, _own_name(raw), speaker=speaker_of(raw), time=own or time)


def _own_name(raw: dict[str, Any]) -> str:
    name = next((raw[key] for key in _OWN_NAMES if isinstance(raw.get(key), str)), "")
    return name if len(name) <= 24 else ""


def speaker_of(raw: dict[str, Any]) -> str | None:
    """Return who says a message; a name where there is one, else a role."""
    for key in _SPEAKERS:
        value = raw.get(key)
        if isinstance(value, dict):
            value = next(
                (value[k] for k in ("name", "username", "role") if isinstance(value.get(k), str)), None
            )
        if isinstance(value, str) and value.strip():
            return _HALF.sub("\N{REPLACEMENT CHARACTER}", value.strip())[:_LONGEST_NAME]
    return None


def _said(raw: dict[str, Any]) -> tuple[str, list[str]]:
    """Return the text of a message and the kinds of its parts that are no text."""
    others: list[str] = []
    value = next((raw[key] for key in _TEXTS if raw.get(key)), "")
    text = "\n".join(piece for piece in _pieces(value, others) if piece)
    caption = raw.get("blip_caption")
    if isinstance(caption, str) and caption:
        text = f"{text} (image: {caption})"
    return text, list(dict.fromkeys(others))


def _pieces(value: Any, others: list[str]) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for each in value:
            yield from _pieces(each, others)
    elif isinstance(value, dict):
        inner = next((value[key] for key in ("text", "parts", "content", "value") if value.get(key)), None)
        if inner is None:
            others.append(str(value.get("type") or value.get("content_type") or "object")[:40])
        else:
            yield from _pieces(inner, others)


def _iso(value: Any) -> str | None:
    return iso_time(value) if isinstance(value, str | int | float) else None
