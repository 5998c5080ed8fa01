import sys

import pytest
from typer.testing import CliRunner

from memspan.cli.following import typed
from memspan.cli.main import app
from memspan.datasets import save
from memspan.material import Claim, Material, Query, Support

QUERIES = (Query("q1", supports=(Support(("a",)),)), Query("q2", supports=(Support(("b",)),)))


def last(*words):
    """Return the last line that the program prints."""
    return CliRunner().invoke(app, [str(word) for word in words]).stdout.splitlines()[-1]


@pytest.mark.parametrize(
    ("there", "called", "wanted"),
    [
        (None, ".venv/bin/memspan", ".venv/bin/memspan frontier x"),
        (None, "a b/memspan", "'a b/memspan' frontier x"),
        ("/usr/bin/memspan", ".venv/bin/memspan", "memspan frontier x"),
        (None, "-c", "memspan frontier x"),
    ],
)
def test_a_command_is_named_as_it_was_called_unless_its_name_suffices(monkeypatch, there, called, wanted):
    monkeypatch.setattr("shutil.which", lambda _: there)
    monkeypatch.setattr(sys, "argv", [called])
    assert typed("frontier", "x") == wanted


@pytest.mark.parametrize(
    ("claims", "option"),
    [
        ((Claim("a", "One."), Claim("b", "Two.")), "--cost tokens"),
        ((Claim("a"), Claim("b")), "--json"),
        ((Claim("a", costs={"euros": 1}), Claim("b", costs={"euros": 2})), "--cost euros"),
        ((Claim("a", costs={"euros": 1}), Claim("b", costs={"euros": 1})), "--json"),
        ((Claim("a", costs={"euros": 1}), Claim("b", costs={"euros": 1.5})), "--json"),
    ],
)
def test_another_unit_is_suggested_only_where_it_tells_something(tmp_path, claims, option):
    path = tmp_path / "m.json"
    save(Material("m", claims, queries=QUERIES), path)
    assert last("frontier", path, "--report", tmp_path / "r.html").endswith(f"{path} {option}")


def test_claims_that_cost_nothing_lead_back_to_claims(tmp_path):
    path = tmp_path / "m.json"
    save(Material("m", (Claim("a"), Claim("b")), queries=QUERIES), path)
    output = CliRunner().invoke(app, ["frontier", str(path), "--cost", "tokens"]).stdout
    assert output.startswith("Nothing to measure in m: no claim has a text")
    assert "┤" not in output
    assert output.splitlines()[-1].endswith(f"memspan frontier {path}")


def test_a_share_below_one_percent_stays_one_in_the_next_command():
    assert "--target 0.5% " in last("frontier", "odyssey", "--target", "0.5%")


def test_a_missing_downloader_is_told_for_a_checkout_too(monkeypatch, tmp_path, capsys):
    from memspan.cli.main import main

    monkeypatch.setitem(sys.modules, "pooch", None)
    monkeypatch.setattr(sys, "argv", ["memspan", "datasets", "get", "locomo", "--to", str(tmp_path)])
    with pytest.raises(SystemExit):
        main()
    assert "pip install '.[datasets]'" in capsys.readouterr().err
