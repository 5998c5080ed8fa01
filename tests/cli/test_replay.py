"""`memspan replay` as a user meets it."""

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from memspan.cli import replaying
from memspan.cli.main import app, main
from memspan.cli.replay_text import regret_plot
from memspan.errors import FileError, MemspanError, UnknownName
from replays import diary, native, written

RUNNER = CliRunner()


def run(*words: object) -> Any:
    return RUNNER.invoke(app, ["replay", *map(str, words)], catch_exceptions=False)


def document(*words: object) -> Any:
    return json.loads(run(*words, "--json").stdout)


@pytest.fixture
def diaries(tmp_path: Path) -> Path:
    return written(tmp_path / "diaries.json", [diary("ana"), diary("benno"), diary("cy", sessions=5)])


# --- what is told -----------------------------------------------------------------------------------


def test_the_first_line_is_the_answer(diaries: Path) -> None:
    first = run(diaries, "--capacity", "20%").stdout.splitlines()[0]
    assert re.fullmatch(
        r".* holds? what answers [\d.]+ % of what any memory of 20 % of the claims could"
        r'( \("\S+" [\d.]+ %\))?: 3 materials, queries iid, told: claims used\.',
        first,
    )


def test_the_output_keeps_to_its_size_and_says_what_to_do_next(diaries: Path) -> None:
    lines = run(diaries).stdout.splitlines()
    start = next(i for i, line in enumerate(lines) if "regret: questions lost" in line)
    plot = lines[start : lines.index("", start)]
    assert len(plot) <= 12
    assert max(map(len, plot)) <= 72
    head = next(i for i, line in enumerate(lines) if line.startswith("policy"))
    assert sum(not line.startswith("…") for line in lines[head + 1 : lines.index("", head)]) <= 10
    assert lines[-1] == f"Next: memspan replay {diaries} --report replay.html"


def test_the_command_that_comes_next_works_as_it_is_typed(diaries: Path, tmp_path: Path) -> None:
    page = tmp_path / "replay.html"
    said = run(
        diaries, "--policies", "fifo", "--capacity", "30%,5", "--drift", "0.5", "--report", page
    ).stdout
    words = shlex.split(said.splitlines()[-1].removeprefix("Next: memspan replay "))
    assert words[1:3] == ["--policies", "fifo"]
    assert "iid,zipf,mix" in words
    again = run(*words)
    assert again.exit_code == 0
    assert again.stdout.splitlines()[-1].endswith("--json")


def test_the_column_is_named_wherever_figures_stand(diaries: Path, tmp_path: Path) -> None:
    columns = {
        "hits": "told: claims used",
        "supports": "told: supports",
        "text": "told: words of the question",
        "outcome": "told: right or wrong alone",
    }
    for told, column in columns.items():
        page = tmp_path / f"{told}.html"
        said = run(diaries, "--policies", "lfu", "--told", told, "--report", page).stdout
        assert said.splitlines()[0].endswith(f"{column}.")
        assert f'Column "{column}"' in said
        assert f">{column}</span>" in page.read_text("utf-8")
        assert document(diaries, "--policies", "lfu", "--told", told)["column"] == column


def test_where_each_question_is_asked_once_the_iid_bound_is_never_quoted(
    diaries: Path, tmp_path: Path
) -> None:
    for arriving, kind in (("sessions", "clairvoyant"), ("whole", "remaining")):
        words = (diaries, "--policies", "fifo", "--queries", "once", "--arriving", arriving)
        page = tmp_path / f"{kind}.html"
        said = run(*words, "--report", page).stdout
        assert f"Bound: {kind}" in said
        assert "iid optimum" not in said + page.read_text("utf-8")
        assert {cell["bound"]["kind"] for cell in document(*words)["cells"]} == {kind}


def test_several_orders_and_capacities_make_a_second_table(diaries: Path) -> None:
    said = run(diaries, "--queries", "uniform,once", "--capacity", "10%,5").stdout
    assert "uniform, 10 %  uniform, 5 claims  once, 10 %" in said
    assert re.search(r"policy +uniform +once\n", run(diaries, "--queries", "uniform,once").stdout)


