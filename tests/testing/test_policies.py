"""check_policy tells every broken policy, with a counterexample that a person can read."""

# ruff: noqa: D102, ARG002 - their methods are the protocol's

import hashlib

import numpy as np
import pytest

import broken_policies as broken
import memspan as ms
from broken_policies import Newest
from memspan.coverage import compile_material
from memspan.errors import ShapeError
from memspan.material import Claim
from memspan.policies.gamma import GammaPoisson
from memspan.policies.greedy import Greedy
from memspan.policies.named import POLICIES
from memspan.policies.plain import plain
from memspan.policies.preemption import Preemption
from memspan.policies.sieve import Sieve
from memspan.policies.threshold import Threshold
from memspan.policies.worth import Chances, Covering
from memspan.testing import Setting, check_policy, looks_ahead

BROKEN = [
    (broken.ScoresTheLastBatch, "answers", 2),
    (broken.ScoresWholeNumbers, "answers", 1),
    (broken.ScoresInLists, "answers", 1),
    (broken.DividesByTheCapacity, "answers", 1),
    (broken.DividesByTheCost, "odd claims", 1),
    (broken.InfinitelyFond, "answers", 1),
    (broken.HasNoName, "answers", 1),
    (broken.StumblesOnEmptyText, "odd claims", 1),
    (broken.TicksOffTheView, "leaves what it sees alone", 1),
    (broken.MarksClaims, "leaves what it sees alone", 1),
    (broken.GivesItsOwnArray, "keeps its scores to itself", 1),
    (broken.ThrowsDice, "same seed, same scores", 1),
    (broken.NeverForgets, "starts anew", 2),
    (broken.RemembersTexts, "starts anew", 2),
    (broken.BelievesTheTruth, "blind to truth", 2),
    (broken.GoesById, "blind to ids", 2),
    (broken.ReadsAhead, "does not look ahead", 2),
    (broken.KnowsTheExam, "does not look ahead", 3),
    (broken.NeedsToBeTold, "answers", 1),
    (broken.NeedsAQuestion, "answers", 1),
    (broken.StumblesOnNothingUsed, "answers", 4),
    (broken.SettlesWhatItSaw, "takes any outcome", 1),
]


class Words:
    """A prior that gives each text a chance of its own, by nothing but its words."""

    name = "words"

    def start(self):
        pass

    def observe(self, claims):
        marks = [hashlib.sha256(claim.text.encode()).digest() for claim in claims]
        return np.array([(1 + int.from_bytes(mark[:4])) / 2**33 for mark in marks], np.float64)


def covering(material):
    return Covering(compile_material(material))


ORDER_FREE = {
    "static": lambda _: plain("static", Words()),
    "lru with a prior": lambda _: plain("lru", Words()),
    "lfu with a prior": lambda _: plain("lfu", Words()),
    "gamma": lambda _: GammaPoisson(Words()),
    "greedy": lambda _: Greedy(Chances(Words())),
    "swap": lambda _: Preemption(Chances(Words()), 0.0),
}
OTHERS = {
    **{kind.name: lambda _, kind=kind: kind.make(Words()) for kind in POLICIES},
    "sieve": lambda _: Sieve(Chances(Words())),
    "preemption": lambda _: Preemption(Chances(Words())),
    "threshold": lambda _: Threshold(Chances(Words()), 0.2),
}
ORACLES = {
    "sieve": lambda material: Sieve(covering(material)),
    "preemption": lambda material: Preemption(covering(material)),
    "greedy": lambda material: Greedy(covering(material), covering(material).supports),
}


@pytest.mark.parametrize(("make", "law", "most"), BROKEN, ids=[f"{b[1]}: {b[0].__name__}" for b in BROKEN])
def test_a_broken_policy_is_told_with_a_small_counterexample(make, law, most):
    report = check_policy(make, examples=1)
    found = {each.law: each for each in report.broken}
    assert not report.ok
    assert law in found, report
    assert len(found[law].claims) <= most
    assert found[law].expected in str(report)
    assert found[law].seen in str(report)


def test_a_policy_that_does_its_work_keeps_every_law():
    report = check_policy(Newest, examples=1)
    assert report.ok, report
    assert report.policy == "newest"
    assert [name for name, found in report.traits.items() if found is None] == ["scoring changes nothing"]
    assert "not order-free" in str(report)


class OwnPolicy(Newest):
    """One that takes nothing, or a number of its own."""

    def __init__(self, often=1000.0):  # noqa: D107 - says nothing beyond its class
        super().__init__()
        self.often = often


@pytest.mark.parametrize("given", [OwnPolicy, OwnPolicy(2.0), lambda: OwnPolicy(3.0)])
def test_a_policy_is_tried_as_an_object_a_class_or_what_makes_it(given):
    report = check_policy(given, examples=1)
    assert report.ok, report
    assert report.policy == "newest"


@pytest.mark.parametrize("name", ORDER_FREE)
def test_policies_that_go_by_worth_keep_every_law_and_a_permuted_material_gets_the_permuted_action(name):
    report = check_policy(ORDER_FREE[name], examples=2)
    assert report.ok, report
    assert report.traits["order-free"] is None, report.traits["order-free"]


@pytest.mark.parametrize("name", OTHERS)
def test_a_policy_that_can_be_named_and_those_of_streams_keep_every_law(name):
    report = check_policy(OTHERS[name], examples=1)
    assert report.ok, report


@pytest.mark.parametrize("name", ORACLES)
def test_an_oracle_keeps_every_law_but_that_it_knows_what_comes(name):
    report = check_policy(ORACLES[name], examples=1)
    assert {each.law for each in report.broken} <= {"does not look ahead"}, report


def test_the_same_check_gives_the_same_report():
    one, other = (check_policy(broken.GoesById, examples=2) for _ in range(2))
    assert one == other
    assert str(one) == str(other)


def test_given_claims_are_tried_whole_and_in_parts():
    class StumblesLate(Newest):
        def observe(self, claims):
            super().observe(claims)
            if any(claim.id == "late" for claim in claims):
                raise RuntimeError("too late")

    given = [*(Claim(f"g{i}", f"statement {i}") for i in range(12)), Claim("late", "end")]
    report = check_policy(StumblesLate, given, examples=2)
    found = {each.law: each for each in report.broken}["answers"]
    assert [claim.id for claim in found.claims] == ["late"]
    assert "RuntimeError: too late" in str(report)


def test_interruptions_are_not_swallowed():
    class Interrupted(Newest):
        def score(self, view):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        check_policy(Interrupted)


def test_foresight_is_told_with_the_claim_and_the_place():
    found = looks_ahead(broken.ReadsAhead, ms.bundled("odyssey"))
    assert found is not None
    assert found.without > found.given, "the more words there are, the less each counts"
    assert looks_ahead(Newest, ms.bundled("odyssey")) is None


def test_foresight_needs_something_that_comes_later():
    with pytest.raises(ShapeError, match="one batch"):
        looks_ahead(Newest, ms.bundled("odyssey"), Setting(arriving="whole"))
