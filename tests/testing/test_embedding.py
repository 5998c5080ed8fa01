"""A scripted server that embeds too: what clients ask for comes back, and no scripted answer is used up."""

import base64

import httpx2
import numpy as np

from memspan.models import HashedEmbedder
from memspan.testing.chat_server import ChatServer
from memspan.testing.embedding import with_embeddings


def post(server, path, **body):
    with httpx2.Client(trust_env=False) as client:
        return client.post(f"{server.url}{path}", json=body)


def test_embeddings_are_those_of_the_embedder_as_numbers_and_as_base64():
    wanted = HashedEmbedder(64).embed(["Rui cooks.", "Ana"])
    with ChatServer(with_embeddings([], HashedEmbedder(64))) as server:
        plain = post(server, "/embeddings", input=["Rui cooks.", "Ana"]).json()["data"]
        packed = post(server, "/embeddings", input="Rui cooks.", encoding_format="base64").json()["data"]
    assert np.allclose([row["embedding"] for row in plain], wanted)
    assert [row["index"] for row in plain] == [0, 1]
    assert np.allclose(np.frombuffer(base64.b64decode(packed[0]["embedding"]), "<f4"), wanted[0])


def test_embedding_uses_no_answer_of_the_script_up():
    with ChatServer(with_embeddings(["Porto"])) as server:
        assert (
            len(post(server, "/embeddings", input="Ana", dimensions=32).json()["data"][0]["embedding"]) == 32
        )
        answer = post(server, "/chat/completions", messages=[]).json()
        assert post(server, "/chat/completions", messages=[]).status_code == 410
    assert answer["choices"][0]["message"]["content"] == "Porto"


def test_what_is_no_text_is_refused():
    with ChatServer(with_embeddings([])) as server:
        for odd in ([[1, 2]], None, {"a": 1}):
            assert post(server, "/embeddings", input=odd).status_code == 400
