"""`memspan evaluate`: what it says, and what it refuses."""

import json

import pytest
from typer.testing import CliRunner

from memspan.cli.evaluating import capacities_of
from memspan.cli.main import app, main
from memspan.testing.chat_server import ChatServer


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
    assert lines[0] == "At its own size, the memory given covers 83.3 % of what the best memory could."
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


TRIP = {
    "memspan": 0,
    "id": "trip",
    "claims": [
        {"id": "c1", "text": "Ana moved to Porto in March."},
        {"id": "c2", "text": "Rui cooks for his sister Eva."},
    ],
    "queries": [
        {"id": "q1", "text": "Where did Ana move?", "answer": "Porto", "supports": [["c1"]]},
        {"id": "q2", "text": "For whom does Rui cook?", "answer": "Eva", "supports": [["c2"]]},
        {"id": "q3", "text": "What does Ana drive?", "answerable": False},
    ],
}


@pytest.fixture
def trip(tmp_path):
    place = tmp_path / "trip.json"
    place.write_text(json.dumps(TRIP), "utf-8")
    return place


def test_a_model_answers_from_what_was_read_and_the_fall_goes_on_to_right_answers(
    trip, monkeypatch, tmp_path
):
    monkeypatch.setenv("MEMSPAN_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))

    def answer(request):
        asked = json.dumps(request.body)
        known = "Where did Ana" in asked and "Porto" in asked
        return json.dumps({"known": known, "answer": "Porto" if known else ""})

    with ChatServer(answer) as server:
        words = ("--system", "full context", "--model", "scripted", "--base-url", server.url)
        (point,) = points_of(str(trip), *words)
    assert point["u_read"] == 1
    assert point["u_e2e"] == 0.5
    fall = point["waterfall"]
    assert fall["answered"]
    assert fall["reasoner"] == pytest.approx(1 / 3)  # q2 was read, and refused
    assert fall["anyway"] == pytest.approx(-1 / 3)  # q3 was refused rightly
    assert fall["lost"] == pytest.approx(1 / 3)


def test_a_store_is_placed_as_it_is(trip, tmp_path):
    store = tmp_path / "store.json"
    store.write_text(json.dumps([{"id": "m1", "memory": "Ana moved to Porto in March"}]), "utf-8")
    (point,) = points_of(str(trip), "--store", str(store))
    assert point["system"] == "store"
    assert point["memory"] == ["c1"]
    assert point["size"] == 1


def test_recorded_answers_are_placed_by_what_was_read(trip, tmp_path):
    rows = [
        {"query": "q1", "correct": 1, "claims": ["c1"]},
        {"query": "q2", "correct": 0, "context": ["Rui cooks for his sister Eva."]},
    ]
    outcomes = tmp_path / "run.jsonl"
    outcomes.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    (point,) = points_of(str(trip), "--outcomes", str(outcomes))
    assert (point["system"], point["variant"]) == ("run", "recorded")
    assert point["u_e2e"] == 0.5
    assert point["waterfall"]["reasoner"] == pytest.approx(0.5)
    (noisy,) = points_of(str(trip), "--outcomes", str(outcomes), "--judge-noise", "0.1,0")
    assert noisy["u_e2e"] == pytest.approx((0.5 - 0.1) / 0.9)


def test_a_store_belongs_to_one_material(tmp_path, monkeypatch, capsys, trip):
    several = tmp_path / "two.jsonl"
    lines = [{"kind": "material", "memspan": 0, "id": name} for name in ("a", "b")]
    several.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    monkeypatch.setattr("sys.argv", ["memspan", "evaluate", str(several), "--store", str(trip)])
    with pytest.raises(SystemExit) as stop:
        main()
    assert stop.value.code == 2
    assert "pick one with --material" in capsys.readouterr().err
