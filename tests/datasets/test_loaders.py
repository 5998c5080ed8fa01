"""What each loader makes of a small file with the defects its data set is known for."""

from dataclasses import astuple
from pathlib import Path

import pytest

from memspan.datasets import load, with_audit
from memspan.errors import FileError
from memspan.material import Material


def lost(material: Material) -> list[tuple[str, str]]:
    return [(dropped.record, dropped.field) for dropped in material.dropped if not dropped.kept]


def repaired(material: Material) -> list[tuple[str, str]]:
    return [(dropped.record, dropped.field) for dropped in material.dropped if dropped.kept]


def supports(material: Material) -> dict[str, list[tuple[str, ...]]]:
    return {query.id: [support.claims for support in query.supports] for query in material.queries}


# --- LoCoMo -------------------------------------------------------------------------------------


def test_locomo_turns_are_claims_in_the_order_of_their_sessions(fixtures: Path) -> None:
    garden = load(fixtures / "locomo.json")[0]
    assert [claim.id for claim in garden.claims] == ["D1:1", "D1:2", "D1:3", "D2:1", "D2:2", "D2:1#2"]
    assert garden.claim("D2:2").text == "Tom: Look at mine! (image: a row of green seedlings)"
    assert garden.claim("D2:2").source == "session 2"
    assert garden.claim("D2:2").time == "2024-05-03T09:05"
    assert garden.claim("D1:1").time == "2024-04-01T12:30"


def test_locomo_evidence_is_normalised_or_dropped_and_reported(fixtures: Path) -> None:
    garden = load(fixtures / "locomo.json")[0]
    assert supports(garden) == {
        "qa0": [("D1:1",)],
        "qa1": [("D1:1", "D1:2")],
        "qa2": [("D2:1", "D2:2")],
        "qa6": [],
        "qa7": [("D1:1",)],
    }
    assert lost(garden) == [
        ("qa[3]", "evidence"),
        ("qa[4]", "evidence"),
        ("qa[5]", "evidence"),
        ("qa[8]", "category"),
        ("qa[9]", ""),
    ]
    assert set(repaired(garden)) == {
        ("conversation.session_3", ""),
        ("conversation", "session_4_date_time"),
        ("conversation", "img_url"),
        ("turn D2:1#2", "dia_id"),
        ("qa[1]", "evidence"),
        ("qa[2]", "evidence"),
        ("qa[2]", "answer"),
        ("qa[6]", "answer"),
        ("qa[7]", "question"),
    }


def test_locomo_categories_have_names_and_answers_are_text(fixtures: Path) -> None:
    garden = load(fixtures / "locomo.json")[0]
    categories = [query.category for query in garden.queries]
    assert categories == ["single-hop", "multi-hop", "open-domain", "adversarial", "single-hop"]
    assert garden.query("qa2").answer == "2"


def test_locomo_tempting_evidence_supports_nothing(fixtures: Path) -> None:
    query = load(fixtures / "locomo.json")[0].query("qa6")
    assert not query.answerable
    assert query.answer is None
    assert query.extra == {"evidence": ["D1:2"], "adversarial_answer": "Tom", "given_answer": "nobody"}


def test_locomo_observations_can_stand_as_claims(fixtures: Path) -> None:
    garden = load(fixtures / "locomo.json", claims="observations")[0]
    assert [claim.id for claim in garden.claims] == ["O1:1", "O1:2", "O2:1", "O2:2", "O2:3"]
    assert garden.claim("O2:1").time == "2024-05-03T09:05"
    assert supports(garden)["qa1"] == [("O1:1", "O1:2")]
    assert supports(garden)["qa2"] == [("O2:1",)]
    place = "observation.session_2_observation.Ida"
    assert {(f"{place}[0]", "evidence"), (f"{place}[1]", "evidence"), (f"{place}[2]", "")} <= set(
        repaired(garden)
    )


def test_a_question_whose_turn_no_observation_cites_is_dropped(tmp_path: Path, fixtures: Path) -> None:
    text = (fixtures / "locomo.json").read_text().replace('"Ida planted beans."', "7")
    (tmp_path / "x").write_text(text)
    garden = load(tmp_path / "x", claims="observations")[0]
    assert "qa0" not in supports(garden)
    reasons = [dropped.reason for dropped in garden.dropped if dropped.record == "qa[0]"]
    assert reasons == ["no observation cites D1:1"]


def test_a_record_that_does_not_fit_is_reported_in_a_material_of_its_own(fixtures: Path) -> None:
    *_, broken = load(fixtures / "locomo.json")
    assert broken.id == "record 2"
    assert lost(broken) == [("records[2]", "qa")]


def test_an_audit_adds_second_supports_and_reports_what_it_cannot_add(fixtures: Path) -> None:
    garden = with_audit(load(fixtures / "locomo.json"), fixtures / "locomo_audit.json")[0]
    assert supports(garden)["qa0"] == [("D1:1",), ("D2:1",)]
    assert supports(garden)["qa1"] == [("D1:1", "D1:2")]
    assert supports(garden)["qa6"] == []
    reported = {record: reason for record, _, reason, _ in map(astuple, garden.dropped) if "audit" in record}
    assert reported == {
        "audit of qa2": "names no turn: D8:8",
        "audit of qa3": "names a question that was left out",
        "audit of qa6": "corrects a question that is unanswerable",
        "audit of qa7": "is empty",
    }


