import contextlib
import json
import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memspan.datasets import BUNDLED, bundled, load, save
from memspan.errors import FileError, FormatError
from memspan.material import Claim, Material, Query, Support
from memspan.testing import materials

TRIP = {
    "memspan": 0,
    "id": "trip",
    "claims": [{"id": "c1", "text": "Ana moved to Porto.", "costs": {"tokens": 6}, "truth": 1}],
    "items": [{"id": "n1", "supports": [["c1"], {"all": ["c1"], "unless": []}]}],
    "queries": [{"id": "q1", "weight": 2, "items": ["n1"], "supports": [["c1"]]}],
    "settlements": [{"query": "q1", "correct": 1, "claims": ["c1"]}],
}


@pytest.fixture
def place(tmp_path: Path) -> Callable[[Any], Path]:
    """Write what is given, bytes, text or a JSON value, and return the file."""

    def write(content: Any) -> Path:
        path = tmp_path / "given"
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            text = content if isinstance(content, str) else json.dumps(content)
            path.write_text(text, encoding="utf-8")
        return path

    return write


def message_of(path: Path | str, **options: Any) -> str:
    with pytest.raises(FileError) as caught:
        load(path, **options)
    return str(caught.value)


def changed(**fields: Any) -> dict[str, Any]:
    return {**TRIP, **fields}


@pytest.mark.parametrize("suffix", [".json", ".jsonl"])
@given(st.lists(materials(), min_size=1, max_size=3, unique_by=lambda material: material.id))
@settings(deadline=None, max_examples=40)
def test_a_round_trip_changes_nothing(suffix: str, tmp_path_factory: Any, given: list[Material]) -> None:
    path = tmp_path_factory.getbasetemp() / f"round{suffix}"
    save(given, path)
    back = load(path)
    assert back == given
    assert repr(back) == repr(given)  # repr tells 1 from 1.0


@pytest.mark.parametrize("name", BUNDLED)
@pytest.mark.parametrize("suffix", [".json", ".jsonl"])
def test_a_bundled_material_survives_a_round_trip(name: str, suffix: str, tmp_path: Path) -> None:
    save(bundled(name), tmp_path / f"copy{suffix}")
    assert load(tmp_path / f"copy{suffix}") == [bundled(name)]


def test_the_same_material_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one.json", "two.json"):
        save(bundled("odyssey"), tmp_path / name)
    assert (tmp_path / "one.json").read_bytes() == (tmp_path / "two.json").read_bytes()


def test_only_version_and_ids_are_required(place: Callable[[Any], Path]) -> None:
    given = {"memspan": 0, "id": "bare", "claims": [{"id": "c"}], "queries": [{"id": "q"}]}
    assert load(place(given)) == [Material("bare", (Claim("c"),), queries=(Query("q"),))]


def test_an_empty_material_is_a_material(place: Callable[[Any], Path]) -> None:
    assert load(place({"memspan": 0, "id": ""})) == [Material("")]
    assert load(place('{"kind": "material", "memspan": 0, "id": "x"}')) == [Material("x")]


def test_unknown_fields_are_kept_and_written_back(place: Callable[[Any], Path], tmp_path: Path) -> None:
    given = changed(mood="calm", claims=[{"id": "c1", "page": {"n": [1, 2.0]}}])
    material = load(place(given))[0]
    assert material.extra == {"mood": "calm"}
    assert material.claims[0].extra == {"page": {"n": [1, 2.0]}}
    save(material, tmp_path / "back.json")
    assert json.loads((tmp_path / "back.json").read_text())["claims"][0]["page"] == {"n": [1, 2.0]}


def test_a_file_may_hold_a_list_of_materials(place: Callable[[Any], Path]) -> None:
    assert [material.id for material in load(place([TRIP, changed(id="second")]))] == ["trip", "second"]


def test_a_byte_order_mark_and_crlf_do_no_harm(place: Callable[[Any], Path]) -> None:
    text = json.dumps(TRIP, indent=1).replace("\n", "\r\n")
    assert load(place(b"\xef\xbb\xbf" + text.encode()))[0].id == "trip"


def test_json_lines_hold_several_materials(place: Callable[[Any], Path]) -> None:
    lines = [
        {"kind": "material", "memspan": 0, "id": "a"},
        {"kind": "claim", "id": "c1"},
        {"kind": "query", "id": "q1", "supports": [["c1"]]},
        {"kind": "material", "memspan": 0, "id": "b"},
        {"kind": "claim", "id": "c1"},
    ]
    a, b = load(place("\n\n".join(map(json.dumps, lines))))
    assert a.queries[0].supports == (Support(("c1",)),)
    assert b == Material("b", (Claim("c1"),))


