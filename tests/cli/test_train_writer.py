import json
import sys
from dataclasses import replace

import pytest
from typer.testing import CliRunner

from memspan.cli.main import app, main
from memspan.datasets import save
from memspan.material import Claim, Material, Query, Support
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
    assert names == ["fitted rule", "shipped rule", *plain, "over the best heuristic"]
    assert "50% of the claims are needed by some question" in run.stdout
    assert run.stdout.count("non-commercial") == 1
    assert lines[-1] == "The rule is in writer.json."
    assert WriterRule.load(here / "writer.json").reliability["rule"]["20%"] == 1


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
