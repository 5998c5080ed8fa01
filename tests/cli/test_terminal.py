import json

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from typer.testing import CliRunner

from memspan import bundled, frontier
from memspan.cli.grid import grid, shortened
from memspan.cli.main import app
from memspan.cli.plot import plot
from memspan.datasets import save
from memspan.material import Claim, Material, Query, Support
from memspan.report import Study
from memspan.report.plane import plane_of

NAMES = st.text(st.characters(categories=["L", "N"]), max_size=60)
NUMBERS = st.lists(st.integers(0, 10**9), min_size=3, max_size=3)


def call(*words):
    """Return what the program prints."""
    return CliRunner().invoke(app, [str(word) for word in words]).stdout


@given(st.lists(st.tuples(NAMES, NUMBERS), min_size=1, max_size=5), st.integers(0, 100))
def test_numbers_stay_whole_at_any_width(rows, width):
    told = [(name, *(f"{number:,}" for number in numbers)) for name, numbers in rows]
    for row, line in zip(told, grid(("material", "a", "b", "c"), told, width)[1:], strict=True):
        assert line.split()[-3:] == list(row[1:])


@given(NAMES, st.integers(3, 40))
def test_a_long_name_keeps_its_start_and_its_end(name, width):
    short = shortened(name, width)
    assert cell_len(short) <= width
    start, _, end = short.partition("…")
    assert short == name or (name.startswith(start) and name.endswith(end))


@given(NAMES, st.integers(40, 100))
def test_a_table_keeps_within_a_terminal_that_has_room_for_its_numbers(name, width):
    lines = grid(("material", "a", "b"), [(name, "1,234", "5")], width)
    assert max(map(cell_len, lines)) <= width


def test_a_plot_is_the_same_whatever_capacities_are_listed():
    odyssey = bundled("odyssey")
    few = frontier(odyssey, cost="tokens", capacities=[10, 20])
    usual = frontier(odyssey, cost="tokens")
    assert plot(plane_of(Study(odyssey, few))) == plot(plane_of(Study(odyssey, usual)))


def test_capacities_asked_for_are_in_the_table():
    rows = [line.split() for line in call("frontier", "odyssey", "--capacities", "4").splitlines()]
    assert ["90", "%", "4", "66.7", "%"] in rows


def test_sizes_in_tokens_are_exact_and_proven():
    first = call("frontier", "odyssey", "--cost", "tokens", "--capacities", "10,20").splitlines()[0]
    assert first.endswith("74 answer all of them. Proven optimal at every capacity.")
    assert "(" not in first


def test_many_materials_say_how_to_see_the_rest(tmp_path):
    claims, queries = (Claim("a"),), (Query("q", supports=(Support(("a",)),)),)
    several = [Material(f"m{i}", claims, queries=queries) for i in range(350)]
    save(several, tmp_path / "many.json")
    output = call("frontier", tmp_path / "many.json")
    assert "… 342 more: pick with --material ID, or take all with --json or --report" in output
    assert "m7 " in output
    assert "m8 " not in output
    assert "in all" in output


def test_many_capacities_say_how_to_see_the_rest():
    output = call("frontier", "odyssey", "--cost", "tokens", "--capacities", ",".join(map(str, range(20))))
    assert "… 15 more: take all with --json\n" in output


def test_questions_left_out_are_told_in_the_second_line(tmp_path):
    queries = (Query("q", supports=(Support(("a",)),)), Query("bare"), Query("no", answerable=False))
    save(Material("m", (Claim("a"),), queries=queries), tmp_path / "m.json")
    lines = call("frontier", tmp_path / "m.json").splitlines()
    assert lines[1] == "1 of 3 questions counts; 1 has no support, 1 is a refusal."


def test_nothing_to_cover_is_all_that_is_said(tmp_path):
    save(Material("m", (Claim("a"),), queries=(Query("q"),)), tmp_path / "m.json")
    lines = call("frontier", tmp_path / "m.json").splitlines()
    assert lines[0] == "Nothing to cover in m: no question has a support yet."
    assert lines[-1].startswith("Next: ")
    assert len(lines) == 4


def test_precision_is_told_at_the_capacities_listed_in_any_unit():
    words = ["frontier", "odyssey-noise", "--cost", "tokens", "--json"]
    points = json.loads(call(*words))["materials"][0]["points"]
    noise = bundled("odyssey-noise")
    precise = frontier(noise, cost="tokens", utility="precision")
    assert [point["lower_prec"] for point in points] == [precise.at(p["capacity"]).lower for p in points]
