"""Many like jobs on one machine: here, one after the other, or in a pool of processes."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.process import BaseProcess
from typing import TypeVar

from memspan.errors import MemspanError, ShapeError
from memspan.ports import Executor

Job = TypeVar("Job")
Done = TypeVar("Done")

AHEAD = 4  # jobs handed out per worker before their results are taken: bounds what waits in memory
_LOOKS = 0.5  # seconds between two looks at whether the parent still lives
_KILLED = (
    "a worker process was killed, perhaps for want of memory; run again with fewer workers, e.g. --workers 1"
    " (in a script of your own, start it below: if __name__ == '__main__')"
)


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
    error in a job is raised where its result would come. Then, and when the caller stops asking or is
    interrupted, the workers are ended at once, with what they are doing; when the caller's process
    is killed, they end by themselves.

    Raises:
        ShapeError: fewer than one worker.
        MemspanError: a worker was killed.
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
        except BrokenProcessPool as error:
            raise MemspanError(_KILLED) from error
        except BaseException:
            _end(pool)
            raise
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


def _end(pool: ProcessPoolExecutor) -> None:
    """End the workers of *pool*, whatever they are doing: without this the exit waits for their jobs."""
    # Python 3.14 has a public way, kill_workers; before, the processes are known to the pool alone.
    workers: dict[int, BaseProcess] = getattr(pool, "_processes", None) or {}
    for worker in list(workers.values()):
        with suppress(ValueError, OSError):  # it has ended already
            worker.kill()


def _begin() -> None:
    """Make a worker that starts no threads for numbers, leaves Ctrl-C to its parent, and ends with it."""
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"):
        os.environ.setdefault(name, "1")  # the pool has the cores already
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """End this process, in the midst of a job too, when the one that started it is gone."""
    parent = multiprocessing.parent_process()
    # Two signs, since either can fail: Windows never changes the number, and a fork of the parent
    # holds open what the other sign waits for.
    while parent is not None and os.getppid() == parent.pid and parent.is_alive():
        time.sleep(_LOOKS)
    os._exit(1)
