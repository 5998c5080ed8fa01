"""A Chroma folder: ``chroma.sqlite3`` with texts and metadata in plain sight (A-MEM keeps its notes there).

Tables: collections, segments, embeddings (id, segment_id, embedding_id, created_at) and
embedding_metadata (id, key, string_value, int_value, float_value, bool_value), where the text
stands under the key ``chroma:document``.
"""

from __future__ import annotations

import sqlite3
from typing import Any

from memspan.datasets.stores.database import Database, damage
from memspan.datasets.stores.intake import Intake
from memspan.datasets.stores.times import time_of
from memspan.datasets.stores.usual import stored_of
from memspan.material import Material

FILE = "chroma.sqlite3"
NEEDED = frozenset({"id", "key", "string_value"})
_DOCUMENT = "chroma:document"
_METADATA = ("id", "key", "string_value", "int_value", "float_value", "bool_value")


def read_chroma(database: Database, name: str) -> list[Material]:
    """Return a material per collection; one without records is an empty material."""
    intakes: dict[Any, Intake] = {}
    try:
        segments, intakes = _collections(database)
        fields = _fields(database)
        for row, segment, ident, created in database.rows(
            "embeddings", ["id", "segment_id", "embedding_id", "created_at"], "rowid"
        ):
            intake = intakes.setdefault(segments.get(segment), Intake(name, "chroma"))
            _take(intake, str(ident), created, fields.pop(row, {}))
    except sqlite3.Error as error:
        intakes.setdefault(None, Intake(name, "chroma")).tell("table embeddings", damage(error))
    made = list(intakes.values()) or [Intake(name, "chroma")]
    if database.note:
        made[0].tell("store", database.note, kept=True)
    return [intake.material() for intake in made]


def _collections(database: Database) -> tuple[dict[Any, Any], dict[Any, Intake]]:
    """Return the collection of each segment, and an intake for each collection."""
    tables = database.tables()
    intakes, segments = {}, {}
    if "collections" in tables:
        for ident, called in database.rows("collections", ["id", "name"], "rowid"):
            intakes[ident] = Intake(str(called), "chroma")
    if "segments" in tables:
        segments = dict(database.rows("segments", ["id", "collection"], "rowid"))
    return segments, intakes


def _fields(database: Database) -> dict[Any, dict[str, Any]]:
    fields: dict[Any, dict[str, Any]] = {}
    for row, key, *values in database.rows("embedding_metadata", _METADATA, "rowid"):
        value = next((each for each in values if each is not None), None)
        fields.setdefault(row, {})[str(key)] = value
    return fields


def _take(intake: Intake, ident: str, created: Any, fields: dict[str, Any]) -> None:
    text = fields.pop(_DOCUMENT, None)
    stored = stored_of(fields, text if isinstance(text, str) else "", ident)
    stored.time = stored.time or time_of(created)
    intake.take(stored)