BAD_FIELDS = {
    "text for a number": (
        changed(queries=[{"id": "q1", "weight": "2"}]),
        'queries[0] (q1).weight: is "2"; allowed is a number',
    ),
    "a boolean for a number": (
        changed(claims=[{"id": "c1", "truth": True}]),
        "claims[0] (c1).truth: is true; allowed is a number",
    ),
    "a negative weight": (changed(queries=[{"id": "q1", "weight": -1}]), "queries[0] (q1).weight: is -1"),
    "a weight that is not finite": (
        json.dumps(changed(queries=[{"id": "q1", "weight": float("nan")}])),
        "queries[0] (q1).weight: is NaN; allowed are finite numbers",
    ),
    "a number beyond all floats": (
        json.dumps(TRIP).replace('"weight": 2', '"weight": 1e999'),
        "queries[0] (q1).weight: is Infinity",
    ),
    "an integer beyond all floats": (
        json.dumps(TRIP).replace('"weight": 2', '"weight": 1' + "0" * 400),
        "queries[0] (q1).weight: is a whole number beyond",
    ),
    "an integer beyond Python's limit": (
        json.dumps(TRIP).replace('"weight": 2', '"weight": 1' + "0" * 9999),
        "holds a number that is too long",
    ),
    "NaN in an unknown field": (changed(mood=[1, float("nan")]), "mood[1]: is NaN"),
    "a cost below zero": (
        changed(claims=[{"id": "c1", "costs": {"tokens": -1}}]),
        "claims[0] (c1).costs.tokens: is -1",
    ),
    "a truth above one": (changed(claims=[{"id": "c1", "truth": 1.5}]), "claims[0] (c1).truth: is 1.5"),
    "an integer id": (
        changed(claims=[{"id": 1}]),
        "claims[0].id: is 1; allowed is text; put it in quotes",
    ),
    "a missing id": (changed(claims=[{"text": "x"}]), "claims[0].id: is missing"),
    "a missing material id": ({"memspan": 0}, "id: is missing"),
    "a missing version": ({"id": "x", "claims": []}, 'memspan: is missing; write "memspan": 0'),
    "a version that is text": (changed(memspan="0"), 'memspan: is "0"; allowed is 0'),
    "a version that is a boolean": (changed(memspan=False), 'memspan: is "false"; allowed is 0'),
    "duplicate ids": (
        changed(claims=[{"id": "c1"}, {"id": "c1"}]),
        "claims[0] (c1) and claims[1] (c1).id: 'c1' stands 2 times in claims",
    ),
    "an unknown claim": (
        changed(queries=[{"id": "q1", "supports": [["c9"]]}]),
        "queries[0] (q1).supports[0]: names claim 'c9', which does not exist",
    ),
    "an unknown item": (changed(queries=[{"id": "q1", "items": ["n9"]}]), "names item 'n9'"),
    "an unknown query": (changed(settlements=[{"query": "q9", "correct": 1}]), "names query 'q9'"),
    "a support that is a number": (
        changed(queries=[{"id": "q1", "supports": [7]}]),
        'queries[0] (q1).supports[0]: is 7; allowed is a list of claim ids, or an object with "all"',
    ),
    "a support without claims": (
        changed(queries=[{"id": "q1", "supports": [{"unless": ["c1"]}]}]),
        "queries[0] (q1).supports[0].all: is missing",
    ),
    "a claim name that is a number": (
        changed(queries=[{"id": "q1", "supports": [["c1", 2]]}]),
        "queries[0] (q1).supports[0][1]: is 2; allowed is text; put it in quotes",
    ),
    "a section that is no list": (
        changed(claims={"c1": "x"}),
        "claims: is an object of 1; allowed is a list",
    ),
    "a claim that is no object": (changed(claims=["c1"]), 'claims[0]: is "c1"; allowed is an object'),
    "a null text": (changed(claims=[{"id": "c1", "text": None}]), "text: is null; allowed is text"),
    "an answerable that is a number": (
        changed(queries=[{"id": "q1", "answerable": 1}]),
        "answerable: is 1; allowed is true or false",
    ),
    "an unknown support source": (changed(support_source="guessed"), 'support_source: is "guessed"'),
    "a key that stands twice": (
        '{"memspan": 0, "id": "x", "id": "y"}',
        "object with id 'y'.id: stands twice in one object; keep one",
    ),
    "half a character": (
        r'{"memspan": 0, "id": "x", "claims": [{"id": "c", "text": "\ud800"}]}',
        "claims[0] (c).text: holds half a character",
    ),
    "half a character in an unknown field": (r'{"memspan": 0, "id": "x", "y": "\ud800"}', "y: holds half"),
}


@pytest.mark.parametrize("name", BAD_FIELDS)
def test_a_fault_is_named_with_record_and_field(name: str, place: Callable[[Any], Path]) -> None:
    content, said = BAD_FIELDS[name]
    assert said in message_of(place(content))


