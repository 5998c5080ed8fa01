"""HippoRAG itself: passages in a graph of entities, read by personalised PageRank."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from functools import partial
from hashlib import md5
from pathlib import Path
from typing import Any

from memspan.errors import SystemUnavailableError
from memspan.files import replace_file
from memspan.material import Claim, Note
from memspan.systems.kind import Setting, SystemKind
from memspan.systems.packages.packaged import CLAIM, WRITTEN, Package, Packaged, part

__all__ = ["KINDS", "hipporag_system"]

CURE = "pip install 'hipporag>=2.0.0a4'"
READ = 5  # qa_top_k: hipporag 2.0.0a4, utils/config_utils.py
_TAGS = "claims.json"


class _Hippo:
    """Calls of a `HippoRAG`: it keeps texts and nothing beside them, so a file says whose they are.

    Two claims of one text are one passage that rests on both. What was written is indexed when something
    is asked, all at once, since each indexing goes over the whole graph.
    """

    def __init__(self, hippo: Any, place: Path) -> None:
        self.hippo, self._place = hippo, place
        self._new: list[str] = []
        read = json.loads(place.read_text("utf-8")) if place.exists() else {}
        self._tags: dict[str, list[dict[str, Any]]] = read

    def write(self, claim: Claim, tags: Mapping[str, Any]) -> None:
        self._tags.setdefault(claim.text, []).append(dict(tags))
        self._new.append(claim.text)

    def _index(self) -> None:
        texts, self._new = list(dict.fromkeys(self._new)), []
        if texts:
            self.hippo.index(docs=texts)
            replace_file(self._place, [json.dumps(self._tags)])

    def search(self, text: str, k: int) -> Sequence[Note]:
        self._index()
        if not self._texts():
            return ()
        return [
            self._note(passage) for passage in self.hippo.retrieve(queries=[text], num_to_retrieve=k)[0].docs
        ]

    def everything(self) -> Sequence[Note]:
        self._index()
        return [self._note(passage) for passage in self._texts()]

    def _texts(self) -> Sequence[str]:
        return list(self.hippo.chunk_embedding_store.get_all_texts())

    def _note(self, passage: str) -> Note:
        tags = self._tags.get(passage, [])
        claims = tuple(dict.fromkeys(each[CLAIM] for each in tags))
        last = max(tags, key=lambda each: int(each[WRITTEN]), default={})
        extra = {WRITTEN: last[WRITTEN]} if last else {}
        return Note(_name(passage), passage, claims, "passage", last.get("time"), extra)

    def delete(self, name: str) -> None:
        self._index()
        gone = [passage for passage in self._texts() if _name(passage) == name]
        self.hippo.delete(gone)
        for passage in gone:
            self._tags.pop(passage, None)
        replace_file(self._place, [json.dumps(self._tags)])

    def close(self) -> None:
        self._index()


def _name(passage: str) -> str:
    """Return the id that HippoRAG itself gives a passage."""
    return "chunk-" + md5(passage.encode(), usedforsecurity=False).hexdigest()


def hipporag_system(
    folder: Path | None = None,
    *,
    model: str = "gpt-4o-mini",
    url: str | None = None,
    embedding: str = "text-embedding-3-small",
    embedding_url: str | None = None,
    capacity: int | None = None,
) -> Packaged:
    """Return HippoRAG as a memory system. It brings torch and vllm.

    Its model finds entities and filters facts; both servers are OpenAI-compatible, and the key is
    OPENAI_API_KEY, which HippoRAG reads itself.

    Args:
        folder: of its graph and embeddings; a temporary one where None.
        model: as the chat server names it.
        url: of the chat server, with ``/v1``; OpenAI's own where None.
        embedding: the model that embeds, as HippoRAG takes it.
        embedding_url: of the server that embeds, with ``/v1``; OpenAI's own where None.
        capacity: claims that its notes may rest on; None for no bound.

    Raises:
        SystemUnavailableError: hipporag is not installed, or no key is set.
    """
    named = {
        "llm_model_name": model,
        "llm_base_url": url,
        "embedding_model_name": embedding,
        "embedding_base_url": embedding_url,
    }
    return Packaged("hipporag-package", partial(_open, named), capacity, folder)


def _open(named: Mapping[str, str | None], folder: Path) -> Package:
    made = part("hipporag:HippoRAG", "hipporag-package", CURE)
    if "OPENAI_API_KEY" not in os.environ:
        raise SystemUnavailableError(
            "hipporag-package needs a chat model; set OPENAI_API_KEY (any word for a server of one's own,"
            " whose address is given as url=)"
        )
    folder.mkdir(parents=True, exist_ok=True)
    return _Hippo(made(save_dir=str(folder), **named), folder / _TAGS)


def _make(setting: Setting) -> Packaged:
    url = os.environ.get("OPENAI_BASE_URL")
    return hipporag_system(url=url, embedding_url=url, capacity=setting.capacity)


KINDS = (SystemKind("hipporag-package", "", _make, READ, source="hipporag 2.0.0a4, HippoRAG.py"),)
