"""Every compiled kernel does what its plain twin does."""

import numpy as np
import pytest

from instances import random_problem
from memspan.coverage.arrays import offsets
from memspan.kernels.fast import flow as fast_flow
from memspan.kernels.fast import greedy as fast_greedy
from memspan.kernels.fast import polish as fast_polish
from memspan.kernels.plain import flow as plain_flow
from memspan.kernels.plain import greedy as plain_greedy
from memspan.kernels.plain import polish as plain_polish
from memspan.optimum.presolve import presolve


def rows(rng, count, columns, most):
    """Return random rows of distinct columns in compressed form."""
    own = [np.unique(rng.integers(0, columns, rng.integers(1, most + 1))) for _ in range(count)]
    return offsets(len(row) for row in own), np.concatenate(own)


@pytest.mark.parametrize("seed", range(200))
def test_both_flows_send_as_much_and_cut_at_the_same_place(seed):
    rng = np.random.default_rng(seed)
    queries, items = rng.integers(1, 9, 2)
    ptr, members = rows(rng, queries, items, 4)
    entries = (offsets(np.bincount(members, minlength=items)), np.argsort(members, kind="stable"))
    supply, room = rng.integers(0, 20, queries), rng.integers(0, 20, items)
    sent, short_queries, short_items = fast_flow.saturate(ptr, members, *entries, supply, room)
    plain_sent, plain_queries, plain_items = plain_flow.saturate(ptr, members, *entries, supply, room)
    assert sent.sum() == sum(plain_sent)
    assert (np.bincount(members, sent, minlength=items) <= room).all()
    np.testing.assert_array_equal(short_queries, plain_queries)
    np.testing.assert_array_equal(short_items, plain_items)


@pytest.mark.parametrize("seed", range(60))
def test_both_greedy_orders_are_the_same(seed):
    rng = np.random.default_rng(seed)
    claims, queries = int(rng.integers(1, 300)), int(rng.integers(1, 120))
    ptr, members = rows(rng, claims, queries, 300 if seed % 5 == 0 else 9)
    weights = rng.integers(1, 1 + 10 ** int(rng.integers(1, 7)), queries)
    kind = np.int32 if seed % 2 else np.int64
    order, values = fast_greedy.rank(ptr, members.astype(np.int32), weights.astype(kind))
    plain_order, plain_values = plain_greedy.rank(ptr, members.astype(np.int32), weights)
    np.testing.assert_array_equal(order, plain_order)
    np.testing.assert_array_equal(values, plain_values)


@pytest.mark.parametrize("seed", range(30))
def test_both_polishings_take_the_same_steps(seed):
    rng = np.random.default_rng(seed)
    for part in presolve(random_problem(30, 20, seed, alternatives=3, weights="power")).parts:
        start = rng.random(len(part.costs)) < 0.5
        floor = int(rng.integers(0, part.capacity + 1))
        cap = int(rng.integers(floor, part.capacity + 1))
        a = part.arrays
        arrays = (
            a.ptr,
            a.item_ptr,
            a.item_supports,
            a.owner,
            a.weights,
            a.costs,
            a.bundle_ptr,
            a.bundle_members,
        )
        fast = fast_polish.polish(start, floor, cap, *arrays)
        plain = plain_polish.polish(start, floor, cap, *arrays)
        for ours, theirs in zip(fast, plain, strict=True):
            np.testing.assert_array_equal(ours, theirs)
