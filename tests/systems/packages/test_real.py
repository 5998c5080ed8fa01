"""The adapters that run on the real package in the ordinary run: LangGraph, LlamaIndex, Mem0."""

import socket
import sqlite3
import subprocess
import sys
from importlib.util import find_spec

import pytest

from memspan.material import Claim, Query
from memspan.systems.packages.langgraph import langgraph_memory, langgraph_sqlite, langgraph_store
from memspan.systems.packages.llama_index import llama_index_system
from memspan.systems.packages.mem0_package import mem0_system

MAKERS = {
    "langgraph": ("langgraph", langgraph_memory),
    "langgraph-sqlite": ("langgraph", langgraph_sqlite),
    "unranked": ("langgraph", lambda **given: langgraph_sqlite(ranked=False, **given)),
    "llama-index": ("llama_index", llama_index_system),
    "mem0": ("mem0", mem0_system),
}
LASTING = [name for name in MAKERS if name != "langgraph"]
RANKED = [name for name in MAKERS if name != "unranked"]
CLAIMS = [
    Claim("c1", "Ana moved to Porto.", time="2026-03-02", source="s1", speaker="Ana"),
    Claim("c2", "Rui cooks fish on Fridays."),
    Claim("odd/id é", "Rui cooks fish on Fridays."),
    Claim("c4", ""),
    Claim("c5", "魚を料理する"),
    Claim("c6", "word " * 3000, time="not a time"),
]
ASKED = Query("q", "Where did Ana move?")


def made(name, **given):
    module, make = MAKERS[name]
    if find_spec(module) is None:  # importing it here would be before the adapter turns telemetry off
        pytest.skip(f"{module} is not installed")
    if name == "langgraph-sqlite" and not hasattr(sqlite3.Connection, "enable_load_extension"):
        pytest.skip("this Python's sqlite3 loads no extensions")
    return make(**given)


@pytest.fixture(autouse=True)
def no_network(monkeypatch):
    def refuse(*_):
        raise AssertionError("a test asked the network")

    monkeypatch.setattr(socket.socket, "connect", refuse)


def observed(memory, claims=tuple(CLAIMS)):
    for claim in claims:
        memory.observe(claim)
    return memory


@pytest.mark.parametrize("name", MAKERS)
def test_what_is_held_rests_on_what_was_observed_the_last_one_first(name):
    with observed(made(name)) as memory:
        held = memory.held()
        assert [note.claims for note in held] == [(claim.id,) for claim in reversed(CLAIMS)]
        assert [note.text for note in held] == [claim.text for claim in reversed(CLAIMS)]
        assert held[-1].time == "2026-03-02"
        assert len({note.id for note in held}) == len(CLAIMS)


@pytest.mark.parametrize("name", MAKERS)
def test_a_read_gives_at_most_k_held_notes_and_changes_nothing(name):
    with observed(made(name)) as memory:
        held = memory.held()
        for k in (0, 1, 3, 50):
            read = memory.read(ASKED, k)
            assert len(read) <= k
            assert {note.id for note in read} <= {note.id for note in held}
            assert read == memory.read(ASKED, k)
        assert memory.held() == held


@pytest.mark.parametrize("name", RANKED)
def test_what_is_like_the_question_is_read_first(name):
    with observed(made(name)) as memory:
        assert [note.claims for note in memory.read(ASKED, 1)] == [("c1",)]


@pytest.mark.parametrize("name", MAKERS)
def test_an_empty_memory_holds_and_reads_nothing(name):
    with made(name) as memory:
        assert memory.held() == memory.read(ASKED, 3) == ()


@pytest.mark.parametrize("name", MAKERS)
def test_a_capacity_is_kept_at_all_times_and_by_cutting_afterwards(name):
    with made(name, capacity=2) as early, observed(made(name)) as late:
        for claim in CLAIMS:
            early.observe(claim)
            assert len(early.held()) <= 2
        late.shrink(2)
        assert [note.claims for note in late.held()] == [note.claims for note in early.held()]
        late.shrink(0)
        assert late.held() == ()


@pytest.mark.parametrize("name", LASTING)
def test_what_is_held_and_read_outlives_a_restart_and_it_goes_on(name, tmp_path):
    with observed(made(name, folder=tmp_path / "store")) as memory:
        before = memory.held(), memory.read(ASKED, 3)
    with made(name, folder=tmp_path / "store") as memory:
        told = [[(note.claims, note.text, note.time) for note in notes] for notes in before]
        again = memory.held(), memory.read(ASKED, 3)
        assert [[(note.claims, note.text, note.time) for note in notes] for notes in again] == told
        memory.observe(Claim("c9", "Later."))
        assert memory.held()[0].claims == ("c9",)


@pytest.mark.parametrize("name", MAKERS)
def test_the_same_claims_give_the_same_notes(name):
    with observed(made(name)) as one, observed(made(name)) as other:
        assert one.held() == other.held()


@pytest.mark.parametrize("name", MAKERS)
def test_all_is_listed_and_read_where_the_package_lists_ten_or_twenty(name):
    many = [Claim(f"c{i}", f"Traveller {i} went to house {i}.") for i in range(30)]
    with observed(made(name), many) as memory:
        assert len(memory.held()) == 30
        assert len(memory.read(Query("q", "Traveller house"), 25)) == 25


ALONE = """
import socket
def refuse(*_): raise SystemExit("a package asked the network")
socket.socket.connect = socket.getaddrinfo = refuse
from memspan.material import Claim, Query
from memspan.systems.packages.mem0_package import mem0_system
with mem0_system() as memory:
    memory.observe(Claim("a", "Rui cooks."))
    assert memory.read(Query("q", "Who cooks?"), 1)
import mem0.memory.telemetry
assert not mem0.memory.telemetry.MEM0_TELEMETRY
"""


def test_mem0_in_a_process_of_its_own_reports_to_nobody():
    if find_spec("mem0") is None:
        pytest.skip("mem0 is not installed")
    done = subprocess.run([sys.executable, "-c", ALONE], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "PostHog" not in done.stderr


def test_one_key_is_one_memory_in_langgraph_and_llama_index_and_two_in_mem0():
    twice = [Claim("a", "Rui cooks fish."), Claim("a", "Rui cooks rice.")]
    counts = {}
    for name in ("langgraph", "unranked", "llama-index", "mem0"):
        with observed(made(name), twice) as memory:
            counts[name] = len(memory.held())
            assert memory.held()[0].text == "Rui cooks rice."
    assert counts == {"langgraph": 1, "unranked": 1, "llama-index": 1, "mem0": 2}


def test_langgraphs_store_without_an_index_reads_the_same_whatever_is_asked():
    with observed(made("unranked")) as memory:
        assert memory.read(ASKED, 2) == memory.read(Query("q", "Who cooks fish?"), 2)


def test_a_users_own_langgraph_store_stays_open_and_keeps_what_was_written():
    store = pytest.importorskip("langgraph.store.memory").InMemoryStore()
    with langgraph_store(store) as memory:
        memory.observe(Claim("a", "Rui cooks."))
    assert [item.key for item in store.search(("memspan",))] == ["a"]


# qdrant-client leaves the lock file open that it could not lock
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_second_mem0_on_the_same_folder_is_refused_until_the_first_is_closed(tmp_path):
    first = made("mem0", folder=tmp_path)
    with pytest.raises(RuntimeError, match="already accessed"):
        mem0_system(tmp_path)
    first.close()
    mem0_system(tmp_path).close()
