"""One greedy solver in a process of its own: ``python peers.py NAME INSTANCE.npz PICKS RUNS``.

Prints one line of JSON with seconds of import, build and solve, and the value of its selection. Needs
numpy and the peer, not memspan, so that a peer may live in an environment of its own.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from measuring import clock

Arrays = dict[str, np.ndarray]
Result = dict[str, Any]
WIDTHS = ("int32", "int64")


def memspan(arrays: Arrays, picks: int, runs: int) -> Result:
    """Time `rank` to saturation and the floor in turns, for both widths of weights; *picks* has no use."""
    del picks
    started = time.perf_counter()
    from memspan.kernels.fast.greedy import rank, read_once

    ptr, queries = arrays["ptr"], arrays["queries"]
    weights = {kind: arrays["weights"].astype(kind) for kind in WIDTHS}
    for kind in WIDTHS:
        tiny = np.array([0, 1]), np.zeros(1, np.int32), np.ones(1, kind)
        rank(*tiny), read_once(*tiny)  # compiled, or read from the cache
    result: Result = {"import": time.perf_counter() - started, "build": 0.0}
    result |= {kind: {"floor": [], "solve": []} for kind in WIDTHS}
    for turn in range(runs):
        for kind, times in ((kind, result[kind]) for kind in WIDTHS):
            loaded = forget_peak() if not turn else None
            times["floor"].append(clock(lambda kind=kind: read_once(ptr, queries, weights[kind]))[0])
            seconds, (picked, values) = clock(lambda kind=kind: rank(ptr, queries, weights[kind]))
            times["solve"].append(seconds)
            if not turn:
                times |= {"mb_loaded": loaded, "mb_peak": memory_mb("VmHWM")}
    return result | {"picked": len(picked), "value": int(values[-1])}


def submodlib(arrays: Arrays, picks: int, runs: int) -> Result:
    """Time SetCoverFunction with LazyGreedy for *picks* picks."""
    started = time.perf_counter()
    from submodlib import SetCoverFunction

    imported = time.perf_counter() - started
    started = time.perf_counter()
    ptr, queries = arrays["ptr"].tolist(), arrays["queries"].tolist()
    function = SetCoverFunction(
        n=len(ptr) - 1,
        cover_set=[set(queries[a:b]) for a, b in pairwise(ptr)],
        num_concepts=len(arrays["weights"]),
        concept_weights=arrays["weights"].astype(float).tolist(),
    )
    built = time.perf_counter() - started
    solved = []
    for _ in range(runs):
        seconds, picked = clock(
            lambda: function.maximize(budget=picks, optimizer="LazyGreedy", show_progress=False)
        )
        solved.append(seconds)
    chosen = [e for e, _ in picked]
    return {"import": imported, "build": built, "solve": solved, **worth(arrays, chosen)}


def apricot(arrays: Arrays, picks: int, runs: int) -> Result:
    """Time MaxCoverageSelection, lazy, without what it spends on compiling in every fit."""
    started = time.perf_counter()
    from apricot import MaxCoverageSelection
    from scipy.sparse import csr_matrix

    imported = time.perf_counter() - started
    started = time.perf_counter()
    ptr, queries = arrays["ptr"].astype(np.int32), arrays["queries"]
    shape = (len(ptr) - 1, len(arrays["weights"]))
    rows = csr_matrix((np.ones(len(queries)), queries, ptr), shape=shape)
    built = time.perf_counter() - started
    few = rows[:50]
    compiling = min(clock(lambda: MaxCoverageSelection(2, optimizer="lazy").fit(few))[0] for _ in range(3))
    solved = []
    for _ in range(runs):
        seconds, model = clock(lambda: MaxCoverageSelection(picks, optimizer="lazy").fit(rows))
        solved.append(max(seconds - compiling, 1e-9))
    chosen = [int(e) for e in model.ranking]
    return {
        "import": imported,
        "build": built + compiling,
        "solve": solved,
        **worth(arrays, chosen),
    }


SOLVERS: dict[str, Callable[[Arrays, int, int], Result]] = {
    "memspan": memspan,
    "submodlib": submodlib,
    "apricot": apricot,
}


def worth(arrays: Arrays, chosen: list[int]) -> Result:
    """Count and weigh what the *chosen* claims answer: the same judge for all."""
    ptr, covered = arrays["ptr"], np.zeros(len(arrays["weights"]), np.bool_)
    for e in chosen:
        covered[arrays["queries"][ptr[e] : ptr[e + 1]]] = True
    return {"picked": len(chosen), "value": int(arrays["weights"][covered].sum())}


def forget_peak() -> float | None:
    """Let the peak start again from what is resident now, and return that; None where the system cannot."""
    try:
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    except OSError:
        return None
    return memory_mb("VmRSS")


def memory_mb(name: str) -> float | None:
    """Return an entry of the process's status: resident now (VmRSS) or at most (VmHWM).

    Not ``ru_maxrss``, which a child inherits from its parent.
    """
    status = Path("/proc/self/status")
    lines = status.read_text(encoding="ascii").splitlines() if status.exists() else []
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith(name)), None)


def main(name: str, instance: str, picks: str, runs: str) -> None:
    with np.load(instance) as stored:
        arrays = dict(stored)
    try:
        result = SOLVERS[name](arrays, int(picks), int(runs))
    except ImportError as missing:
        result = {"skipped": f"not installed ({missing})"}
    print(json.dumps(result))


if __name__ == "__main__":
    main(*sys.argv[1:])
