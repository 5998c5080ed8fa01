"""LangGraph's store: in memory, or in SQLite.

Without an index a store answers a query with rows that nothing ranked, and says nothing of it; SQLite's
index needs a Python whose sqlite3 loads extensions. So there are three kinds, by what a store can do.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from memspan.errors import SystemUnavailableError
from memspan.material import Claim, Note
from memspan.models import HashedEmbedder
from memspan.ports import Embedder
from memspan.systems.kind import Setting, SystemKind
from memspan.systems.packages.packaged import EVERYTHING, Package, Packaged, note_from, part, rows

__all__ = ["KINDS", "langgraph_memory", "langgraph_sqlite", "langgraph_store"]

CURE = "pip install 'memspan[langgraph]'"
READ = 10  # BaseStore.search(limit=10): langgraph-checkpoint 4.3, langgraph/store/base
PLACE = ("memspan",)  # the namespace


class _Store:
    """Calls of a `BaseStore`: the key is the claim's id, so what is written twice is there once."""

    def __init__(self, store: Any, connection: sqlite3.Connection | None = None) -> None:
        self.store, self._connection = store, connection

    def write(self, claim: Claim, tags: Mapping[str, Any]) -> None:
        self.store.put(PLACE, claim.id, {"text": claim.text, **tags})

    def search(self, text: str, k: int) -> Sequence[Note]:
        return [_note(item) for item in self.store.search(PLACE, query=text, limit=k)]

    def everything(self) -> Sequence[Note]:
        return [_note(item) for item in self.store.search(PLACE, limit=EVERYTHING)]

    def delete(self, name: str) -> None:
        self.store.delete(PLACE, name)

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()


def _note(item: Any) -> Note:
    return note_from(item.key, item.value["text"], item.value)


def langgraph_store(store: Any, capacity: int | None = None, name: str = "langgraph") -> Packaged:
    """Return a user's own `BaseStore`, e.g. one on PostgreSQL, as a memory system.

    Args:
        store: open; it stays open, and what is written stays in it, under the namespace ``memspan``.
        capacity: claims that its notes may rest on; None for no bound.
        name: as outputs name it.
    """
    return Packaged(name, lambda _: _Store(store), capacity)


def langgraph_memory(embedder: Embedder | None = None, capacity: int | None = None) -> Packaged:
    """Return LangGraph's `InMemoryStore` with an index; it holds nothing after a restart.

    Args:
        embedder: texts to vectors; `HashedEmbedder` where none is given.
        capacity: claims that its notes may rest on; None for no bound.

    Raises:
        SystemUnavailableError: langgraph is not installed.
    """
    return Packaged("langgraph", partial(_in_memory, embedder or HashedEmbedder()), capacity)


def langgraph_sqlite(
    folder: Path | None = None,
    embedder: Embedder | None = None,
    capacity: int | None = None,
    *,
    ranked: bool = True,
) -> Packaged:
    """Return LangGraph's `SqliteStore`.

    Args:
        folder: of the file ``store.sqlite``; a temporary one where None.
        embedder: texts to vectors; `HashedEmbedder` where none is given.
        capacity: claims that its notes may rest on; None for no bound.
        ranked: with an index. Without one, whatever is asked, what was updated last is read.

    Raises:
        SystemUnavailableError: langgraph-checkpoint-sqlite is not installed; or an index is asked for,
            and this Python's sqlite3 loads no extensions.
    """
    name = "langgraph-sqlite" if ranked else "langgraph-sqlite-unranked"
    index = (embedder or HashedEmbedder()) if ranked else None
    return Packaged(name, partial(_in_sqlite, index, name), capacity, folder)


def _in_memory(embedder: Embedder, _: Path) -> Package:
    made = part("langgraph.store.memory:InMemoryStore", "langgraph", CURE)
    return _Store(made(index=_index(embedder)))


def _in_sqlite(embedder: Embedder | None, name: str, folder: Path) -> Package:
    made = part("langgraph.store.sqlite:SqliteStore", name, CURE)
    folder.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(folder / "store.sqlite", check_same_thread=False, isolation_level=None)
    if embedder is not None and not hasattr(connection, "enable_load_extension"):
        connection.close()
        raise SystemUnavailableError(
            f"{name} needs a Python whose sqlite3 loads extensions, and this one does not; run it with the"
            " Python of Debian, of Homebrew or of uv, or take langgraph or langgraph-sqlite-unranked"
        )
    store = made(connection) if embedder is None else made(connection, index=_index(embedder))
    store.setup()
    return _Store(store, connection)


def _index(embedder: Embedder) -> dict[str, Any]:
    return {"dims": len(rows(embedder, [""])[0]), "embed": partial(rows, embedder), "fields": ["text"]}


def _memory(setting: Setting) -> Packaged:
    return langgraph_memory(capacity=setting.capacity)


def _sqlite(setting: Setting) -> Packaged:
    return langgraph_sqlite(capacity=setting.capacity)


def _unranked(setting: Setting) -> Packaged:
    return langgraph_sqlite(capacity=setting.capacity, ranked=False)


_SOURCE = "langgraph-checkpoint 4.3.2, langgraph/store/memory; langgraph-checkpoint-sqlite 3.1.2"
KINDS = (
    SystemKind("langgraph", "", _memory, READ, source=_SOURCE),
    SystemKind("langgraph-sqlite", "", _sqlite, READ, source=_SOURCE),
    SystemKind("langgraph-sqlite-unranked", "", _unranked, READ, source=_SOURCE),
)
