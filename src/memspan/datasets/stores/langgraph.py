"""A LangGraph store: the table ``store`` of SQLite or PostgreSQL, or its items as JSON.

Columns: prefix (the namespace, joined by full stops), key, value (JSON), created_at, updated_at,
and where the store is newer expires_at and ttl_minutes.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from typing import Any

from memspan.datasets.format import Format
from memspan.datasets.json_text import parse, shown
from memspan.datasets.source import Source
from memspan.datasets.stores.database import Database, damage
from memspan.datasets.stores.documents import document_of
from memspan.datasets.stores.intake import Intake, Stored
from memspan.datasets.stores.times import time_of
from memspan.datasets.stores.usual import rendered, stored_of
from memspan.material import Material

TABLE = "store"
NEEDED = frozenset({"prefix", "key", "value"})
COLUMNS = ("prefix", "key", "value", "created_at", "updated_at", "expires_at", "ttl_minutes")


def read_langgraph(database: Database, name: str) -> Material:
    """Return the items of a SQLite store as a material; the scope of each is its namespace."""
    intake = Intake(name, "langgraph")
    if database.note:
        intake.tell("store", database.note, kept=True)
    try:
        for row in database.rows(TABLE, COLUMNS, "rowid"):
            take_row(dict(zip(COLUMNS, row, strict=True)), intake, utc=True)
    except sqlite3.Error as error:
        intake.tell(f"table {TABLE}", damage(error))
    return intake.material()


def take_row(row: Mapping[str, Any], intake: Intake, *, utc: bool = False) -> None:
    """Take one row of the table; with *utc* times without a zone are UTC, as SQLite writes them."""
    record = f"item {row['prefix']}/{row['key']}"
    value = row["value"]
    if isinstance(value, str | bytes):
        parsed = parse(value.decode("utf-8", "replace") if isinstance(value, bytes) else value)
        if not parsed.complete:
            intake.tell(record, parsed.faults[0].problem, field="value")
            return
        value = parsed.value
    stored = _stored(value, str(row["key"]), str(row["prefix"] or "").replace(".", "/"))
    stored.time, stored.updated = (_moment(row[name], utc=utc) for name in ("created_at", "updated_at"))
    kept = {name: row[name] for name in COLUMNS[5:] if row.get(name) is not None}
    stored.metadata = {**stored.metadata, **kept}
    intake.take(stored)


def _stored(value: Any, key: str, scope: str) -> Stored:
    fields = value if isinstance(value, dict) else {}
    stored = stored_of(fields, rendered(value), key)
    stored.scope = scope or None
    return stored


def _moment(value: Any, *, utc: bool) -> str | None:
    time = time_of(value)
    return f"{time}Z" if utc and time and len(time) in (19, 23, 26) and "T" in time else time


# --- items as JSON --------------------------------------------------------------------------------


def _is_item(record: Any) -> bool:
    return isinstance(record, dict) and {"namespace", "key", "value"} <= record.keys()


def _items(value: Any) -> list[Any] | None:
    if isinstance(value, list):
        return value
    inner = value.get("items") if isinstance(value, dict) else None
    return inner if isinstance(inner, list) else [value]


def _detect(source: Source) -> bool:
    if source.shape == "text":
        return False
    first = source.first
    items = _items(first) or []
    return _is_item(first) or bool(items and _is_item(items[0]))


def _read(source: Source, _: str) -> list[Material]:
    intake = Intake(source.path.stem, "langgraph")
    for number, record in enumerate(_items(document_of(source, intake)) or []):
        if not _is_item(record):
            intake.tell(f"items[{number}]", f"is {shown(record)}; expected namespace, key and value")
            continue
        namespace = record["namespace"]
        scope = (
            "/".join(map(str, namespace)) if isinstance(namespace, list) else str(namespace).replace(".", "/")
        )
        stored = _stored(record["value"], str(record["key"]), scope)
        stored.time, stored.updated = time_of(record.get("created_at")), time_of(record.get("updated_at"))
        intake.take(stored)
    return [intake.material()]


LANGGRAPH = Format("langgraph", "LangGraph store items", _detect, _read)
