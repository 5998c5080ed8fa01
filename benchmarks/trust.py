"""What the trust model believes of false claims, held against truth, a sampler and three plain ways to count.

Worlds are those of `trust_world`, on seeds that no choice was made on. Reads the folder that MEMSPAN_DATA
names and prints the tables of docs/benchmarks-trust.md. ``--speed`` measures time, memory and exactness.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from functools import partial

import trust_demands as demands
import trust_methods as by
import trust_speed as speed
from measuring import Section
from memspan.executor import cores, executor
from trust_scores import Board, scores
from trust_world import FALSE_RATES

SEEDS = (100, 101, 102)
COUNTS = (1000, 5000, 20_000)
KINDS = ("locomo", "multi")
Cell = Callable[[str, str, int], str]


def table(board: Board, methods: Sequence[str], cell: Cell) -> Iterator[str]:
    """Yield a Markdown table, a row for each method and a column for each kind and count."""
    yield "| method | " + " | ".join(f"{kind} {count:,}" for kind, count in board.columns) + " |"
    yield "|---" * (1 + len(board.columns)) + "|"
    for method in methods:
        yield f"| {method} | " + " | ".join(cell(method, kind, count) for kind, count in board.columns) + " |"


def means(board: Board, *measures: str) -> Cell:
    """Return a cell that shows the means of *measures*."""
    return lambda *at: " / ".join(f"{board.mean(measure, *at):.3f}" for measure in measures)


def worst(board: Board, method: str, kind: str, count: int) -> str:
    """Show the greatest ECE and the least share of any world."""
    errors, shares = (board.values(measure, method, kind, count) for measure in ("ece", "share"))
    return f"{max(errors):.3f} / {min(shares):.3f}"


def tables(board: Board) -> Iterator[str]:
    """Yield all tables."""
    learning = [method for method in by.METHODS if method not in {by.IGNORE, by.PRODUCT}]
    yield "### Log loss of all claims / ECE of the claims read\n"
    yield from table(board, learning, means(board, "log_loss", "ece"))
    yield "\n### AUC of the claims read\n"
    yield from table(board, learning, means(board, "auc"))
    yield "\n### Share of the oracle's precision / water\n"
    yield from table(board, by.METHODS, means(board, "share", "water"))
    yield "\n### The worst world: ECE of the claims read / share of the oracle's precision\n"
    yield from table(board, (by.ONLINE, by.REFIT), partial(worst, board))
    yield "\n### Demanded and found\n"
    yield from demands.rows(board)


def measured(counts: Sequence[int], seeds: Sequence[int], workers: int) -> Board:
    """Return the scores of all methods on all worlds."""
    cases = [(kind, base, seed) for kind in KINDS for base in FALSE_RATES for seed in seeds]
    several = executor(workers).map(partial(scores, counts=counts), cases)
    return Board(tuple(score for found in several for score in found))


def print_sections(sections: Sequence[Section], *, as_json: bool) -> None:
    if as_json:
        print(json.dumps([section.record() for section in sections]))
        return
    print("\n".join(section.text() for section in sections))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, nargs="+", default=SEEDS)
    parser.add_argument("--counts", type=int, nargs="+", default=COUNTS, help="settlements learned from")
    parser.add_argument("--workers", type=int, default=cores())
    parser.add_argument("--speed", action="store_true", help="measure time, memory and exactness instead")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    if asked.speed:
        print_sections(speed.sections(), as_json=asked.json)
        return
    board = measured(asked.counts, asked.seeds, asked.workers)
    if asked.json:
        found = {"scores": [asdict(score) for score in board.scores], "demands": demands.records(board)}
        print(json.dumps(found))
        return
    print("\n".join(tables(board)))


if __name__ == "__main__":
    main()
