"""`memspan trust` as a user meets it."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from memspan.cli.main import app
from memspan.errors import FileError, MemspanError, UnknownName

RUNNER = CliRunner()


def run(*words: object) -> Any:
    return RUNNER.invoke(app, ["trust", *map(str, words)], catch_exceptions=False)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """Five people found the false claim wrong and a true one right; one said the contrary, often."""
    rows = [{"query": "q1", "correct": 0, "claims": ["e0"], "settler": name} for name in "abcde"]
    rows += [{"query": "q8", "correct": 1, "claims": ["e3"], "settler": name} for name in "abcde"]
    rows += [{"query": "q8", "correct": 0, "claims": ["e3"], "settler": "f"} for _ in range(9)]
    rows += [{"query": "q1", "correct": 1, "claims": ["e0"], "settler": "f"} for _ in range(9)]
    path = tmp_path / "log.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    return path


def test_the_first_line_is_the_answer(log: Path) -> None:
    first = run(log, "--material", "odyssey-noise").stdout.splitlines()[0]
    assert first == "1 of 7 claims is probably false; 1 settler looks unreliable. 28 outcomes were read."


def test_the_output_keeps_to_its_size_and_says_what_to_do_next(log: Path) -> None:
    lines = run(log, "--material", "odyssey-noise").stdout.splitlines()
    plot = [line for line in lines if line[7:9] in (" ┤", " │", " └")]
    assert 0 < len(plot) <= 12
    assert max(map(len, plot)) <= 72
    assert any(line.startswith("e0 ") for line in lines)
    assert lines[-1] == f"Next: memspan trust {log} --material odyssey-noise --report trust.html"


def test_the_command_that_comes_next_works_as_it_is_typed(log: Path, tmp_path: Path) -> None:
    page = tmp_path / "trust.html"
    words = run(log, "--material", "odyssey-noise", "--learn", "--drift", 1, "--report", page).stdout
    last = words.splitlines()[-1].removeprefix("Next: memspan trust ").split()
    assert last[-4:] == ["--report", str(page), "--untrusted", "f"]
    assert "--learn --drift 1" in " ".join(last)
    assert run(*last).exit_code == 0
    assert page.read_text("utf-8").startswith("<!doctype html>")


def test_the_text_says_why_a_claim_is_doubtful(log: Path) -> None:
    said = run(log, "--material", "odyssey-noise").stdout
    assert "  wrong 5 of 14 times\n" in said


def test_a_claim_contradicted_and_a_source_that_is_mostly_false_are_reasons(tmp_path: Path) -> None:
    claims = [{"id": f"c{i}", "text": "Rain.", "source": "s" if i < 8 else "t"} for i in range(60)]
    claims[8]["contradicts"] = ["c9"]
    queries = [{"id": f"q{i}", "text": "What falls?", "supports": [[f"c{i}"]]} for i in range(60)]
    rows = [
        {"query": f"q{i}", "correct": int(i >= 8), "claims": [f"c{i}"], "settler": name}
        for name in "ab"
        for i in range(60)
        if i != 8
    ]
    held = {"memspan": 0, "id": "h", "claims": claims, "queries": queries, "settlements": rows}
    path = tmp_path / "held.json"
    path.write_text(json.dumps(held), "utf-8")
    said = run("--material", path).stdout
    assert "  wrong 2 of 2 times; its source is false 7 of 7 other times\n" in said
    assert "  contradicted by c9, trusted " in said
    assert "1 source looks less reliable than the rest: s (reliability 0." in said


def test_the_next_command_keeps_what_was_given(log: Path, tmp_path: Path) -> None:
    words = ("--limit", 3, "--seed", 2, "--no-refit", "--save", tmp_path / "m.npz")
    last = run(log, "--material", "odyssey-noise", *words).stdout.splitlines()[-1]
    assert last.endswith(f"--limit 3 --seed 2 --no-refit --save {tmp_path / 'm.npz'} --report trust.html")


def test_where_all_settlers_look_unreliable_nobody_is_accused(tmp_path: Path) -> None:
    claims = [{"id": f"c{i}", "text": "Rain."} for i in range(30)]
    queries = [{"id": f"q{i}", "text": "What falls?", "supports": [[f"c{i}"]]} for i in range(30)]
    rows = [
        {"query": f"q{i}", "correct": int((i + k) % 3 > 0), "claims": [f"c{i}"], "settler": "ab"[k % 2]}
        for i in range(30)
        for k in range(12)
    ]
    held = {"memspan": 0, "id": "h", "claims": claims, "queries": queries, "settlements": rows}
    path = tmp_path / "held.json"
    path.write_text(json.dumps(held), "utf-8")
    said = run("--material", path).stdout.splitlines()
    assert "outcomes err more than was taken for granted: 0.3" in said[0]
    assert "unreliable" not in said[0]
    assert " --noise 0.3" in said[-1]
    assert run(*said[-1].removeprefix("Next: memspan trust ").split()).exit_code == 0


def test_json_is_one_document_that_agrees_with_the_text(log: Path) -> None:
    told = json.loads(run(log, "--material", "odyssey-noise", "--json").stdout)
    assert (told["false"], told["claims"], told["outcomes"]["read"]) == (1, 7, 28)
    assert told["doubtful"][0]["claim"] == "e0"
    assert {one["settler"] for one in told["doubtful"][0]["spoken"]} == set("abcdef")
    assert [each["name"] for each in told["settlers"] if each["suspicious"]] == ["f"]
    assert told["refit"]["converged"]


def test_an_untrusted_settler_moves_less(log: Path) -> None:
    free, bound = (
        json.loads(run(log, "--material", "odyssey-noise", "--json", *more).stdout)["doubtful"][0]["tau"]
        for more in ((), ("--untrusted", "f"))
    )
    assert bound < free


def test_the_limit_bounds_the_list(log: Path) -> None:
    told = json.loads(run(log, "--material", "odyssey-noise", "--json", "--limit", 1).stdout)
    assert len(told["doubtful"]) == 1


def test_outcomes_that_say_nothing_are_told_and_are_no_error(tmp_path: Path) -> None:
    bare = tmp_path / "bare.json"
    bare.write_text(
        '{"memspan": 0, "id": "b", "claims": [{"id": "c", "text": "Rain."}],'
        ' "queries": [{"id": "q", "text": "Sun?"}]}',
        "utf-8",
    )
    log = tmp_path / "full.jsonl"
    log.write_text('{"query": "q", "correct": 1}\n', "utf-8")
    ran = run(log, "--material", bare, "--report", tmp_path / "page.html")
    assert ran.exit_code == 0
    assert ran.stdout.startswith(
        "Nothing can be said about any of 1 claim: it is not known which claims were read"
    )
    assert "Nothing can be said" in (tmp_path / "page.html").read_text("utf-8")
    assert json.loads(run(log, "--material", bare, "--json").stdout)["doubtful"] == []


def test_settlements_of_the_material_itself_are_taken_where_no_file_is_given(tmp_path: Path) -> None:
    held = tmp_path / "held.json"
    held.write_text(
        json.dumps(
            {
                "memspan": 0,
                "id": "h",
                "claims": [{"id": "c", "text": "Rain."}],
                "queries": [{"id": "q", "text": "What falls?", "supports": [["c"]]}],
                "settlements": [{"query": "q", "correct": 0, "settler": name} for name in "abc"],
            }
        ),
        "utf-8",
    )
    assert run("--material", held).stdout.startswith(
        "What was read is not known for 3 of 3 outcomes. If it was the claims of their questions, "
        "1 of 1 claim is probably false;"
    )
    told = json.loads(run("--material", held, "--json").stdout)
    assert told["outcomes"]["inferred"] == 3
    assert all(each["inferred"] for each in told["doubtful"][0]["spoken"])


def test_a_material_without_settlements_needs_a_file() -> None:
    with pytest.raises(MemspanError, match="holds no settlement; give a file"):
        run("--material", "odyssey")


def test_an_unknown_settler_is_refused_by_name(log: Path) -> None:
    with pytest.raises(UnknownName, match="no settler 'z' among the outcomes; there are a, b, c, d, e, f"):
        run(log, "--material", "odyssey-noise", "--untrusted", "z")


@pytest.mark.parametrize("noise", ["0.1", "a,b", "0.6,0.6", "0,0.1"])
def test_noise_that_cannot_be_is_refused(log: Path, noise: str) -> None:
    ran = run(log, "--material", "odyssey-noise", "--noise", noise)
    assert ran.exit_code == 2


def test_the_outcomes_are_never_written_over(log: Path) -> None:
    before = log.read_bytes()
    with pytest.raises(FileError, match="would be lost"):
        run(log, "--material", "odyssey-noise", "--report", log)
    assert log.read_bytes() == before


def test_recorded_runs_of_real_data_are_weighed(data: Path) -> None:
    locomo = data / "locomo"
    words = (locomo / "settled_fullcontext_dev.jsonl", "--material", locomo / "locomo10_dev.json")
    told = json.loads(run(*words, "--only", "conv-30", "--only", "conv-42", "--json").stdout)
    assert len(told["settlers"]) == 4
    assert 0 < told["false"] < told["touched"] < told["claims"]
    sources = {each["name"] for each in told["sources"]}
    assert {"conv-30/session 1", "conv-42/session 1"} <= sources
    assert "session 1" not in sources


def test_where_truth_is_known_the_beliefs_are_held_against_it(log: Path) -> None:
    ran = run(log, "--material", "odyssey-noise")
    assert "Of 2 settled claims whose truth is known" in ran.stdout
    told = json.loads(run(log, "--material", "odyssey-noise", "--json").stdout)
    assert (told["calibration"]["n"], told["calibration"]["auc"]) == (2, 1.0)
