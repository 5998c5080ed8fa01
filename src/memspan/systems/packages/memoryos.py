"""MemOS (the package MemoryOS): its `GeneralTextMemory` on a local Qdrant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from memspan.material import Claim, Note
from memspan.models import HashedEmbedder
from memspan.ports import ChatModel, Embedder, Message
from memspan.systems.kind import Setting, SystemKind
from memspan.systems.packages.packaged import (
    Names,
    Package,
    Packaged,
    as_words,
    from_words,
    part,
    rows,
)

__all__ = ["KINDS", "memoryos_system"]

CURE = "pip install MemoryOS qdrant-client"
READ = 10  # the read of MemOS; `search` itself has no default
_OWN = {"model_name_or_path": "none", "api_key": "none"}  # is replaced before anything is sent


@dataclass(frozen=True)
class _Embedding:
    """An embedder as MemOS calls one."""

    embedder: Embedder

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        return rows(self.embedder, texts)


@dataclass(frozen=True)
class _Model:
    """A chat model as MemOS calls one."""

    chat: ChatModel

    def generate(self, messages: Sequence[Mapping[str, Any]], **_: Any) -> str:
        return self.chat.reply([Message(each["role"], each["content"]) for each in messages]).text


class _General:
    """Calls of a `GeneralTextMemory`; what travels with a text does so as its tags."""

    def __init__(self, memory: Any, *, infer: bool) -> None:
        self.memory, self._infer, self._names = memory, infer, Names()

    def write(self, claim: Claim, tags: Mapping[str, Any]) -> None:
        told = {"key": claim.id, "tags": as_words(tags)}
        if self._infer:
            found = self.memory.extract([{"role": "user", "content": claim.text}])
            texts = [item.memory for item in found]
        else:
            texts = [claim.text]
        if texts:
            self.memory.add([{"memory": text, "metadata": told} for text in texts])

    def search(self, text: str, k: int) -> Sequence[Note]:
        return [self._note(item) for item in self.memory.search(text, top_k=k)]

    def everything(self) -> Sequence[Note]:
        return [self._note(item) for item in self.memory.get_all()]

    def _note(self, item: Any) -> Note:
        return self._names.note(item.id, item.memory, from_words(item.metadata.tags))

    def delete(self, name: str) -> None:
        self.memory.delete([self._names.own(name)])

    def close(self) -> None:
        self.memory.vector_db.client.close()


def memoryos_system(
    folder: Path | None = None,
    *,
    embedder: Embedder | None = None,
    chat: ChatModel | None = None,
    capacity: int | None = None,
) -> Packaged:
    """Return MemOS's `GeneralTextMemory` as a memory system.

    With a model MemOS extracts memories from each claim, and each of them rests on that claim; without
    one it stores the claim's text.

    Args:
        folder: of Qdrant's files; a temporary one where None.
        embedder: texts to vectors; `HashedEmbedder` where none is given.
        chat: what extracts.
        capacity: claims that its notes may rest on; None for no bound.

    Raises:
        SystemUnavailableError: MemoryOS or qdrant-client is not installed.
    """
    return Packaged("memoryos", partial(_open, embedder or HashedEmbedder(), chat), capacity, folder)


def _open(embedder: Embedder, chat: ChatModel | None, folder: Path) -> Package:
    part("qdrant_client", "memoryos", CURE)
    config = part("memos.configs.memory:GeneralTextMemoryConfig", "memoryos", CURE)
    made = part("memos.memories.textual.general:GeneralTextMemory", "memoryos", CURE)
    folder.mkdir(parents=True, exist_ok=True)
    memory = made(config(**_config(folder, embedder)))
    memory.embedder = _Embedding(embedder)
    if chat is not None:
        memory.extractor_llm = _Model(chat)
    return _General(memory, infer=chat is not None)


def _config(folder: Path, embedder: Embedder) -> dict[str, Any]:
    place = {
        "collection_name": "memspan",
        "vector_dimension": len(rows(embedder, [""])[0]),
        "distance_metric": "cosine",
        "path": str(folder / "qdrant"),
    }
    return {
        "extractor_llm": {"backend": "openai", "config": _OWN},
        "vector_db": {"backend": "qdrant", "config": place},
        "embedder": {"backend": "universal_api", "config": {**_OWN, "provider": "openai"}},
    }


def _make(setting: Setting) -> Packaged:
    return memoryos_system(capacity=setting.capacity)


KINDS = (SystemKind("memoryos", "", _make, READ, source="MemoryOS 2.0.33, memories/textual/general.py"),)
