"""Stores to materials: a folder, a SQLite file, an address, or an export as text."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from memspan.datasets.fields import distinct
from memspan.datasets.format import Format
from memspan.datasets.json_text import shown
from memspan.datasets.source import Source, open_source
from memspan.datasets.stores import chroma, history, langgraph, llama_index, qdrant
from memspan.datasets.stores.address import is_address
from memspan.datasets.stores.chats import holds_chat
from memspan.datasets.stores.database import MAGIC, Database, read_database, refused
from memspan.datasets.stores.exports import no_text
from memspan.datasets.stores.formats import MEMORIES, STORE_FORMATS, STORES
from memspan.datasets.stores.postgres import read_postgres
from memspan.errors import Fault, FileError, FormatError
from memspan.material import Dropped, Material

_READS = "; ".join(f"{kind.title} ({kind.place})" for kind in STORES)
_MOST_INSIDE = 200


def read_store(path_or_url: str | os.PathLike[str]) -> tuple[Material, ...]:
    """Read a memory store as it is; the stored memories become the claims of a material.

    Args:
        path_or_url: a folder (Mem0 or Qdrant, LlamaIndex, Chroma), a SQLite file, the address of a
            PostgreSQL database (``postgresql://…``), or an export in JSON, JSON Lines, CSV or TSV.

    Returns:
        A material per collection, agent or schema, each with the kind of store in
        ``extra["store"]``. A claim has the store's own id; its `extra` holds scope, updated,
        metadata, claims (origins) and versions where the store keeps them. What could not be
        read is in `Material.dropped`.

    Raises:
        FileError: it cannot be read; nothing in it was changed.
        FormatError: it is no store that memspan knows, or nothing in it looks like a text.
        MissingExtra: the address of a PostgreSQL database needs psycopg.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     notes = Path(folder, "notes.json")
    ...     _ = notes.write_text('[{"id": "m1", "text": "Ana moved to Porto."}]')
    ...     read_store(notes)[0].claims[0].text
    'Ana moved to Porto.'
    """
    place = os.fspath(path_or_url)
    found = store_at(place)
    if found is None:
        source = open_source(Path(place))
        found = _format_of(source).read(source, "")
    return tuple(_apart(found))


def store_at(place: str) -> list[Material] | None:
    """Return the materials of a folder, a SQLite file or an address; None where *place* is none of them.

    Raises:
        FileError: it cannot be read.
        FormatError: it is a folder or a database of another kind.
    """
    if is_address(place):
        return read_postgres(place)
    path = Path(place)
    if _is(path, Path.is_dir):
        return _folder(path)
    return _sqlite(path) if _is_sqlite(path) else None


def _apart(materials: list[Material]) -> list[Material]:
    names = distinct([material.id for material in materials])
    return [
        material if material.id == name else replace(material, id=name)
        for material, name in zip(materials, names, strict=True)
    ]


def _format_of(source: Source) -> Format:
    found = next((each for each in STORE_FORMATS if each.detect(source)), None)
    if found is not None:
        return found
    problem = no_text(list(source.first))
    if source.shape != "text" and holds_chat(
        source.parsed.value if source.shape == "json" else source.records
    ):
        problem = (
            "is a conversation, not a store; memspan extract makes claims of it, "
            f"or read each message as a memory with load(path, format={MEMORIES.name!r})"
        )
    raise FormatError(str(source.path), [Fault("", "", problem)])


# --- folders --------------------------------------------------------------------------------------


def _folder(folder: Path) -> list[Material]:
    """Read the store that *folder* is, else the stores that lie directly in it."""
    found = _store_of(folder)
    if found is not None:
        return found
    inside = [each for each in _entries(folder) if _is(each, Path.is_dir) or _is_sqlite(each)]
    made, faults = _inside(inside)
    if made:
        return made
    if faults:
        raise FileError(str(folder), faults)
    problem = f"is a directory; name one file in it, or give the folder of a store. memspan reads {_READS}"
    raise FormatError(str(folder), [Fault("", "", problem)])


def _inside(places: list[Path]) -> tuple[list[Material], list[Fault]]:
    """Return the stores at *places*; what cannot be read is told by the first of them, or alone."""
    made: list[Material] = []
    faults: list[Fault] = []
    for place in places:
        try:
            made += _inner(place)
        except FileError as error:
            faults += [Fault(place.name, fault.field, fault.problem) for fault in error.faults]
    if made and faults:
        told = tuple(Dropped(fault.record, fault.field, fault.problem) for fault in faults)
        made[0] = replace(made[0], dropped=(*made[0].dropped, *told))
    return made, faults


def _store_of(folder: Path) -> list[Material] | None:
    try:
        if qdrant.is_qdrant(folder):
            return qdrant.read_qdrant(folder)
    except OSError as error:
        raise refused(folder, f"cannot be read: {error.strerror or error}") from error
    if (folder / qdrant.FILE).is_file():
        return [qdrant.read_collection(folder / qdrant.FILE, folder.resolve().name)]
    if (folder / chroma.FILE).is_file():
        return _sqlite(folder / chroma.FILE)
    if (folder / llama_index.FILE).is_file():
        return llama_index.LLAMA_INDEX.read(open_source(folder / llama_index.FILE), "")
    return None


def _entries(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())[:_MOST_INSIDE]
    except OSError as error:
        raise refused(folder, f"cannot be read: {error.strerror or error}") from error


def _inner(place: Path) -> list[Material]:
    """Return the store at *place*, one level down; nothing where it is none."""
    if _is(place, Path.is_dir):
        return _store_of(place) or []
    return _sqlite(place) if place.name != "history.db" and read_database(place, _kind) else []


# --- SQLite ---------------------------------------------------------------------------------------


def _is_sqlite(path: Path) -> bool:
    try:
        if not path.is_file():
            return False
        with path.open("rb") as file:
            return file.read(len(MAGIC)) == MAGIC
    except (OSError, ValueError):  # what cannot be opened is told by the one who must
        return False


def _is(path: Path, kind: Callable[[Path], bool]) -> bool:
    try:
        return kind(path)
    except (OSError, ValueError):
        return False


def _kind(database: Database) -> str:
    """Return which store the tables of *database* make it; empty where none."""
    tables = database.tables()
    needed = {
        "langgraph": (langgraph.TABLE, langgraph.NEEDED),
        "chroma": ("embedding_metadata", chroma.NEEDED),
        "points": ("points", frozenset({"id", "point"})),
        "history": ("history", history.NEEDED),
    }
    return next(
        (kind for kind, (table, columns) in needed.items() if columns <= tables.get(table, frozenset())), ""
    )


def _sqlite(path: Path) -> list[Material]:
    return read_database(path, partial(_from_database, path))


def _from_database(path: Path, database: Database) -> list[Material]:
    kind = _kind(database)
    if kind == "chroma":
        return chroma.read_chroma(database, path.resolve().parent.name)
    if kind == "points":
        return [qdrant.collection_of(database, path.resolve().parent.name)]
    if kind == "langgraph":
        return [langgraph.read_langgraph(database, path.stem)]
    if kind == "history":
        return [history.read_history(database, path.stem)]
    names = ", ".join(shown(name) for name in list(database.tables())[:12]) or "no table"
    reads = "memspan reads those of LangGraph, Qdrant, Chroma and Mem0's history"
    cure = 'of another, export a table: sqlite3 -header -csv FILE "select * from TABLE" > memories.csv'
    raise FormatError(str(path), [Fault("", "", f"is an SQLite database with {names}; {reads}; {cure}")])
