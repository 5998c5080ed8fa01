"""Adapters of packages that the ordinary run does not install: their calls, tried on stand-ins.

Each stand-in takes just what the package takes, by name and by position, so that a call the package would
refuse is refused here. The same stories run on the real packages where they are installed.
"""

# Stand-ins have the signatures of the packages, which say what they do.
# ruff: noqa: D101, D102, D107, ARG002, ARG005

import asyncio
import sys
from dataclasses import dataclass, field
from importlib.util import find_spec
from types import ModuleType, SimpleNamespace
from uuid import uuid4

import numpy as np
import pytest

from memspan.errors import SystemUnavailableError
from memspan.material import Claim, Query
from memspan.models import HashedEmbedder, function_chat
from memspan.systems.packages.a_mem import a_mem_system
from memspan.systems.packages.graphiti import graphiti_system
from memspan.systems.packages.hipporag_package import hipporag_system
from memspan.systems.packages.memoryos import memoryos_system

CLAIMS = [
    Claim("c1", "Ana moved to Porto.", time="2026-03-02", triple=("Ana", "moved to", "Porto")),
    Claim("c2", "Rui cooks fish on Fridays.", speaker="Rui"),
    Claim("odd/id é", "The door is blue."),
]


def like(query, rows, k):
    """Return the *k* of *rows*, (text, anything), most like the *query*."""
    asked, *known = HashedEmbedder().embed([query, *(text for text, _ in rows)])
    order = np.argsort([-float(asked @ row) for row in known], kind="stable")
    return [rows[i][1] for i in order[:k]]


# --- stand-ins ------------------------------------------------------------------------------------


class GeneralTextMemory:
    disks = {}  # noqa: RUF012 - what is on disk outlives an object

    def __init__(self, config):
        self.items = self.disks.setdefault(config["vector_db"]["config"]["path"], {})
        self.embedder = self.extractor_llm = None
        self.vector_db = SimpleNamespace(client=SimpleNamespace(close=lambda: None))

    def extract(self, messages):
        return [SimpleNamespace(memory=self.extractor_llm.generate(messages))]

    def add(self, memories):
        for memory in memories:
            assert len(self.embedder.embed([memory["memory"]])[0]) == 1024
            item = SimpleNamespace(
                id=str(uuid4()), memory=memory["memory"], metadata=SimpleNamespace(**memory["metadata"])
            )
            self.items[item.id] = item

    def search(self, query, top_k, info=None):
        return like(query, [(item.memory, item) for item in self.items.values()], top_k)

    def get_all(self):
        return list(self.items.values())

    def delete(self, memory_ids):
        for name in memory_ids:
            del self.items[name]


class AgenticMemorySystem:
    disks = {}  # noqa: RUF012

    def __init__(self, model_name="", llm_backend="openai", llm_model="", api_key=None, storage_path=""):
        self.notes = self.disks.setdefault(storage_path, {})
        self.llm_controller = SimpleNamespace(llm=None)
        self.retriever = SimpleNamespace(
            collection=SimpleNamespace(get=lambda: {"ids": list(self.notes)}),
            client=SimpleNamespace(close=lambda: None),
        )

    def add_note(self, content, time=None, *, category=None, keywords=None, context=None, tags=None):
        self.llm_controller.llm.get_completion("evolve?", response_format={})
        note = SimpleNamespace(id=str(uuid4()), content=content, category=category)
        self.notes[note.id] = note
        return note.id

    def search(self, query, k=5):
        return [{"id": name} for name in like(query, [(n.content, n.id) for n in self.notes.values()], k)]

    def read_multiple(self, memory_ids):
        return {name: self.notes.get(name) for name in memory_ids}

    def delete(self, memory_id):
        del self.notes[memory_id]


class HippoRAG:
    disks = {}  # noqa: RUF012

    def __init__(
        self,
        global_config=None,
        save_dir=None,
        llm_model_name=None,
        llm_base_url=None,
        embedding_model_name=None,
        embedding_base_url=None,
    ):
        self.texts = self.disks.setdefault(save_dir, {})
        self.chunk_embedding_store = SimpleNamespace(get_all_texts=lambda: set(self.texts))
        self.indexed = 0

    def index(self, docs):
        self.indexed += 1
        self.texts.update(dict.fromkeys(docs))

    def retrieve(self, queries, num_to_retrieve=None, gold_docs=None):
        rows = [(text, text) for text in self.texts]
        return [SimpleNamespace(docs=like(query, rows, num_to_retrieve)) for query in queries]

    def delete(self, docs_to_delete):
        for text in docs_to_delete:
            del self.texts[text]


