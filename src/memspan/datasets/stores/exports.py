"""Any JSON or JSON Lines of texts: where the records are, and which field holds the memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from memspan.datasets.json_text import shown
from memspan.datasets.source import Source
from memspan.datasets.stores.chats import holds_chat
from memspan.datasets.stores.documents import document_of
from memspan.datasets.stores.intake import Intake
from memspan.datasets.stores.unnamed import tell_unnamed_times
from memspan.datasets.stores.usual import ID, TEXT, TIME, has_vector, rendered, stored_of, text_field
from memspan.material import Material

SURE = frozenset(TEXT[:3]) | {"fact", "observation", "reflection", "insight", "preference"}
"""Text fields that no chat and no set of questions has."""
_LISTS = (
    "memories", "memory", "results", "facts", "notes", "observations", "reflections", "insights",
    "preferences", "items", "entries", "records", "documents", "chunks", "passages", "points",
    "nodes", "texts", "store", "data", "result", "docs", "rows", "values",
)  # fmt: skip
_ASKED = frozenset({"question", "query", "questions", "prompt", "question_id"})
_DEEPEST = 4
_FEWEST_WORDS = 2


@dataclass(frozen=True)
class Group:
    """Records that lie together in a document.

    Attributes:
        place: how messages call it.
        scope: the keys that lead to it, where they say whose memories they are.
        records: objects or texts.
        names: an id for each, where the keys are ids.
    """

    place: str
    scope: str
    records: Sequence[Any]
    names: Sequence[str] | None = None


def looks_like_memories(source: Source) -> bool:
    """Whether *source* is JSON whose records hold a text, and neither a chat nor a set of questions."""
    if source.shape == "text":
        return False
    value = document_of(source)
    groups = list(groups_of(value))
    fields = [_field(group) for group in groups]
    if not any(field is not None for field in fields):
        return False
    if any(str(field).lower() in SURE for field in fields):
        return True
    return not holds_chat(value) and not any(_asks(group) for group in groups)


def read_memories(source: Source) -> list[Material]:
    """Return the texts in the JSON of *source* as one material.

    Raises:
        FileError: no record holds a text.
    """
    intake = Intake(source.path.stem, "memories")
    for group in groups_of(document_of(source, intake)):
        _take(group, intake)
    if not intake.stored:
        raise source.refuse(no_text(sorted(_seen(source))))
    return [intake.material()]


def no_text(seen: Sequence[str]) -> str:
    """Return what to say where nothing looks like a text."""
    fields = f"the fields are {', '.join(map(shown, seen[:8]))}, and " if seen else ""
    return f"{fields}nothing looks like the text of a memory; call that field memory, text or content"


# --- where the records are ------------------------------------------------------------------------


def groups_of(value: Any, place: str = "records", scope: str = "", depth: int = 0) -> Iterator[Group]:
    """Yield the lists of records in a JSON *value*, and objects that map ids to records or texts."""
    if depth > _DEEPEST:
        return
    if isinstance(value, list):
        yield from _of_list(value, place, scope, depth)
    elif isinstance(value, dict) and value:
        yield from _of_object(value, place, scope, depth)


def _of_list(value: list[Any], place: str, scope: str, depth: int) -> Iterator[Group]:
    objects = sum(isinstance(each, dict | str) for each in value)
    if value and 2 * objects >= len(value):
        inner = value[0] if isinstance(value[0], dict) else {}
        if (
            any(isinstance(inner.get(key), list) for key in _LISTS)
            and text_field([inner], guess=False) is None
        ):
            for number, each in enumerate(value):  # pages of results
                yield from groups_of(each, f"{place}[{number}]", scope, depth + 1)
            return
        yield Group(place, scope, value)


def _of_object(value: dict[str, Any], place: str, scope: str, depth: int) -> Iterator[Group]:
    columns = _columns(value)
    if columns is not None:
        yield Group(place, scope, columns)
        return
    listed = [
        key
        for key in value
        if str(key).lower() in _LISTS and isinstance(value[key], list | dict) and value[key]
    ]
    if listed:
        for key in listed:
            yield from groups_of(value[key], str(key), scope, depth + 1)
        return
    inner = list(value.values())
    if text_field([value], guess=False) is not None:
        if depth == 0 or {key.lower() for key in value} & {*ID, *TIME}:
            yield Group(place, scope, [value])
        elif all(isinstance(each, str) for each in inner):
            yield Group(place, scope, inner, list(value))
    elif _are_records(inner):
        yield Group(place, scope, inner, list(value))
    elif all(isinstance(each, list | dict) for each in inner):
        for key, each in value.items():
            yield from groups_of(each, str(key), f"{scope}/{key}".lstrip("/"), depth + 1)


def _are_records(values: list[Any]) -> bool:
    """Whether the *values* of an object are records or texts, so that its keys are their ids."""
    if all(isinstance(each, str) for each in values):
        return len(values) > 1
    return all(isinstance(each, dict) for each in values) and text_field(values, guess=True) is not None


def _columns(value: dict[str, Any]) -> list[dict[str, Any]] | None:
    """Return the rows of a document in columns, as Chroma's `get` gives it: ids, documents, metadatas."""
    ids, texts = value.get("ids"), value.get("documents")
    if not isinstance(ids, list) or not isinstance(texts, list) or len(ids) != len(texts):
        return None
    metadata = value.get("metadatas")
    beside = metadata if isinstance(metadata, list) and len(metadata) == len(ids) else [None] * len(ids)
    return [{"id": i, "text": text, "metadata": m} for i, text, m in zip(ids, texts, beside, strict=True)]


