"""Outcomes recorded elsewhere: every format, matched to queries, nothing lost in silence."""

import csv
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import memspan as ms
from memspan.datasets.outcomes import Hold, Read, read_judgements, read_outcomes, with_outcomes
from memspan.datasets.outcomes.form import verdict
from memspan.errors import FileError, UnknownName
from memspan.material import Settlement
from outcome_files import HOME, ROWS, TRIP, halumem_run, result, trace


@pytest.fixture
def written(tmp_path):
    def write(content, name="run.json"):
        path = tmp_path / name
        several = isinstance(content, list) and name.endswith("jsonl")
        text = "\n".join(map(json.dumps, content)) if several else json.dumps(content)
        path.write_text(content if isinstance(content, str) else text, encoding="utf-8")
        return path

    return write


def reasons(outcomes):
    return {(each.field, each.reason.split(";")[0]) for each in outcomes.dropped}


# --- rows ---------------------------------------------------------------------------------------

SETTLED = {
    "trip": (Settlement("q1", 1, ("c1",), "a", None, 2),),
    "home": (
        Settlement("h2", 0.25, None, "b", "2026-03-01"),
        Settlement("h2", 0, None, "c"),
    ),
}


@pytest.mark.parametrize("kind", ["lines", "list", "named", "table"])
def test_rows_say_the_same_in_every_notation(kind, written, tmp_path):
    if kind == "table":
        path = tmp_path / "run.csv"
        names = list(dict.fromkeys(name for row in ROWS for name in row))
        with path.open("w", newline="", encoding="utf-8") as file:
            table = csv.DictWriter(file, names)
            table.writeheader()
            claims = ({"claims": json.dumps(row["claims"])} if "claims" in row else {} for row in ROWS)
            table.writerows({**row, **cell} for row, cell in zip(ROWS, claims, strict=True))
    else:
        content = {"outcomes": ROWS} if kind == "named" else ROWS
        path = written(content, "run.jsonl" if kind == "lines" else "run.json")
    outcomes = read_outcomes(path, [TRIP, HOME])
    assert outcomes.name == "rows"
    assert outcomes.settlers == ("a", "b", "c")
    assert outcomes.reads == (Read("home", "h2", "b", ("Rui's",)),)
    assert outcomes.settlements == SETTLED


def test_a_row_that_cannot_be_used_is_reported_and_the_others_stay(written):
    rows = [
        {"query_id": "q1", "correct": 1},
        {"query": "Who cooks?", "correct": 1},
        {"query_id": "q9", "correct": 1},
        {"material": "sea", "query_id": "q1", "correct": 1},
        {"material": "trip", "query_id": "q1", "correct": "perhaps"},
        {"material": "trip", "query_id": "q1", "correct": None},
        {"query_id": ["q1"], "correct": 1},
        {"material": "trip", "query_id": "q1", "correct": True, "claims": ["c1", "c9"]},
    ]
    outcomes = read_outcomes(written(rows), [TRIP, HOME])
    assert [s.claims for s in outcomes.settlements["trip"]] == [("c1",)]
    assert reasons(outcomes) == {
        ("query", "fits several queries"),
        ("query", "names no query of these materials by id, and no question of theirs has its words"),
        ("query", "is about a material that is not among these"),
        ("correct", 'is "perhaps"'),
        ("outcome", "has no outcome"),
        ("query", "is neither an id nor the text of a question"),
        ("claims", "names something that is no claim of its material"),
    }
    assert sum(each.kept for each in outcomes.dropped) == 2


def test_an_id_whose_text_is_another_question_gives_way_to_the_text(written):
    rows = [{"material": "home", "query_id": "q1", "question": "Whose cafe is it?", "correct": 1}]
    assert read_outcomes(written(rows), [TRIP, HOME]).settlements["home"][0].query == "h2"


def test_a_run_without_a_name_is_called_as_the_caller_says_or_as_the_file(written):
    path = written([{"query_id": "h2", "correct": 1}], "night.json")
    assert read_outcomes(path, [HOME]).settlers == ("night",)
    assert read_outcomes(path, [HOME], settler="mem0").settlers == ("mem0",)


def test_another_encoding_is_read_where_it_is_named(tmp_path):
    path = tmp_path / "run.csv"
    path.write_bytes("query;correct\nWhose café is it?;1\n".encode("cp1252"))
    assert read_outcomes(path, [HOME], encoding="cp1252").settlements["home"][0].correct == 1


def test_a_file_about_other_materials_is_refused(written):
    with pytest.raises(FileError, match="no outcome is left for these materials"):
        read_outcomes(written([{"query_id": "q7", "correct": 1}]), [TRIP])


@pytest.mark.parametrize("content", ["", "who,what\n1,2\n", "[]", "{", "[1]"])
def test_a_file_without_outcomes_is_refused(content, written):
    with pytest.raises(FileError):
        read_outcomes(written(content), [TRIP])


