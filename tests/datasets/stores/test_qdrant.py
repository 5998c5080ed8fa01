import os
import pickle
import sqlite3
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foreign_stores import ANA, database, everything, history, point, qdrant
from memspan.datasets import load, read_store, save
from memspan.datasets.stores.pickled import Inert, UnsafePickle, unpickled
from memspan.errors import FileError, FormatError


@pytest.fixture
def folder(tmp_path):
    rui = {"data": "Rui has a van.", "hash": "bb", "user_id": "ana", "actor_id": "rui", "role": "user"}
    return qdrant(tmp_path / "store", [point("a1", ANA), point("b2", {**rui, "run_id": "run 4"})])


def test_a_mem0_folder_becomes_a_material_of_its_memories(folder):
    (material,) = read_store(folder)
    assert (material.id, material.extra["store"], material.queries) == ("mem0", "mem0", ())
    ana, rui = material.claims
    assert (ana.id, ana.text, ana.time, ana.source) == ("a1", ANA["data"], ANA["created_at"], None)
    assert ana.extra == {"scope": "user:ana", "claims": ["e1"], "metadata": {"hash": "aa", "event_id": "e1"}}
    assert (rui.speaker, rui.source) == ("rui", "run 4")
    assert rui.extra["metadata"]["role"] == "user"


def test_reading_a_folder_changes_not_a_byte_and_not_a_time(folder):
    history(folder / "history.db", [("a1", None, ANA["data"], "ADD", "2026-03-02")])
    before = everything(folder.parent)
    read_store(folder)
    load(folder)
    assert everything(folder.parent) == before


def test_what_is_only_in_the_write_ahead_log_is_read_and_the_log_is_left_alone(folder):
    file = folder / "collection" / "mem0" / "storage.sqlite"
    writer = sqlite3.connect(file)
    writer.execute("pragma journal_mode = wal")
    writer.execute("insert into points values ('k', ?)", (point("c3", {**ANA, "data": "New."}),))
    writer.commit()
    before = everything(folder)
    (material,) = read_store(folder)
    assert everything(folder) == before
    assert [claim.id for claim in material.claims] == ["a1", "b2", "c3"]
    assert any("a copy is read" in told.reason and told.kept for told in material.dropped)
    writer.close()


@pytest.mark.parametrize("begin", ["begin immediate", "begin exclusive"])
def test_a_writer_in_the_middle_holds_nobody_up_and_is_not_held_up(folder, begin):
    file = folder / "collection" / "mem0" / "storage.sqlite"
    writer = sqlite3.connect(file, isolation_level=None)
    writer.execute(begin)
    writer.execute("insert into points values ('k', ?)", (point("c3", ANA),))
    assert [claim.id for claim in read_store(folder)[0].claims] == ["a1", "b2"]
    writer.execute("commit")
    writer.close()
    assert len(read_store(folder)[0].claims) == 3


def test_a_lock_file_beside_the_store_is_no_hindrance(folder):
    (folder / ".lock").write_text("tmp lock file")
    assert len(read_store(folder)[0].claims) == 2


def test_each_collection_is_a_material_and_mem0s_own_are_passed_over_and_told(folder):
    for name in ("mem0migrations", "mem0_entities", "notes"):
        qdrant(folder, [point(1, {"text": "Tea at five."})], name)
    first, notes = read_store(folder)
    assert (notes.id, notes.extra["store"], notes.claims[0].text) == ("notes", "qdrant", "Tea at five.")
    assert [told.record for told in first.dropped] == [
        "collection mem0_entities",
        "collection mem0migrations",
    ]


def test_the_history_tells_earlier_versions_and_what_was_deleted(folder):
    history(
        folder.parent / "history.db",
        [
            ("a1", None, "Ana lives in Faro.", "ADD", "2026-01-01"),
            ("a1", "Ana lives in Faro.", ANA["data"], "UPDATE", "2026-03-02"),
            ("z9", None, "Ana smokes.", "ADD", "2026-01-02"),
            ("z9", "Ana smokes.", None, "DELETE", "2026-01-09"),
        ],
    )
    (material,) = read_store(folder)
    assert material.claims[0].extra["versions"] == [
        {"text": "Ana lives in Faro.", "time": "2026-01-01", "event": "ADD"}
    ]
    assert material.extra["deleted"] == [
        {"id": "z9", "text": "Ana smokes.", "time": "2026-01-09", "versions": []}
    ]
    (alone,) = read_store(folder.parent / "history.db")
    assert [(claim.id, claim.text) for claim in alone.claims] == [("a1", ANA["data"])]


def test_the_history_of_another_store_is_not_mixed_in(folder):
    history(folder / "history.db", [("zz", None, "x", "ADD", "2026"), ("zz", "x", None, "DELETE", "2026")])
    (material,) = read_store(folder)
    assert "deleted" not in material.extra


def test_a_broken_history_costs_nothing_but_a_note(folder):
    (folder / "history.db").write_bytes(b"SQLite format 3\x00" + b"\xff" * 3000)
    (material,) = read_store(folder)
    assert len(material.claims) == 2
    assert "history.db cannot be used" in material.dropped[0].reason


def test_of_a_point_that_stands_twice_the_last_counts(tmp_path):
    store = qdrant(tmp_path / "s", [point("a", ANA), point("a", {**ANA, "data": "Later."})])
    (material,) = read_store(store)
    assert [claim.text for claim in material.claims] == ["Later."]
    assert material.dropped[0].kept


def test_an_empty_collection_is_an_empty_material(tmp_path):
    assert [len(m.claims) for m in read_store(qdrant(tmp_path / "s", []))] == [0]


def test_what_a_folder_gives_survives_the_native_format(folder, tmp_path):
    materials = load(folder)
    save(materials, tmp_path / "copy.jsonl")
    assert load(tmp_path / "copy.jsonl") == materials


