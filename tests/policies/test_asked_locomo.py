"""On real conversations: what is learned of queries, by what is disclosed of them."""

import numpy as np
import pytest

import memspan as ms
from asked_world import Told
from memspan.answering.hybrid import Hybrid
from memspan.environments.bounds import optima
from memspan.environments.episode import Episode, Rules
from memspan.environments.orders import draw
from memspan.environments.playing import play
from memspan.environments.scene import scene
from memspan.learning.writer import sheet, train_writer
from memspan.policies.attributed import Attributed
from memspan.policies.dirichlet import Dirichlet
from memspan.policies.plain import plain


@pytest.fixture(scope="module")
def place(data):
    pytest.importorskip("sklearn")
    talks = ms.load(data / "locomo" / "locomo10_dev.json")[:2]
    rule = train_writer(talks[1:], measured=False)
    return scene(talks[0], arriving="whole"), Told(rule.chances(sheet(talks[0]).table))


def test_each_disclosure_is_worth_more_than_the_one_before(place):
    whole, prior = place
    capacity = round(0.1 * len(whole.costs))
    schedule = draw(whole, "zipf", np.random.default_rng(0), steps=80)
    bound = optima(whole, schedule, capacity).total
    shares = [
        np.nansum(play(policy, Episode(whole, schedule, capacity, rules)).expected) / bound
        for policy, rules in (
            (plain("static", prior), Rules(disclosure="outcome")),
            (Attributed(prior, Hybrid()), Rules(disclosure="text")),
            (Dirichlet(prior), Rules(disclosure="supports")),
        )
    ]
    assert shares == sorted(shares)
    assert shares[2] > shares[0] + 0.1
