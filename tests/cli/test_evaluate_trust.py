"""Beliefs in what `memspan evaluate` prints: keys and a column that are there only with them."""

import json
import math

import numpy as np
import pytest

from evaluations import material
from memspan.cli.evaluation_document import document
from memspan.cli.league import show
from memspan.diagnosis import Trusted, evaluate

TRUST = Trusted(
    np.linspace(0.2, 0.9, 8), lambda coverage: np.full(coverage.n_supports, 0.7), np.arange(8) > 3
)


def evaluation(trust=None):
    return evaluate([material("a"), material("b")], ["optimum", "fifo"], [2, 4], trust=trust)


def test_the_document_tells_how_good_beliefs_are_and_what_is_expected():
    told = json.loads(json.dumps(document(evaluation({"a": TRUST})), allow_nan=False))
    trust = told["materials"][0]["trust"]
    assert set(trust) == {"n", "ece", "brier", "log_loss", "auc", "bins", "touched"}
    assert (trust["n"], trust["touched"]["n"]) == (8, 4)
    assert sum(each["count"] for each in trust["bins"]) == 8
    assert set(trust["bins"][0]) == {"count", "belief", "rate", "lower", "upper"}
    for point in told["points"]:
        assert ("water_expected" in point) == ("u_prec_expected" in point) == (point["material"] == "a")
        if point["material"] == "a":
            assert point["u_prec_expected"] + point["water_expected"] == pytest.approx(point["u_cov"])
    assert all("water_expected" in standing for standing in told["league"])


def test_measures_that_do_not_exist_are_null():
    one_class = Trusted(TRUST.tau, TRUST.beliefs, np.arange(8) == 7)
    (told, _) = document(evaluation({"a": one_class}))["materials"]
    assert told["trust"]["touched"]["auc"] is None
    assert told["trust"]["auc"] is not None
    nobody = Trusted(TRUST.tau, TRUST.beliefs)
    (told, _) = document(evaluation({"a": nobody}))["materials"]
    assert told["trust"]["touched"] == {
        "n": 0,
        "ece": None,
        "brier": None,
        "log_loss": None,
        "auc": None,
        "bins": [],
    }


def test_nothing_changes_where_nothing_is_believed(capsys):
    plain = document(evaluation())
    assert "trust" not in plain["materials"][0]
    assert not any("expected" in key for point in plain["points"] for key in point)
    assert not any("expected" in key for standing in plain["league"] for key in standing)
    assert document(evaluation({})) == plain
    show(evaluation(), "next")
    assert "expected" not in capsys.readouterr().out


def test_the_league_has_one_column_more_and_says_how_good_beliefs_are(capsys):
    show(evaluation({"a": TRUST}), "next")
    lines = capsys.readouterr().out.splitlines()
    (head,) = [line for line in lines if line.startswith("system")]
    assert head.endswith("water expected")
    told = next(line for line in lines if line.startswith("fifo"))
    point = next(p for p in evaluation({"a": TRUST}).of("fifo", 4) if p.material == "a")
    assert told.endswith(f"{100 * point.water_expected.estimate:.1f}".removesuffix(".0") + " %")
    assert any(line.startswith("Of 4 settled claims whose truth is known") for line in lines)
    assert math.isfinite(point.water_expected.estimate)
