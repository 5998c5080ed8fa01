"""Laws that every format obeys by being registered. A new format brings one fixture."""

import contextlib
import copy
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memspan.datasets import FORMATS, Format, load, save
from memspan.datasets.source import open_source
from memspan.errors import FileError, UnknownName
from memspan.material import Material

FIXTURES = Path(__file__).parent.parent / "fixtures"
FILES = {
    "memspan": ("memspan.json", "memspan.jsonl"),
    "locomo": ("locomo.json",),
    "longmemeval": ("longmemeval.json",),
    "longmemeval-notes": ("longmemeval_notes.jsonl",),
    "longmemeval-flat": ("longmemeval_flat.json",),
    "hotpotqa": ("hotpotqa.json",),
    "2wikimultihopqa": ("2wikimultihopqa.json",),
    "musique": ("musique.jsonl",),
    "strategyqa": ("strategyqa/strategyqa.json",),
    "halumem": ("halumem.jsonl",),
    "babi": ("babi.txt",),
    "orlib-scp": ("orlib_rows.txt", "orlib_columns.txt"),
    "book-authors": ("votes/books_claims.tsv",),
    "votes": (
        "votes/flights_claims.csv",
        "votes/towns_claims.csv",
        "votes/tides/label.csv",
        "votes/weather.tsv",
    ),
    "llama-index": ("stores/docstore.json",),
    "letta": ("stores/letta.af", "stores/letta_old.af", "stores/letta_passages.json"),
    "langgraph": ("stores/langgraph_items.json",),
    "mem0": ("stores/mem0_get_all.json", "stores/mem0_list.json"),
    "memories": (
        "stores/memories.json",
        "stores/memories.jsonl",
        "stores/memories.csv",
        "stores/memories.tsv",
    ),
}
TEXTS = (".txt", ".csv", ".tsv")
EVERY = [(known, name) for known in FORMATS for name in FILES[known.name]]
JSONS = [(known, name) for known, name in EVERY if not name.endswith(TEXTS)]
each_file = pytest.mark.parametrize(("known", "name"), EVERY, ids=[name for _, name in EVERY])
each_json = pytest.mark.parametrize(("known", "name"), JSONS, ids=[name for _, name in JSONS])


def units(known: Format) -> tuple[str | None, ...]:
    return known.claims or (None,)


def test_every_format_has_a_name_of_its_own_and_a_fixture() -> None:
    names = [known.name for known in FORMATS]
    assert len(set(names)) == len(names)
    assert set(names) == set(FILES)


