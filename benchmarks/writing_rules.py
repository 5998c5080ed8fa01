"""Write rules at level 2: what a memory written before any question is worth, as a share of U*(S).

Run it as `python benchmarks/writing_rules.py`; `--draws N` sets how often a few queries are disclosed. Data
sets are read from the folder that MEMSPAN_DATA names.

Traits were set beforehand and left as they were. The penalty, and that needed claims weigh by their worth,
were chosen on these conversations; `--nested` chooses the penalty within the six others each time. How a
rule is moved by disclosed queries was settled on LoCoMo, 2WikiMultihopQA, MuSiQue and bAbI: other sets than
those that it is moved towards below.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

import memspan as ms
from measuring import Section
from memspan.coverage import compile_material, u_cov
from memspan.intervals import Interval, mean_over
from memspan.learning.recalibrating import recalibrate
from memspan.learning.writer import against_heuristics, fit, left_out, sheet, train_writer
from memspan.learning.writing import SHARES, Compared, Ground, trait_table
from memspan.material import Material
from memspan.optimum.costs import claim_costs
from memspan.policies.heuristics import HEURISTICS
from memspan.policies.writer import WriterRule, shipped

DATA = Path(os.environ.get("MEMSPAN_DATA", Path(__file__).parents[2] / "shared" / "data"))
PENALTIES = (0.001, 0.003, 0.01, 0.03, 0.1)
DISCLOSED = 0.05  # of the queries


@dataclass(frozen=True)
class Row:
    """What one way of writing reaches on a set, at each share of the claims."""

    set: str
    memory: str
    at_5_percent: str
    at_10_percent: str
    at_20_percent: str
    at_40_percent: str


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--draws", type=int, default=10)
    options.add_argument("--nested", action="store_true")
    chosen = options.parse_args()
    talks = ms.load(DATA / "locomo" / "locomo10_dev.json")
    sheets = [sheet(talk) for talk in talks]
    scores = left_out(sheets)
    show("level 2", "LoCoMo, each conversation by the rule of the other six", level(sheets, scores))
    if chosen.nested:
        show("nested", "the same, the penalty chosen within the other six", nested(sheets))
    show("tokens", "the same, capacity in tokens", tokens(talks, sheets, scores))
    rule = train_writer(talks, name="LoCoMo", measured=False)
    strangers = others()
    show("transfer", "the rule of all seven on other data, as it is", transfer(rule, strangers))
    rows = recalibrated(rule, strangers, chosen.draws)
    show("recalibration", "5 % of the queries disclosed, measured on the others", rows)


def show(name: str, title: str, rows: Iterator[Row]) -> None:
    print(Section(name, title, tuple(rows)).text())


def others() -> dict[str, list[Material]]:
    """Return the sets that nothing was chosen on."""
    notes = ms.load(DATA / "longmemeval" / "oracle_notes_dev.jsonl", union=True)
    users = [ms.load(DATA / "halumem" / f"user{user}.jsonl")[0] for user in "03"]
    union = ms.load(DATA / "multihop" / "hotpotqa_dev.json", union=True)
    return {"LongMemEval notes": notes, "HaluMem": users, "HotpotQA union": union}


# --- level 2 ----------------------------------------------------------------------------------------


def level(sheets: Sequence, scores: Sequence[np.ndarray]) -> Iterator[Row]:
    found = against_heuristics(sheets, scores)
    yield from (Row("LoCoMo", way, *map(shown, found.share(way))) for way in found.shares)
    yield gain("LoCoMo", found)


def nested(sheets: Sequence) -> Iterator[Row]:
    grounds, rows = [Ground.of(each.material) for each in sheets], []
    for held, (each, ground) in enumerate(zip(sheets, grounds, strict=True)):
        rest = [other for i, other in enumerate(sheets) if i != held]
        known = [other for i, other in enumerate(grounds) if i != held]

        def worth(penalty: float, rest: Sequence = rest, known: Sequence = known) -> float:
            found = zip(known, left_out(rest, penalty=penalty), strict=True)
            return float(np.mean([ground.shares(chances) for ground, chances in found]))

        best = max(PENALTIES, key=worth)
        rows.append(ground.shares(fit(rest, best).chances(each.table)))
    means = (shown(mean_over(column.tolist())) for column in np.array(rows).T)
    yield Row("LoCoMo", "rule, penalty nested", *means)


def gain(name: str, found: Compared, way: str = "rule") -> Row:
    """Return the paired gain over the heuristic that is best there, which favours the heuristic."""
    best = [found.best_heuristic(place) for place in range(len(SHARES))]
    told = [f"{found.over(i, way)} ({each})" for i, each in enumerate(best)]
    return Row(name, f"{way} over the best heuristic", *told)


def shown(interval: Interval) -> str:
    return str(interval) if interval.known else f"{interval.estimate:.3f}"


# --- tokens -----------------------------------------------------------------------------------------


def tokens(talks: Sequence[Material], sheets: Sequence, scores: Sequence[np.ndarray]) -> Iterator[Row]:
    ways: dict[str, list[list[float]]] = {}
    for talk, each, chances in zip(talks, sheets, scores, strict=True):
        costs, coverage = claim_costs(talk, "tokens"), compile_material(talk)
        sizes = [round(share * int(costs.sum())) for share in SHARES]
        solved = ms.frontier(talk, cost="tokens", capacities=sizes)
        scored = {"rule": chances, "rule, per token": chances / costs}
        scored |= {name: heuristic(each.table) for name, heuristic in HEURISTICS.items()}
        scored |= {"tf-idf mass, per token": scored["tf-idf mass"] / costs}
        scored |= {"importance, per token": np.exp(scored["importance"] / 4) / costs}
        scored |= {"random": np.random.default_rng(0).random(len(costs))}
        for way, score in scored.items():
            held = [u_cov(coverage, filled(score, costs, size)) / solved.at(size).upper for size in sizes]
            ways.setdefault(way, []).append(held)
    for way, rows in ways.items():
        yield Row("LoCoMo", way, *(shown(mean_over(column)) for column in zip(*rows, strict=True)))


def filled(scores: np.ndarray, costs: np.ndarray, size: int) -> np.ndarray:
    """Return the memory of the best scores that still fit."""
    memory, left = np.zeros(len(scores), np.bool_), size
    for place in np.argsort(-scores, kind="stable").tolist():
        if costs[place] <= left:
            memory[place] = True
            left -= int(costs[place])
    return memory


# --- other data -------------------------------------------------------------------------------------


def transfer(rule: WriterRule, sets: dict[str, list[Material]]) -> Iterator[Row]:
    for name, materials in sets.items():
        sheets = [sheet(material) for material in materials]
        found = against_heuristics(sheets, [rule.chances(each.table) for each in sheets])
        yield from (Row(name, way, *map(shown, found.share(way))) for way in found.shares)
        yield gain(name, found)


def recalibrated(rule: WriterRule, sets: dict[str, list[Material]], draws: int) -> Iterator[Row]:
    for name, materials in sets.items():
        found: dict[str, list[np.ndarray]] = {}
        off: dict[str, list[float]] = {}
        for material in materials:
            for seed in range(draws):
                rest, supports = disclosed(material, np.random.default_rng(seed))
                ground, table = Ground.of(rest), trait_table(material)
                asked = len(rest.queries) + len(supports)
                ways = {"LoCoMo rule": rule, "shipped rule": shipped()}
                ways |= {
                    f"{way}, moved": recalibrate(each, material, supports, asked=asked)
                    for way, each in ways.items()
                }
                for way, each in ways.items():
                    chances = each.chances(table)
                    found.setdefault(way, []).append(ground.shares(chances))
                    off.setdefault(way, []).append(chances.mean() - needed_share(material))
                for way, heuristic in HEURISTICS.items():
                    found.setdefault(way, []).append(ground.shares(heuristic(table)))
        best = max(HEURISTICS, key=lambda way: float(np.nanmean(found[way])))
        for way in [*off, best]:
            told = (
                f"{way} (level off by {np.mean(off[way]):+.2f})" if way in off else f"{way} (best heuristic)"
            )
            yield Row(name, told, *(f"{value:.3f}" for value in np.nanmean(found[way], axis=0)))


def needed_share(material: Material) -> float:
    return float(sheet(material).truth.mean())


def disclosed(material: Material, rng: np.random.Generator) -> tuple[Material, list[tuple[str, ...]]]:
    """Return the material with the queries that stay unknown, and the supports of a few others."""
    known = [query for query in material.queries if material.supports_of(query)]
    told = set(rng.choice(len(known), max(2, round(DISCLOSED * len(known))), replace=False).tolist())
    rest = tuple(query for i, query in enumerate(known) if i not in told)
    supports = [material.supports_of(known[i])[0].claims for i in sorted(told)]
    return replace(material, queries=rest, settlements=()), supports


if __name__ == "__main__":
    main()