def test_all_faults_of_a_file_are_reported_at_once(place: Callable[[Any], Path]) -> None:
    given = {
        "memspan": 0,
        "id": 5,
        "claims": [{"id": "c1", "truth": "yes"}, {"id": 2}, {"id": "c3", "costs": {"tokens": -1}}],
        "queries": [{"id": "q1", "supports": [["c1", "2", "c9", "c8"]], "weight": None}],
    }
    with pytest.raises(FileError) as caught:
        load(place(given))
    assert {(fault.record, fault.field) for fault in caught.value.faults} == {
        ("", "id"),
        ("claims[0] (c1)", "truth"),
        ("claims[1]", "id"),
        ("claims[2] (c3)", "costs.tokens"),
        ("queries[0] (q1)", "weight"),
        ("queries[0] (q1)", "supports[0]"),
    }
    problems = [fault.problem for fault in caught.value.faults if fault.field == "supports[0]"]
    assert len(problems) == 2
    assert all("c9" in problem or "c8" in problem for problem in problems)


def test_faults_in_a_list_name_the_material(place: Callable[[Any], Path]) -> None:
    said = message_of(place([TRIP, changed(id="b", claims=[{"id": "c1", "truth": 2}])]))
    assert "[1].claims[0] (c1).truth: is 2" in said
    assert "[1] (b): is 3" not in said
    assert "[1]: is 3; allowed is an object" in message_of(place([TRIP, 3]))


def test_faults_of_json_lines_name_the_line(place: Callable[[Any], Path]) -> None:
    lines = [
        '{"kind": "material", "memspan": 0, "id": "a"}',
        '{"kind": "claim", "id": "c1", "truth": 3}',
        '{"kind": "claim", "id": "c1"}',
        "",
        '{"kind": "clam", "id": "c2"}',
        '{"id": "c2"}',
        "[1]",
        '{"kind": "query", "id": "q1", "supports": [["c7"]], "weight": "x"}',
        '{"kind": "claim", "id": "c',
    ]
    said = message_of(place("\n".join(lines)))
    for expected in (
        "line 2 (c1).truth: is 3",
        "line 2 (c1) and line 3 (c1).id: 'c1' stands 2 times",
        'line 5.kind: is "clam"; allowed are claim, item, material, query, settlement',
        "line 6.kind: is missing",
        "line 7: is a list of 1; allowed is one object per line",
        "line 8 (q1).weight",
        "line 8 (q1).supports[0]: names claim 'c7'",
        "line 9: is not JSON",
        "looks cut off",
    ):
        assert expected in said


def test_a_record_before_any_material_is_refused(place: Callable[[Any], Path]) -> None:
    said = message_of(place('{"kind": "claim", "id": "c1"}\n{"kind": "material", "memspan": 0, "id": "a"}'))
    assert "line 1: stands before any material" in said


def test_endless_faults_stop_the_reading(place: Callable[[Any], Path]) -> None:
    said = message_of(place('{"kind": "material", "memspan": 0, "id": "a"}\n' + "[]\n" * 5000))
    assert "and 981 more" in said


@pytest.mark.parametrize("cut", [1, 5, 30, 90, 200, 320])
def test_a_cut_off_file_is_said_to_be_cut_off(cut: int, place: Callable[[Any], Path]) -> None:
    text = json.dumps(changed(text="é" * 10), ensure_ascii=False)
    said = message_of(place(text[:cut]))
    assert "line 1, column" in said
    assert "cut off" in said


def test_a_newer_version_asks_for_an_upgrade(place: Callable[[Any], Path]) -> None:
    with pytest.raises(FormatError, match="newer version; this memspan reads 0: upgrade"):
        load(place(changed(memspan=7)))


BAD_FILES = {
    "empty": (b"", "is empty"),
    "blank": (b" \n\t\n", "is empty"),
    "blank for long": (b" " * 100_000, "64 KB of blank space"),
    "binary": (b"\x89PNG\r\n\x00\x00", "is binary"),
    "gzip": (b"\x1f\x8b\x08\x00abc", "gzip-compressed; decompress it first"),
    "zip": (b"PK\x03\x04abc", "a zip archive; unpack it"),
    "UTF-16": ("{}".encode("utf-16"), "UTF-16; convert it to UTF-8"),
    "Latin-1": ('{"id": "Orléans"}'.encode("latin-1"), "is not UTF-8: byte 0xe9 at offset 11"),
    "Latin-1 far inside": (b'{"a": "' + b"x" * 99_999 + b'\xe9"}', "is not UTF-8: byte 0xe9"),
    "cut inside a letter": ('{"id": "é'.encode()[:-1], "looks cut off"),
    "prose": (b"Once upon a time", 'begins with "Once upon a time", which fits no known format'),
    "a JSON string": (b'"hello"', "fits no known format"),
    "a list of nothing": (b"[]", "holds an empty list"),
    "a list of numbers": (b"[1, 2]", "holds a list without objects"),
    "an object of another kind": (b'{"a": 1, "b": 2}', "fields a, b, which fits no known format"),
    "two documents": (b'{"a":\n 1}\n{"b": 2}', "one file holds one document"),
    "deep nesting": (b'{"a": ' + b"[" * 200_000, "is nested too deeply"),
}


