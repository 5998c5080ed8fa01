"""Mem0's history: what each memory said before, and what was deleted.

Table ``history`` of ``history.db``: memory_id, old_memory, new_memory, event (ADD, UPDATE, DELETE).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memspan.datasets.stores.database import MAGIC, Database, damage, read_database
from memspan.datasets.stores.intake import Intake, Stored
from memspan.datasets.stores.times import time_of
from memspan.errors import FileError
from memspan.material import Material

COLUMNS = ("memory_id", "old_memory", "new_memory", "event", "created_at", "updated_at", "actor_id", "role")
NEEDED = frozenset(COLUMNS[:4])
_TABLE = "history"

Event = dict[str, Any]
"""One change of a memory: text, event, time, actor."""


@dataclass(frozen=True)
class Histories:
    """What is known of the past.

    Attributes:
        events: the changes of each memory by its id, oldest first.
        note: how the file was read, where that is worth telling.
        fault: what could not be read of it.
    """

    events: Mapping[str, list[Event]]
    note: str = ""
    fault: str = ""

    @classmethod
    def near(cls, folder: Path) -> Histories:
        """Return the history that lies in *folder* or beside it; an empty one where there is none."""
        for place in (folder / "history.db", folder.resolve().parent / "history.db"):
            if _is_sqlite(place):
                try:
                    return read_database(place, events_of)
                except FileError as error:
                    return cls({}, fault=f"{place.name} cannot be used: {error.faults[0]}")
        return cls({})


def events_of(database: Database) -> Histories:
    """Return all changes that a history *database* tells."""
    events: dict[str, list[Event]] = {}
    if not database.tables().get(_TABLE, frozenset()) >= NEEDED:
        return Histories({})
    try:
        for row in database.rows(_TABLE, COLUMNS, "rowid"):
            name, event = _event(dict(zip(COLUMNS, row, strict=True)))
            events.setdefault(name, []).append(event)
    except sqlite3.Error as error:
        return Histories(events, database.note, damage(error))
    return Histories(events, database.note)


def told_by(past: Histories, intake: Intake) -> None:
    """Give each memory of *intake* its earlier versions, and the material the memories that were deleted."""
    if past.fault:
        intake.tell("history.db", past.fault, kept=True)
    here = {stored.id for stored in intake.stored}
    if not past.events or (here and not here & past.events.keys()):
        return  # the history of another store
    for stored in intake.stored:
        stored.versions = _earlier(past.events.get(stored.id or "", []), stored.text)
    deleted = [
        {
            "id": name,
            "text": _last_text(events),
            "time": events[-1]["time"],
            "versions": _earlier(events, None),
        }
        for name, events in past.events.items()
        if name not in here and events[-1]["event"] == "DELETE"
    ]
    if deleted:
        intake.extra["deleted"] = deleted


def read_history(database: Database, name: str) -> Material:
    """Return what a history alone says was held last; for a history whose store is elsewhere."""
    intake = Intake(name, "mem0")
    past = events_of(database)
    for note in filter(None, (past.note, past.fault)):
        intake.tell(f"table {_TABLE}", note, kept=True)
    for ident, events in past.events.items():
        if events[-1]["event"] != "DELETE":
            actor = events[-1]["actor"]
            changed = events[-1]["time"] if len(events) > 1 else None
            intake.take(Stored(ident, _last_text(events), events[0]["time"], changed, speaker=actor))
    intake.tell("store", "this is a history of memories; what is held is what it says last", kept=True)
    told_by(past, intake)
    return intake.material()


def _event(row: dict[str, Any]) -> tuple[str, Event]:
    kind = str(row["event"] or "").upper()
    moment = row["created_at"] if kind == "ADD" else row["updated_at"] or row["created_at"]
    text = row["old_memory"] if kind == "DELETE" else row["new_memory"]
    actor = row["actor_id"] or row["role"]
    event = {
        "text": text,
        "event": kind,
        "time": time_of(moment),
        "actor": None if actor is None else str(actor),
    }
    return str(row["memory_id"]), event


def _last_text(events: list[Event]) -> str:
    return next((str(each["text"]) for each in reversed(events) if each["text"]), "")


def _earlier(events: list[Event], now: str | None) -> list[dict[str, Any]]:
    """Return the texts that a memory had before *now*, oldest first."""
    said = [event for event in events if event["event"] != "DELETE" and event["text"] is not None]
    if said and (now is None or said[-1]["text"] == now):
        said = said[:-1]
    return [{"text": str(each["text"]), "time": each["time"], "event": each["event"]} for each in said]


def _is_sqlite(place: Path) -> bool:
    try:
        if not place.is_file():
            return False
        with place.open("rb") as file:
            return file.read(len(MAGIC)) == MAGIC
    except OSError:
        return False
