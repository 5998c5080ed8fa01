"""Level 0: the memory is what answers the query that comes."""

import numpy as np
import pytest

from asked_world import world
from memspan.answering.hybrid import Hybrid
from memspan.environments.bounds import optima
from memspan.environments.episode import Episode, Rules
from memspan.environments.orders import draw
from memspan.environments.playing import play
from memspan.environments.scene import scene
from memspan.material import Claim, Query
from memspan.policies.retrieval import Alike, Page, Retrieval
from memspan.ports import View


@pytest.mark.parametrize("reader", [Hybrid(), Alike()])
def test_a_memory_for_one_query_answers_more_than_the_best_for_all_of_them(reader):
    material, _ = world(1, claims=40, queries=14)
    whole = scene(material, arriving="whole")
    schedule = draw(whole, "uniform", np.random.default_rng(0), steps=20)
    played = play(Retrieval(reader), Episode(whole, schedule, 3, Rules(foretold=True)))
    assert np.nanmean(played.collected) > 0.8 > optima(whole, schedule, 3).upper.max()


def test_it_reads_claims_as_they_come():
    page = Page(Alike())
    page.add([Claim("a", "Rui cooks.")])
    assert page.chances(Query("", "Where does Ana live?")).shape == (1,)
    page.add([Claim("b", "Ana lives in Porto.")])
    assert page.chances(Query("", "Where does Ana live?")).argmax() == 1


def test_where_nothing_is_foretold_all_claims_are_alike():
    policy = Retrieval(Alike())
    policy.start(0)
    policy.observe([Claim("a", "x"), Claim("b", "y")])
    now = np.zeros(2, bool)
    assert policy.score(View(now, ~now, now, np.ones(2), 1)).tolist() == [0, 0]