def test_a_union_and_a_kind_of_claims(folder):
    qdrant(folder, [point(1, {"text": "Tea at five."})], "notes")
    (both,) = load(folder, union=True)
    assert (both.id, len(both.claims)) == ("store", 3)
    with pytest.raises(FileError, match="a store offers no claims of kind 'turns'"):
        load(folder, claims="turns")


def test_one_collection_one_file_and_the_folder_above_read_the_same(folder):
    inner = folder / "collection" / "mem0"
    claims = read_store(folder)[0].claims
    assert read_store(inner)[0].claims == claims
    assert read_store(inner / "storage.sqlite")[0].claims == claims
    assert read_store(folder.parent)[0].claims == claims


def test_a_link_to_a_store_is_followed(folder, tmp_path):
    (tmp_path / "link").symlink_to(folder, target_is_directory=True)
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    assert read_store(tmp_path / "link")[0].id == "mem0"
    with pytest.raises(FileError):
        read_store(tmp_path / "loop")


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_what_may_not_be_read_is_refused_with_its_name(folder):
    (folder / "collection" / "mem0" / "storage.sqlite").chmod(0)
    with pytest.raises(FileError, match="cannot be read"):
        read_store(folder)


# --- hostile pickles ------------------------------------------------------------------------------


class Evil:
    """Writes a file when the normal reader meets its pickle."""

    def __init__(self, path):
        """Keep the file's *path*."""
        self.path = path

    def __reduce__(self):
        """Return what the normal reader would call."""
        return Path.write_text, (Path(self.path), "run")


def test_a_hostile_pickle_runs_nothing_and_is_told(tmp_path):
    mark = tmp_path / "mark"
    store = qdrant(
        tmp_path / "s",
        [pickle.dumps(Evil(mark)), pickle.dumps({"id": 1, "payload": Evil(mark)}), point("h", ANA)],
    )
    (material,) = read_store(store)
    assert not mark.exists()
    assert [claim.id for claim in material.claims] == ["h"]
    assert [told.record for told in material.dropped] == ["row 1", "row 2"]


def test_an_object_of_a_pickle_is_inert():
    made = unpickled(pickle.dumps(Evil("x")))
    assert isinstance(made, Inert)
    assert made.fields == {}


HOSTILE = {
    "code by name": b"cos\nsystem\n(S'true'\ntR.",
    "code by instance": b"(S'true'\nios\nsystem\n.",
    "a place beyond memory": b"\x80\x04Nr\xff\xff\xff\x7f.",
    "a place beyond memory in words": b"Np99999999999\n.",
    "a length beyond the bytes": b"\x80\x04\x8e\xff\xff\xff\xff\xff\xff\x00\x00.",
    "a persistent id": b"Pabc\n.",
    "an extension": b"\x80\x02\x82\x01.",
    "cut off": b"\x80\x04\x95\x10",
    "floats cut off": b"\x80\x04G\x00",
    "nothing": b"",
    "text": b"hello",
    "no end": b"\x80\x04N",
    "an empty stack": b"\x80\x04.",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_no_hostile_pickle_does_anything_but_be_refused(name):
    with suppress(UnsafePickle):
        assert isinstance(unpickled(HOSTILE[name]), Inert)


@given(st.binary(max_size=60))
def test_no_bytes_raise_anything_but_a_refusal(blob):
    with suppress(UnsafePickle):
        unpickled(b"\x80\x04" + blob)


@given(st.integers(0, 400), st.binary(max_size=6))
def test_no_damage_to_a_point_raises_anything_but_a_refusal(at, put):
    blob = point("a1", ANA)
    with suppress(UnsafePickle):
        unpickled(blob[:at] + put + blob[at + len(put) :])


LEAVES = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()


@given(
    st.recursive(LEAVES, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=10),
    st.integers(0, pickle.HIGHEST_PROTOCOL),
)
def test_plain_values_come_back_as_they_were(value, protocol):
    assert unpickled(pickle.dumps(value, protocol)) == value


def test_a_payload_that_holds_itself_a_thousandfold_is_cut(tmp_path):
    nest = ["x"]
    for _ in range(40):
        nest = [nest, nest]
    (material,) = read_store(qdrant(tmp_path / "s", [point("a", {**ANA, "nest": nest})]))
    assert material.claims[0].text == ANA["data"]


# --- damage ---------------------------------------------------------------------------------------


def test_a_damaged_database_is_told_or_refused_and_never_more(folder):
    file = folder / "collection" / "mem0" / "storage.sqlite"
    sound = file.read_bytes()
    for at in range(0, len(sound), 512):
        file.write_bytes(sound[:at] + b"\xff" * 300 + sound[at + 300 :])
        with suppress(FileError):
            read_store(folder)


def test_a_cut_database_is_refused_with_a_cure(tmp_path):
    store = qdrant(tmp_path / "s", [point(f"p{i}", {**ANA, "pad": "x" * 900}) for i in range(50)])
    file = store / "collection" / "mem0" / "storage.sqlite"
    file.write_bytes(file.read_bytes()[:6000])
    with pytest.raises(FileError, match=r"damaged SQLite file .* restore it from a backup"):
        read_store(store)


def test_a_database_of_something_else_is_refused_by_its_tables(tmp_path):
    path = database(tmp_path / "x.db", ['create table "a""; drop table b" (x)', "create table b (y)"])
    with pytest.raises(FormatError, match=r"is an SQLite database with .*drop table b.*sqlite3 -header -csv"):
        read_store(path)


def test_a_folder_without_a_store_says_what_is_read(tmp_path):
    with pytest.raises(
        FormatError, match=r"is a directory; name one file in it, or give the folder of a store"
    ):
        read_store(tmp_path)
