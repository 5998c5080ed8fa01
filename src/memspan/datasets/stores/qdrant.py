"""A folder of qdrant-client in local mode, as Mem0 uses it: a SQLite file of pickled points per collection.

Layout: ``meta.json`` and ``collection/NAME/storage.sqlite`` with a table ``points (id, point)``.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from memspan.datasets.json_text import parse
from memspan.datasets.stores.database import Database, damage, read_database
from memspan.datasets.stores.history import Histories, told_by
from memspan.datasets.stores.intake import Intake, Stored
from memspan.datasets.stores.mem0 import is_payload, stored_payload
from memspan.datasets.stores.pickled import Inert, UnsafePickle, unpickled
from memspan.datasets.stores.usual import rendered, stored_of
from memspan.material import Dropped, Material

FILE = "storage.sqlite"
_FOLDER = "collection"
_OWN = "is Mem0's own bookkeeping, not memories; passed over"


def is_qdrant(folder: Path) -> bool:
    """Whether *folder* is one that qdrant-client keeps."""
    inside = folder / _FOLDER
    return inside.is_dir() and ((folder / "meta.json").is_file() or any(_files(inside)))


def read_qdrant(folder: Path) -> list[Material]:
    """Return a material per collection of *folder*, with Mem0's history where it lies there or beside it.

    Raises:
        FileError: a collection's file cannot be read, or is no database.
    """
    files = sorted(_files(folder / _FOLDER))
    wanted = [file for file in files if not _is_own(file.parent.name)]
    notes = [Dropped(f"collection {file.parent.name}", "", _OWN) for file in files if file not in wanted]
    notes += [*_missing(folder, {file.parent.name for file in files}), *_legacy(folder / _FOLDER)]
    past = Histories.near(folder)
    materials = [read_collection(file, file.parent.name, past) for file in wanted]
    if not materials:
        materials = [Intake(folder.name, "mem0" if files else "qdrant").material()]
    return [_with(materials[0], notes), *materials[1:]] if notes else materials


def read_collection(file: Path, name: str, past: Histories | None = None) -> Material:
    """Return the points of one collection's *file* as a material called *name*."""
    return read_database(file, lambda database: collection_of(database, name, past))


def _with(material: Material, notes: list[Dropped]) -> Material:
    return replace(material, dropped=(*notes, *material.dropped))


def _files(inside: Path) -> Iterator[Path]:
    return (each / FILE for each in inside.iterdir() if (each / FILE).is_file())


def _is_own(name: str) -> bool:
    return name == "mem0migrations" or name.endswith("_entities")


def _legacy(inside: Path) -> list[Dropped]:
    reason = (
        "is kept in storage.dbm, the layout before qdrant-client 1.1.7; open it once with a version between"
    )
    return [
        Dropped(f"collection {each.name}", "", reason)
        for each in sorted(inside.iterdir())
        if not (each / FILE).is_file() and any(each.glob("storage.dbm*"))
    ]


def _missing(folder: Path, seen: set[str]) -> list[Dropped]:
    """Return what ``meta.json`` promises and the folder does not hold."""
    try:
        document = parse((folder / "meta.json").read_text("utf-8", "replace")).value
    except OSError:
        return []
    listed = document.get("collections") if isinstance(document, dict) else None
    names = listed if isinstance(listed, dict) else {}
    reason = f"stands in meta.json, but has no {FILE}"
    return [Dropped(f"collection {name}", "", reason) for name in names if name not in seen]


# --- one collection -------------------------------------------------------------------------------


def collection_of(database: Database, name: str, past: Histories | None = None) -> Material:
    """Return the points in an open *database* as a material called *name*."""
    points = list(_points(database, intake := Intake(name, "qdrant")))
    ours = [is_payload(payload) for _, payload in points]
    if any(ours) and 2 * sum(ours) >= len(ours):
        intake.kind = "mem0"
    latest: dict[str, Stored] = {}
    for ident, payload in points:
        stored = stored_payload(payload, ident) if intake.kind == "mem0" else _stored(payload, ident)
        if latest.pop(ident, None):
            intake.tell(
                f"point {ident}", "stands in several rows; the last one counts, as for Qdrant", kept=True
            )
        latest[ident] = stored
    for stored in latest.values():
        intake.take(stored)
    told_by(past or Histories({}), intake)
    return intake.material()


def _points(database: Database, intake: Intake) -> Iterator[tuple[str, dict[str, Any]]]:
    if database.note:
        intake.tell("store", database.note, kept=True)
    try:
        for number, (blob,) in enumerate(database.rows("points", ["point"], "rowid"), 1):
            point = _point(blob, f"row {number}", intake)
            if point:
                yield point
    except sqlite3.Error as error:
        intake.tell("table points", damage(error))


def _point(blob: Any, record: str, intake: Intake) -> tuple[str, dict[str, Any]] | None:
    """Return id and payload of a point; None, and a note, where it is none."""
    try:
        value = unpickled(blob if isinstance(blob, bytes) else b"")
    except UnsafePickle as error:
        intake.tell(record, str(error), field="point")
        return None
    fields = value.fields if isinstance(value, Inert) else value if isinstance(value, dict) else {}
    ident, payload = fields.get("id"), fields.get("payload")
    if not isinstance(ident, str | int) or not isinstance(payload, dict | None):
        intake.tell(record, "is no point: it has no id or a payload of another shape", field="point")
        return None
    return str(ident), {str(key): inner for key, inner in (payload or {}).items()}


def _stored(payload: dict[str, Any], ident: str) -> Stored:
    return stored_of(payload, rendered(_bare(payload)), ident)


def _bare(payload: dict[str, Any]) -> dict[str, Any]:
    inner = payload.get("_node_content")  # llama-index puts a whole node, as JSON, into one field
    if isinstance(inner, str):
        node = parse(inner).value
        if isinstance(node, dict) and isinstance(node.get("text"), str) and node["text"]:
            return {"text": node["text"]}
    return payload