# --- what they say --------------------------------------------------------------------------------


def _flat(record: dict[str, Any]) -> dict[str, Any]:
    """Return *record* with the payload of a vector store lifted to the top."""
    payload = record.get("payload")
    if not isinstance(payload, dict):
        return record
    return {**payload, **{key: value for key, value in record.items() if key != "payload"}}


def _field(group: Group) -> str | None:
    """Return the field of *group* that holds the text; empty where its records are the texts."""
    objects = [_flat(each) for each in group.records if isinstance(each, dict)]
    if 2 * len(objects) >= len(group.records):
        field = text_field(objects, guess=len(objects) > 1 or group.names is not None)
        return field if field is not None else _nested_field(objects)
    texts = [each for each in group.records if isinstance(each, str)]
    worded = sum(len(text.split()) >= _FEWEST_WORDS for text in texts)
    return "" if texts and 2 * worded >= len(texts) else None


def _nested_field(records: list[dict[str, Any]]) -> str | None:
    """Return a field of a usual name whose objects hold the text, e.g. a value of a store of objects."""
    for name in TEXT:
        inner = [record[name] for record in records if isinstance(record.get(name), dict)]
        if inner and 2 * len(inner) >= len(records) and text_field(inner, guess=False) is not None:
            return name
    return None


def _asks(group: Group) -> bool:
    objects = [each for each in group.records[:50] if isinstance(each, dict)]
    return bool(objects) and 2 * sum(bool(_ASKED & each.keys()) for each in objects) >= len(objects)


def _take(group: Group, intake: Intake) -> None:
    field = _field(group)
    if field is None:
        return
    objects = [_flat(each) for each in group.records if isinstance(each, dict)]
    tell_unnamed_times([{key: each[key] for key in each if key != field} for each in objects], intake)
    vectors = 0
    for number, record in enumerate(group.records):
        name = group.names[number] if group.names is not None else None
        if isinstance(record, str):
            stored = stored_of({}, record, name)
        elif isinstance(record, dict):
            fields = _flat(record)
            vectors += has_vector(record)
            rest = {key: value for key, value in fields.items() if key != field}
            stored = stored_of(rest, rendered(fields.get(field)), name)
        else:
            intake.tell(f"{group.place}[{number}]", f"is {shown(record)}; expected an object or a text")
            continue
        stored.scope = stored.scope or group.scope or None
        intake.take(stored)
    if vectors:
        intake.tell(
            group.place, f"the vectors of {vectors:,} memories are left out", field="embedding", kept=True
        )


def _seen(source: Source) -> set[str]:
    return set(source.first)
