"""Conversations are no stores: what the text path reads as a chat is left to it."""

from __future__ import annotations

from typing import Any

_SPEAKERS = ("name", "speaker", "author", "role", "from", "sender", "user", "username")
_TEXTS = ("content", "text", "message", "body", "value", "parts", "utterance")
_DEEPEST = 6
_LOOKED_AT = 200


def holds_chat(value: Any, depth: int = 0) -> bool:
    """Whether *value* is or holds a list of messages, each with a speaker and something said.

    The same names and the same depth as `memspan.extraction` looks for.

    >>> holds_chat({"messages": [{"role": "user", "content": "Hi"}]}), holds_chat([{"text": "Ana moved."}])
    (True, False)
    """
    if depth > _DEEPEST:
        return False
    if isinstance(value, list):
        looked = value[:_LOOKED_AT]
        return _are_messages(looked) or any(holds_chat(each, depth + 1) for each in looked)
    if isinstance(value, dict):
        if isinstance(value.get("mapping"), dict) and "current_node" in value:
            return True
        inner = [each for each in value.values() if isinstance(each, dict | list)]
        return any(holds_chat(each, depth + 1) for each in inner[:_LOOKED_AT])
    return False


def is_message(value: Any) -> bool:
    """Whether *value* is an object with a speaker and something said."""
    return isinstance(value, dict) and any(k in value for k in _TEXTS) and any(k in value for k in _SPEAKERS)


def _are_messages(values: list[Any]) -> bool:
    return bool(values) and 2 * sum(is_message(each) for each in values) >= len(values)
