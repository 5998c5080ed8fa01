"""Measure memspan against its peers: ``python benchmarks/frontier.py [SECTION ...] [--quick] [--json]``.

All numbers of a run come from the same machine within minutes, so its ratios can be read and its
seconds only roughly. docs/benchmarks.md explains the tables.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from collections.abc import Iterator
from importlib.metadata import version

import exact
import greedy
from measuring import Section

SECTIONS = ("greedy", "highs", "large", "dense", "cover")
COVERS = tuple(exact.COVERS)
FULL = exact.Plan(
    runs=3,
    seeds=3,
    sampled=40,
    exhaustive=60,
    large=(exact.LARGE, 30),
    dense=(exact.DENSE, 20),
    covers=(COVERS, 30),
)
QUICK = exact.Plan(
    runs=2,
    seeds=1,
    sampled=10,
    exhaustive=0,
    large=(exact.TRIAL, 10),
    dense=(dict(list(exact.DENSE.items())[:2]), 5),
    covers=(COVERS[:2], 5),
)


def main() -> None:
    """Run the sections asked for and print them as they finish."""
    asked = _arguments()
    done = []
    for section in _measured(asked):
        done.append(section)
        print(section.text(), file=sys.stderr if asked.json else sys.stdout, flush=True)
    if asked.json:
        print(json.dumps({"machine": _machine(), "sections": [section.record() for section in done]}))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measure memspan's frontiers against peers.")
    parser.add_argument("sections", nargs="*", metavar="SECTION", help=f"{', '.join(SECTIONS)}; default all")
    parser.add_argument("--quick", action="store_true", help="small instances, few runs: about a minute")
    parser.add_argument("--json", action="store_true", help="JSON on stdout, tables on stderr")
    parser.add_argument(
        "--peers", metavar="PYTHON", help="interpreter with submodlib and apricot (build/peers/bin/python)"
    )
    asked = parser.parse_args()
    unknown = set(asked.sections) - set(SECTIONS)
    if unknown:
        parser.error(f"no section {', '.join(sorted(unknown))}; there are {', '.join(SECTIONS)}")
    return asked


def _measured(asked: argparse.Namespace) -> Iterator[Section]:
    plan = QUICK if asked.quick else FULL
    wanted = asked.sections or SECTIONS
    if "greedy" in wanted:
        yield from greedy.sections(_greedy_plan(asked))
    if "highs" in wanted:
        yield exact.against_highs(plan)
    if "large" in wanted:
        yield exact.certified_in_time("large", *plan.large)
    if "dense" in wanted:
        yield exact.certified_in_time("dense", *plan.dense)
    covers = exact.set_cover(*plan.covers) if "cover" in wanted else None
    if covers:
        yield covers


def _greedy_plan(asked: argparse.Namespace) -> greedy.Plan:
    python = greedy.peers_python(asked.peers)
    if asked.quick:
        return greedy.Plan((1_000, 10_000), runs=3, timeout=60, apricot=1_000, python=python)
    return greedy.Plan((10_000, 100_000, 1_000_000), runs=7, timeout=300, apricot=10_000, python=python)


def _machine() -> dict[str, object]:
    packages = ("memspan", "numpy", "numba", "highspy")
    return {
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        **{package: version(package) for package in packages},
    }


if __name__ == "__main__":
    main()
