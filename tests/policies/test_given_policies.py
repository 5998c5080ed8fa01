"""What a user brings as a write policy: what is taken, what is refused, and how it is told."""

# ruff: noqa: D101, D102, D107, ARG002 - small policies, whose methods are the protocol's

import numpy as np
import pytest

from memspan.environments.episode import Episode, Rules
from memspan.environments.orders import draw
from memspan.environments.playing import play
from memspan.environments.scene import scene
from memspan.errors import ContractError, UnknownName
from memspan.policies.even import Even
from memspan.policies.given import policies_of
from memspan.policies.named import POLICIES
from replays import diary

DISCLOSURES = ("outcome", "text", "hits", "supports")


class Numbers:
    """Holds claims with numbers.

    More of it.
    """

    def __init__(self, weight=1.0):
        self.weight = weight
        self.start(0)

    def start(self, seed):
        self.counts = []

    def observe(self, claims):
        self.counts += [sum(sign.isdigit() for sign in claim.text) for claim in claims]

    def score(self, view):
        return self.weight * np.array(self.counts, np.float64)

    def settle(self, outcome):
        pass


def judged(prior):
    made = Numbers()
    made.name = f"numbers by {prior.name}"
    return made


class Short(Numbers):
    def score(self, view):
        return np.zeros(1)


class NotNumbers(Numbers):
    def score(self, view):
        return np.full(len(view.costs), np.nan)


class Needy(Numbers):
    def __init__(self, weight):
        super().__init__(weight)


def lived(kind):
    laid = scene(diary("ana"))
    schedule = draw(laid, "zipf", np.random.default_rng(0))
    return play(kind.make(Even()), Episode(laid, schedule, 3, Rules("full")))


@pytest.mark.parametrize("given", [Numbers, Numbers(2.0), lambda: Numbers(3.0), judged])
def test_classes_objects_and_functions_are_policies(given):
    (kind,) = policies_of(given)
    assert kind.name == ("numbers by even" if given is judged else "Numbers")
    assert kind.told == "Holds claims with numbers."
    assert kind.judged is (given is judged)
    assert lived(kind).memory.sum() == 3


def test_each_episode_of_an_object_begins_as_it_was():
    mine = Numbers()
    lived(*policies_of(mine))
    assert mine.counts == []


@pytest.mark.parametrize(
    ("given", "error", "said"),
    [
        ("lfuu", UnknownName, "did you mean lfu"),
        ("statistics:men", UnknownName, "did you mean mean"),
        (3, ContractError, "int 3 is no write policy; give a name"),
        (Needy, ContractError, "Needy needs weight; give defaults"),
        (dict, ContractError, "no method start, observe, score, settle"),
        (type("Half", (), {"score": print})(), ContractError, "which has no start, observe, settle"),
    ],
)
def test_what_is_no_policy_is_told_what_would_be(given, error, said):
    with pytest.raises(error, match=said):
        policies_of(given)


@pytest.mark.parametrize("broken", [Short, NotNumbers])
def test_what_are_no_scores_is_told_with_what_they_should_be(broken):
    with pytest.raises(ContractError, match=r"score gave .*; give 6 numbers"):
        lived(*policies_of(broken))


@pytest.mark.parametrize("kind", POLICIES, ids=lambda kind: kind.name)
def test_a_policy_learns_from_just_the_disclosures_it_names(kind):
    for disclosure in DISCLOSURES:
        first, *others = (scored(kind, disclosure, seed) for seed in range(3))
        unlike = any(not np.array_equal(first, each) for each in others)
        assert unlike is (disclosure in kind.learns), disclosure


class Rising:
    """A prior that thinks more of each claim than of the one before: only what was used can stay."""

    name = "rising"

    def start(self):
        self.seen = 0

    def observe(self, claims):
        self.seen += len(claims)
        return (1.0 + np.arange(self.seen - len(claims), self.seen)) / 100


def scored(kind, disclosure, seed):
    """Return the scores at each write; other questions are asked with another seed."""
    laid = scene(diary("ana"))
    schedule = draw(laid, "uniform", np.random.default_rng(seed))
    episode = Episode(laid, schedule, 6, Rules("stream", disclosure=disclosure))
    policy, scores = kind.make(Rising()), []
    policy.start(0)
    while not episode.done:
        if fresh := episode.appeared():
            policy.observe(fresh)
        scores.append(policy.score(episode.view()).copy())
        episode.write(scores[-1])
        policy.settle(episode.ask())
    return np.concatenate(scores)