def test_an_audit_of_other_materials_is_refused(fixtures: Path) -> None:
    with pytest.raises(FileError, match="is about garden, none of these materials"):
        with_audit([Material("house")], fixtures / "locomo_audit.json")
    with pytest.raises(FileError, match="qa_index: is missing"):
        with_audit([Material("garden")], fixtures / "locomo.json")


# --- LongMemEval --------------------------------------------------------------------------------


def test_longmemeval_marked_turns_support_the_question(fixtures: Path) -> None:
    boat, cat, none = load(fixtures / "longmemeval.json")
    assert supports(boat) == {"q-boat": [("s1:1", "s3:1")]}
    assert boat.query("q-boat").answer == "2"
    assert boat.query("q-boat").time == "2024-02-01T10:00"
    assert boat.claim("s1:1").text == "user: I bought a canoe."
    assert set(repaired(boat)) == {
        ("session s2#2", "haystack_session_ids"),
        ("records[0]", "answer"),
        ("records[0]", "question_date"),
    }
    assert not cat.queries[0].answerable
    assert cat.queries[0].extra == {"evidence": ["s9:1"]}
    assert none.queries == ()
    assert ("records[2]", "evidence") in lost(none)


def test_longmemeval_sessions_can_stand_as_claims(fixtures: Path) -> None:
    boat, cat, none = load(fixtures / "longmemeval.json", claims="sessions")
    assert supports(boat) == {"q-boat": [("s1", "s3")]}
    assert boat.claim("s1").text == "user: I bought a canoe.\nassistant: Enjoy it."
    assert cat.queries[0].extra == {"evidence": ["s9"]}
    assert ("answer_session_ids", "answer_session_ids") in repaired(none)


def test_longmemeval_notes_keep_empty_notes_and_outcomes(fixtures: Path) -> None:
    walk, bird, nothing = load(fixtures / "longmemeval_notes.jsonl")
    assert supports(walk) == {"n1": [("n1/1", "n1/2")]}
    assert walk.claim("n1/2").text == ""
    assert [(s.settler, s.correct) for s in walk.settlements] == [("run-a", 1), ("run-b", 0)]
    assert lost(walk) == [("settled n1", "run-c")]
    assert ("note n1/2", "note") in repaired(walk)
    assert ("records[0]", "question_date") in repaired(walk)
    assert not bird.queries[0].answerable
    assert nothing.queries == ()


def test_flattened_longmemeval_has_no_supports_yet(fixtures: Path) -> None:
    bicycles, coffee, lost_one = load(fixtures / "longmemeval_flat.json")
    assert supports(bicycles) == {"f1q": []}
    assert bicycles.query("f1q").answerable
    assert not coffee.query("f2q").answerable
    assert lost(lost_one) == [("data[2]", "conversation")]
    (first, _, _) = load(fixtures / "longmemeval_flat.json", claims="sessions")
    assert [claim.time for claim in first.claims] == ["2024-01-01T09:00", "2024-01-02T09:00"]


# --- questions of several hops ------------------------------------------------------------------


def test_a_repeated_paragraph_gives_alternatives_and_differing_ones_are_all_needed(fixtures: Path) -> None:
    elm, oak, pine, none = load(fixtures / "hotpotqa.json")
    assert supports(elm) == {"h1": [("p0s0", "p1s1"), ("p0s0", "p2s1")]}
    assert supports(pine) == {"h2": [("p0s0", "p1s0")]}
    assert (elm.queries[0].category, elm.queries[0].extra) == ("bridge", {"level": "easy"})
    assert lost(elm) == [("context[1][2]", "sentence")]
    assert lost(oak) == [("records[1]", "supporting_facts")]
    assert lost(pine) == [("context[2]", "")]
    assert lost(none) == [("records[3]", "supporting_facts")]
    assert [material.id for material in (oak, pine)] == ["h2", "h2#2"]


def test_paragraphs_can_stand_as_claims(fixtures: Path) -> None:
    elm = load(fixtures / "hotpotqa.json", claims="paragraphs")[0]
    assert [claim.id for claim in elm.claims] == ["p0", "p1", "p2"]
    assert elm.claim("p0").text == "The Elm rises in Alder. It is short."
    assert supports(elm) == {"h1": [("p0", "p1", "p2")]}


def test_2wiki_without_context_is_reported_and_triples_still_answer(fixtures: Path) -> None:
    mother, older = load(fixtures / "2wikimultihopqa.json")
    assert supports(mother) == {"w1": [("p0s0", "p1s0")]}
    assert (older.claims, older.queries, lost(older)) == ((), (), [("records[1]", "context")])
    mother, older = load(fixtures / "2wikimultihopqa.json", claims="triples")
    assert mother.claim("t1").text == "Jon Reed - mother - Mara"
    assert supports(mother) == {"w1": [("t0", "t1")]}
    assert supports(older) == {"w2": [("t0",)]}


