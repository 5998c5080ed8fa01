import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from memspan.cli.fitted_writer import _table
from memspan.cli.fitting import Examples, FittedWriter
from memspan.cli.main import app, main
from memspan.cli.verdict import GAIN, verdict
from memspan.datasets import save
from memspan.material import Claim, Material, Query, Support
from memspan.policies.heuristics import HEURISTICS
from memspan.policies.writer import WriterRule

PLACES = ["Porto", "Braga", "Faro", "Evora", "Lagos", "Tomar", "Sintra", "Beja", "Viseu", "Aveiro"]


def talk(name, shift):
    """Return a talk in which every other claim is idle, and questions need the others."""
    claims, queries = [], []
    for i in range(40):
        place = PLACES[(i + shift) % 10]
        text = f"On day {i} Rui moved to {place}." if i % 2 else "Good morning, how are you?"
        claims.append(Claim(f"c{i}", text, f"session {i // 10}"))
        if i % 2:
            queries.append(Query(f"q{i}", f"Who went to {place}?", supports=(Support((f"c{i}",)),)))
    return Material(name, tuple(claims), queries=tuple(queries))


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    save([talk("one", 0), talk("two", 5)], tmp_path / "talks.json")
    return tmp_path


def call(*words):
    return CliRunner().invoke(app, ["train", "writer", *map(str, words)], env={"COLUMNS": "160"})


def test_the_first_line_is_the_answer_then_each_way_to_write_then_what_it_gains(here):
    run = call("talks.json")
    assert run.exit_code == 0, run.exception
    lines = run.stdout.splitlines()
    assert lines[0] == (
        "Fitted on 40 questions of 2 materials; on materials it was not fitted on, "
        "a memory of 20 % of the claims covers 100% of what the best one covers"
    )
    names = [line.split("  ")[0] for line in lines if "[" in line]
    plain = ["recency", "first", "length", "tf-idf mass", "importance", "random"]
    assert names == ["fitted rule", "shipped rule", *plain, "over best plain way"]
    assert (
        lines[1]
        == "`length` covers 100%: not told apart, so this rule is hardly worth using on such material"
    )
    assert "50% of the claims are needed by some question" in run.stdout
    assert run.stdout.count("non-commercial") == 1
    assert lines[-1] == "The rule is in writer.json."
    assert WriterRule.load(here / "writer.json").reliability["rule"]["20%"] == 1


def rated(rule, plain, lower=None):
    gain = {"20%": rule - plain} | ({} if lower is None else {"20% lower": lower, "20% upper": 1.0})
    return {"rule": {"20%": rule}, "recency": {"20%": plain}, "random": {"20%": 0.1}, GAIN: gain}


@pytest.mark.parametrize(
    ("known", "materials", "word", "said"),
    [
        (rated(0.5, 0.61), 9, "worse", "`recency` covers more (61%); this rule is not worth using"),
        (rated(0.05, 0.02), 9, "worse", "`random` covers more (10%)"),
        (rated(0.5, 0.4, -0.1), 9, "not told apart", "hardly worth using"),
        (rated(0.5, 0.4, 0.05), 9, "better", "more than the best plain way, `recency`, covers (40%)"),
        (rated(0.5, 0.4, 0.05), 2, "too few materials", "2 materials are too few to tell"),
        (rated(0.5, 0.4), 1, "too few materials", "one material is too few to tell"),
    ],
)
def test_the_verdict_admits_where_a_plain_way_does_as_well(known, materials, word, said):
    found = verdict(known, materials)
    assert found.word == word
    assert said in found.told


def test_what_covers_nothing_has_no_verdict():
    assert verdict({"rule": {}, "recency": {}, GAIN: {}}, 3) is None


