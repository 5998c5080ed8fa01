"""Mem0: the payload of its vectors, and what `get_all` and `search` return.

A payload holds the memory under ``data`` beside hash, created_at, updated_at, user_id, agent_id,
run_id, actor_id, role and the user's own metadata; a result holds it under ``memory``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from memspan.datasets.format import Format
from memspan.datasets.json_text import shown
from memspan.datasets.source import Source
from memspan.datasets.stores.documents import document_of
from memspan.datasets.stores.intake import WHOLE, Intake, Stored
from memspan.datasets.stores.usual import rendered, stored_of
from memspan.material import Material

_MARKS = frozenset({"hash", "user_id", "agent_id", "run_id", "actor_id", "app_id"})
_RESULT_MARKS = _MARKS | {"categories", "expiration_date", "immutable", "event", "structured_attributes"}
_LISTS = ("results", "memories")
_DEFAULT = 20
_USUAL = (_DEFAULT, 100)
"""How many memories get_all and search return where nothing else is asked for, now and before."""


def is_payload(payload: Mapping[str, Any]) -> bool:
    """Whether *payload* is one that Mem0 writes."""
    return "data" in payload and bool(_MARKS & payload.keys())


def stored_payload(payload: Mapping[str, Any], ident: str) -> Stored:
    """Return a point's *payload* as a memory; its index of word stems is left out."""
    rest = {key: value for key, value in payload.items() if key not in ("data", "text_lemmatized")}
    return stored_of(rest, rendered(payload.get("data")), ident)


def _is_result(record: Any) -> bool:
    return (
        isinstance(record, dict)
        and isinstance(record.get("memory"), str | None)
        and "memory" in record
        and "id" in record
        and bool(_RESULT_MARKS & record.keys())
    )


def _listed(value: Any) -> list[Any] | None:
    if isinstance(value, list):
        return value
    if isinstance(value, dict):
        return next((value[key] for key in _LISTS if isinstance(value.get(key), list)), None)
    return None


def _detect(source: Source) -> bool:
    if source.shape == "text":
        return False
    first = source.first
    if _is_result(first):
        return True
    listed = _listed(first)
    if listed is None:
        return False
    return _is_result(listed[0]) if listed else first.keys() <= {"results", "relations"}


def _read(source: Source, _: str) -> list[Material]:
    intake = Intake(source.path.stem, "mem0")
    value = document_of(source, intake)
    pages = (
        value
        if isinstance(value, list) and any(isinstance(_listed(each), list) for each in value)
        else [value]
    )
    for page in pages:
        _take(page, intake)
        _tell_if_cut(page, intake)
    if not intake.stored and not _is_empty(value):
        raise source.refuse(
            "holds no memory of Mem0: an object with id and memory, alone, in a list or in results"
        )
    return [intake.material()]


def _tell_if_cut(page: Any, intake: Intake) -> None:
    """Tell where *page* holds as many memories as Mem0 returns to one who does not ask for more."""
    count = len(_listed(page) or ())
    if count in _USUAL:
        told = f"get_all returns {_DEFAULT} unless told top_k=" + "\N{HORIZONTAL ELLIPSIS}"
        older = "" if count == _DEFAULT else f", and {count} in older releases and pages"
        intake.tell(WHOLE, f"exactly {count} memories: {told}{older}; this may not be all", kept=True)


def _is_empty(value: Any) -> bool:
    """Whether *value* is what Mem0 returns for a user without memories."""
    return isinstance(value, dict) and _listed(value) == []


def _take(value: Any, intake: Intake) -> None:
    records = _listed(value)
    for number, record in enumerate([value] if records is None else records):
        if isinstance(record, dict) and "memory" in record:
            rest = {key: inner for key, inner in record.items() if key != "memory"}
            intake.take(stored_of(rest, rendered(record.get("memory"))))
        else:
            intake.tell(f"results[{number}]", f"is {shown(record)}; expected an object with memory")
    relations = value.get("relations") if isinstance(value, dict) else None
    if isinstance(relations, list) and relations:
        intake.extra["relations"] = [*intake.extra.get("relations", []), *relations]
        reason = f"the graph's relations ({len(relations):,}) are kept beside the memories, not as memories"
        intake.tell("relations", reason, kept=True)


MEM0 = Format("mem0", "Mem0 get_all or search", _detect, _read)
