"""What the stores of others lose: threads, a kill, two processes; and what their defaults leave out.

Run it as `python benchmarks/losses.py`, with mem0ai, langgraph-checkpoint-sqlite and llama-index-core
installed; `--runs 5` repeats each measurement. It asserts nothing and prints a table.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from pathlib import Path

from memspan.material import Claim
from memspan.systems.packages.packaged import Packaged
from memspan.testing.losses import STORES, Loss, claim, crowded, killed, shared

PACKAGES = (
    "langgraph-checkpoint",
    "langgraph-checkpoint-sqlite",
    "llama-index-core",
    "mem0ai",
    "qdrant-client",
)
DEFAULTS = 40


def runs(name: str, count: int) -> Iterator[tuple[str, list[Loss]]]:
    """Yield what was tried, and the losses of *count* runs."""
    tried = {
        "8 threads x 20": lambda folder: crowd(name, folder),
        "kill -9 after 20": lambda folder: killed(name, folder),
        "2 processes x 20": lambda folder: shared(name, folder),
    }
    for what, work in tried.items():
        if name == "langgraph" and "threads" not in what:
            continue  # it has no files: nothing outlives the process
        losses = []
        for _ in range(count):
            with tempfile.TemporaryDirectory() as folder:
                losses.append(work(Path(folder) / "store"))
        yield what, losses


def crowd(name: str, folder: Path) -> Loss:
    with STORES[name](folder) as system:
        return crowded(system)


def row(name: str, what: str, losses: Sequence[Loss]) -> str:
    faults = dict.fromkeys(fault for loss in losses for fault in loss.faults)
    cells = [
        name,
        what,
        spread([loss.asked for loss in losses]),
        spread([loss.raised for loss in losses]),
        spread([loss.held for loss in losses]),
        spread([loss.reopened for loss in losses]),
        "; ".join(faults) or "-",
    ]
    return f"| {' | '.join(cells)} |"


def spread(counts: Sequence[int | None]) -> str:
    known = sorted({count for count in counts if count is not None})
    text = "-" if not known else str(known[0]) if len(known) == 1 else f"{known[0]} to {known[-1]}"
    none = counts.count(None)
    return text if none in {0, len(counts)} else f"{text} ({none} could not be opened)"


def twice(name: str) -> str:
    """Return what becomes of one text written twice, and of one id written twice."""
    with tempfile.TemporaryDirectory() as folder, STORES[name](Path(folder) / "store") as system:
        system.observe(Claim("a", "Rui cooks fish."))
        system.observe(Claim("b", "Rui cooks fish."))
        texts = len(system.held())
        system.observe(Claim("a", "Rui cooks rice."))
        return f"| {name} | {texts} | {len(system.held()) - texts + 1} | {defaults(name, system)} |"


def defaults(name: str, system: Packaged) -> str:
    """Return how many of `DEFAULTS` memories the package lists and finds where nobody says how many."""
    for i in range(DEFAULTS):
        system.observe(claim(i))
    package = system.package
    if name == "mem0-package":
        user = {"user_id": "memspan"}
        listed = package.memory.get_all(filters=user)["results"]
        found = package.memory.search("Who carried letters to a house?", filters=user)["results"]
    elif name == "llama-index":
        listed = list(package.index.docstore.docs)
        found = package.index.as_retriever().retrieve("Who carried letters to a house?")
    else:
        listed = package.store.search(("memspan",))
        found = package.store.search(("memspan",), query="Who carried letters to a house?")
    return f"{len(listed)} of {len(system.held())} | {len(found)}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=3)
    count = parser.parse_args().runs
    print(", ".join(f"{name} {version(name)}" for name in PACKAGES), f"; {count} runs\n")
    print("| store | tried | writes | calls that raised | there | there when reopened | what was raised |")
    print("|---|---|---|---|---|---|---|")
    for name in STORES:
        for what, losses in runs(name, count):
            print(row(name, what, losses), flush=True)
    print("\n| store | one text twice: held | one id twice: held | listed by default | found by default |")
    print("|---|---|---|---|---|")
    for name in STORES:
        print(twice(name), flush=True)


if __name__ == "__main__":
    main()
