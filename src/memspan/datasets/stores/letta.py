"""Letta: agent files (``.af``), older and newer, and lists of blocks or passages as its client returns them.

Memories are the blocks of core memory and the passages of archival memory. Messages are the
conversation: they are counted, not taken.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from memspan.datasets.format import Format
from memspan.datasets.json_text import shown
from memspan.datasets.source import Source
from memspan.datasets.stores.documents import document_of
from memspan.datasets.stores.intake import Intake
from memspan.datasets.stores.usual import rendered, stored_of
from memspan.material import Material

_AGENT_MARKS = frozenset(
    {"block_ids", "core_memory", "memory_blocks", "agent_type", "in_context_message_ids"}
)
_BLOCKS = ("blocks", "memory_blocks", "core_memory", "memory")
_PASSAGES = (
    "passages",
    "archival_passages",
    "archival_memory",
    "archival",
    "source_passages",
    "agent_passages",
)
_KNOWN = frozenset({"agents", *_AGENT_MARKS, *_BLOCKS, *_PASSAGES})
_TEXTS = {"block": ("value",), "passage": ("text", "content")}
_PASSAGE_MARKS = frozenset({"embedding_config", "archive_id", "file_id", "source_id", "is_deleted"})
_BLOCK_MARKS = frozenset({"limit", "read_only", "is_template", "template_name"})


def _is_agent(record: Any) -> bool:
    return isinstance(record, dict) and len(_AGENT_MARKS & record.keys()) > 0 and not _is_block(record)


def _is_block(record: Any) -> bool:
    return (
        isinstance(record, dict)
        and {"label", "value"} <= record.keys()
        and (bool(_BLOCK_MARKS & record.keys()) or str(record.get("id")).startswith("block-"))
    )


def _is_passage(record: Any) -> bool:
    if not isinstance(record, dict) or "text" not in record:
        return False
    return str(record.get("id")).startswith("passage-") or len(_PASSAGE_MARKS & record.keys()) > 1


def _detect(source: Source) -> bool:
    if source.shape == "text":
        return False
    first = source.first
    if _is_block(first) or _is_passage(first):
        return True
    agents = first.get("agents")
    if isinstance(agents, list) and agents:
        return _is_agent(agents[0]) and ("blocks" in first or "core_memory" in agents[0])
    if "agent_type" in first:
        return True
    return any(_starts_with_memory(first.get(name)) for name in (*_BLOCKS, *_PASSAGES))


def _starts_with_memory(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and (_is_block(value[0]) or _is_passage(value[0]))


def _read(source: Source, _: str) -> list[Material]:
    first = Intake(source.path.stem, "letta")
    document = document_of(source, first)
    if isinstance(document, list) and not any(_is_agent(each) for each in document):
        for number, record in enumerate(document):
            _take(record, "passage" if _is_passage(record) else "block", f"records[{number}]", first)
        return [first.material()]
    documents = document if isinstance(document, list) else [document]
    if not any(isinstance(each, dict) and _KNOWN & each.keys() for each in documents):
        raise source.refuse(f"is no export of Letta: it has none of {', '.join(sorted(_KNOWN))}")
    intakes = [intake for each in documents for intake in _agents(each, first)]
    return [intake.material() for intake in intakes]


def _agents(document: Any, first: Intake) -> Iterator[Intake]:
    """Yield an intake per agent of a file; the file's own one where there is a single agent."""
    if not isinstance(document, dict):
        first.tell("document", f"is {shown(document)}; expected an agent")
        return
    shared = {str(each.get("id")): each for each in _objects(document.get("blocks"))}
    agents = [each for each in _objects(document.get("agents")) if _is_agent(each)] or [document]
    owned: set[str] = set()
    for place, agent in enumerate(agents):
        name = str(agent.get("name") or "")
        intake = first if place == 0 else Intake(name or f"agent {place + 1}", "letta")
        intake.name = name or intake.name
        listed = agent.get("block_ids")
        wanted = [str(each) for each in listed] if isinstance(listed, list) else []
        owned |= set(wanted)
        blocks = [shared[each] for each in wanted if each in shared]
        _take_agent(agent, blocks, intake)
        if place == len(agents) - 1 and agent is not document:
            _take_rest(document, [block for key, block in shared.items() if key not in owned], intake)
        yield intake


def _take_agent(agent: Mapping[str, Any], blocks: list[dict[str, Any]], intake: Intake) -> None:
    name = str(agent.get("name") or "")
    listed = list(blocks)
    for key in _BLOCKS:
        value = agent.get(key)
        listed += _objects(value.get("blocks") if isinstance(value, dict) else value)
    for number, block in enumerate(listed):
        _take(block, "block", f"blocks[{number}]", intake, name)
    _take_passages(agent, intake, name)
    messages = agent.get("messages")
    if isinstance(messages, list) and messages:
        reason = f"the conversation ({len(messages):,} messages) is no memory; memspan extract reads it"
        intake.tell("messages", reason)


def _take_rest(document: Mapping[str, Any], blocks: list[dict[str, Any]], intake: Intake) -> None:
    """Take what the file holds outside its agents."""
    for number, block in enumerate(blocks):
        _take(block, "block", f"blocks[{number}]", intake)
    _take_passages(document, intake, "")


def _take_passages(holder: Mapping[str, Any], intake: Intake, agent: str) -> None:
    for key in _PASSAGES:
        for number, passage in enumerate(_objects(holder.get(key))):
            _take(passage, "passage", f"{key}[{number}]", intake, agent)


def _take(record: Any, kind: str, place: str, intake: Intake, agent: str = "") -> None:
    if not isinstance(record, dict):
        intake.tell(place, f"is {shown(record)}; expected a {kind}")
        return
    key = next((name for name in _TEXTS[kind] if name in record), None)
    if key is None:
        intake.tell(place, f"has no {' or '.join(_TEXTS[kind])}, so it is no {kind}")
        return
    rest = {name: value for name, value in record.items() if name not in (key, "embedding_config")}
    stored = stored_of(rest, rendered(record.get(key)))
    if stored.id is None and isinstance(record.get("label"), str):
        stored.id = record["label"]
    stored.scope = stored.scope or (f"agent:{agent}" if agent else None)
    stored.metadata["kind"] = kind
    intake.take(stored)


def _objects(value: Any) -> list[dict[str, Any]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


LETTA = Format("letta", "Letta agent files, blocks and passages", _detect, _read)
