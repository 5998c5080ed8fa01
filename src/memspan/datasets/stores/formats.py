"""The exports of memories that are text, as formats, and what else is read as a store."""

from __future__ import annotations

from dataclasses import dataclass

from memspan.datasets.format import Format
from memspan.datasets.source import Source
from memspan.datasets.stores.exports import looks_like_memories, read_memories
from memspan.datasets.stores.langgraph import LANGGRAPH
from memspan.datasets.stores.letta import LETTA
from memspan.datasets.stores.llama_index import LLAMA_INDEX
from memspan.datasets.stores.mem0 import MEM0
from memspan.datasets.stores.tables import looks_like_table, read_table
from memspan.material import Material


@dataclass(frozen=True)
class StoreKind:
    """A kind of memory store that memspan reads.

    Attributes:
        name: as `Material.extra` has it under ``store``.
        title: as people call it.
        place: what to give: a file, a folder or an address.
        claim: what stands as a claim.
    """

    name: str
    title: str
    place: str
    claim: str


STORES: tuple[StoreKind, ...] = (
    StoreKind("mem0", "Mem0", "Qdrant folder, history.db, or JSON of get_all or search", "a memory"),
    StoreKind("qdrant", "Qdrant, local mode", "folder with meta.json, or storage.sqlite", "a point"),
    StoreKind("letta", "Letta", "agent file (.af), or JSON of blocks or passages", "a block or a passage"),
    StoreKind(
        "langgraph", "LangGraph store", "SQLite file, postgresql:// address, or JSON of items", "an item"
    ),
    StoreKind("llama-index", "LlamaIndex docstore", "docstore.json, or the folder it lies in", "a node"),
    StoreKind("chroma", "Chroma", "folder with chroma.sqlite3, or that file", "a document"),
    StoreKind("memories", "Texts of any origin", "JSON, JSON Lines, CSV or TSV", "a record with a text"),
)


def _detect(source: Source) -> bool:
    return looks_like_table(source) if source.shape == "text" else looks_like_memories(source)


def _read(source: Source, _: str) -> list[Material]:
    return read_table(source) if source.shape == "text" else read_memories(source)


MEMORIES = Format("memories", "texts in JSON, JSON Lines, CSV or TSV", _detect, _read)

STORE_FORMATS: tuple[Format, ...] = (LLAMA_INDEX, LETTA, LANGGRAPH, MEM0, MEMORIES)
"""In the order in which they are tried; the last takes what has a text and fits nothing else."""