@each_file
def test_a_format_is_told_by_content_alone(known: Format, name: str, tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_bytes((FIXTURES / name).read_bytes())
    source = open_source(tmp_path / "x.csv")
    assert [each.name for each in FORMATS if each.detect(source)] == [known.name]


@each_file
def test_what_a_loader_makes_survives_the_native_format(known: Format, name: str, tmp_path: Path) -> None:
    for unit in units(known):
        materials = load(FIXTURES / name, claims=unit)
        for suffix in (".json", ".jsonl"):
            save(materials, tmp_path / f"copy{suffix}")
            assert load(tmp_path / f"copy{suffix}") == materials


@each_file
def test_loading_twice_gives_the_same(known: Format, name: str) -> None:
    for unit in units(known):
        assert load(FIXTURES / name, claims=unit) == load(FIXTURES / name, claims=unit, format=known.name)


@each_file
def test_materials_of_a_file_have_ids_of_their_own(known: Format, name: str) -> None:
    for unit in units(known):
        ids = [material.id for material in load(FIXTURES / name, claims=unit)]
        assert len(set(ids)) == len(ids)


@each_file
def test_a_query_is_unanswerable_or_supported_or_open_but_never_half(known: Format, name: str) -> None:
    for unit in units(known):
        for material in load(FIXTURES / name, claims=unit):
            for query in material.queries:
                assert query.answerable or not query.supports or known.name == "memspan"
                assert all(support.claims for support in query.supports)


@each_file
def test_a_union_holds_all_queries_and_no_claim_that_nobody_had(known: Format, name: str) -> None:
    for unit in units(known):
        apart = load(FIXTURES / name, claims=unit)
        (together,) = load(FIXTURES / name, claims=unit, union=True)
        assert len(together.queries) == sum(len(material.queries) for material in apart)
        assert len(together.dropped) == sum(len(material.dropped) for material in apart)
        assert {claim.text for claim in together.claims} == {c.text for m in apart for c in m.claims}
        assert answers_of(together) == sorted(answer for material in apart for answer in answers_of(material))


def answers_of(material: Material) -> list[tuple[str, list[list[str]]]]:
    """Each question with the texts that answer it: what a union must not change."""
    return sorted(
        (
            query.text,
            sorted(
                sorted(f"{material.claim(name).text} {material.claim(name).time}" for name in support.claims)
                for support in material.supports_of(query)
            ),
        )
        for query in material.queries
    )


@each_file
def test_a_kind_of_claims_that_a_format_lacks_is_refused(known: Format, name: str) -> None:
    with pytest.raises(FileError, match=f"{re.escape(known.title)} offers no claims of kind 'verses'"):
        load(FIXTURES / name, claims="verses")


def test_a_bundled_material_leaves_no_choice_of_claims() -> None:
    with pytest.raises(FileError, match="leaves no choice of claims"):
        load("odyssey", claims="turns")


def test_an_unknown_format_is_answered_with_the_known_ones() -> None:
    with pytest.raises(UnknownName, match=r"'locomoo' is unknown; known are .* did you mean 'locomo'"):
        load(FIXTURES / "locomo.json", format="locomoo")


@each_json
def test_a_wrong_format_by_force_is_refused_or_reported(known: Format, name: str) -> None:
    for forced in FORMATS:
        if forced.read is not known.read and forced.name != "memories":  # that one reads any text
            with contextlib.suppress(FileError):
                assert any(material.dropped for material in load(FIXTURES / name, format=forced.name))


ODD = (None, True, 0, -3, 2.5, "", "x", [], [[]], {}, {"a": 1}, ["x", "x"], "D1:1", "1;2", "\ud800")


@each_json
@given(st.data())
@settings(deadline=None, max_examples=50)
def test_no_odd_value_in_a_record_raises_anything_but_a_file_error(
    known: Format, name: str, tmp_path_factory: Any, data: st.DataObject
) -> None:
    path = tmp_path_factory.getbasetemp() / f"odd-{known.name}"
    documents = documents_of(FIXTURES / name)
    for _ in range(data.draw(st.integers(1, 2))):
        spoil(documents, data)
    path.write_text("\n".join(map(json.dumps, documents)))
    for unit in units(known):
        for forced in (None, known.name):
            with contextlib.suppress(FileError):
                load(path, claims=unit, format=forced)


def documents_of(path: Path) -> list[Any]:
    text = path.read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()] if path.suffix == ".jsonl" else [json.loads(text)]


def spoil(documents: list[Any], data: st.DataObject) -> None:
    """Replace or remove one value anywhere inside."""
    places = list(places_in(documents))
    holder, key = places[data.draw(st.integers(0, len(places) - 1))]
    if data.draw(st.booleans()):
        holder[key] = copy.deepcopy(data.draw(st.sampled_from(ODD)))
    elif holder is not documents:
        del holder[key]


def places_in(value: Any) -> Iterator[tuple[Any, Any]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in inner:
        yield value, key
        yield from places_in(each)


@pytest.mark.parametrize("name", ["babi.txt", "orlib_rows.txt", "orlib_columns.txt", "stores/memories.csv"])
@given(st.data())
@settings(deadline=None, max_examples=80)
def test_no_damage_to_a_text_raises_anything_but_a_file_error(
    name: str, tmp_path_factory: Any, data: st.DataObject
) -> None:
    path = tmp_path_factory.getbasetemp() / f"damaged-{Path(name).name}"
    text = (FIXTURES / name).read_bytes()
    at = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(at, min(at + 12, len(text))))
    put = data.draw(
        st.sampled_from([b"", b"9", b"1 ", b"\n", b"\t", b"x", b"-1", b"9" * 30, b" 99999999999 "])
    )
    path.write_bytes(text[:at] + put + text[end:])
    for forced in (None, {"babi.txt": "babi", "stores/memories.csv": "memories"}.get(name, "orlib-scp")):
        with contextlib.suppress(FileError):
            load(path, format=forced)


def test_a_text_of_countless_stories_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memspan.datasets.babi.MOST_STORIES", 3)
    path = tmp_path / "stories.txt"
    path.write_text("1 Ana is in Porto.\n2 Where is Ana?\tPorto\t1\n" * 4)
    with pytest.raises(FileError, match="more than 3 stories"):
        load(path)
