import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from memspan import bundled
from memspan.cli.main import app, main
from memspan.datasets import save
from memspan.material import Claim, Material, Query, Support

PROGRAM = [sys.executable, "-c", "from memspan.cli.main import main; main()"]


def call(*words: str) -> Result:
    """Return what the program does with *words*."""
    return CliRunner().invoke(app, [str(word) for word in words])


def said(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *words: str) -> tuple[Any, str]:
    """Return exit status and stderr of the whole program."""
    monkeypatch.setattr(sys, "argv", ["memspan", *words])
    with pytest.raises(SystemExit) as stopped:
        main()
    return stopped.value.code, capsys.readouterr().err


def document(*words: str) -> Any:
    """Return the JSON document of `memspan frontier`."""
    return json.loads(call("frontier", *words, "--json").stdout, parse_constant=pytest.fail)


@pytest.fixture
def trips(tmp_path: Path) -> str:
    """A file with two materials, one of them hostile."""
    claims = (Claim("c1", "\x1b[31mred"), Claim("c2", "[bold]loud[/bold]"))
    queries = (Query("q1", supports=(Support(("c1",)),)), Query("q2", supports=(Support(("c1", "c2")),)))
    path = tmp_path / "trips.json"
    save(
        [Material("one", claims, queries=queries), Material("\x1b[31m[red]two", claims, queries=queries)],
        path,
    )
    return str(path)


def test_the_first_line_is_the_answer() -> None:
    first = call("frontier", "odyssey").stdout.splitlines()[0]
    assert first == (
        "2 of 6 claims answer 50 % of the questions by weight; 6 answer all of them. "
        "Proven optimal at every capacity."
    )


def test_plot_and_table_keep_their_size(fixtures: Path) -> None:
    for path in ("odyssey", "odyssey-noise", str(fixtures / "locomo.json")):
        _, plot, table, last = call("frontier", path).stdout.split("\n\n")
        assert len(plot.splitlines()) <= 12
        assert max(map(len, plot.splitlines())) <= 72
        assert len(table.splitlines()) <= 11
        assert last.startswith("Next: memspan ")


def test_the_document_has_the_keys_that_others_rely_on() -> None:
    found = document("odyssey")
    assert {"version", "unit", "seconds", "certificate", "materials"} <= found.keys()
    material = found["materials"][0]
    wanted = {"id", "claims", "queries", "support_source", "baseline", "saturation", "points", "dropped"}
    assert wanted <= material.keys()
    assert {"capacity", "lower", "upper", "certified", "certificate", "memory"} == material["points"][
        0
    ].keys()


def test_the_document_tells_the_odyssey_as_it_is() -> None:
    material = document("odyssey")["materials"][0]
    assert [point["lower"] for point in material["points"]] == [0, 0.35, 0.6, 0.8, 0.9, 0.95, 1]
    assert material["points"][2]["memory"] == ["e1", "e3"]
    assert (material["baseline"], material["saturation"]) == (1, 6)


def test_precision_is_told_where_truth_is_known() -> None:
    points = document("odyssey-noise")["materials"][0]["points"]
    assert (points[2]["lower"], points[2]["lower_prec"], points[2]["upper_prec"]) == (0.8, 0.6, 0.6)
    assert "lower_prec" not in document("odyssey")["materials"][0]["points"][0]


def test_a_large_material_lists_memories_up_to_saturation_only(tmp_path: Path) -> None:
    claims = tuple(Claim(f"c{i}") for i in range(2_100))
    material = Material("large", claims, queries=(Query("q", supports=(Support(("c7", "c9")),)),))
    save(material, tmp_path / "large.json")
    points = document(str(tmp_path / "large.json"))["materials"][0]["points"]
    assert len(points) == 2_101
    assert [point["memory"] for point in points[:4]] == [[], [], ["c7", "c9"], None]


def test_capacities_in_another_unit_are_those_asked_for() -> None:
    found = document("odyssey", "--cost", "tokens", "--capacities", "20,10")
    assert found["unit"] == "tokens"
    assert [point["capacity"] for point in found["materials"][0]["points"]] == [10, 20]


def test_targets_decide_which_sizes_are_told() -> None:
    lines = call("frontier", "odyssey", "--target", "35,0.9,60%").stdout.splitlines()
    assert lines[0].startswith("1 of 6 claims answers 35 %")
    assert [line.split()[:3] for line in lines if line[:2] in {"35", "60", "90"}] == [
        ["35", "%", "1"],
        ["60", "%", "2"],
        ["90", "%", "4"],
    ]


def test_several_materials_get_a_line_each_and_totals(trips: str) -> None:
    output = call("frontier", trips).stdout
    assert output.startswith(
        "Across 2 materials, 2 of 4 claims answer 50 % of the questions of each; 4 answer all"
    )
    assert "in all" in output


def test_text_of_a_file_cannot_steer_the_terminal(trips: str) -> None:
    output = call("frontier", trips)
    assert "\x1b" not in output.stdout + output.stderr
    assert "[red]two" in output.stdout


def test_one_material_can_be_picked(trips: str) -> None:
    assert [each["id"] for each in document(trips, "--material", "one")["materials"]] == ["one"]


def test_materials_can_be_merged(trips: str) -> None:
    assert len(document(trips, "--union")["materials"]) == 1


def test_the_next_command_keeps_the_options(trips: str) -> None:
    last = call(
        "frontier", trips, "--material", "one", "--target", "60", "--over", "all"
    ).stdout.splitlines()[-1]
    assert (
        last == f"Next: memspan frontier {trips} --over all --target 60% --material one --report report.html"
    )