@pytest.mark.parametrize("name", BAD_FILES)
def test_a_file_that_cannot_be_used_says_why(name: str, place: Callable[[Any], Path]) -> None:
    content, said = BAD_FILES[name]
    assert said in message_of(place(content))


def test_a_place_without_a_file_says_why(tmp_path: Path) -> None:
    assert "is a directory; name one file in it" in message_of(tmp_path)
    assert "does not exist; check the path" in message_of(tmp_path / "none.json")
    assert "is no file name" in message_of("a\0b")
    assert "did you mean the bundled material 'odyssey'?" in message_of("odysey")
    os.mkfifo(tmp_path / "pipe")
    assert "is not a regular file" in message_of(tmp_path / "pipe")


@pytest.mark.parametrize("start", [b"", b"{", b"[", b"[1,", b'{"a":', b"507 63009\n", b"1 Ana went home.\n"])
def test_much_junk_is_refused_in_time(start: bytes, tmp_path: Path) -> None:
    junk = random.Random(5).randbytes(1_000_000) * 20
    (tmp_path / "junk").write_bytes(start + junk)
    (tmp_path / "letters").write_bytes(start + junk.hex().encode()[:20_000_000])
    message_of(tmp_path / "junk")
    message_of(tmp_path / "letters")


@given(st.data())
@settings(deadline=None, max_examples=100)
def test_no_damage_raises_anything_but_a_file_error(tmp_path_factory: Any, data: st.DataObject) -> None:
    path = tmp_path_factory.getbasetemp() / "damaged"
    text = json.dumps(TRIP).encode()
    at = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(at, len(text)))
    path.write_bytes(text[:at] + data.draw(st.binary(max_size=4)) + text[end:])
    with contextlib.suppress(FileError):
        load(path)


@given(st.recursive(st.none() | st.booleans() | st.floats() | st.text(), st.lists), st.data())
@settings(deadline=None, max_examples=100)
def test_no_wrong_value_raises_anything_but_a_file_error(
    tmp_path_factory: Any, value: Any, data: st.DataObject
) -> None:
    path = tmp_path_factory.getbasetemp() / "wrong"
    section = data.draw(st.sampled_from(sorted(TRIP)))
    record = TRIP[section]
    if isinstance(record, list):
        field = data.draw(st.sampled_from(sorted(record[0])))
        value = [{**record[0], field: value}]
    path.write_text(json.dumps({**TRIP, section: value}))
    with contextlib.suppress(FileError):
        load(path)


def test_an_unknown_field_with_one_of_memspans_names_is_refused(tmp_path: Path) -> None:
    clash = Material("m", (Claim("c", extra={"text": "twice"}),))
    with pytest.raises(FileError, match="extra field 'text' of claim 'c' is one of memspan's own"):
        save(clash, tmp_path / "m.json")
    kind = Material("m", (Claim("c", extra={"kind": "rumour"}),))
    save(kind, tmp_path / "m.json")
    assert load(tmp_path / "m.json") == [kind]
    with pytest.raises(FileError, match="'kind', which JSON Lines needs"):
        save(kind, tmp_path / "m.jsonl")


@pytest.mark.parametrize("value", [float("nan"), object(), {1, 2}, "\ud800"])
def test_what_json_cannot_hold_is_refused_and_leaves_no_file(value: Any, tmp_path: Path) -> None:
    save(Material("before"), tmp_path / "m.json")
    with pytest.raises(FileError, match="cannot be saved: "):
        save(Material("m", extra={"x": value}), tmp_path / "m.json")
    assert load(tmp_path / "m.json") == [Material("before")]
    assert [path.name for path in tmp_path.iterdir()] == ["m.json"]


def test_saving_nothing_or_nowhere_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="nothing to save"):
        save([], tmp_path / "m.json")
    with pytest.raises(FileError, match="cannot be written: No such file or directory"):
        save(Material("m"), tmp_path / "none" / "m.json")


def test_a_failing_disk_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save(Material("before"), tmp_path / "m.json")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(FileError, match="No space left on device"):
        save(Material("after"), tmp_path / "m.json")
    assert load(tmp_path / "m.json") == [Material("before")]
    assert [path.name for path in tmp_path.iterdir()] == ["m.json"]