def test_the_plot_rises_to_its_end(diaries: Path) -> None:
    told = replaying.replayed(replaying.Asked((str(diaries),), policies="fifo,random"))
    rows = regret_plot(told.first)
    assert rows[1].endswith("█") or rows[1].endswith("░") or rows[1][-1] in "▁▂▃▄▅▆▇"


# --- what is computed -------------------------------------------------------------------------------


def test_the_document_is_whole(diaries: Path) -> None:
    found = document(diaries, "--policies", "fifo,static", "--queries", "zipf,mix", "--seeds", 2)
    assert [cell["queries"] for cell in found["cells"]] == ["zipf", "mix"]
    assert {row["policy"] for row in found["cells"][0]["policies"]} == {"fifo", "static", "lfu"}
    assert len(found["trials"]) == 3 * 2 * 2 * 3
    assert found["setting"]["seeds"] == [0, 1]
    assert found["setting"]["write"] == "stream"
    for cell in found["cells"]:
        for row in cell["policies"]:
            assert len(row["expected"]) == len(cell["bound"]["curve"]) == cell["steps"]
            assert row["share_of_bound"]["estimate"] <= 1 + 1e-6
        assert cell["policies"][0]["policy"] == cell["best"]


def test_lfu_is_always_played(diaries: Path) -> None:
    cell = document(diaries, "--policies", "fifo")["cells"][0]
    assert next(row for row in cell["policies"] if row["policy"] == "lfu")["ratio"]["estimate"] == 1


def test_workers_change_nothing(diaries: Path) -> None:
    words = (diaries, "--policies", "random,gamma-poisson", "--queries", "zipf")
    assert document(*words, "--workers", 1) == document(*words, "--workers", 2)


def test_what_can_be_written_again_is_what_arrives_as_a_whole(diaries: Path) -> None:
    assert document(diaries, "--policies", "lfu", "--arriving", "whole")["setting"]["write"] == "full"
    again = document(diaries, "--policies", "lfu", "--write", "swap", "--swaps", 1)["setting"]
    assert (again["write"], again["swaps"]) == ("swap", 1)


def test_tokens_are_a_capacity_of_their_own(diaries: Path) -> None:
    cell = document(diaries, "--policies", "lfu", "--cost", "tokens", "--capacity", "40,20%")["cells"]
    assert cell[0]["capacities"] == [40, 40]
    assert cell[1]["capacities"][0] > 40


def test_reading_less_answers_less(diaries: Path) -> None:
    found = [
        document(diaries, "--policies", "lfu", "--reward", "end-to-end", "--read", k, "--capacity", "50%")
        for k in (0, 2, 100)
    ]
    shares = [each["cells"][0]["policies"][0]["share_of_bound"]["estimate"] for each in found]
    assert shares[0] == 0
    assert shares[0] < shares[1] <= shares[2]


def test_a_rule_fitted_on_the_others_judges_each(tmp_path: Path) -> None:
    pytest.importorskip("sklearn")
    several = [diary(name, sessions=6, each=10) for name in ("ana", "benno", "cy")]
    path = written(tmp_path / "several.json", several)
    found = document(path, "--policies", "static", "--rule", "others")
    assert "Claims were judged by rules fitted on the other materials." in found["notes"]
    assert found["rule"] == {
        "name": "others",
        "fitted_on": "the other materials of this replay",
        "flattered": [],
    }
    assert found["cells"][0]["best"] == "static" or found["cells"][0]["policies"][1]["policy"] == "static"


def test_a_rule_that_was_fitted_on_what_it_judges_is_told(tmp_path: Path, diaries: Path) -> None:
    from memspan.answering.linear import Linear
    from memspan.policies.writer import WriterRule

    path = tmp_path / "rule.json"
    WriterRule("mine", Linear(-1.0, {"words": 0.1}), fitted_on="9 claims of benno").save(path)
    said = run(diaries, "--policies", "static", "--rule", path).stdout
    assert "The rule mine was fitted on benno: what asks it is flattered there." in said


