"""Embeddings from the scripted server: a chat model and an embedder at one address, as servers have them."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from typing import Any

import numpy as np

from memspan.models import HashedEmbedder
from memspan.ports import Embedder
from memspan.testing.chat_server import ChatRequest, Script, Scripted, refused, scripted

__all__ = ["embedded", "with_embeddings"]


def with_embeddings(
    script: Script, embedder: Embedder | None = None
) -> Callable[[ChatRequest], str | Scripted]:
    """Return a script that answers ``/v1/embeddings`` itself, and all else with *script*.

    Args:
        script: as `ChatServer` takes one; embeddings use none of its answers up.
        embedder: texts to vectors; a `HashedEmbedder` of as many dimensions as are asked for where
            none is given.

    >>> from memspan.testing.chat_server import ChatServer
    >>> import urllib.request
    >>> with ChatServer(with_embeddings(["Porto"])) as server:
    ...     asked = b'{"model": "m", "input": ["Rui cooks."], "dimensions": 256}'
    ...     with urllib.request.urlopen(f"{server.url}/embeddings", asked) as response:
    ...         rows = json.load(response)["data"]
    >>> len(rows), len(rows[0]["embedding"])
    (1, 256)
    """
    answer = scripted(script)

    def either(request: ChatRequest) -> str | Scripted:
        if request.path.endswith("/embeddings"):
            return embedded(request.body, embedder)
        return answer(request)

    return either


def embedded(body: Any, embedder: Embedder | None = None) -> Scripted:
    """Return the answer to a request for embeddings: numbers, or base64 where it is asked for.

    Texts only: a request with token ids is refused with status 400.
    """
    asked = body if isinstance(body, dict) else {}
    texts = [asked["input"]] if isinstance(asked.get("input"), str) else asked.get("input")
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        return refused(400, "input is no text and no list of texts")
    rows = (embedder or HashedEmbedder(int(asked.get("dimensions") or 1024))).embed(texts)
    packed = asked.get("encoding_format") == "base64"
    told = [
        {"object": "embedding", "index": i, "embedding": _packed(row) if packed else row.tolist()}
        for i, row in enumerate(rows)
    ]
    usage = {"prompt_tokens": len(texts), "total_tokens": len(texts)}
    document = {"object": "list", "model": asked.get("model", ""), "data": told, "usage": usage}
    return Scripted(json.dumps(document).encode())


def _packed(row: Any) -> str:
    return base64.b64encode(np.asarray(row, "<f4").tobytes()).decode()
