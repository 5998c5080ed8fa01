"""Mem0 itself, on a local Qdrant: texts as they are, or what its model makes of them."""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from memspan.material import Claim, Note
from memspan.models import HashedEmbedder
from memspan.ports import ChatModel, Embedder, Message
from memspan.systems.kind import Setting, SystemKind
from memspan.systems.packages.packaged import EVERYTHING, Names, Package, Packaged, part, rows

__all__ = ["KINDS", "mem0_system"]

CURE = "pip install 'memspan[mem0]'"
READ = 20  # Memory.search(top_k=20): mem0ai 2.2.1, mem0/memory/main.py
USER = "memspan"
_OWN = {"provider": "openai", "config": {"api_key": "none"}}  # is replaced before anything is sent


@dataclass(frozen=True)
class _Embedding:
    """An embedder as Mem0 calls one."""

    embedder: Embedder

    def embed(self, text: str, memory_action: str | None = None) -> list[float]:
        return self.embed_batch([text], memory_action)[0]

    def embed_batch(self, texts: Sequence[str], memory_action: str | None = None) -> list[list[float]]:
        del memory_action
        return rows(self.embedder, texts)


@dataclass(frozen=True)
class _Model:
    """A chat model as Mem0 calls one; Mem0 reads the JSON out of the answer itself."""

    chat: ChatModel

    def generate_response(self, messages: Sequence[Mapping[str, Any]], **_: Any) -> str:
        return self.chat.reply([Message(each["role"], each["content"]) for each in messages]).text


class _Mem0:
    """Calls of `mem0.Memory`."""

    def __init__(self, memory: Any, *, infer: bool) -> None:
        self.memory, self._infer, self._names = memory, infer, Names()

    def write(self, claim: Claim, tags: Mapping[str, Any]) -> None:
        message = {"role": "user", "content": claim.text} | ({"name": claim.speaker} if claim.speaker else {})
        self.memory.add([message], user_id=USER, infer=self._infer, metadata=dict(tags))

    def search(self, text: str, k: int) -> Sequence[Note]:
        found = self.memory.search(text, filters={"user_id": USER}, top_k=k)
        return [self._note(row) for row in found["results"]]

    def everything(self) -> Sequence[Note]:
        listed = self.memory.get_all(filters={"user_id": USER}, top_k=EVERYTHING, show_expired=True)
        return [self._note(row) for row in listed["results"]]

    def _note(self, row: Mapping[str, Any]) -> Note:
        return self._names.note(row["id"], row["memory"], row.get("metadata"))

    def delete(self, name: str) -> None:
        self.memory.delete(self.own(name))

    def own(self, name: str) -> str:
        """Return Mem0's own id of the note called *name*."""
        return self._names.own(name)

    def close(self) -> None:
        self.memory.close()
        entities = self.memory._entity_store  # noqa: SLF001 - asked for openly it would be made
        stores = {id(store): store for store in (self.memory.vector_store, entities) if store}
        for store in stores.values():
            if hasattr(store, "client"):
                store.client.close()  # Memory.close leaves Qdrant's lock on the folder


def mem0_system(
    folder: Path | None = None,
    *,
    embedder: Embedder | None = None,
    chat: ChatModel | None = None,
    config: Mapping[str, Any] | None = None,
    capacity: int | None = None,
) -> Packaged:
    """Return Mem0 as a memory system; its telemetry is off, unless MEM0_TELEMETRY says otherwise.

    With a model, Mem0 extracts memories from each claim, and each of them rests on that claim; without
    one it stores the claim's text (``infer=False``). Its keyword score needs fastembed, and its
    entities spaCy with a model: where they are missing Mem0 goes by cosine alone.

    Args:
        folder: of Qdrant's files and the history; a temporary one where None.
        embedder: texts to vectors; `HashedEmbedder` where none is given.
        chat: what extracts; `memspan.models.OpenAIChat` speaks to any OpenAI-compatible server.
        config: parts of Mem0's own configuration that replace these, e.g. ``{"embedder": {...}}``
            or ``{"llm": {...}}`` as one's service uses them.
        capacity: claims that its notes may rest on; None for no bound.

    Raises:
        SystemUnavailableError: mem0ai is not installed.
    """
    given = dict(config or {})
    start = partial(_open, embedder or HashedEmbedder(), chat, given)
    return Packaged("mem0-package", start, capacity, folder)


def _open(embedder: Embedder, chat: ChatModel | None, given: Mapping[str, Any], folder: Path) -> Package:
    os.environ.setdefault("MEM0_TELEMETRY", "False")  # is read when mem0 is imported
    os.environ.setdefault("ANONYMIZED_TELEMETRY", "False")
    made = part("mem0:Memory", "mem0-package", CURE)
    folder.mkdir(parents=True, exist_ok=True)
    logging.getLogger("mem0").addHandler(logging.NullHandler())  # its notes are for who asks for them
    memory = made.from_config({**_config(folder, embedder), **given})
    if "embedder" not in given:
        memory.embedding_model = _Embedding(embedder)
    if "llm" not in given and chat is not None:
        memory.llm = _Model(chat)
    return _Mem0(memory, infer=chat is not None or "llm" in given)


def _config(folder: Path, embedder: Embedder) -> dict[str, Any]:
    place = {
        "path": str(folder / "qdrant"),
        "collection_name": "memspan",
        "embedding_model_dims": embedder.embed([""]).shape[1],
        "on_disk": True,
    }
    return {
        "vector_store": {"provider": "qdrant", "config": place},
        "embedder": _OWN,
        "llm": _OWN,
        "history_db_path": str(folder / "history.db"),
    }


def _make(setting: Setting) -> Packaged:
    return mem0_system(capacity=setting.capacity)


KINDS = (SystemKind("mem0-package", "", _make, READ, source="mem0ai 2.2.1, mem0/memory/main.py"),)
