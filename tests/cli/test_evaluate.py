"""`memspan evaluate`: what it says, and what it refuses."""

import json

import pytest
from typer.testing import CliRunner

from memspan.cli.evaluating import capacities_of
from memspan.cli.main import app, main


def call(*words):
    return CliRunner().invoke(app, ["evaluate", *words])


def points_of(*words):
    run = call(*words, "--json")
    assert run.exit_code == 0, run.output
    return json.loads(run.stdout)["points"]


def test_the_memory_of_the_paper_loses_fifteen_points():
    (point,) = points_of("odyssey", "--memory", "e1,e2,e3,e6")
    assert point["u_cov"] == 0.75
    assert point["loss"] == pytest.approx(0.15, abs=1e-12)
    assert point["size"] == 4
    assert point["cause"] == "selection"
    assert point["add"][0] == {"claims": ["e4"], "gain": 0.2, "queries": ["q6"]}
    assert point["queries"]["q6"] == "write"


def test_the_first_line_is_the_answer_and_the_last_one_a_command():
    lines = call("odyssey", "--memory", "e1,e2,e3,e6").stdout.strip().splitlines()
    assert lines[0] == "At its own size, the memory given answers 83.3 % of what the best memory could."
    assert lines[-1].startswith("Next: ")
    assert "--report evaluate.html" in lines[-1]


def test_water_is_told_apart_from_coverage():
    (point,) = points_of("odyssey-noise", "--memory", "e0,e3")
    assert (point["u_cov"], point["u_prec"]) == (0.8, 0.35)
    assert point["inflation"] == pytest.approx(0.45)
    assert point["cause"] == "noise"
    assert point["drop"] == [{"claim": "e0", "reason": "false"}]


def test_the_parts_of_every_waterfall_sum_to_what_is_lost():
    for point in points_of("odyssey-noise", "--capacities", "1,50%"):
        parts = dict(point["waterfall"])
        lost, _, _ = parts.pop("lost"), parts.pop("answered"), parts.pop("intervals")
        assert sum(parts.values()) == pytest.approx(lost, abs=1e-12)


def test_every_system_is_placed_where_none_is_named():
    names = {point["system"] for point in points_of("odyssey", "--capacities", "3")}
    assert {"optimum", "random", "fifo", "full context"} <= names


def test_systems_come_one_by_one_or_with_commas():
    points = points_of("odyssey", "--system", "fifo,lru", "--system", "random", "--capacities", "2")
    assert [point["system"] for point in points] == ["fifo", "lru", "random"]


def test_workers_change_nothing():
    words = ("odyssey", "--capacities", "2,3")
    assert points_of(*words, "--workers", "1") == points_of(*words, "--workers", "2")


def test_capacities_are_numbers_or_shares():
    assert capacities_of("20, 5%,0.4") == (20, 0.05, 0.4)


@pytest.mark.parametrize("given", ["", "a", "-1", "1.5", "0%", "100%", "nan", "inf"])
def test_a_capacity_that_is_none_is_refused(given):
    run = call("odyssey", "--capacities", given)
    assert run.exit_code == 2
    assert "e.g." in run.output


def test_an_unknown_system_is_refused_with_the_nearest(monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["memspan", "evaluate", "odyssey", "--system", "fifoo"])
    with pytest.raises(SystemExit) as stop:
        main()
    assert stop.value.code == 2
    assert "did you mean fifo" in capsys.readouterr().err


@pytest.mark.parametrize("given", ["0.1", "0.1,x", "0.6,0.6", "-1,0"])
def test_noise_that_says_nothing_is_refused(given):
    run = call("odyssey", "--judge-noise", given)
    assert run.exit_code == 2


def test_the_report_is_one_file(tmp_path):
    place = tmp_path / "evaluate.html"
    run = call("odyssey", "--system", "fifo", "--capacities", "3", "--report", str(place))
    assert run.exit_code == 0, run.output
    assert place.read_text(encoding="utf-8").startswith("<!doctype html>")