@dataclass
class EntityNode:
    uuid: str
    name: str
    group_id: str
    labels: list
    summary: str

    async def generate_name_embedding(self, embedder):
        assert len(await embedder.create(input_data=[self.name])) == 1024

    async def save(self, driver):
        driver.nodes[self.uuid] = self


@dataclass
class EntityEdge:
    group_id: str
    source_node_uuid: str
    target_node_uuid: str
    created_at: object
    name: str
    fact: str
    valid_at: object = None
    attributes: dict = field(default_factory=dict)
    episodes: list = field(default_factory=list)
    uuid: str = field(default_factory=lambda: str(uuid4()))

    async def generate_embedding(self, embedder):
        await embedder.create_batch([self.fact])

    async def save(self, driver):
        assert {self.source_node_uuid, self.target_node_uuid} <= driver.nodes.keys()
        driver.edges[self.uuid] = self

    async def delete(self, driver):
        del driver.edges[self.uuid]

    @classmethod
    async def get_by_uuid(cls, driver, uuid):
        return driver.edges[uuid]

    @classmethod
    async def get_by_group_ids(cls, driver, group_ids):
        if not driver.edges:
            raise sys.modules["graphiti_core.errors"].GroupsEdgesNotFoundError
        return [edge for edge in driver.edges.values() if edge.group_id in group_ids]


class EpisodicNode:
    @classmethod
    async def get_by_uuids(cls, driver, uuids):
        return [driver.episodes[name] for name in uuids]


class Driver:
    disks = {}  # noqa: RUF012
    provider = "kuzu"

    def __init__(self, db):
        self.nodes, self.edges, self.episodes = self.disks.setdefault(db, ({}, {}, {}))
        self.db = SimpleNamespace(close=lambda: None)


class Graphiti:
    def __init__(self, graph_driver, llm_client, embedder, cross_encoder):
        self.driver, self.model, self.embedder = graph_driver, llm_client, embedder
        self.cross_encoder = cross_encoder

    async def add_episode(self, name, episode_body, source_description, reference_time, group_id):
        assert reference_time.tzinfo
        told = [SimpleNamespace(role="user", content=episode_body)]
        fact = (await self.model._generate_response(told, None))["content"]
        episode = SimpleNamespace(uuid=str(uuid4()), name=name)
        self.driver.episodes[episode.uuid] = episode
        edge = EntityEdge(group_id, "", "", None, "SAID", fact, episodes=[episode.uuid])
        self.driver.edges[edge.uuid] = edge

    async def search(self, query, center_node_uuid=None, group_ids=None, num_results=10):
        ranked = await self.cross_encoder.rank(query, [edge.fact for edge in self.driver.edges.values()])
        found = {edge.fact: edge for edge in self.driver.edges.values()}
        return [found[fact] for fact, _ in ranked[:num_results]]

    async def close(self):
        await asyncio.sleep(0)


def _module(name, **parts):
    module = ModuleType(name)
    module.__dict__.update(parts)
    return module


FAKES = {
    "memoryos": {
        "qdrant_client": {},
        "memos": {},
        "memos.configs": {},
        "memos.configs.memory": {"GeneralTextMemoryConfig": dict},
        "memos.memories.textual.general": {"GeneralTextMemory": GeneralTextMemory},
    },
    "a-mem": {
        "agentic_memory": {},
        "agentic_memory.memory_system": {"AgenticMemorySystem": AgenticMemorySystem},
    },
    "hipporag": {"hipporag": {"HippoRAG": HippoRAG}},
    "graphiti": {
        "httpx": {},
        "kuzu": {"Connection": lambda _: SimpleNamespace(execute=lambda _: None, close=lambda: None)},
        "graphiti_core": {"Graphiti": Graphiti},
        "graphiti_core.nodes": {"EntityNode": EntityNode, "EpisodicNode": EpisodicNode},
        "graphiti_core.edges": {"EntityEdge": EntityEdge},
        "graphiti_core.errors": {
            "GroupsEdgesNotFoundError": type("GroupsEdgesNotFoundError", (Exception,), {})
        },
        "graphiti_core.embedder": {"EmbedderClient": object},
        "graphiti_core.cross_encoder.client": {"CrossEncoderClient": object},
        "graphiti_core.llm_client": {
            "LLMClient": type("LLMClient", (), {"__init__": lambda self, config: None})
        },
        "graphiti_core.llm_client.config": {"LLMConfig": object},
        "graphiti_core.driver.kuzu_driver": {"KuzuDriver": Driver},
        "graphiti_core.graph_queries": {"get_fulltext_indices": lambda provider: ["CALL CREATE_FTS_INDEX"]},
    },
}
MAKERS = {
    "memoryos": memoryos_system,
    "a-mem": a_mem_system,
    "hipporag": hipporag_system,
    "graphiti": graphiti_system,
}


