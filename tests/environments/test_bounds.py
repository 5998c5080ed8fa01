"""No policy exceeds the bound, and one that knows everything reaches it."""

from itertools import combinations

import numpy as np
import pytest

import memspan as ms
from memspan.coverage import covered
from memspan.environments.bounds import optima
from memspan.environments.episode import Episode, Rules
from memspan.environments.orders import draw
from memspan.environments.playing import play
from memspan.environments.scene import scene
from memspan.policies.plain import NAMES, plain


def best_mass(coverage, law, capacity):
    """Try every memory."""
    found = 0.0
    for chosen in combinations(range(coverage.n_claims), capacity):
        memory = np.zeros(coverage.n_claims, bool)
        memory[list(chosen)] = True
        found = max(found, float(law[covered(coverage, memory)].sum()))
    return found


@pytest.mark.parametrize("order", ["iid", "uniform", "zipf", "mix"])
@pytest.mark.parametrize("arriving", ["whole", "sessions"])
def test_the_bound_is_the_best_memory_under_each_law(order, arriving):
    trip = scene(ms.bundled("odyssey"), arriving=arriving)
    schedule = draw(trip, order, np.random.default_rng(0))
    found = optima(trip, schedule, 2)
    for t, stage in enumerate(schedule.stage.tolist()):
        if schedule.query[t] >= 0:
            best = best_mass(trip.coverage, schedule.laws[stage], 2)
            assert found.upper[t] == pytest.approx(best, abs=1e-5)
            assert found.lower[t] <= found.upper[t]


@pytest.mark.parametrize("order", ["iid", "zipf", "mix", "once"])
@pytest.mark.parametrize("name", NAMES)
def test_no_plain_policy_expects_more_than_the_bound(order, name):
    trip = scene(ms.bundled("odyssey"))
    schedule = draw(trip, order, np.random.default_rng(1))
    bound = optima(trip, schedule, 2, lost=True)
    played = play(plain(name), Episode(trip, schedule, 2, Rules("stream")))
    assert np.nansum(played.expected) <= bound.total + 1e-9
