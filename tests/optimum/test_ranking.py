"""Large materials of single supports: a greedy order, bounds that hold, and a checker that replays both."""

from dataclasses import replace

import numpy as np
import pytest

import memspan as ms
from instances import material_of, random_problem
from memspan.optimum import ranking
from memspan.optimum.enumeration import enumerate_problem


@pytest.fixture
def _large_from_one(monkeypatch):
    """Let every decomposable material count as large."""
    monkeypatch.setattr(ranking, "LARGE", 1)


def decomposable(claims, queries, seed):
    """Return a problem whose supports are single claims."""
    return random_problem(claims, queries, seed, alternatives=4, sizes=(1.0,), weights="power")


@pytest.mark.usefixtures("_large_from_one")
@pytest.mark.parametrize("seed", range(20))
def test_the_bounds_hold_the_best_of_all_memories(seed):
    problem = decomposable(10, 12, seed)
    best, _ = enumerate_problem(problem)
    frontier = ms.frontier(material_of(problem), seconds=1.0)
    assert isinstance(frontier.solution, ranking.Ranking)
    assert (frontier.lower_weight <= best).all()
    assert (frontier.upper_weight >= best).all()
    assert ms.verify(frontier, material_of(problem)).faults == ()


@pytest.mark.usefixtures("_large_from_one")
def test_steps_close_most_of_the_gap():
    material = material_of(decomposable(400, 300, 1))
    quick, slow = ms.frontier(material, seconds=0.0), ms.frontier(material, seconds=5.0)
    gaps = [(f.upper_weight - f.lower_weight).sum() for f in (quick, slow)]
    assert gaps[1] < 0.5 * gaps[0]
    assert slow.memory(0) == ()
    assert len(slow.memory(5)) == 5


@pytest.mark.usefixtures("_large_from_one")
def test_a_false_claim_is_left_out_of_the_precision_frontier():
    noisy = ms.bundled("odyssey-noise")
    assert "e0" not in ms.frontier(noisy, utility="precision").memory(3)
    assert "e0" in ms.frontier(noisy).memory(3)


def tamper_order(frontier):
    order = frontier.solution.order[::-1].copy()
    return replace(frontier, solution=replace(frontier.solution, order=order))


def tamper_shares(frontier):
    shares = tuple(np.zeros_like(s) for s in frontier.solution.shares)
    return replace(frontier, solution=replace(frontier.solution, shares=shares))


def tamper_baseline(frontier):
    return replace(frontier, baseline_weight=frontier.baseline_weight - 1)


@pytest.mark.usefixtures("_large_from_one")
@pytest.mark.parametrize("tamper", [tamper_order, tamper_shares, tamper_baseline])
def test_a_tampered_ranking_does_not_verify(tamper):
    frontier = ms.frontier(material_of(decomposable(60, 40, 2)), seconds=1.0)
    assert ms.verify(frontier).ok
    assert not ms.verify(tamper(frontier)).ok