def test_names_are_never_cut_and_where_it_is_narrow_intervals_stand_below(here):
    run = CliRunner().invoke(app, ["train", "writer", "talks.json"], env={"COLUMNS": "40"})
    assert "over best plain way" in run.stdout
    assert "…" not in run.stdout
    fitted = FittedWriter(Examples((), ()), WriterRule.load(here / "writer.json"))
    lines = _table(fitted, 80)
    assert max(map(len, lines)) <= 80
    assert [line.split("  ")[0] for line in lines if line[0] != " "][1:3] == ["fitted rule", "shipped rule"]
    assert sum("[" in line for line in lines) == 9


def test_a_rule_is_named_after_its_file_or_as_it_is_told():
    call("talks.json", "--out", "diaries.json")
    assert WriterRule.load("diaries.json").name == "diaries"
    call("talks.json", "--name", "mine")
    assert WriterRule.load("writer.json").name == "mine"


def test_evaluate_says_where_a_rule_was_fitted_on_what_it_is_judged_on(here):
    save([talk("new", 3)], here / "new.json")
    call("talks.json", "--out", "diaries.json")

    def judged(path, *more):
        words = ["evaluate", path, "--system", "diaries.json,rule", "--capacities", "20%", *more]
        return CliRunner().invoke(app, words, env={"COLUMNS": "160"}).stdout

    flattered = "rule:diaries was fitted on every material here: it is flattered there"
    assert flattered in judged("talks.json", "--report", "page.html").splitlines()[1]
    assert flattered in (here / "page.html").read_text(encoding="utf-8")
    told = json.loads(judged("talks.json", "--json"))
    assert told["flattered"] == [{"system": "rule:diaries", "materials": ["one", "two"]}]
    assert {each["variant"] for each in told["league"]} == {"diaries", "shipped"}
    assert "flattered" not in judged("new.json")
    assert json.loads(judged("new.json", "--json"))["flattered"] == []


def test_json_holds_the_same_figures_as_the_rule():
    run = call("talks.json", "--json", "--out", "mine.json", "--embedder", "hashed:32")
    told, rule = json.loads(run.stdout), WriterRule.load("mine.json")
    assert (told["out"], told["embedder"], told["questions"]) == ("mine.json", "hashed-1-32", 40)
    assert told["materials"] == ["one", "two"]
    assert told["shares"]["rule"] == rule.reliability["rule"]
    assert set(told["shares"]) == set(rule.reliability) - {"chances", "over the best heuristic"}
    assert told["gain"] == rule.reliability["over the best heuristic"]
    assert told["chances"]["needed"] == 0.5


def test_one_material_has_no_intervals_and_says_parts(here):
    save([talk("alone", 0)], here / "alone.json")
    run = call("alone.json")
    assert "on parts it was not fitted on" in run.stdout.splitlines()[0]
    assert not any(line.startswith("fitted rule") and "[" in line for line in run.stdout.splitlines())


def test_what_cannot_teach_is_left_out_and_told(here):
    found = replace(talk("three", 3), support_source="found")
    save([found], here / "more.json")
    told = json.loads(call("talks.json", "talks.json", "more.json", "--json").stdout)
    assert told["materials"] == ["one", "two"]
    assert {each["material"]: each["reason"] for each in told["left_out"]} == {
        "one": "stands in the files twice",
        "two": "stands in the files twice",
        "three": "its supports are found, not annotated",
    }


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["none.json"], "none.json"),
        (["talks.json", "--out", "no/where.json"], "does not exist"),
        (["talks.json", "--out", "talks.json"], "would be overwritten"),
        (["odyssey"], "6 claims stand in an annotated support; fitting needs 20"),
    ],
)
def test_what_cannot_be_used_is_refused_without_a_traceback(words, problem, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["memspan", "train", "writer", *words])
    with pytest.raises(SystemExit) as left:
        main()
    said = capsys.readouterr().err
    assert left.value.code == 2
    assert problem in said
    assert "Traceback" not in said


def test_each_row_of_the_table_is_explained_in_the_docs():
    page = (Path(__file__).parents[2] / "docs" / "how-to" / "learn.md").read_text(encoding="utf-8")
    rows = [*HEURISTICS, "fitted rule", "shipped rule", "random", "over best plain way"]
    assert [row for row in rows if f"\n| {row} | " not in page] == []
