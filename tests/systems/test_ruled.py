"""A learned write rule stands under the frontier like any other system."""



import pytest

import memspan as ms
from memspan.answering.linear import Linear
from memspan.errors import FileError
from memspan.policies import Likeness, Writing
from memspan.policies.plain import plain
from memspan.policies.writer import WriterRule
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
