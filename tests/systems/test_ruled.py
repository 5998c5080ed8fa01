"""A learned write rule stands under the frontier like any other system."""

from dataclasses import replace

import pytest

import memspan as ms
from memspan.answering.linear import Linear
from memspan.errors import FileError, UnknownName
from memspan.policies import Likeness, Writing
from memspan.policies.plain import plain
from memspan.policies.writer import WriterRule, digest, shipped
from memspan.systems import system_of

LONG = WriterRule("long", Linear(-3.0, {"words": 1.0}))


@pytest.fixture
def trip():
    texts = [
        "Yes.",
        "Ana moved to Porto in March with her two cats.",
        "Fine.",
        "Rui cooks soup for everybody.",
    ]
    claims = tuple(ms.Claim(f"c{i}", text, f"day {i // 2}") for i, text in enumerate(texts))
    asked = ms.Query("q", "Where did Ana move?", supports=(ms.Support(("c1",)),))
    return ms.Material("trip", claims, queries=(asked,))


def test_a_rule_and_its_file_hold_the_same_claims(trip, tmp_path):
    LONG.save(tmp_path / "long.json")
    for given in (LONG, str(tmp_path / "long.json")):
        (point,) = ms.evaluate(trip, [given], capacities=[1]).points
        assert (point.system, point.variant, point.u_cov.estimate) == ("rule", "long", 1.0)


def test_the_shipped_rule_has_a_name(trip):
    assert [kind.label for kind in system_of("rule")] == ["rule:shipped"]
    (named,), (given,) = (ms.evaluate(trip, [each], capacities=[1]).points for each in ("rule", shipped()))
    assert named.memory == given.memory
    with pytest.raises(UnknownName, match="rule:shipped"):
        system_of("zzz")


def test_rules_of_one_name_are_told_apart_by_their_files_and_one_file_is_one_rule(
    trip, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    for folder, weight in (("old", 1.0), ("new", -1.0)):
        (tmp_path / folder).mkdir()
        WriterRule("long", Linear(-3.0, {"words": weight})).save(f"{folder}/long.json")
    both = ["old/long.json", "new/long.json", "./old/long.json"]
    labels = [point.label for point in ms.evaluate(trip, both, capacities=[1]).points]
    assert labels == ["rule:long (old/long.json)", "rule:long (new/long.json)"]


def test_a_rule_knows_the_claims_it_was_fitted_on_under_any_name(trip):
    knows = replace(LONG, taught_by=(digest(trip),))
    renamed, edited = replace(trip, id="other"), replace(trip, claims=trip.claims[:3])
    assert [knows.was_fitted_on(each) for each in (trip, renamed, edited)] == [True, True, False]
    assert ms.evaluate(trip, [knows, "rule"], capacities=[1]).flattered == {"rule:long": ("trip",)}
    assert ms.evaluate(edited, [knows], capacities=[1]).flattered == {}


@pytest.mark.parametrize(
    ("fitted_on", "seen"),
    [
        ("9 claims of trip", True),
        ("9 claims of a, trip, b", True),
        ("9 claims of a; moved by 6 queries of trip", True),
        ("9 claims of trip 2, 3 of them needed", False),
        ("questions of ours about a trip", False),
        ("", False),
    ],
)
def test_a_rule_that_does_not_know_its_claims_goes_by_names(trip, fitted_on, seen):
    assert replace(LONG, fitted_on=fitted_on).was_fitted_on(trip) is seen


def test_what_is_no_rule_is_told(tmp_path):
    (tmp_path / "none.json").write_text("{}")
    with pytest.raises(FileError, match="memspan train writer"):
        system_of(str(tmp_path / "none.json"))


class Batches:
    """Writes down how claims come."""

    name = "batches"

    def __init__(self):
        """Have seen nothing."""
        self.seen = []

    def start(self):
        """Forget."""
        self.seen = []

    def observe(self, claims):
        """Write down their ids."""
        self.seen.append([claim.id for claim in claims])
        return [0.5] * len(claims)


@pytest.mark.parametrize(
    ("whole", "capacity", "seen"),
    [
        (True, None, [["c0", "c1", "c2", "c3"]]),
        (False, None, [["c0", "c1"], ["c2", "c3"]]),
        (False, 2, [["c0", "c1"], ["c2"], ["c3"]]),
        (True, 3, [["c0", "c1", "c2", "c3"]]),
    ],
)
def test_claims_come_by_session_or_as_a_whole_until_the_memory_is_full(trip, whole, capacity, seen):
    prior = Batches()
    memory = Writing(plain("static", prior), Likeness(), capacity, whole=whole)
    for claim in trip.claims:
        memory.observe(claim)
    memory.held()
    assert prior.seen == seen
