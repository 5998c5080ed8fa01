"""Learned swap on real conversations, session by session, with what was let go lost; nothing looks ahead."""

# ruff: noqa: D102, D107 - the methods are the protocol's

import numpy as np
import pytest

import memspan as ms
from memspan.environments.bounds import optima
from memspan.environments.episode import Episode, Rules
from memspan.environments.orders import draw
from memspan.environments.playing import play
from memspan.environments.scene import scene
from memspan.learning.writer import left_out, sheet, train_writer
from memspan.policies.gamma import GammaPoisson
from memspan.policies.plain import plain
from memspan.testing import Setting, looks_ahead


class Judged:
    """A prior whose judgements were made before."""

    name = "others"

    def __init__(self, chances):
        self.chances, self.seen = chances, 0

    def start(self):
        self.seen = 0

    def observe(self, claims):
        self.seen += len(claims)
        return self.chances[self.seen - len(claims) : self.seen]


@pytest.fixture(scope="module")
def talks(data):
    return ms.load(data / "locomo" / "locomo10_dev.json")


def shares(material, *policies):
    """Return for each the mean over sessions of what is covered, as a share of the best memory of 10 %."""
    laid, capacity = scene(material), round(0.1 * len(material.claims))
    schedule = draw(laid, "uniform", np.random.default_rng(0), per_batch=1)
    upper = optima(laid, schedule, capacity).upper
    rules = Rules("stream", disclosure="outcome")
    lives = [play(policy, Episode(laid, schedule, capacity, rules)) for policy in policies]
    return [np.nanmean(life.expected / upper) for life in lives]


@pytest.mark.slow
def test_learned_swap_keeps_two_thirds_of_what_could_be_kept_and_twice_what_plain_ways_keep(talks):
    chances = left_out([sheet(talk, batches="sessions") for talk in talks])
    found = [
        shares(talk, plain("static", Judged(each)), plain("fifo"))
        for talk, each in zip(talks, chances, strict=True)
    ]
    learned, newest = np.mean(found, axis=0)
    assert learned >= 0.65
    assert learned >= 2 * newest


@pytest.fixture(scope="module")
def rule(talks):
    return train_writer(talks[1:3], batches="sessions", measured=False)


@pytest.mark.parametrize("make", [lambda prior: plain("static", prior), GammaPoisson], ids=["swap", "gamma"])
def test_a_policy_with_a_learned_prior_does_not_look_ahead(talks, rule, make):
    assert looks_ahead(lambda _: make(rule.prior()), talks[0], Setting(37), cuts=2) is None


def test_traits_of_a_whole_conversation_would_look_ahead(talks, rule):
    made = looks_ahead(
        lambda material: plain("static", Judged(rule.prior().observe(material.claims))), talks[0], Setting(37)
    )
    assert made is not None