def test_outcomes_go_into_their_material_and_a_run_can_be_chosen(written):
    outcomes = read_outcomes(written(ROWS), [TRIP, HOME])
    assert with_outcomes(HOME, outcomes).settlements == SETTLED["home"]
    assert with_outcomes(HOME, outcomes, "c").settlements == SETTLED["home"][1:]
    assert with_outcomes(TRIP, outcomes, "c").settlements == ()
    with pytest.raises(UnknownName, match="there are a, b, c"):
        with_outcomes(HOME, outcomes, "d")


@given(st.lists(st.sampled_from([0, 1]), min_size=1, max_size=7))
def test_a_majority_is_the_rounded_share_and_even_votes_are_a_half(votes):
    share, majority = verdict(votes, "share"), verdict(votes, "majority")
    assert share == sum(votes) / len(votes)
    assert majority == (0.5 if share == 0.5 else round(share))


# --- formats ------------------------------------------------------------------------------------


def test_locomo_runs_are_settlers_and_their_votes_a_majority_or_a_share(fixtures, written):
    garden = ms.load(fixtures / "locomo.json")
    rows = [
        {"sample_id": "garden", "qa_index": 0, "category": 4, "runs": {"x": [1, 1, 0], "y": [0, 0, 0]}},
        {"sample_id": "garden", "qa_index": 3, "category": 2, "runs": {"x": [1, 1, 1]}},
        {"sample_id": "garden", "qa_index": 1, "category": 1, "runs": {"x": [1, "no"]}},
        {"sample_id": "garden", "qa_index": "2", "category": 1, "runs": {}},
    ]
    path = written(rows, "runs.jsonl")
    outcomes = read_outcomes(path, garden)
    assert outcomes.name == "locomo-runs"
    assert [(s.query, s.correct, s.settler) for s in outcomes.settlements["garden"]] == [
        ("qa0", 1, "x"),
        ("qa0", 0, "y"),
    ]
    assert {each.field for each in outcomes.dropped} == {"query", "runs.x", "qa_index"}
    shares = read_outcomes(path, garden, votes="share").settlements["garden"]
    assert shares[0].correct == pytest.approx(2 / 3)


def test_a_halumem_run_tells_what_was_read_held_and_taken_in(fixtures, written):
    materials = ms.load(fixtures / "halumem.jsonl")
    outcomes = read_outcomes(written(halumem_run()), materials, settler="mem0")
    assert outcomes.name == "halumem-run"
    assert [(s.query, s.correct) for s in outcomes.settlements["user-1"]] == [("s1q1", 1), ("s1q2", 0)]
    assert outcomes.reads[0] == Read(
        "user-1", "s1q1", "mem0", ("Una\u2019s home is Oakham.",), ("Una's home is Oakham.",)
    )
    assert outcomes.holds == (
        Hold("user-1", "s1p1", 0.5, ("Una's home is Oakham.",)),
        Hold("user-1", "s2p2", 1, ("Una moved.",)),
        Hold("user-1", "s2p1", 0, ("Una moved.",), "update"),
    )
    assert {each.field for each in outcomes.dropped} >= {
        "result_type",
        "ssession_id",
        "memory_integrity_score",
        "memory_content",
        "query",
    }


