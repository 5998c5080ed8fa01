"""Personalised PageRank: the quick way against the plain one."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_matrix

from memspan.systems.pagerank import PageRank


def plain_ranks(weights, seeds, damping):
    """Walk until nothing moves: a node without edges sends the walk back to where it starts."""
    start = seeds / seeds.sum()
    degree = weights.sum(axis=1)
    ranks = start
    for _ in range(100):
        moving = np.where(degree > 0, ranks / np.where(degree > 0, degree, 1), 0)
        stranded = ranks[degree == 0].sum()
        ranks = damping * (weights @ moving + stranded * start) + (1 - damping) * start
    return ranks


@given(st.integers(1, 12), st.integers(0, 10**6), st.sampled_from([0.3, 0.5, 0.7]))
def test_ranks_are_those_of_a_plain_walk(count, seed, damping):
    rng = np.random.default_rng(seed)
    upper = np.triu(rng.random((count, count)) * (rng.random((count, count)) < 0.3), 1)
    weights, seeds = upper + upper.T, rng.random(count) * (rng.random(count) < 0.7)
    seeds[0] += 0.1
    ranks = PageRank.of(csr_matrix(weights), damping).ranks(seeds)
    assert np.abs(ranks - plain_ranks(weights, seeds, damping)).max() < 1e-8
    assert abs(ranks.sum() - 1) < 1e-12


def test_a_walk_that_may_start_nowhere_is_nowhere():
    assert PageRank.of(csr_matrix((2, 2)), 0.5).ranks(np.zeros(2)).tolist() == [0, 0]


def test_a_graph_of_nothing_has_no_ranks():
    assert PageRank.of(csr_matrix((0, 0)), 0.5).ranks(np.zeros(0)).tolist() == []
