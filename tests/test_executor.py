"""Jobs in a pool: the same results as here, errors where they belong."""

import math

import pytest

from memspan.errors import ShapeError
from memspan.executor import Here, Pool, executor


def test_results_come_in_the_order_of_the_jobs_for_any_number_of_workers():
    jobs = [20_000, 1, 2_000, 3, 4, 9_000, 6, 7, 8, 9]  # of unlike length
    assert list(Pool(2).map(math.factorial, jobs)) == list(Here().map(math.factorial, jobs))


def test_an_error_is_raised_where_the_result_would_come():
    results = Pool(2).map(math.sqrt, [0, 1, 4, -1, *range(50)])
    assert [next(results) for _ in range(3)] == [0, 1, 2]
    with pytest.raises(ValueError, match="math domain"):
        next(results)


def test_one_worker_needs_no_pool():
    assert executor(1) == Here()


def test_a_pool_of_nobody_is_refused():
    with pytest.raises(ShapeError, match="at least 1"):
        Pool(0)
