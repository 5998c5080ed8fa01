"""Many like jobs on one machine: here, one after the other, or in a pool of processes."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from typing import TypeVar

from memspan.errors import ShapeError
from memspan.ports import Executor

Job = TypeVar("Job")
Done = TypeVar("Done")

AHEAD = 4  # jobs handed out per worker before their results are taken: bounds what waits in memory


@dataclass(frozen=True)
class Here:
    """Runs jobs in this process; implements `memspan.ports.Executor`.

    >>> list(Here().map(abs, [-1, -2]))
    [1, 2]
    """

    def map(self, function: Callable[[Job], Done], jobs: Iterable[Job]) -> Iterator[Done]:
        """Yield ``function(job)`` for each of *jobs*, when it is asked for."""
        return map(function, jobs)


@dataclass(frozen=True)
class Pool:
    """Runs jobs in *workers* processes; implements `memspan.ports.Executor`.

    Results come in the order of the jobs, so that they do not depend on the number of workers. An
    error in a job is raised where its result would come; jobs not begun are then given up, as they
    are when the caller stops asking or is interrupted.

    Raises:
        ShapeError: fewer than one worker.
    """

    workers: int

    def __post_init__(self) -> None:
        """Refuse a pool of nobody."""
        if self.workers < 1:
            raise ShapeError(f"workers is {self.workers}; give at least 1")

    def map(self, function: Callable[[Job], Done], jobs: Iterable[Job]) -> Iterator[Done]:
        """Yield ``function(job)`` for each of *jobs*, in their order."""
        # Processes are started anew, not forked: a fork copies locks of threads it does not copy.
        fresh = multiprocessing.get_context("spawn")
        pool = ProcessPoolExecutor(self.workers, mp_context=fresh, initializer=_begin)
        waiting: list[Future[Done]] = []
        try:
            for job in jobs:
                waiting.append(pool.submit(function, job))
                if len(waiting) >= self.workers * AHEAD:
                    yield waiting.pop(0).result()
            while waiting:
                yield waiting.pop(0).result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def executor(workers: int | None = None) -> Executor:
    """Return what runs jobs in *workers* processes; as many as this process may use cores where None.

    >>> executor(1)
    Here()
    """
    count = cores() if workers is None else workers
    return Here() if count == 1 else Pool(count)


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _begin() -> None:
    """Keep numerical libraries from starting threads of their own: the pool has the cores already."""
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"):
        os.environ.setdefault(name, "1")