def test_found_supports_are_never_called_proven(tmp_path: Path) -> None:
    material = Material(
        "guess", (Claim("c1"),), queries=(Query("q1", supports=(Support(("c1",)),)),), support_source="found"
    )
    save(material, tmp_path / "guess.json")
    output = call("frontier", str(tmp_path / "guess.json"), "--report", str(tmp_path / "guess.html")).stdout
    assert "found, not annotated: an estimate, not a proof" in output
    assert "optimal" not in output
    assert (
        "optimal" not in (tmp_path / "guess.html").read_text().partition("<body>")[2].partition("<script")[0]
    )


@pytest.mark.parametrize(
    "words",
    [
        ["frontier", "nowhere.json"],
        ["frontier", "odysey"],
        ["frontier", "odyssey", "--material", "iliad"],
        ["frontier", "odyssey", "--cost", "gold"],
        ["frontier", "odyssey", "--capacities", "ten"],
        ["frontier", "odyssey", "--target", "0"],
        ["frontier", "odyssey", "--target", "nan"],
        ["frontier", "odyssey", "--over", "some"],
        ["frontier", "odyssey", "--memory", "iliad"],
        ["frontier", "odyssey", "--seconds", "-1"],
        ["frontier", "odyssey", "--report", "no/such/folder/x.html"],
        ["frontier", "."],
        ["demo", "nowhere.json"],
        ["datasets", "get", "nowhere"],
        ["fly"],
    ],
)
def test_bad_input_exits_2_with_a_message_and_no_traceback(
    words: list[str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.chdir(tmp_path)
    status, message = said(capsys, monkeypatch, *words)
    assert status == 2
    assert message.strip()
    assert "Traceback" not in message


def test_a_binary_file_is_refused(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "x.json").write_bytes(bytes(range(256)))
    assert said(capsys, monkeypatch, "frontier", str(tmp_path / "x.json"))[0] == 2


def test_an_interruption_exits_130_quietly(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("memspan.cli.solving.frontier", interrupted)
    status, message = said(capsys, monkeypatch, "frontier", "odyssey")
    assert status == 130
    assert "Traceback" not in message


def test_a_reader_that_goes_away_is_no_error(tmp_path: Path) -> None:
    claims = tuple(Claim(f"c{i}", "x" * 50) for i in range(400))
    queries = tuple(Query(f"q{i}", supports=(Support((f"c{i}",)),)) for i in range(400))
    save(Material("long", claims, queries=queries), tmp_path / "long.json")
    command = [*PROGRAM, "frontier", str(tmp_path / "long.json"), "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout
        assert process.stderr
        process.stdout.read(10)
        process.stdout.close()
        complaint = process.stderr.read().decode()
    assert "Traceback" not in complaint
    assert "Exception" not in complaint


def test_help_is_there_at_once() -> None:
    heavy = "{'numpy', 'scipy', 'numba', 'jinja2'}"
    code = f"import sys; from memspan.cli import main; sys.exit(bool({heavy} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
    started = time.perf_counter()
    subprocess.run([*PROGRAM, "--help"], check=True, capture_output=True)
    assert time.perf_counter() - started < 2  # half a second on a machine at rest; tests run beside others


def test_what_was_loaded_is_told_before_solving(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("memspan.cli.solving.frontier", stopped)
    assert said(capsys, monkeypatch, "frontier", "odyssey")[1].startswith("odyssey: 6 claims, 8 questions\n")


def test_output_that_is_no_terminal_has_no_colours() -> None:
    output = subprocess.run([*PROGRAM, "frontier", "odyssey"], check=True, capture_output=True, text=True)
    assert "\x1b" not in output.stdout + output.stderr


def test_a_terminal_without_unicode_gets_an_answer() -> None:
    ascii_only = {"PYTHONIOENCODING": "ascii", "PATH": ""}
    output = subprocess.run(
        [*PROGRAM, "frontier", "odyssey"], check=True, capture_output=True, env=ascii_only
    )
    assert output.stdout.startswith(b"2 of 6 claims answer 50 %")


def test_the_demo_writes_its_report_and_says_where(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = call("demo")
    assert result.exit_code == 0
    assert (tmp_path / "report.html").as_uri() in result.stderr
    assert (tmp_path / "report.html").read_text().startswith("<!doctype html>")


def test_the_version_is_told() -> None:
    from memspan import __version__

    assert call("--version").stdout == f"memspan {__version__}\n"


def test_the_public_sets_are_listed() -> None:
    from memspan.datasets import CATALOGUE

    output = call("datasets").stdout
    assert [entry.name for entry in CATALOGUE if entry.name not in output] == []
    assert len(json.loads(call("datasets", "--json").stdout)["sets"]) == len(CATALOGUE)


def test_real_conversations_start_printing_within_a_second(data: Path) -> None:
    path = str(data / "locomo" / "locomo10_dev.json")
    started = time.perf_counter()
    with subprocess.Popen(
        [*PROGRAM, "frontier", path], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stderr
        first = process.stderr.readline()
        took = time.perf_counter() - started
        process.communicate()
    assert first.startswith(b"locomo10_dev.json: 7 materials, 4,119 claims")
    assert took < 3  # one second on a machine at rest
    assert process.returncode == 0


def test_bundled_names_and_files_give_the_same(tmp_path: Path) -> None:
    save(bundled("odyssey"), tmp_path / "copy.json")
    by_name, by_file = document("odyssey"), document(str(tmp_path / "copy.json"))
    assert by_name["materials"][0]["points"] == by_file["materials"][0]["points"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no full device")
def test_an_answer_that_cannot_be_written_is_said() -> None:
    with Path("/dev/full").open("w") as full:
        run = subprocess.run(
            [*PROGRAM, "frontier", "odyssey", "--json"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert run.returncode == 2
    assert "could not be written" in run.stderr
    assert "Traceback" not in run.stderr
