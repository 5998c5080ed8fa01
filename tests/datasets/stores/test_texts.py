"""Texts of any origin: what is taken for a store, what is left to others, and what is said of it."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memspan.cli.loading import materials_of
from memspan.cli.task import Task
from memspan.datasets import load, read_store, save
from memspan.datasets.stores.chats import holds_chat
from memspan.errors import FileError, FormatError
from memspan.extraction import read
from memspan.extraction.chat import read_chat

FIXTURES = Path(__file__).parent.parent.parent / "fixtures"


@pytest.fixture
def place(tmp_path):
    def write(content, name="x.json"):
        path = tmp_path / name
        raw = content if isinstance(content, str | bytes) else json.dumps(content)
        path.write_bytes(raw if isinstance(raw, bytes) else raw.encode())
        return path

    return write


TWO = ["Ana moved to Porto.", "Ana likes tea."]
ONE, OTHER = TWO
SHAPES = {
    "records": [{"id": "a", "text": ONE}, {"id": "b", "text": OTHER}],
    "texts": TWO,
    "under memories": {"count": 2, "memories": TWO},
    "under results, under data": {"data": {"results": [{"memory": ONE}, {"memory": OTHER}]}},
    "by id": {"a": {"note": ONE}, "b": {"note": OTHER}},
    "texts by id": {"a": ONE, "b": OTHER},
    "by person": {"ana": [ONE], "rui": [OTHER]},
    "pages": [{"results": [{"text": ONE}]}, {"results": [{"text": OTHER}]}],
    "points": [{"id": 1, "payload": {"text": ONE}}, {"id": 2, "payload": {"text": OTHER}}],
    "columns": {"ids": ["a", "b"], "documents": TWO, "metadatas": [None, {}]},
    "a name nobody knows": [{"x": 1, "erinnerung": ONE}, {"x": 2, "erinnerung": OTHER}],
    "capital letters": [{"ID": 1, "Text": ONE}, {"ID": 2, "Text": OTHER}],
}


@pytest.mark.parametrize("shape", SHAPES)
def test_memories_are_found_wherever_they_lie(shape, place):
    (material,) = load(place(SHAPES[shape]))
    assert material.extra["store"] == "memories"
    assert [claim.text for claim in material.claims] == TWO
    assert load(place(SHAPES[shape]), format="memories") == [material]


NO_STORES = {
    "a chat": [{"role": "user", "content": "I moved to Porto."}, {"role": "assistant", "content": "Nice!"}],
    "a chat inside": {"title": "x", "messages": [{"role": "user", "content": "I moved to Porto."}]},
    "speakers": [{"speaker": "Ana", "text": "I moved to Porto."}, {"speaker": "Rui", "text": "Nice."}],
    "numbers": [1, 2, 3],
    "words": ["a", "b"],
    "settings": {"name": "x", "version": 2, "description": "a tool for things that are long"},
    "questions": [{"question": "Where does Ana live?", "answer": "In Porto, since March."}],
    "coordinates": [{"lat": 1.5, "lon": 2.5, "city": "Porto"}],
}


@pytest.mark.parametrize("name", [name for name in NO_STORES if name != "settings"])
def test_what_is_no_store_is_refused(name, place):
    for reader in (load, read_store):
        with pytest.raises(FormatError):
            reader(place(NO_STORES[name]))


def test_a_chat_is_told_what_to_do_and_the_command_line_still_reads_it(place):
    path = place(NO_STORES["a chat"])
    with pytest.raises(
        FormatError, match=r"is a conversation, not a store; memspan extract .*format='memories'"
    ):
        read_store(path)
    (material,) = materials_of(Task(str(path)))
    assert [claim.speaker for claim in material.claims] == ["user", "assistant"]
    forced = load(path, format="memories")[0]
    assert (forced.claims[0].text, forced.claims[0].speaker) == ("I moved to Porto.", "user")


def test_chats_are_recognised_as_the_text_path_does():
    for name in ("chat_export.json", "locomo.json", "longmemeval.json"):
        value = json.loads((FIXTURES / name).read_text())
        assert holds_chat(value) == bool(read_chat("x", "x", value, None))


VALUES = st.recursive(
    st.sampled_from(["hi there", "", None, 3]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["text", "role", "name", "content", "x", "messages"]), inner, max_size=3
        )
    ),
    max_leaves=12,
)


@given(VALUES)
@settings(max_examples=200)
def test_whatever_the_text_path_finds_messages_in_is_seen_as_a_chat(value):
    found = read_chat("x", "x", value, None)
    assert holds_chat(value) or not any(document.passages for document in found)


@pytest.mark.parametrize("name", ["chat_export.json", "odyssey_book06_questions.json"])
def test_no_file_of_another_kind_is_taken_for_a_store(name):
    with pytest.raises(FileError):
        load(FIXTURES / name)


PROSE = (
    "Notes, from the harbour\n\nAna moved to Porto. She likes tea.\n",
    "Summary\n\nAna moved to Porto.\n",
    "Ana: I moved to Porto, yesterday.\nRui: Nice, really.\n",
    "# Text\n\n- one, two\n- three, four\n",
    "| memory | time |\n|---|---|\n| Ana moved. | noon |\n",
)


@pytest.mark.parametrize("text", PROSE)
@pytest.mark.parametrize("name", ["x.txt", "x.md", "x"])
def test_prose_is_left_to_the_text_path(text, name, place):
    path = place(text, name)
    with pytest.raises(FormatError):
        load(path)
    assert read(path)


TABLES = {
    "commas": ('memory,id\n"Ana moved, to Porto.",a\nAna likes tea.,b\n', "x"),
    "semicolons": ("id;text\na;Ana moved, to Porto.\nb;Ana likes tea.\n", "x"),
    "tabs": ("id\ttext\na\tAna moved, to Porto.\nb\tAna likes tea.\n", "x.txt"),
    "one column": ('memory\n"Ana moved, to Porto."\nAna likes tea.\n', "x.csv"),
    "a name nobody knows": ('nr,erinnerung\n1,"Ana moved, to Porto."\n2,Ana likes tea.\n', "x.csv"),
    "from Windows": ('\ufeffid,text\r\na,"Ana moved, to Porto."\r\nb,Ana likes tea.\r\n', "x.csv"),
    "no header": ('1,"Ana moved, to Porto."\n2,Ana likes tea.\n', "x.csv"),
}


@pytest.mark.parametrize("name", TABLES)
def test_tables_are_read_however_they_are_cut(name, place):
    content, file = TABLES[name]
    (material,) = load(place(content, file))
    assert [claim.text for claim in material.claims] == ["Ana moved, to Porto.", "Ana likes tea."]


NAMES = (
    "ID,Memory,User,Created,Session",
    "id;MEMORY;Username;Date;Conversation",
    "Id,Text,Owner,Added,Thread",
    "id,note,Person,Updated,source",
    "ID,Fact,User ID,Created At,Session-ID",
    "id,memory,userId,createdAt,sessionId",
)


@pytest.mark.parametrize("header", NAMES)
def test_columns_are_read_under_the_names_people_use(header, place):
    cut = ";" if ";" in header else ","
    row = cut.join(("a", ONE, "ana", "2026-03-02", "s1"))
    (material,) = load(place(f"{header}\n{row}\n", "x.csv"))
    (claim,) = material.claims
    assert (claim.id, claim.text, claim.time, claim.source) == ("a", ONE, "2026-03-02", "s1")
    assert claim.extra["scope"] == "user:ana"
    (same,) = load(place([dict(zip(header.split(cut), row.split(cut), strict=True))]))
    assert same.claims == material.claims


@pytest.mark.parametrize("kind", ["csv", "json"])
def test_times_under_an_unknown_name_are_told_and_other_columns_are_not(kind, place):
    rows = [
        {"id": f"m{i}", "memory": text, "Noted": f"2026-03-0{i + 1}", "n": "7"} for i, text in enumerate(TWO)
    ]
    table = "\n".join(["id,memory,Noted,n", *(",".join(row.values()) for row in rows)])
    (material,) = load(place(table, "x.csv") if kind == "csv" else place(rows))
    (told,) = material.dropped
    assert (told.field, told.kept) == ("Noted", True)
    assert "call it created_at" in told.reason
    assert [claim.time for claim in material.claims] == [None, None]


def test_a_table_of_questions_is_no_store(place):
    with pytest.raises(FormatError):
        load(place("question,answer,count\nWhere does Ana live now?,In Porto,3\n", "asked.csv"))


def test_a_field_longer_than_the_csv_bound_is_read(place):
    long = "word " * 40_000
    (material,) = load(place(f"id,text\na,{long}\nb,short text here\n", "x.csv"))
    assert len(material.claims[0].text) == len(long)


def test_what_is_odd_in_the_json_is_told_and_the_rest_is_read(place):
    raw = '[{"id": "a", "text": "Ana moved.", "score": NaN, "n": %s}, {"id": "a", "text": null}, 7]' % (
        "9" * 400
    )
    (material,) = load(place(raw))
    assert [claim.id for claim in material.claims] == ["a", "a#2"]
    assert material.claims[0].extra["metadata"]["score"] is None
    assert [told.kept for told in material.dropped if "7" in told.reason] == [False]
    lines = '{"text": "Ana moved."}\n{"text": "cut off\n{"text": "Ana likes tea."}\n'
    (material,) = load(place(lines, "x.jsonl"))
    assert len(material.claims) == 2
    assert [told.record for told in material.dropped] == ["line 2"]


def test_half_characters_and_deep_nests_do_not_break_a_saved_copy(place, tmp_path):
    nest = "[" * 300 + "]" * 300
    raw = r'[{"text": "Ana \ud800 moved.", "id": "\ud800", "deep": NEST, "k\ud801": 1}, {"text": "x y z"}]'
    materials = load(place(raw.replace("NEST", nest)))
    save(materials, tmp_path / "copy.json")
    assert load(tmp_path / "copy.json") == materials


def test_other_encodings_are_refused_with_the_cure(place):
    for encoding in ("utf-16", "latin-1"):
        with pytest.raises(FileError, match="convert it to UTF-8"):
            read_store(place("id,text\na,Ana moved to Orléans.\n".encode(encoding), "x.csv"))


def test_nothing_like_a_text_is_said_with_the_fields(place):
    with pytest.raises(FormatError, match=r"nothing looks like the text of a memory; call that field memory"):
        read_store(place([{"a": 1, "b": 2}]))
    with pytest.raises(FileError, match=r'the fields are "a", "b", and nothing looks like the text'):
        load(place([{"a": 1, "b": 2}]), format="memories")


FIELDS = [
    "id",
    "text",
    "memory",
    "data",
    "metadata",
    "created_at",
    "results",
    "payload",
    "blocks",
    "agents",
    "value",
    "label",
    "namespace",
    "key",
    "user_id",
    "tags",
    "docstore/data",
]
FIELDS = """id text memory data metadata created_at results payload blocks agents value label namespace key
user_id tags docstore/data block_ids core_memory passages messages agent_type items relationships __data__
text_resource ids documents metadatas relations limit role"""
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(FIELDS.split()), inner, max_size=5)
    ),
    max_leaves=25,
)


@given(ANYTHING)
@settings(max_examples=300)
def test_no_json_raises_anything_but_a_file_error_and_what_is_read_can_be_saved(tmp_path_factory, value):
    folder = tmp_path_factory.getbasetemp()
    (folder / "any").write_text(json.dumps(value))
    for name in (None, "memories", "mem0", "letta", "langgraph", "llama-index"):
        try:
            materials = load(folder / "any", format=name)
        except FileError:
            continue
        save(materials, folder / "copy.jsonl")
        assert load(folder / "copy.jsonl") == materials


def test_many_memories_of_one_id_are_named_apart_in_time(place):
    (material,) = load(place([{"id": "same", "text": f"Fact number {i}."} for i in range(20_000)]))
    assert material.claims[-1].id == "same#20000"
    assert len(material.dropped) == 1
