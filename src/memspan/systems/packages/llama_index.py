"""LlamaIndex: a `VectorStoreIndex` over nodes, in memory, written to a folder when it is closed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from memspan.material import Claim, Note
from memspan.models import HashedEmbedder
from memspan.ports import Embedder
from memspan.systems.kind import Setting, SystemKind
from memspan.systems.packages.packaged import Package, Packaged, note_from, part, rows

__all__ = ["KINDS", "llama_index_system"]

CURE = "pip install 'memspan[llama-index]'"
READ = 2  # DEFAULT_SIMILARITY_TOP_K: llama-index-core 0.14, llama_index/core/constants.py


class _Index:
    """Calls of a `VectorStoreIndex`: a node's id is the claim's, so what is written twice is there once."""

    def __init__(self, index: Any, folder: Path) -> None:
        self.index, self._folder = index, folder
        self._node = part("llama_index.core.schema:TextNode", "llama-index", CURE)

    def write(self, claim: Claim, tags: Mapping[str, Any]) -> None:
        hidden = list(tags)  # else they would be embedded with the text
        node = self._node(
            id_=claim.id, text=claim.text, metadata=dict(tags), excluded_embed_metadata_keys=hidden
        )
        self.index.insert_nodes([node])

    def search(self, text: str, k: int) -> Sequence[Note]:
        found = self.index.as_retriever(similarity_top_k=k).retrieve(text)
        return [_note(scored.node) for scored in found]

    def everything(self) -> Sequence[Note]:
        return [_note(node) for node in self.index.docstore.docs.values()]

    def delete(self, name: str) -> None:
        self.index.delete_nodes([name], delete_from_docstore=True)

    def close(self) -> None:
        self.index.storage_context.persist(str(self._folder))


def _note(node: Any) -> Note:
    return note_from(node.node_id, node.text, node.metadata)


def llama_index_system(
    folder: Path | None = None, embedder: Embedder | None = None, capacity: int | None = None
) -> Packaged:
    """Return LlamaIndex's `VectorStoreIndex` with its own simple stores as a memory system.

    All is in memory until it is closed: what a crash takes since then is gone, as in LlamaIndex.

    Args:
        folder: where it is persisted; a temporary one where None.
        embedder: texts to vectors; `HashedEmbedder` where none is given.
        capacity: claims that its notes may rest on; None for no bound.

    Raises:
        SystemUnavailableError: llama-index-core is not installed.
    """
    return Packaged("llama-index", partial(_open, embedder or HashedEmbedder()), capacity, folder)


def _open(embedder: Embedder, folder: Path) -> Package:
    core = part("llama_index.core", "llama-index", CURE)
    model = _model(embedder)
    if (folder / "docstore.json").exists():
        context = core.StorageContext.from_defaults(persist_dir=str(folder))
        return _Index(core.load_index_from_storage(context, embed_model=model), folder)
    folder.mkdir(parents=True, exist_ok=True)
    return _Index(core.VectorStoreIndex(nodes=[], embed_model=model), folder)


def _model(embedder: Embedder) -> Any:
    """Return *embedder* as LlamaIndex takes one: it wants a class of its own kind."""
    base = part("llama_index.core.embeddings:BaseEmbedding", "llama-index", CURE)

    class Embedding(base):  # type: ignore[misc, valid-type]
        def _get_text_embedding(self, text: str) -> list[float]:
            return rows(embedder, [text])[0]

        def _get_query_embedding(self, query: str) -> list[float]:
            return self._get_text_embedding(query)

        async def _aget_query_embedding(self, query: str) -> list[float]:
            return self._get_text_embedding(query)

    return Embedding(model_name=embedder.name)


def _make(setting: Setting) -> Packaged:
    return llama_index_system(capacity=setting.capacity)


KINDS = (SystemKind("llama-index", "", _make, READ, source="llama-index-core 0.14.25, VectorStoreIndex"),)
