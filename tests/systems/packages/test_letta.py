"""The Letta adapter through the real client, against a server of forty lines on this machine."""

# The stand-in is a table of routes.
# ruff: noqa: D102, D107, PLR0911

import json
from importlib.util import find_spec
from urllib.parse import parse_qs, urlsplit

import pytest

from memspan.errors import SystemUnavailableError
from memspan.material import Claim, Query
from memspan.systems.packages.letta import letta_system
from memspan.testing.chat_server import ChatServer, Scripted, refused

if find_spec("letta_client") is None:
    pytest.skip("letta-client is not installed", allow_module_level=True)


class Letta:
    """What a Letta server does with the archival memory of one agent."""

    def __init__(self):
        self.passages, self.agents, self.count = {}, set(), 0

    def __call__(self, request):
        path, asked = urlsplit(request.path).path.rstrip("/"), parse_qs(urlsplit(request.path).query)
        place = path.removeprefix("/v1/agents").split("/")
        if request.method == "DELETE" and len(place) == 2:
            self.agents.discard(place[1])
            return answer({})
        if not place[1:]:
            self.agents.add("agent-1")
            return answer({"id": "agent-1", "name": request.body["name"]})
        if place[1] not in self.agents:
            return refused(404, "no such agent")
        if request.method == "DELETE":
            return answer(self.passages.pop(place[3]) and {})
        if request.method == "POST":
            return self.create(request.body)
        rows = list(self.passages.values())
        if place[-1] == "search":
            words = set(asked["query"][0].lower().split())
            rows.sort(key=lambda row: -len(words & set(row["text"].lower().split())))
            found = rows[: int(asked["top_k"][0])]
            told = [{"id": r["id"], "content": r["text"], "timestamp": "", "tags": r["tags"]} for r in found]
            return answer({"count": len(told), "results": told})
        after = [row["id"] for row in rows].index(asked["after"][0]) + 1 if "after" in asked else 0
        return answer(rows[after : after + int(asked["limit"][0])])

    def create(self, body):
        self.count += 1
        row = {"id": f"passage-{self.count}", "text": body["text"], "tags": body["tags"]}
        self.passages[row["id"]] = row
        return answer([row])


def answer(document):
    return Scripted(json.dumps(document).encode())


@pytest.fixture
def served():
    with ChatServer(letta := Letta()) as server:
        yield server.url.removesuffix("/v1"), letta


def test_claims_travel_as_tags_and_come_back_with_what_is_read(served):
    url, letta = served
    with letta_system(url=url) as memory:
        memory.observe(Claim("a:1", "Rui cooks fish.", time="2026-03-02T10:00"))
        memory.observe(Claim("b", "Ana moved to Porto."))
        read = memory.read(Query("q", "Where did Ana move?"), 1)
        assert [(note.text, note.claims) for note in read] == [("Ana moved to Porto.", ("b",))]
        assert [(note.claims, note.time) for note in memory.held()] == [
            (("b",), None),
            (("a:1",), "2026-03-02T10:00"),
        ]
        assert letta.passages["passage-1"]["tags"] == ["claim_id:a:1", "written:0", "time:2026-03-02T10:00"]


def test_all_pages_are_listed_and_the_oldest_goes_first(served):
    url, _ = served
    with letta_system(url=url) as memory:
        for i in range(101):
            memory.observe(Claim(f"c{i}", f"text {i}"))
        assert len(memory.held()) == 101
        memory.shrink(100)
        assert "c0" not in {name for note in memory.held() for name in note.claims}
    with letta_system(url=url, capacity=2) as memory:
        for name in "abc":
            memory.observe(Claim(name, name))
        assert [note.claims for note in memory.held()][:2] == [("c",), ("b",)]


def test_an_agent_that_was_made_is_deleted_and_a_given_one_stays(served):
    url, letta = served
    made = letta_system(url=url)
    assert letta.agents == {"agent-1"}
    made.close()
    assert letta.agents == set()
    letta.agents.add("mine")
    with letta_system("mine", url) as memory:
        memory.observe(Claim("a", "text"))
    assert letta.agents == {"mine"}


def test_no_server_or_no_agent_is_told_with_a_cure(served):
    url, _ = served
    with (
        letta_system("nobody", url) as memory,
        pytest.raises(SystemUnavailableError, match=r"did not do what it was asked .*LETTA_BASE_URL"),
    ):
        memory.held()


def test_a_server_that_is_not_there_is_told(monkeypatch):
    monkeypatch.setenv("LETTA_BASE_URL", "http://127.0.0.1:9")
    with pytest.raises(SystemUnavailableError, match="letta server"):
        letta_system()
