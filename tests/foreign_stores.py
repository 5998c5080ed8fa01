"""Small stores as other programs write them, built without those programs."""

import json
import pickle
import sqlite3
import sys
import types
from contextlib import contextmanager
from pathlib import Path

HOME = "qdrant_client.http.models.models"
ANA = {
    "data": "Ana moved to Porto.",
    "hash": "aa",
    "created_at": "2026-03-02T09:00:00+00:00",
    "user_id": "ana",
    "event_id": "e1",
    "text_lemmatized": "ana move porto",
}


@contextmanager
def _point_class():
    """Pretend for a moment that qdrant-client is there, so that pickles name its class."""
    names = [HOME.rsplit(".", n)[0] for n in (3, 2, 1)] + [HOME]
    before = {name: sys.modules.get(name) for name in names}
    made = type("PointStruct", (), {"__module__": HOME})
    made.__getstate__ = lambda self: self.kept
    sys.modules.update({name: types.ModuleType(name) for name in names})
    sys.modules[HOME].PointStruct = made
    try:
        yield made
    finally:
        for name, module in before.items():
            if module is None:
                del sys.modules[name]
            else:
                sys.modules[name] = module


def point(ident, payload, vector=(1.0, 2.0)):
    """Return the pickle of a point as qdrant-client writes it."""
    with _point_class() as kind:
        made = kind.__new__(kind)
        made.kept = {
            "__dict__": {"id": ident, "vector": {"": list(vector)}, "payload": payload},
            "__pydantic_extra__": None,
            "__pydantic_fields_set__": {"id", "vector", "payload"},
            "__pydantic_private__": None,
        }
        return pickle.dumps(made)


def qdrant(folder, blobs, name="mem0"):
    """Write a folder of qdrant-client whose collection *name* holds *blobs*."""
    place = Path(folder) / "collection" / name
    place.mkdir(parents=True)
    meta = Path(folder) / "meta.json"
    known = json.loads(meta.read_text())["collections"] if meta.exists() else {}
    meta.write_text(json.dumps({"collections": {**known, name: {}}, "aliases": {}}))
    rows = [(f"key {i}", blob) for i, blob in enumerate(blobs)]
    database(
        place / "storage.sqlite", ["create table points (id text primary key, point blob)"], "points", rows
    )
    return Path(folder)


def database(path, statements, table="", rows=()):
    """Write a SQLite file with *rows* in *table*."""
    connection = sqlite3.connect(path)
    for statement in statements:
        connection.execute(statement)
    if rows:
        marks = ", ".join("?" for _ in rows[0])
        connection.executemany(f'insert into "{table}" values ({marks})', rows)  # noqa: S608
    connection.commit()
    connection.close()
    return path


LANGGRAPH = """create table store (prefix text not null, key text not null, value text not null,
created_at timestamp, updated_at timestamp, expires_at timestamp, ttl_minutes real,
primary key (prefix, key))"""
HISTORY = """create table history (id text primary key, memory_id text, old_memory text, new_memory text,
event text, created_at datetime, updated_at datetime, is_deleted integer, actor_id text, role text)"""
DAY = "2026-03-02 09:00:00"


def langgraph(path, items):
    """Write a LangGraph store with *items*: (prefix, key, value)."""
    rows = [(*item[:2], item[2] if isinstance(item[2], bytes | str) else json.dumps(item[2]).encode(),
             DAY, DAY, None, None) for item in items]  # fmt: skip
    return database(path, [LANGGRAPH], "store", rows)


def history(path, events):
    """Write Mem0's history with *events*: (memory_id, old, new, event, time)."""
    rows = [(f"h{i}", ident, old, new, kind, time, time, int(kind == "DELETE"), None, "user")
            for i, (ident, old, new, kind, time) in enumerate(events)]  # fmt: skip
    return database(path, [HISTORY], "history", rows)


def everything(folder):
    """Return each file under *folder* with its bytes, size and time: what must not change."""
    return {
        str(path.relative_to(folder)): (path.stat().st_mtime_ns, path.read_bytes() if path.is_file() else b"")
        for path in sorted([Path(folder), *Path(folder).rglob("*")])
    }
