"""Level 1a: the oracle reaches the bound, and no regret is left."""

import numpy as np
import pytest

import memspan as ms
from memspan.environments.bounds import optima
from memspan.environments.episode import Episode, Rules
from memspan.environments.orders import draw
from memspan.environments.playing import play
from memspan.environments.scene import scene
from memspan.policies.optimal import Optimal


@pytest.mark.parametrize("name", ["odyssey", "odyssey-composites"])
@pytest.mark.parametrize("capacity", [0, 2, 4])
@pytest.mark.parametrize("order", ["iid", "uniform", "zipf"])
@pytest.mark.parametrize("cost", ["claims", "tokens"])
def test_an_oracle_has_no_regret(name, capacity, order, cost):
    trip = scene(ms.bundled(name), arriving="whole", cost=cost)
    size = capacity * (1 if cost == "claims" else 8)
    schedule = draw(trip, order, np.random.default_rng(0), steps=4)
    bound = optima(trip, schedule, size)
    played = play(Optimal(trip.material, schedule.laws[0]), Episode(trip, schedule, size))
    assert np.nansum(played.expected) == pytest.approx(bound.total, abs=1e-5)


def test_of_what_was_let_go_nothing_is_held():
    trip = scene(ms.bundled("odyssey"))
    schedule = draw(trip, "uniform", np.random.default_rng(0), per_batch=1)
    policy, episode = Optimal(trip.material), Episode(trip, schedule, 2, Rules("stream"))
    while not episode.done:
        view = episode.view()
        scores = policy.score(view)
        assert not scores[~view.open].any()
        episode.write(scores)
        episode.ask()
