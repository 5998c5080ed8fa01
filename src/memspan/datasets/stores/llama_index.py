"""A LlamaIndex docstore: ``docstore.json`` of a persist folder.

A key that ends in ``/data`` holds the nodes by id, each ``{"__data__": {...}, "__type__": ...}``; the
text stands in ``text`` or in ``text_resource``.
"""

from __future__ import annotations

from typing import Any

from memspan.datasets.format import Format
from memspan.datasets.json_text import parse, shown
from memspan.datasets.source import Source
from memspan.datasets.stores.documents import document_of
from memspan.datasets.stores.intake import Intake
from memspan.datasets.stores.usual import rendered, stored_of
from memspan.material import Material

FILE = "docstore.json"
_DATA = "/data"
_DOCUMENT, _SOURCE = "4", "1"
_LAYOUT = (
    "excluded_", "metadata_template", "metadata_seperator", "metadata_separator", "text_template",
    "class_name", "start_char_idx", "end_char_idx", "mimetype", "relationships", "text_resource",
    "image_resource", "audio_resource", "video_resource", "embedding", "hash",
)  # fmt: skip


def _detect(source: Source) -> bool:
    return source.shape == "json" and any(
        key.startswith("docstore") and key.endswith(_DATA) for key in source.first
    )


def _read(source: Source, _: str) -> list[Material]:
    parent = source.path.resolve().parent.name
    intake = Intake(parent if source.path.name == FILE and parent else source.path.stem, "llama-index")
    document = document_of(source, intake)
    if not isinstance(document, dict):
        raise source.refuse("is no docstore: it holds no object")
    nodes = {
        name: node
        for key, value in document.items()
        if key.endswith(_DATA) and isinstance(value, dict)
        for name, node in value.items()
    }
    if not any(key.endswith(_DATA) for key in document):
        raise source.refuse(f"is no docstore: no key ends in {_DATA}")
    split = _split(nodes)
    for name, node in nodes.items():
        _take(name, node, split, intake)
    return [intake.material()]


def _split(nodes: dict[str, Any]) -> dict[str, int]:
    """Return the documents that are stored beside the nodes cut from them, with how many those are."""
    counts: dict[str, int] = {}
    for name, node in nodes.items():
        origin = _origin(_fields(node) or {})
        if origin and origin != name:
            counts[origin] = counts.get(origin, 0) + 1
    return {name: count for name, count in counts.items() if name in nodes}


def _fields(node: Any) -> dict[str, Any] | None:
    """Return the fields of a node; older stores keep them as JSON within JSON."""
    inner = node.get("__data__", node) if isinstance(node, dict) else None
    value = parse(inner).value if isinstance(inner, str) else inner
    return value if isinstance(value, dict) else None


def _take(name: str, node: Any, split: dict[str, int], intake: Intake) -> None:
    fields = _fields(node)
    if fields is None:
        intake.tell(f"node {name}", f"is {shown(node)}; expected an object with __data__")
        return
    if name in split and str(node.get("__type__")) == _DOCUMENT:
        intake.tell(
            f"document {name}", f"stands beside what was cut from it (nodes: {split[name]:,}), which is read"
        )
        return
    resource = fields.get("text_resource")
    text = fields.get("text") or (resource.get("text") if isinstance(resource, dict) else None)
    metadata = fields.get("metadata") or fields.get("extra_info")
    kept = {key: value for key, value in fields.items() if not key.startswith(_LAYOUT) and key != "text"}
    stored = stored_of(
        {**kept, "metadata": metadata if isinstance(metadata, dict) else {}}, rendered(text), name
    )
    stored.source = _origin(fields) or stored.source
    intake.take(stored)


def _origin(fields: dict[str, Any]) -> str | None:
    """Return the id of the document that a node was cut from."""
    related = fields.get("relationships")
    source = related.get(_SOURCE) if isinstance(related, dict) else None
    name = source.get("node_id") if isinstance(source, dict) else source or fields.get("ref_doc_id")
    return name if isinstance(name, str) else None


LLAMA_INDEX = Format("llama-index", "LlamaIndex docstore", _detect, _read)
