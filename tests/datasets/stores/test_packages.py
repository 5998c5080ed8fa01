"""Stores that the real packages wrote; each test is skipped where its package is missing."""

import pytest

from foreign_stores import everything
from memspan.datasets import load, read_store


@pytest.mark.filterwarnings("ignore")
def test_a_store_that_mem0_wrote(tmp_path, monkeypatch):
    monkeypatch.setenv("MEM0_TELEMETRY", "False")
    monkeypatch.setenv("MEM0_DIR", str(tmp_path / "home"))
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    mem0 = pytest.importorskip("mem0")
    pytest.importorskip("qdrant_client")
    folder = tmp_path / "qdrant"
    settings = {
        "vector_store": {
            "provider": "qdrant",
            "config": {
                "path": str(folder),
                "collection_name": "facts",
                "embedding_model_dims": 3,
                "on_disk": True,
            },
        },
        "history_db_path": str(tmp_path / "history.db"),
    }
    memory = mem0.Memory.from_config(settings)
    memory.embedding_model = _Embedder()
    said = [
        {"role": "user", "content": "Ana moved to Porto."},
        {"role": "user", "name": "rui", "content": "A van."},
    ]
    added = memory.add(said, user_id="ana", infer=False, metadata={"event_id": "e1"})["results"]
    memory.update(added[0]["id"], "Ana moved to Lisbon.")
    gone = memory.add("Ana smokes.", user_id="ana", infer=False)["results"][0]["id"]
    memory.delete(gone)
    listed = {each["id"]: each for each in memory.get_all(filters={"user_id": "ana"})["results"]}
    before = everything(folder)
    (open_still,) = read_store(folder)
    assert everything(folder) == before
    memory.close()
    memory.vector_store.client.close()
    (material,) = read_store(folder)
    assert open_still == material
    assert {claim.id: claim.text for claim in material.claims} == {
        i: each["memory"] for i, each in listed.items()
    }
    changed = material.claim(added[0]["id"])
    assert [each["text"] for each in changed.extra["versions"]] == ["Ana moved to Porto."]
    assert changed.extra["claims"] == ["e1"]
    assert [each["id"] for each in material.extra["deleted"]] == [gone]
    assert (material.extra["store"], changed.extra["scope"]) == ("mem0", "user:ana")


class _Embedder:
    config = type("Config", (), {"embedding_dims": 3})()

    def embed(self, text, *_, **__):
        return [float(len(text)), 1.0, 2.0]

    def embed_batch(self, texts, *_, **__):
        return [self.embed(text) for text in texts]


@pytest.mark.filterwarnings("ignore")
def test_a_store_that_langgraph_wrote(tmp_path):
    store = pytest.importorskip("langgraph.store.sqlite")
    path = tmp_path / "agent.sqlite"
    with store.SqliteStore.from_conn_string(str(path)) as held:
        held.setup()
        for number in range(5):
            held.put(("memories", "ana"), f"e{number}", {"text": f"Fact {number}.", "event_id": f"e{number}"})
        held.delete(("memories", "ana"), "e0")
        names = sorted(tmp_path.iterdir())
        (material,) = load(path)
        assert sorted(tmp_path.iterdir()) == names
    assert [claim.id for claim in material.claims] == ["e1", "e2", "e3", "e4"]
    assert {claim.extra["scope"] for claim in material.claims} == {"memories/ana"}
    assert material.claims[0].time.endswith("Z")


@pytest.mark.filterwarnings("ignore")
def test_a_folder_that_llama_index_persisted(tmp_path):
    core = pytest.importorskip("llama_index.core")
    from llama_index.core.schema import Document, NodeRelationship, RelatedNodeInfo, TextNode
    from llama_index.core.storage.docstore import SimpleDocumentStore

    node = TextNode(id_="n1", text="Ana moved to Porto.", metadata={"event_id": "e1"})
    node.relationships[NodeRelationship.SOURCE] = RelatedNodeInfo(node_id="d1")
    held = SimpleDocumentStore()
    held.add_documents(
        [
            node,
            Document(id_="d1", text="Ana moved to Porto. She likes tea."),
            Document(id_="d2", text="Alone."),
        ]
    )
    core.StorageContext.from_defaults(docstore=held).persist(tmp_path / "persisted")
    (material,) = load(tmp_path / "persisted")
    assert (material.id, material.extra["store"]) == ("persisted", "llama-index")
    assert [(claim.id, claim.text, claim.source) for claim in material.claims] == [
        ("n1", "Ana moved to Porto.", "d1"),
        ("d2", "Alone.", None),
    ]
