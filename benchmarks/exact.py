"""Frontiers: memspan's whole curve against HiGHS at one capacity after another, and how much is certified."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

import memspan as ms
from instances import SEVERAL, Recipe, material, public
from measuring import Section, Timing, clock, timing
from memspan.material import Material
from memspan.optimum import Frontier
from milp import Milp

LIMIT = 60.0  # seconds for HiGHS at one capacity
SAMPLE_SEED = 20

SMALL = {
    "one support, unit": Recipe(600, 200),
    "one support, power law": Recipe(600, 200, "power"),
    "several supports, unit": Recipe(600, 200, alternatives=SEVERAL),
    "several supports, power law": Recipe(600, 200, "power", alternatives=SEVERAL),
}
LARGE = {
    "20,000/7,000, unit": Recipe(20_000, 7_000),
    "20,000/7,000, power law": Recipe(20_000, 7_000, "power"),
}
TRIAL = {"5,000/1,700, power law": Recipe(5_000, 1_700, "power")}
TWO_UP, MANY = (0, 0.5, 0.3, 0.2), (0, 0, 0, 1 / 3, 1 / 3, 1 / 3)
DENSE = {
    "200/150, supports of 2-4, unit": Recipe(200, 150, sizes=TWO_UP, alternatives=SEVERAL),
    "200/150, supports of 2-4, power law": Recipe(200, 150, "power", sizes=TWO_UP, alternatives=SEVERAL),
    "300/150, 4-6 supports, unit": Recipe(300, 150, alternatives=MANY),
    "300/150, 4-6 supports, power law": Recipe(300, 150, "power", alternatives=MANY),
    "100/300, several supports, power law": Recipe(100, 300, "power", alternatives=SEVERAL),
    "40/150, pairs, unit": Recipe(40, 150, popularity="flat", sizes=(0, 1)),
    "60/200, any one of 4 claims, unit": Recipe(
        60, 200, popularity="flat", sizes=(1,), alternatives=(0, 0, 0, 1)
    ),
}


@dataclass(frozen=True)
class Published:
    """A set covering instance: what capacity counts, and the size of the best known cover."""

    unit: str
    best_known: int


# Unit-cost covers; rail507 with its own costs. Source: F. Fontan, setcoveringsolver, data/data.csv.
COVERS = {
    "scp42": Published("claims", 37),
    "scpclr10": Published("claims", 25),
    "scpd2": Published("claims", 24),
    "rail507": Published("cost", 174),
}


@dataclass(frozen=True)
class Versus:
    """A whole frontier against one program per capacity, up to the size that answers everything."""

    instance: str
    materials: int
    capacities: int
    frontier_s: Timing
    certified_percent: float
    solved_by_highs: int
    highs_s: float
    times_highs: float
    highs_unproven: int
    disagreements: int
    note: str


@dataclass(frozen=True)
class Certified:
    """How much of a frontier is certified when time runs out, up to the size that answers everything."""

    instance: str
    budget_s: float
    took_s: float
    capacities: int
    certified_percent: float
    gap_percent_of_upper: float
    gap_percent_of_total: float


@dataclass(frozen=True)
class Cover:
    """A set covering instance: rows covered at the best known size, and the size that covers all."""

    instance: str
    rows: int
    unit: str
    best_known: int
    budget_s: float
    took_s: float
    covered_there: str
    certified_percent_below: float
    size_for_all: str


@dataclass(frozen=True)
class Plan:
    """How much is run.

    Attributes:
        runs: of memspan on each small instance.
        seeds: instances of each small recipe.
        sampled: capacities at which HiGHS is timed at random.
        exhaustive: where the others would take no more seconds than this, they are solved, too.
        large, dense: recipes by name, and seconds for each.
        covers: names of set covering instances, and seconds for each.
    """

    runs: int
    seeds: int
    sampled: int
    exhaustive: float
    large: tuple[dict[str, Recipe], float]
    dense: tuple[dict[str, Recipe], float]
    covers: tuple[Sequence[str], float]


def against_highs(plan: Plan) -> Section:
    """Measure small frontiers at every capacity."""
    ms.frontier(material(Recipe(60, 40, alternatives=SEVERAL), seed=99))  # compiled, or read from the cache
    named = {name: [material(recipe, seed) for seed in range(plan.seeds)] for name, recipe in SMALL.items()}
    conversations = _conversations()
    if conversations:
        named["LoCoMo, all conversations"] = conversations
    rows = tuple(_versus(name, materials, plan) for name, materials in named.items())
    return Section("highs", "whole frontier against HiGHS at every capacity", rows)


def certified_in_time(name: str, recipes: dict[str, Recipe], seconds: float) -> Section:
    """Measure how much is certified within *seconds*."""
    rows = []
    for title, recipe in recipes.items():
        drawn = material(recipe)
        took, found = clock(lambda drawn=drawn: ms.frontier(drawn, seconds=seconds))
        relative, absolute = _gaps(found)
        rows.append(Certified(title, seconds, took, _top(found), 100 * _certified(found), relative, absolute))
    return Section(name, "certified when time runs out (claims/queries)", tuple(rows))


def set_cover(names: Sequence[str], seconds: float) -> Section | None:
    """Measure bounds at the best known sizes; None where no instance is present."""
    rows = []
    for name in names:
        path = next(iter(sorted(public("orlib_scp").glob(f"{name}[._]*txt"))), None)
        if path is not None:
            rows.append(_cover(name, ms.load(path)[0], seconds))
    return Section("cover", "published set covering instances", tuple(rows)) if rows else None


def _conversations() -> list[Material]:
    files = sorted(public("locomo").glob("locomo10*.json"))
    return ms.load(files[0]) if files else []


def _versus(name: str, materials: Sequence[Material], plan: Plan) -> Versus:
    """Pool all *materials*: on each, HiGHS runs between two halves of memspan's runs."""
    frontiers, runs, peers = [], [], []
    for one in materials:
        before, found = _runs(one, plan.runs)
        peers.append(_highs(found, plan))
        after, _ = _runs(one, plan.runs)
        runs.append(before + after)
        frontiers.append(found)
    ours = timing([sum(each) for each in zip(*runs, strict=True)])
    capacities = sum(map(_top, frontiers))
    solved = sum(peer.solved for peer in peers)
    seconds = sum(peer.seconds for peer in peers)
    return Versus(
        instance=name,
        materials=len(materials),
        capacities=capacities,
        frontier_s=ours,
        certified_percent=100 * sum(_certified(f) * _top(f) for f in frontiers) / capacities,
        solved_by_highs=solved,
        highs_s=seconds,
        times_highs=seconds / ours.median,
        highs_unproven=sum(peer.unproven for peer in peers),
        disagreements=sum(peer.wrong for peer in peers),
        note="" if solved == capacities else "extrapolated",
    )