def test_musique_paragraphs_are_known_by_position(fixtures: Path) -> None:
    born, owner, unknown = load(fixtures / "musique.jsonl")
    assert supports(born) == {"2hop__1_2": [("p0", "p1")]}
    assert (born.queries[0].category, born.queries[0].extra) == ("2hop", {"answer_aliases": ["West Port"]})
    assert repaired(born) == [("paragraphs", "title")]
    assert not owner.queries[0].answerable
    assert owner.queries[0].extra == {"evidence": ["p0"]}
    assert lost(unknown) == [("records[2]", "evidence")]


def test_strategyqa_annotators_give_alternative_supports(fixtures: Path) -> None:
    bee, sea = load(fixtures / "strategyqa" / "strategyqa.json")
    assert supports(bee) == {"y1": [("Bee-1", "Cow-2"), ("Bee-1", "Bee-3")]}
    assert (bee.queries[0].answer, bee.claim("Cow-2").text) == ("no", "A cow weighs half a ton.")
    assert repaired(bee) == [
        ("paragraph Bee-3", "text"),
        ("records[0]", "evidence[1]"),
        ("records[0]", "evidence[2]"),
    ]
    assert lost(sea) == [("records[1]", "evidence")]


def test_strategyqa_without_its_paragraphs_keeps_the_ids(fixtures: Path, tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes((fixtures / "strategyqa" / "strategyqa.json").read_bytes())
    bee = load(tmp_path / "x")[0]
    assert [(claim.id, claim.text) for claim in bee.claims] == [("Bee-1", ""), ("Cow-2", ""), ("Bee-3", "")]
    official = '{"Bee-1": {"title": "Bee", "content": "A bee weighs little.", "para_index": 1}}'
    (tmp_path / "strategyqa_train_paragraphs.json").write_text(official)
    assert load(tmp_path / "x")[0].claim("Bee-1").text == "A bee weighs little."


# --- stories, users, columns --------------------------------------------------------------------


def test_babi_stories_stay_apart_and_bad_lines_are_reported(fixtures: Path) -> None:
    first, second = load(fixtures / "babi.txt")
    assert supports(first) == {"3": [("1",)], "5": [("4",)]}
    assert lost(first) == [("line 6", "supporting facts"), ("line 7", "supporting facts"), ("line 8", "")]
    assert supports(second) == {"3": [("1", "2")]}
    assert second.query("3").answer == "red"


def test_halumem_knows_false_points_updates_and_boundaries(fixtures: Path) -> None:
    (user,) = load(fixtures / "halumem.jsonl")
    assert {claim.id: claim.truth for claim in user.claims} == {
        "s1p1": 1,
        "s1p2": 0,
        "s1p3": 1,
        "s2p1": 1,
        "s2p2": 1,
    }
    assert user.claim("s2p1").supersedes == ("s1p1",)
    assert user.claim("s1p1").time == "2030-01-05T10:00:00"
    assert supports(user) == {
        "s1q1": [("s1p1",)],
        "s1q2": [],
        "s3q1": [("s1p3", "s2p1"), ("s2p2", "s2p1")],
    }
    assert not user.query("s1q2").answerable
    assert lost(user) == [
        ("sessions[0].memory_points[3]", "memory_content"),
        ("sessions[3]", "memory_points"),
        ("sessions[2].questions[1]", "evidence"),
        ("sessions[2].questions[2]", "evidence"),
    ]
    assert ("sessions[1].memory_points[0]", "original_memories") in repaired(user)


def test_set_covering_by_row_and_by_column(fixtures: Path) -> None:
    (rows,) = load(fixtures / "orlib_rows.txt")
    assert [claim.costs for claim in rows.claims] == [{"cost": 2}, {"cost": 1}, {"cost": 5}]
    assert supports(rows) == {"r1": [("c1",), ("c2",)], "r2": [("c3",)], "r3": [("c2",)]}
    assert lost(rows) == [("row 4", "columns")]
    assert repaired(rows) == [("row 3", "columns")]
    (columns,) = load(fixtures / "orlib_columns.txt")
    assert [claim.costs["cost"] for claim in columns.claims] == [2, 1, 1, 4]
    assert supports(columns) == {"r1": [("c1",)], "r2": [("c1",), ("c2",), ("c3",)], "r3": [("c3",)]}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("4 3\n2 1", "4 rows, 3 columns and 2 further numbers fit neither the layout"),
        ("999999999999 1\n5 1 1", "fit neither the layout"),
        ("4 3\n2 1 -5", "no known format"),
        ("4 3\n" + "1" * 30, "whole numbers only"),
    ],
)
def test_numbers_that_are_no_set_covering_are_refused(text: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "x").write_text(text)
    with pytest.raises(FileError, match=said):
        load(tmp_path / "x")