@pytest.fixture(params=FAKES)
def make(request, monkeypatch):
    """The maker of a system, its package replaced by a stand-in."""
    for name, parts in FAKES[request.param].items():
        monkeypatch.setitem(sys.modules, name, _module(name, **parts))
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    return MAKERS[request.param]


@pytest.fixture(params=["memoryos", "graphiti"])
def real(request):
    """The maker of a system on its real package, where it is installed."""
    if find_spec({"memoryos": "memos", "graphiti": "graphiti_core"}[request.param]) is None:
        pytest.skip(f"{request.param} is not installed")
    return MAKERS[request.param]


# --- stories --------------------------------------------------------------------------------------


def story(make, folder):
    """Write, read, list, restart, delete: with what each claim is worth checked on the way."""
    with make(folder=folder) as memory:
        assert memory.held() == memory.read(Query("q", "Where did Ana move?"), 2) == ()
        for claim in CLAIMS:
            memory.observe(claim)
        held = memory.held()
        assert [(note.text, note.claims) for note in held] == [
            (claim.text, (claim.id,)) for claim in reversed(CLAIMS)
        ]
        assert held[-1].time == "2026-03-02"
        read = memory.read(Query("q", "Where did Ana move?"), 2)
        assert read[0].claims == ("c1",)
        assert len(read) <= 2
        assert {note.id for note in read} <= {note.id for note in held}
        assert memory.reopen().held() == held
        memory.shrink(1)
        assert [note.claims for note in memory.held()] == [("odd/id é",)]
    with make(capacity=2) as memory:
        for claim in CLAIMS:
            memory.observe(claim)
            assert len(memory.held()) <= 2


def test_a_stand_in_is_written_read_listed_reopened_and_cut(make, tmp_path):
    story(make, tmp_path / "store")


@pytest.mark.filterwarnings("ignore")  # whatever the package says of its own dependencies
def test_the_real_package_is_written_read_listed_reopened_and_cut(real, tmp_path):
    story(real, tmp_path / "store")


@pytest.mark.parametrize("make", ["memoryos", "graphiti"], indirect=True)
def test_what_a_model_makes_of_a_claim_rests_on_it(make):
    chat = function_chat("loud", lambda messages, form: f"FACT: {messages[-1].content}")
    with make(chat=chat) as memory:
        for claim in CLAIMS[:2]:
            memory.observe(claim)
        assert [note.claims for note in memory.held()] == [("c2",), ("c1",)]
        assert all(note.text.startswith("FACT: ") for note in memory.held())


@pytest.mark.parametrize("make", ["a-mem"], indirect=True)
def test_a_mem_asks_the_model_that_it_is_given_and_else_keeps_notes_as_they_are(make):
    asked = []
    chat = function_chat("quiet", lambda messages, form: asked.append(messages[-1].content) or "{}")
    with make(chat=chat) as memory:
        memory.observe(CLAIMS[0])
    assert asked == ["evolve?"]


@pytest.mark.parametrize("make", ["hipporag"], indirect=True)
def test_hipporag_indexes_all_at_once_and_one_text_is_one_passage_of_two_claims(make):
    with make() as memory:
        for name in "ab":
            memory.observe(Claim(name, "Rui cooks."))
        assert [note.claims for note in memory.held()] == [("a", "b")]
        assert memory.package.hippo.indexed == 1


@pytest.mark.parametrize("make", ["hipporag"], indirect=True)
def test_hipporag_without_a_key_says_what_to_set(make, monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY")
    with pytest.raises(SystemUnavailableError, match="OPENAI_API_KEY"):
        make()


@pytest.mark.parametrize("make", ["graphiti"], indirect=True)
def test_graphiti_takes_the_graph_of_its_user_and_leaves_it_open(make):
    closed = []
    driver = Driver("theirs")
    driver.db.close = lambda: closed.append(True)
    with make(driver=driver) as memory:
        memory.observe(CLAIMS[0])
    assert len(driver.edges) == 1
    assert not closed
