"""What is the same for every package: order, capacity, folders, and what is said where one is missing."""

# A stand-in has the methods of the protocol, which says what they do.
# ruff: noqa: D102, D107

import gc
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memspan.errors import ShapeError, SystemUnavailableError, UnknownName
from memspan.material import Claim, Query
from memspan.systems import KINDS, PACKAGES, Setting, systems_named
from memspan.systems.packages.packaged import Packaged, note_from, tags

MODULES = (
    "agentic_memory",
    "graphiti_core",
    "hipporag",
    "langgraph",
    "letta_client",
    "llama_index",
    "mem0",
    "memos",
)


class Shelf:
    """A package of ten lines: a dictionary per folder, which outlives the object as files would."""

    def __init__(self, rows):
        self.rows, self.closed = rows, False

    def write(self, claim, kept):
        self.rows[claim.id] = (claim.text, kept)

    def search(self, text, k):
        found = [note for note in self.everything() if set(text.split()) & set(note.text.split())]
        return found[:k]

    def everything(self):
        return [note_from(name, text, kept) for name, (text, kept) in self.rows.items()]

    def delete(self, name):
        del self.rows[name]

    def close(self):
        self.closed = True


def shelved(capacity=None, folder=None):
    rows = {}
    return Packaged("shelf", lambda _: Shelf(rows), capacity, folder)


def claims(memory):
    return [name for note in memory.held() for name in note.claims]


@given(st.lists(st.sampled_from("abcdefgh")), st.integers(0, 4))
def test_what_was_written_last_is_held_and_never_more_than_the_capacity(names, capacity):
    with shelved(capacity) as memory:
        for i, name in enumerate(names):
            memory.observe(Claim(name, f"text {i}"))
            assert len(claims(memory)) <= capacity
        latest = list(dict.fromkeys(reversed(names)))
        assert claims(memory) == latest[:capacity]


@given(st.lists(st.sampled_from("abcdefgh")), st.integers(0, 4))
def test_cutting_afterwards_is_the_same_as_a_capacity_from_the_start(names, capacity):
    with shelved() as late, shelved(capacity) as early:
        for name in names:
            late.observe(Claim(name))
            early.observe(Claim(name))
        late.shrink(capacity + 2)
        late.shrink(capacity)
        assert claims(late) == claims(early)


def test_it_goes_on_counting_where_it_left_off_when_it_is_opened_again():
    with shelved(2) as memory:
        for name in "abc":
            memory.observe(Claim(name))
        memory.reopen().observe(Claim("d"))
        assert [(note.id, note.extra["written"]) for note in memory.held()] == [("d", 3), ("c", 2)]


def test_a_read_rests_on_claims_and_an_empty_question_or_k_reads_nothing():
    with shelved() as memory:
        memory.observe(Claim("a", "Rui cooks", time="2026-03-02"))
        read = memory.read(Query("q", "Who cooks"), 3)
        assert [(note.claims, note.time) for note in read] == [(("a",), "2026-03-02")]
        assert memory.read(Query("q", " "), 3) == memory.read(Query("q", "Who cooks"), 0) == ()


def test_what_comes_back_without_a_claim_id_is_an_invention():
    assert note_from("n", "text", None).claims == ()
    assert note_from("n", "text", {"claim_id": 7}).claims == ("7",)


def test_a_claim_travels_with_its_time_source_and_speaker():
    told = tags(Claim("c", "text", time="2026", source="s1", speaker="Ana"), 4)
    assert told == {"claim_id": "c", "written": 4, "time": "2026", "source": "s1", "speaker": "Ana"}


def test_a_temporary_folder_goes_with_the_system_closed_or_forgotten_and_a_given_one_stays(tmp_path):
    places = []

    def start(folder):
        places.append(folder)
        return Shelf({})

    Packaged("shelf", start).close()
    forgotten = Packaged("shelf", start)
    shelf = forgotten.package
    del forgotten
    gc.collect()
    Packaged("shelf", start, folder=tmp_path).close()
    assert [place.exists() for place in places] == [False, False, True]
    assert shelf.closed


def test_a_folder_does_not_stay_where_a_package_does_not_open():
    places = []

    def start(folder):
        places.append(folder)
        raise OSError("locked")

    with pytest.raises(OSError, match="locked"):
        Packaged("shelf", start)
    assert not places[0].exists()


def test_a_closed_system_says_so():
    memory = shelved()
    memory.close()
    with pytest.raises(SystemUnavailableError, match="shelf was closed"):
        memory.held()


def test_a_negative_capacity_is_refused():
    with pytest.raises(ShapeError, match="capacity is -1"):
        shelved(-1)


@pytest.mark.parametrize("kind", PACKAGES, ids=lambda kind: kind.label)
def test_a_missing_package_names_the_command_that_installs_it(kind, monkeypatch):
    for module in MODULES:
        monkeypatch.setitem(sys.modules, module, None)
        for name in [name for name in sys.modules if name.startswith(f"{module}.")]:
            monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(SystemUnavailableError, match="pip install"):
        kind.make(Setting())


@pytest.mark.parametrize("kind", PACKAGES, ids=lambda kind: kind.label)
def test_a_package_is_named_one_by_one_and_never_among_all(kind):
    assert systems_named(kind.label) == (kind,)
    assert kind not in systems_named("all")
    assert kind not in KINDS
    assert kind.source
    assert kind.k


def test_a_package_that_is_nearly_named_is_told():
    with pytest.raises(UnknownName, match="did you mean llama-index"):
        systems_named("llamaindex")
