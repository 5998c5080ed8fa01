"""Jobs in a pool: the same results as here, errors where they belong."""

import math
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from memspan.errors import MemspanError, ShapeError
from memspan.executor import Here, Pool, executor

PATIENCE = 40  # seconds that a busy machine may take for what takes one
PARENT = """
import sys
from test_executor import busy
from memspan.executor import Pool
if __name__ == "__main__":
    list(Pool(2).map(busy, [sys.argv[1]] * 2))
"""


def busy(folder):
    """Tell of this process by a file, and work longer than anyone waits."""
    Path(folder, str(os.getpid())).touch()
    time.sleep(600)


def until(true):
    """Tell whether *true* comes true in time."""
    end = time.monotonic() + PATIENCE
    while not true() and time.monotonic() < end:
        time.sleep(0.05)
    return true()


def alive(number):
    """Tell whether a process lives: one that waits for its parent to look has ended."""
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{number}/stat")
    return not status.exists() or status.read_text().rpartition(")")[2].split()[0] != "Z"


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_no_worker_outlives_its_caller(tmp_path, sent):
    script, told = tmp_path / "parent.py", tmp_path / "told"
    script.write_text(PARENT)
    told.mkdir()
    path = os.pathsep.join([str(Path(__file__).parent), *sys.path])
    command, env = [sys.executable, str(script), str(told)], os.environ | {"PYTHONPATH": path}
    with subprocess.Popen(command, env=env, stderr=subprocess.DEVNULL) as parent:
        assert until(lambda: len(list(told.iterdir())) == 2)
        parent.send_signal(sent)
        parent.wait(PATIENCE)
    workers = [int(each.name) for each in told.iterdir()]
    assert until(lambda: not any(map(alive, workers)))


def test_workers_end_when_a_job_cannot_be_told():
    def jobs():
        yield 600
        assert until(multiprocessing.active_children)
        raise LookupError

    with pytest.raises(LookupError):
        next(Pool(1).map(time.sleep, jobs()))
    assert until(lambda: not multiprocessing.active_children())


def test_a_worker_that_is_killed_is_told_with_what_to_do():
    with pytest.raises(MemspanError, match="was killed, perhaps for want of memory; run again with fewer"):
        list(Pool(2).map(os._exit, range(3)))


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