def _runs(one: Material, times: int) -> tuple[list[float], Frontier]:
    seconds, found = zip(*(clock(lambda: ms.frontier(one)) for _ in range(times)), strict=True)
    return list(seconds), found[-1]


@dataclass(frozen=True)
class _Peer:
    """Seconds for all capacities, how many were really solved, not proven, and outside memspan's bounds."""

    seconds: float
    solved: int
    unproven: int
    wrong: int


def _highs(found: Frontier, plan: Plan) -> _Peer:
    """Solve a random sample of the capacities, and the rest where that is affordable."""
    model = Milp(found.coverage)
    order = np.random.default_rng(SAMPLE_SEED).permutation(np.arange(1, _top(found) + 1)).tolist()
    taken, solved, unproven, wrong = 0.0, 0, 0, 0
    for capacity in order:
        left = len(order) - solved
        if solved >= plan.sampled and taken / solved * left > plan.exhaustive:
            break
        seconds, best = clock(lambda capacity=capacity: model.solve(capacity, LIMIT))
        taken += seconds
        solved += 1
        unproven += not best.proven
        lower, upper = int(found.lower_weight[capacity]), int(found.upper_weight[capacity])
        wrong += best.value > upper or (best.proven and best.value < lower)
    return _Peer(taken / solved * len(order), solved, unproven, wrong)


def _cover(name: str, instance: Material, seconds: float) -> Cover:
    unit, best = COVERS[name].unit, COVERS[name].best_known
    capacities = range(2 * best + 1) if unit != "claims" else None
    took, found = clock(lambda: ms.frontier(instance, cost=unit, capacities=capacities, seconds=seconds))
    size = found.size_for(1.0)
    return Cover(
        instance=name,
        rows=len(instance.queries),
        unit=unit,
        best_known=best,
        budget_s=seconds,
        took_s=took,
        covered_there=_interval(int(found.lower_weight[best]), int(found.upper_weight[best])),
        certified_percent_below=100 * float(found.certified[1:best].mean()),
        size_for_all=_interval(size.at_least, size.size),
    )


def _interval(lower: int | None, upper: int | None) -> str:
    return str(lower) if lower == upper else f"{lower} to {upper}"


def _top(found: Frontier) -> int:
    """Return the smallest capacity known to answer everything; beyond it there is nothing to prove."""
    assert found.saturation is not None  # noqa: S101 - holding everything always does
    return found.saturation


def _certified(found: Frontier) -> float:
    return float(found.certified[1 : _top(found) + 1].mean())


def _gaps(found: Frontier) -> tuple[float, float]:
    """Return the largest gap in percent of the upper bound there, and of the weight of all queries."""
    lower, upper = (bound[1 : _top(found) + 1] for bound in (found.lower_weight, found.upper_weight))
    gap = 100.0 * (upper - lower)
    return float((gap / np.maximum(upper, 1)).max()), float(gap.max()) / found.coverage.total
