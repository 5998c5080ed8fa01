"""What a store loses: many threads, a kill in the middle, two processes on one folder.

Nothing here asserts; it counts. `python -m memspan.testing.losses NAME FOLDER FIRST COUNT` writes claims
and says each number once the store has taken it: what the counts of killed and of several processes rest on.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from memspan.material import Claim
from memspan.systems.packages.langgraph import langgraph_memory, langgraph_sqlite
from memspan.systems.packages.llama_index import llama_index_system
from memspan.systems.packages.mem0_package import mem0_system
from memspan.systems.packages.packaged import Packaged, tags

__all__ = ["STORES", "Loss", "crowded", "killed", "shared"]

STORES: dict[str, Callable[[Path], Packaged]] = {
    "langgraph": lambda _: langgraph_memory(),
    "langgraph-sqlite-unranked": partial(langgraph_sqlite, ranked=False),
    "llama-index": llama_index_system,
    "mem0-package": mem0_system,
}
"""Stores on a folder, by name; the first has no files."""


@dataclass(frozen=True)
class Loss:
    """Writes, and what became of them.

    Attributes:
        asked: writes that were asked for, or that the store had taken when it was killed.
        raised: calls that raised.
        held: of those asked for, how many are there while it is open; None where nobody looked.
        reopened: how many are there when it is opened again; None where it cannot be opened.
        faults: what was raised, each kind once.
    """

    asked: int
    raised: int
    held: int | None
    reopened: int | None
    faults: tuple[str, ...] = ()

    @property
    def silent(self) -> int | None:
        """Writes that are gone though no call raised for them; a call that raised may have written."""
        return None if self.reopened is None else max(self.asked - self.raised - self.reopened, 0)


def crowded(system: Packaged, threads: int = 8, each: int = 20) -> Loss:
    """Write from several threads at once, look, reopen and look again.

    Args:
        system: new; it is left open.
        threads: that write at the same time.
        each: claims that a thread writes.
    """
    package = system.package

    def write(thread: int) -> list[str]:
        return [
            fault
            for i in range(thread * each, (thread + 1) * each)
            if (fault := _fault(lambda i=i: package.write(claim(i), tags(claim(i), i))))  # type: ignore[misc]
        ]

    with ThreadPoolExecutor(threads) as pool:
        faults = [fault for some in pool.map(write, range(threads)) for fault in some]
    held = _there(system)
    system.reopen()
    return Loss(threads * each, len(faults), held, _there(system), tuple(dict.fromkeys(faults)))


def killed(name: str, folder: Path, after: int = 20) -> Loss:
    """Kill a process once the store has taken so many writes of it, and look what is there.

    Args:
        name: one of `STORES`.
        folder: for its files.
        after: writes that the store has taken, by its own word, when it is killed.
    """
    with _writer(name, folder, 0, 100 * after) as process:
        taken = 0
        for line in process.stdout or ():
            taken += line.startswith("took ")
            if taken >= after:
                process.kill()
                break
        more = [line for line in process.stdout or () if line.startswith("took ")]
    return Loss(taken + len(more), 0, None, _reopened(name, folder, taken + len(more)))


def shared(name: str, folder: Path, processes: int = 2, each: int = 20) -> Loss:
    """Write from several processes to one folder at the same time, and look what is there.

    Args:
        name: one of `STORES`.
        folder: for its files.
        processes: that write.
        each: claims that a process writes.
    """
    writers = [_writer(name, folder, i * each, each) for i in range(processes)]
    said = [writer.communicate()[0].splitlines() for writer in writers]
    took = sum(line.startswith("took ") for lines in said for line in lines)
    faults = [line.removeprefix("raised ") for lines in said for line in lines if line.startswith("raised ")]
    asked = processes * each
    there = _reopened(name, folder, asked)
    return Loss(asked, asked - took, None, there, tuple(dict.fromkeys(faults)))


def claim(i: int) -> Claim:
    """Return the claim number *i*: no two have the same text."""
    return Claim(f"c{i}", f"Traveller {i} carried {i * 7 % 97} letters to house {i}.")


def _there(system: Packaged, first: int | None = None) -> int:
    claims = {name for note in system.held() for name in note.claims}
    return len(claims if first is None else claims & {f"c{i}" for i in range(first)})


def _reopened(name: str, folder: Path, first: int) -> int | None:
    try:
        with STORES[name](folder) as system:
            return _there(system, first)
    except Exception:  # noqa: BLE001 - whatever a broken store raises, it cannot be opened
        return None


def _fault(work: Callable[[], object]) -> str:
    try:
        work()
    except Exception as error:  # noqa: BLE001 - it is counted, whatever it is
        return f"{type(error).__name__}: {str(error)[:80]}"
    return ""


def _writer(name: str, folder: Path, first: int, count: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "memspan.testing.losses", name, str(folder), str(first), str(count)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)  # noqa: S603 - our own module


def _main(arguments: Sequence[str]) -> None:
    name, folder, first, count = arguments[0], Path(arguments[1]), int(arguments[2]), int(arguments[3])
    try:
        system = STORES[name](folder)
    except Exception as error:  # noqa: BLE001 - told to whoever counts
        print(f"raised {type(error).__name__}: {str(error)[:80]}")  # noqa: T201
        return
    with system:
        for i in range(first, first + count):
            fault = _fault(lambda i=i: system.package.write(claim(i), tags(claim(i), i)))  # type: ignore[misc]
            print(f"raised {fault}" if fault else f"took {i}", flush=True)  # noqa: T201


if __name__ == "__main__":
    _main(sys.argv[1:])
