"""All systems under the frontiers of three data sets: shares of U*(S) at 5, 10, 20 and 40 % of the claims.

Reads the folder that MEMSPAN_DATA names and prints the tables of docs/benchmarks-systems.md.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import memspan as ms
from memspan.datasets import merge
from memspan.diagnosis import Evaluation, Interval, Standing, Terms, evaluate
from memspan.executor import cores, executor
from memspan.material import Material

SHARES = (0.05, 0.1, 0.2, 0.4)
TEN = (0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.7, 0.9)
TOGETHER = 20
"""Multi-hop questions that are merged into one material, with the paragraphs of all of them."""


def materials(name: str, data: Path) -> list[Material]:
    if name == "LoCoMo":
        return ms.load(data / "locomo" / "locomo10_dev.json")
    if name == "HaluMem":
        return [m for user in ("user0", "user3") for m in ms.load(data / "halumem" / f"{user}.jsonl")]
    several = ms.load(next((data / "multihop").glob("musique*dev*")))
    parts = [several[i : i + TOGETHER] for i in range(0, len(several), TOGETHER)]
    return [merge(part, f"musique {i + 1}") for i, part in enumerate(parts) if len(part) == TOGETHER]


def cell(value: Interval, *, cluster: int) -> str:
    if cluster < 2:
        return f"{value.estimate:.2f}"
    return f"{value.estimate:.2f} [{value.lower:.2f}, {value.upper:.2f}]"


def rows(found: Evaluation) -> Iterator[str]:
    head = " | ".join(f"{100 * share:.0f} %" for share in SHARES)
    yield f"| system | {head} | read at 20 % | tokens a question |"
    yield "|---|" + "---|" * (len(SHARES) + 2)
    standings = {(each.label, each.place): each for each in found.standings}
    labels = dict.fromkeys(each.label for each in found.standings if each.place is not None)
    for label in sorted(labels, key=lambda name: -standings[name, 2].share_prec.estimate):
        at = [standings[label, place] for place in range(len(SHARES))]
        shares = " | ".join(cell(each.share_prec, cluster=each.materials) for each in at)
        yield f"| `{label}` | {shares} | {at[2].u_read.estimate:.2f} | {at[2].tokens_read.estimate:,.0f} |"


def own_sizes(found: Evaluation) -> Iterator[str]:
    yield "| system | size, of all claims | share of U\\*(size) | read | tokens a question |"
    yield "|---|---|---|---|---|"
    own: list[Standing] = [each for each in found.standings if each.place is None]
    for each in sorted(own, key=lambda s: s.capacity_share):
        share = cell(each.share_prec, cluster=each.materials)
        read, tokens = each.u_read.estimate, each.tokens_read.estimate
        yield f"| `{each.label}` | {100 * each.capacity_share:.0f} % | {share} | {read:.2f} | {tokens:,.0f} |"


def checks(found: Evaluation) -> str:
    above = max(point.u_cov.estimate - point.frontier.upper for point in found.points)
    residual = max(abs(point.waterfall.residual) for point in found.points)
    return (
        f"{len(found.points)} points; highest above the frontier {above:.1e}; largest residual {residual:.1e}"
    )


def timed(several: Sequence[Material], workers: int) -> tuple[Evaluation, float]:
    begun = time.perf_counter()
    found = evaluate(several, ["all"], TEN, terms=Terms(), executor=executor(workers))
    return found, time.perf_counter() - begun


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=os.environ.get("MEMSPAN_DATA"))
    parser.add_argument("--workers", type=int, default=cores())
    parser.add_argument("--sets", default="LoCoMo,HaluMem,MuSiQue")
    parser.add_argument("--time", action="store_true", help="only time LoCoMo at ten capacities")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    if asked.data is None:
        parser.error("name the folder of the data sets with --data or MEMSPAN_DATA")
    if asked.time:
        found, seconds = timed(materials("LoCoMo", asked.data), asked.workers)
        print(f"{checks(found)}; {seconds:.0f} s with {asked.workers} workers")
        return
    for name in asked.sets.split(","):
        several = materials(name, asked.data)
        found = evaluate(several, ["all"], SHARES, executor=executor(asked.workers))
        if asked.json:
            print(json.dumps({"set": name, "league": [each.share_prec.record() for each in found.standings]}))
            continue
        claims = sum(len(each.claims) for each in several)
        queries = sum(len(each.queries) for each in several)
        print(f"### {name}\n\n{len(several)} materials, {claims:,} claims, {queries:,} questions.")
        print(f"{checks(found)}.\n")
        print("\n".join(rows(found)), "\n\nAt their own size:\n", "\n".join(own_sizes(found)), "", sep="\n")


if __name__ == "__main__":
    main()