def test_longmemeval_runs_are_settlers_and_only_the_run_that_took_the_notes_has_read_them(fixtures, written):
    lines = (fixtures / "longmemeval_notes.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    rows[0]["settled"] = {"oracle_con": 1, "other": 0, "odd": "yes"}
    path = written(rows, "notes.jsonl")
    outcomes = read_outcomes(path, ms.load(path))
    assert outcomes.name == "longmemeval-runs"
    assert outcomes.settlements["n1"] == (
        Settlement("n1", 1, ("n1/1",), "oracle_con"),
        Settlement("n1", 0, None, "other"),
    )
    assert [(read.query, read.settler) for read in outcomes.reads] == [("n1", "oracle_con")]
    assert ("odd", 'is "yes"') in reasons(outcomes)


@pytest.mark.parametrize("signed", [True, False])
def test_a_benchd_manifest_is_read_signed_or_bare(signed, written):
    traces = [
        trace(),
        trace(question_id="h2", query="Whose café is it?", score=None),
        trace(status="pending_llm_judge"),
        trace(raw_recall="[ADAPTER ERROR] OSError: gone", score=0.0),
        trace(score="high", scored_correct="yes"),
        trace(raw_recall=None),
    ]
    manifest = {
        "system": {"name": "echo"},
        "benchmark": {"slug": "smoke"},
        "harness": {"version": "0.1.0"},
        "completed_at": "2026-03-01T10:00:00+00:00",
        "traces": traces,
    }
    path = written({"manifest": manifest, "signature": "00"} if signed else manifest)
    outcomes = read_outcomes(path, [TRIP, HOME])
    assert outcomes.name == "benchd"
    assert outcomes.settlers == ("echo",)
    assert [s.correct for s in outcomes.settlements["trip"]] == [0.5, 0]
    assert outcomes.settlements["home"][0].correct == 1
    assert [read.read for read in outcomes.reads] == [("Ana moved to Porto.",), ("Ana moved to Porto.",), ()]
    assert {each.field for each in outcomes.dropped} == {"status", "raw_recall", "score"}


def test_an_mceval_result_is_an_outcome_of_retrieval_and_says_so(fixtures, written):
    garden = ms.load(fixtures / "locomo.json")
    results = [
        result("garden:q0"),
        result("garden:q7", recall={"1": False, "10": False}),
        result("garden:q1", abstention=True),
        result("garden:q1", recall={}),
        result("elsewhere:q0"),
        "odd",
    ]
    content = {"meta": {"adapter": "bm25", "timestamp": "2026-03-01"}, "metrics": {}, "results": results}
    outcomes = read_outcomes(written(content), garden)
    assert outcomes.name == "mceval"
    settled = outcomes.settlements["garden"]
    assert [(s.query, s.correct, s.settler) for s in settled] == [("qa0", 1, "bm25"), ("qa7", 0, "bm25")]
    assert settled[0].extra == {"measure": "recall@10", "sessions": ["garden:session_1", "garden:session_2"]}
    assert {each.field for each in outcomes.dropped} == {"abstention", "recall", "query", ""}


def test_an_mceval_trace_names_the_turns_that_were_read(fixtures, written):
    garden = ms.load(fixtures / "locomo.json")
    memory = {"content": "I planted beans on Sunday.", "session_id": "garden:session_1", "turn_idx": 0}
    line = {
        "question_id": "garden:q0",
        "question": "What did Ida plant?",
        "namespace": "n",
        "stored": [],
        "retrieved": [memory, {"content": "?", "session_id": None}],
        "result": result("garden:q0"),
    }
    outcomes = read_outcomes(written([line, {**line, "result": 1}], "trace.jsonl"), garden, settler="bm25")
    assert outcomes.name == "mceval-trace"
    assert outcomes.settlements["garden"][0].claims == ("D1:1",)
    assert outcomes.reads[0].read == ("I planted beans on Sunday.", "?")
    assert ("result", "is 1") in {(each.field, each.reason.split(";")[0]) for each in outcomes.dropped}


def test_a_stress_test_of_judges_names_its_kinds(written):
    good = {"sample_id": "m", "qa_index": 1, "judged_correct": {"v1": [0, 0, 1], "v2": [1, 1, 1], "v3": 0}}
    told = [(j.kind, j.right, round(j.judged, 2)) for j in read_judgements(written([good], "s.jsonl"))]
    assert told == [("specific", False, 0.33), ("vague", False, 1), ("v3", False, 0)]
    with pytest.raises(FileError, match=r"judged_correct\.v1"):
        read_judgements(written([{**good, "judged_correct": {"v1": ["?"]}}], "s.jsonl"))


# --- real data ----------------------------------------------------------------------------------


def test_all_locomo_runs_find_their_questions_but_those_the_loader_left_out(data):
    materials = ms.load(data / "locomo" / "locomo10_dev.json")
    outcomes = read_outcomes(data / "locomo" / "settled_fullcontext_dev.jsonl", materials)
    assert len(outcomes.settlers) == 4
    assert sum(map(len, outcomes.settlements.values())) == 4 * 1040
    assert [each.record.split()[-3:] for each in outcomes.dropped] == [["19", "more", "rows"]]


@pytest.mark.parametrize(("user", "answers", "labels"), [("0", 67, 87), ("3", 55, 149)])
def test_the_mem0_run_of_halumem_finds_every_question_and_every_labelled_point(data, user, answers, labels):
    materials = ms.load(data / "halumem" / f"user{user}.jsonl")
    outcomes = read_outcomes(data / "halumem" / f"mem0_eval_user{user}.json", materials, settler="mem0")
    assert len(outcomes.settlements[materials[0].id]) == len(outcomes.reads) == answers
    assert sum(hold.kind == "integrity" for hold in outcomes.holds) == labels
    assert {each.field for each in outcomes.dropped} == {"memory_integrity_score"}
    assert all(read.read and read.held for read in outcomes.reads)


def test_longmemeval_runs_are_those_of_the_loader(data):
    path = data / "longmemeval" / "oracle_notes_dev.jsonl"
    materials = ms.load(path)
    outcomes = read_outcomes(path, materials)
    assert len(outcomes.settlers) == 9
    for material in materials:
        told = with_outcomes(material, outcomes).settlements
        assert [(s.query, s.correct, s.settler) for s in told] == [
            (s.query, s.correct, s.settler) for s in material.settlements
        ]
