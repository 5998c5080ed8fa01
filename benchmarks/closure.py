"""Rule closure with supports against clingo without: ``python benchmarks/closure.py [--quick] [--json]``.

Both close the same triples under the same rules in turns, in one process, on one thread. clingo reads its
program as text, which is counted; what it is asked for is to ground, since its facts then are the closure.
Seconds of memspan are told twice: from numbered triples to arrays, and from claims to arrays.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice

import numpy as np

from measuring import Section, Timing, clock, timing
from memspan.generation.rules import Rules
from memspan.generation.rules_items import Closed, items_of
from memspan.kernels.closure import BY_COUNT, BY_LENGTH
from memspan.material import Claim

THREE_RULES = "compose r0 + r1 = s0\ncompose r2 + r3 = s1\ncompose s0 + r4 = s2"
RECURSIVE = "transitive r0\ncompose r1 + r2 = s0\ncompose s0 + r0 = s1"
CLINGO = {
    THREE_RULES: "s0(X,Z) :- r0(X,Y), r1(Y,Z). s1(X,Z) :- r2(X,Y), r3(Y,Z). s2(X,Z) :- s0(X,Y), r4(Y,Z).",
    RECURSIVE: "r0(X,Z) :- r0(X,Y), r0(Y,Z). s0(X,Z) :- r1(X,Y), r2(Y,Z). s1(X,Z) :- s0(X,Y), r0(Y,Z).",
}
TARGET = 1.5


@dataclass(frozen=True)
class Graph:
    """Random triples: things, triples of each relation, and how far an object lies from its subject."""

    name: str
    rules: str
    things: int
    triples: tuple[int, ...]
    reach: int | None = None

    def rows(self) -> list[tuple[int, int, int]]:
        """Return distinct (subject, relation, object), the same in each run."""
        rng = np.random.default_rng(0)
        rows: list[tuple[int, int, int]] = []
        far = self.things if self.reach is None else self.reach
        for relation, count in enumerate(self.triples):
            first = rng.integers(0, self.things, 2 * count)
            second = (first + rng.integers(-far, far + 1, 2 * count)) % self.things
            distinct = dict.fromkeys(zip(first.tolist(), second.tolist(), strict=True))
            rows += [(s, relation, o) for s, o in islice(distinct, count)]
        return rows


FIVE = (20_000,) * 5
GRAPHS = (
    Graph("20k things", THREE_RULES, 20_000, FIVE),
    Graph("5k things", THREE_RULES, 5_000, FIVE),
    Graph("3k things", THREE_RULES, 3_000, FIVE),
    Graph("3k things, near", THREE_RULES, 3_000, FIVE, reach=40),
    Graph("3k things, very near", THREE_RULES, 3_000, FIVE, reach=12),
)
LOOPS = (
    Graph("20k things", RECURSIVE, 20_000, (16_000, 42_000, 42_000)),
    Graph("5k things", RECURSIVE, 5_000, (5_000, 5_000, 5_000)),
)


@dataclass(frozen=True)
class Row:
    """One graph."""

    graph: str
    triples: int
    facts: int
    supports: int
    supports_p99: int
    supports_most: int
    percent_cut_by_count: float
    percent_cut_by_length: float
    percent_lost: float
    arrays_s: Timing
    claims_s: Timing
    clingo_s: Timing
    times_arrays: float
    times_claims: float
    items_s: float | None


@dataclass(frozen=True)
class Start:
    """The first closure of a process, on a small graph: what loading or compiling the kernel costs."""

    kernel: str
    first_s: float
    second_s: float


def against_clingo(graph: Graph, runs: int, items: bool) -> Row:
    """Time memspan and clingo in turns on *graph*, and see that they find as many facts."""
    triples = graph.rows()
    claims = [
        Claim(f"c{i}", triple=(f"t{s}", f"r{relation}", f"t{o}"))
        for i, (s, relation, o) in enumerate(triples)
    ]
    operator = Rules.parse(graph.rules)
    stated, things = operator.numbered(claims)
    text = "\n".join(f"r{relation}({s},{o})." for s, relation, o in triples) + CLINGO[graph.rules]
    from_arrays = partial(operator.close, stated, len(things))
    from_claims = partial(operator.closure, claims)
    work: tuple[Callable[[], object], ...] = (from_arrays, from_claims, partial(_clingo, text))
    from_arrays()  # compiled, or read from the cache
    times: list[list[float]] = [[], [], []]
    for _ in range(runs):
        for seconds, each in zip(times, work, strict=True):
            seconds.append(clock(each)[0])
    closed, atoms = from_claims(), _clingo(text)
    if len(closed.closure.first) != atoms:
        raise RuntimeError(f"memspan found {len(closed.closure.first)} facts, clingo {atoms}")
    arrays, whole, theirs = map(timing, times)
    return Row(
        graph.name,
        len(triples),
        *_shape(closed),
        arrays,
        whole,
        theirs,
        arrays.median / theirs.median,
        whole.median / theirs.median,
        clock(lambda: items_of(closed, claims))[0] if items else None,
    )


def _shape(closed: Closed) -> tuple[int, int, int, int, float, float, float]:
    closure = closed.closure
    sizes = np.diff(closure.ptr)

    def percent(of: np.ndarray) -> float:
        return 100 * float(np.count_nonzero(of)) / len(sizes)

    return (
        len(sizes),
        len(closure.start) - 1,
        int(np.percentile(sizes, 99)),
        int(sizes.max()),
        percent(closure.cut & BY_COUNT),
        percent(closure.cut & BY_LENGTH),
        percent(sizes == 0),
    )


def _clingo(text: str) -> int:
    """Close *text* and return the number of facts."""
    import clingo

    control = clingo.Control()
    control.add("base", [], text)
    control.ground([("base", [])])
    return len(control.symbolic_atoms)


def starts() -> Section:
    """Time the first closures of two fresh processes: one finds an empty cache, one a full cache."""
    with tempfile.TemporaryDirectory() as cache:
        environment = os.environ | {"NUMBA_CACHE_DIR": cache}
        rows = []
        for kernel in ("compiled", "read from the cache"):
            done = subprocess.run(
                [sys.executable, __file__, "--start"],
                env=environment,
                capture_output=True,
                text=True,
                check=True,
            )
            rows.append(Start(kernel, *json.loads(done.stdout)))
    return Section("start", "first and second closure of a fresh process, 5,001 claims", tuple(rows))


def _start() -> None:
    claims = [Claim(f"c{i}", triple=(f"t{i}", f"r{i % 5}", f"t{i + 1}")) for i in range(5_001)]
    operator = Rules.parse(THREE_RULES)
    print(json.dumps([clock(lambda: operator.closure(claims))[0] for _ in range(2)]))


def sections(quick: bool) -> Sequence[Section]:
    """Measure everything, or the two smallest graphs."""
    graphs, loops, runs = (GRAPHS[:1], LOOPS[1:], 2) if quick else (GRAPHS, LOOPS, 5)
    plain = tuple(against_clingo(graph, runs, items=graph.things < 20_000) for graph in graphs)
    looping = tuple(against_clingo(graph, runs, items=False) for graph in loops)
    told = f"three rules of two premises, cap 16, length 6; target: times arrays <= {TARGET}"
    return (
        Section("closure", told, plain),
        Section(
            "recursion", "a transitive relation among three rules; clingo's closure is complete", looping
        ),
        starts(),
    )


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description="Measure the rule closure against clingo.")
    parser.add_argument("--quick", action="store_true", help="the smallest graphs, two runs")
    parser.add_argument("--json", action="store_true", help="JSON on stdout, tables on stderr")
    parser.add_argument("--start", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.start:
        _start()
        return
    done = sections(asked.quick)
    for section in done:
        print(section.text(), file=sys.stderr if asked.json else sys.stdout)
    if asked.json:
        print(json.dumps([section.record() for section in done]))


if __name__ == "__main__":
    main()