def test_materials_named_alike_are_told_apart_and_copies_count_once(tmp_path: Path) -> None:
    one, two = (
        written(tmp_path / f"{name}.json", [diary("m", sessions=n)]) for name, n in (("a", 3), ("b", 4))
    )
    found = document(one, two, one, "--policies", "lfu")
    assert [each["id"] for each in found["materials"]] == ["a/m", "b/m"]


def test_materials_that_cannot_be_replayed_are_left_out_with_the_reason(
    tmp_path: Path, diaries: Path
) -> None:
    empty = native(tmp_path / "empty.json", id="empty")
    found = document(diaries, empty, "--policies", "lfu")
    assert len(found["materials"]) == 3
    assert found["left_out"][0]["material"] == "empty"
    assert "Left out: 1 material, e.g. empty:" in run(diaries, empty, "--policies", "lfu").stdout


def test_a_capacity_that_answers_nothing_is_told(tmp_path: Path) -> None:
    claims = [{"id": f"c{i}", "text": "Rain."} for i in range(4)]
    queries = [{"id": "q", "text": "What?", "supports": [["c0", "c1"]]}]
    path = native(tmp_path / "pairs.json", claims=claims, queries=queries)
    said = run(path, "--capacity", 1).stdout
    assert said.startswith("No memory of 1 claim answers any question")
    json.dumps(document(path, "--capacity", 1), allow_nan=False)


# --- what is refused --------------------------------------------------------------------------------


@pytest.mark.parametrize("given", ["0", "0%", "101%", "-3", "1.5", "much", "", "nan", "inf"])
def test_a_capacity_that_is_none_is_refused(given: str) -> None:
    found = RUNNER.invoke(app, ["replay", "odyssey", f"--capacity={given}"])
    assert found.exit_code == 2
    assert "10%,20%" in found.output


def test_an_unknown_policy_is_refused_with_the_nearest(monkeypatch: Any, capsys: Any) -> None:
    monkeypatch.setattr("sys.argv", ["memspan", "replay", "odyssey", "--policies", "gama-poisson"])
    with pytest.raises(SystemExit) as stopped:
        main()
    assert stopped.value.code == 2
    assert "did you mean gamma-poisson" in capsys.readouterr().err


def test_an_unknown_order_is_refused_with_the_nearest() -> None:
    with pytest.raises(UnknownName, match="did you mean zipf"):
        run("odyssey", "--queries", "zip")


@pytest.mark.parametrize("given", ["0", "1", "nan"])
def test_a_drift_that_is_none_is_refused(given: str) -> None:
    assert RUNNER.invoke(app, ["replay", "odyssey", "--drift", given]).exit_code == 2


def test_no_questions_and_no_claims_are_refused_with_what_to_do(tmp_path: Path) -> None:
    bare = native(tmp_path / "bare.json", claims=[{"id": "c", "text": "Rain."}])
    for path in (bare, native(tmp_path / "empty.json")):
        with pytest.raises(MemspanError, match="memspan frontier PATH --questions FILE --save"):
            run(path)


def test_a_rule_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="shipped, even, others"):
        run("odyssey", "--rule", "evn")
    broken = tmp_path / "rule.json"
    broken.write_text("{}", "utf-8")
    with pytest.raises(FileError):
        run("odyssey", "--rule", broken)
    with pytest.raises(MemspanError, match="give more files"):
        run("odyssey", "--rule", "others")


def test_nothing_that_is_read_is_written_over(diaries: Path) -> None:
    with pytest.raises(FileError, match="would be lost"):
        run(diaries, "--report", diaries)


def test_an_interruption_leaves_no_file(diaries: Path, tmp_path: Path, monkeypatch: Any) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("memspan.environments.replaying.play", stop)
    page = tmp_path / "page.html"
    found = RUNNER.invoke(app, ["replay", str(diaries), "--report", str(page), "--workers", "1"])
    assert found.exit_code == 130
    assert not page.exists()
    assert found.stdout == ""
