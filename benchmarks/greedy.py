"""Greedy coverage: memspan's kernel against reading the instance once, and against its peers."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from instances import Incidence, weighted_coverage
from measuring import Section, Timing, timing
from peers import WIDTHS

PEERS = Path(__file__).with_name("peers.py")
OWN = Path(__file__).parent.parent / "build" / "peers" / "bin" / "python"


@dataclass(frozen=True)
class Floor:
    """The kernel against its floor."""

    claims: int
    nonzeros: int
    weights: str
    picked: int
    read_once_s: Timing
    rank_s: Timing
    times_floor: float
    mb_loaded: float | None
    mb_peak: float | None


@dataclass(frozen=True)
class Peer:
    """A peer against the kernel, on the same instance and for as many picks."""

    claims: int
    peer: str
    picked: int | None
    rank_s: Timing | None
    solve_s: Timing | None
    times_solve: float | None
    build_s: float | None
    times_with_build: float | None
    import_s: float | None
    times_with_import: float | None
    rank_import_s: float | None
    times_both_import: float | None
    percent_of_value: float | None
    note: str


@dataclass(frozen=True)
class Plan:
    """How much is run: claims of each instance, runs of each solver, and where peers stop."""

    sizes: Sequence[int]
    runs: int
    timeout: float
    apricot: int
    python: Path


def peers_python(named: str | None) -> Path:
    """Return the interpreter of the peers: the one *named*, that in ``build/peers``, or this one."""
    return Path(named) if named else OWN if OWN.exists() else Path(sys.executable)


def sections(plan: Plan) -> list[Section]:
    """Measure everything in *plan*."""
    with TemporaryDirectory() as folder:
        at = Path(folder) / "instance.npz"
        floors, peers = [], []
        for claims in plan.sizes:
            instance = weighted_coverage(claims)
            np.savez(at, **vars(instance))
            floors += _floors(at, instance, plan)
            peers.append(_against("submodlib", at, claims, plan))
        np.savez(at, **vars(weighted_coverage(plan.apricot).unweighted()))
        peers.append(_against("apricot", at, plan.apricot, plan))
    return [
        Section("floor", "rank to saturation against reading every nonzero once", tuple(floors)),
        Section("greedy", "peers against rank; apricot without weights", tuple(peers)),
    ]


def _floors(at: Path, instance: Incidence, plan: Plan) -> Iterator[Floor]:
    found = _kernel(at, plan)
    for kind in WIDTHS:
        measured = found[kind]
        pairs = zip(measured["solve"], measured["floor"], strict=True)
        yield Floor(
            claims=len(instance.ptr) - 1,
            nonzeros=len(instance.queries),
            weights=kind,
            picked=found["picked"],
            read_once_s=timing(measured["floor"]),
            rank_s=timing(measured["solve"]),
            times_floor=statistics.median(solve / floor for solve, floor in pairs),
            mb_loaded=measured["mb_loaded"],
            mb_peak=measured["mb_peak"],
        )


def _kernel(at: Path, plan: Plan) -> dict[str, Any]:
    found = _run(Path(sys.executable), "memspan", at, 0, plan.runs, plan.timeout)
    if "skipped" in found:
        raise RuntimeError(f"memspan's own kernel did not run: {found['skipped']}")
    return found


def _against(name: str, at: Path, claims: int, plan: Plan) -> Peer:
    """Run *name* between two runs of the kernel, so that both see the same machine."""
    before = _kernel(at, plan)
    runs = 1 if name == "apricot" else plan.runs
    found = _run(plan.python, name, at, before["picked"], runs, plan.timeout)
    if "skipped" in found:
        return Peer(claims, name, *[None] * 11, note=found["skipped"])
    after = _kernel(at, plan)
    ours = timing(before[WIDTHS[0]]["solve"] + after[WIDTHS[0]]["solve"])
    theirs, imported = timing(found["solve"]), min(before["import"], after["import"])
    built = found["build"] + theirs.median
    return Peer(
        claims=claims,
        peer=name,
        picked=found["picked"],
        rank_s=ours,
        solve_s=theirs,
        times_solve=theirs.median / ours.median,
        build_s=found["build"],
        times_with_build=built / ours.median,
        import_s=found["import"],
        times_with_import=(found["import"] + built) / ours.median,
        rank_import_s=imported,
        times_both_import=(found["import"] + built) / (imported + ours.median),
        percent_of_value=100 * found["value"] / before["value"],
        note="",
    )


def _run(python: Path, name: str, at: Path, picks: int, runs: int, timeout: float) -> dict[str, Any]:
    """Return what the process of *name* prints, or why there is nothing."""
    command = [str(python), str(PEERS), name, str(at), str(picks), str(runs)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=timeout, check=False)
    except subprocess.TimeoutExpired:
        return {"skipped": f"not done within {timeout:.0f} s"}
    lines = done.stdout.strip().splitlines()
    if done.returncode or not lines:
        said = done.stderr.strip().splitlines()
        return {"skipped": said[-1] if said else f"ended with status {done.returncode}"}
    result: dict[str, Any] = json.loads(lines[-1])
    return result
