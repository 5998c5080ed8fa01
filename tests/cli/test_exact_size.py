"""Exact sizes and harm on the command line: there where claims can defeat answers, and only there."""

import json

import pytest
from typer.testing import CliRunner

from memspan.cli.main import app
from memspan.datasets import save
from memspan.material import Claim, Material, Query, Support


def call(*words):
    return CliRunner().invoke(app, [str(word) for word in words]).stdout


def document(*words):
    return json.loads(call("frontier", *words, "--json"), parse_constant=pytest.fail)["materials"][0]


@pytest.fixture
def moved(tmp_path):
    """Knowing that Ana moved on overturns the way to her old office."""
    queries = (
        Query("lives", weight=1, supports=(Support(("new",)),), wrong=(Support(("old",), ("new",)),)),
        Query("way", weight=3, supports=(Support(("old", "bus"), ("new",)),)),
    )
    claims = (Claim("old", "Porto"), Claim("bus", "by bus"), Claim("new", "Faro"))
    path = tmp_path / "moved.json"
    save([Material("moved", claims, queries=queries)], path)
    return path


def test_the_document_lists_exact_sizes_and_dips(moved):
    assert document(moved)["exact_size"] == {
        "points": [
            {"size": 0, "lower": 0, "upper": 0},
            {"size": 1, "lower": 0.25, "upper": 0.25},
            {"size": 2, "lower": 0.75, "upper": 0.75},
            {"size": 3, "lower": 0.25, "upper": 0.25},
        ],
        "dips": [{"size": 3, "drop": 0.5, "claims": ["new"], "queries": ["way"]}],
    }


def test_exact_sizes_are_those_that_capacities_ask_for(moved):
    found = document(moved, "--capacities", "2,9")["exact_size"]
    assert [point["size"] for point in found["points"]] == [2]
    assert len(found["dips"]) == 1


def test_exact_sizes_count_claims_only(moved):
    assert "exact_size" not in document(moved, "--cost", "tokens")
    assert "exact_size" not in document("odyssey")


def test_the_second_line_names_the_claim_to_blame(moved):
    assert call("frontier", moved).splitlines()[1] == (
        "With every claim held 1 question falls: at exactly 3 claims even the best memory answers "
        "50 points less than at 2, because of new (defeats way)."
    )


def test_a_memory_tells_its_harm(moved):
    placed = document(moved, "--memory", "old,bus")["memory"]
    assert (placed["u_cov"], placed["u_right"], placed["u_wrong"], placed["u_none"]) == (0.75, 0.75, 0.25, 0)
    assert "rightly, 25 % wrongly" in call("frontier", moved, "--memory", "old,bus")
    assert "u_wrong" not in document("odyssey", "--memory", "e1")["memory"]
