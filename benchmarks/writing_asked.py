"""Level 1b: one material, queries disclosed one by one; what is learned of them, by what is disclosed.

Three disclosures, never mixed: `outcome` tells right or wrong, and where it says so the words of the
query or also the right answer; `used` tells the claims that a right answer rested on; `supports` tells
all supports, also on a miss. The memory may read the material again.

LoCoMo: shares of T · U*(S) for queries drawn anew, of the bound over the queries that remain where each is
asked once. The prior is a rule of the other conversations. Intervals are over conversations, those of
`over static` paired; growth is regret at 2 T over regret at T. The reader is the shipped one: its weights
come from multi-hop sets and were set by hand, its features were chosen with LoCoMo in sight. `quick`
attribution takes BM25 alone, its sharpness the likeliest on MuSiQue.

Multi-hop: the contexts of all questions of a set whose supports need two claims or more, as one material;
the prior is the rule of all LoCoMo conversations. `singly` is the same belief, each claim of a support
credited alone. Nothing was chosen on these sets but the sharpness above, on MuSiQue.

Run it as `python benchmarks/writing_asked.py`, or with `--quick` (three conversations, one set, short), or
`--json`; `--only outcome` takes one section. It reads the folder that MEMSPAN_DATA names.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Literal

import numpy as np
import numpy.typing as npt

import memspan as ms
from measuring import Section
from memspan.datasets.merging import merge
from memspan.environments.episode import Disclosure, Episode, Rules
from memspan.environments.playing import play
from memspan.intervals import mean_over
from memspan.learning.writer import left_out, sheet, train_writer
from memspan.policies.attributed import Attributed
from memspan.policies.dirichlet import Dirichlet
from memspan.policies.gamma import GammaPoisson
from memspan.policies.optimal import Optimal
from memspan.policies.plain import plain
from memspan.policies.retrieval import Alike, Retrieval
from writing_places import Make, Place, Plan, Singly

Floats = npt.NDArray[np.float64]
Way = tuple[str, Make, Rules]
ORDERS: tuple[Literal["uniform", "zipf", "once"], ...] = ("uniform", "zipf", "once")
DISCLOSED: dict[str, Disclosure] = {"used": "hits", "supports": "supports"}
SETS = ("musique_dev", "hotpotqa_dev", "2wiki_dev", "2wiki_train_dev", "strategyqa_dev")


LEARNERS: dict[str, Make] = {
    "static": lambda at: plain("static", at.prior),
    "lru": lambda at: plain("lru", at.prior),
    "lfu": lambda at: plain("lfu", at.prior),
    "gamma-poisson": lambda at: GammaPoisson(at.prior),
    "dirichlet": lambda at: Dirichlet(at.prior),
}
TEXT, ANSWER = Rules(disclosure="text"), Rules(disclosure="text", answers=True)
WORDS: tuple[Way, ...] = (
    ("static", LEARNERS["static"], Rules(disclosure="outcome")),
    ("words, quick", lambda at: Attributed(at.prior, at.quick), TEXT),
    ("words, hybrid", lambda at: Attributed(at.prior, at.hybrid), TEXT),
    ("words and answer, quick", lambda at: Attributed(at.prior, at.quick), ANSWER),
    ("words and answer, hybrid", lambda at: Attributed(at.prior, at.hybrid), ANSWER),
)


@dataclass(frozen=True)
class Row:
    """One policy under one order."""

    order: str
    policy: str
    bound: str
    share: str
    over_static: str
    regret: float
    growth: float | None


def by_words(places: Sequence[Place], plans: Sequence[Plan]) -> Section:
    """Return what is learned where neither claims nor supports are told."""
    title = "disclosed: right or wrong, and of the query what the policy's name says"
    return Section("outcome", title, (*rows(places, plans, WORDS),))


def by_claims(name: str, places: Sequence[Place], plans: Sequence[Plan]) -> Section:
    """Return what is learned from the claims that were used, or from all supports."""
    ways = [(key, make, Rules(disclosure=DISCLOSED[name])) for key, make in LEARNERS.items()]
    title = "disclosed: the claims that were used" if name == "used" else "disclosed: all supports"
    return Section(name, title, (*rows(places, plans, ways, grown=name == "supports"),))


def rows(
    places: Sequence[Place], plans: Sequence[Plan], ways: Sequence[Way], *, grown: bool = False
) -> Iterator[Row]:
    """Yield how each way does under each plan."""
    for plan in plans:
        static: Floats | None = None
        for name, make, rules in ways:
            found = np.array([place.shares(make, plan, rules) for place in places])
            static = found[:, 0] if static is None else static
            regret, growth = float(found[:, 1].mean()), None
            if grown and plan.order != "once":
                longer = replace(plan, steps=2 * plan.steps)
                growth = float(np.mean([at.shares(make, longer, rules)[1] for at in places])) / regret
            kind = places[0].drawn(plan, 0)[1].kind
            over = str(mean_over((found[:, 0] - static).tolist())) if name != "static" else "-"
            share = str(mean_over(found[:, 0].tolist()))
            yield Row(plan.order, name, kind, share, over, regret, growth)


@dataclass(frozen=True)
class Level:
    """What is known beforehand, and what comes of it."""

    level: str
    policy: str
    answered: str


def levels(places: Sequence[Place], plan: Plan) -> Section:
    """Return levels 0 and 1a: how many of the queries that are asked are answered."""
    ways: list[tuple[str, str, Make, Rules]] = [
        ("0", "retrieval, hybrid", lambda at: Retrieval(at.hybrid), Rules(foretold=True)),
        ("0", "retrieval, likeness", lambda _: Retrieval(Alike()), Rules(foretold=True)),
        ("1a", "optimum", _oracle, Rules()),
    ]
    return Section(
        "levels",
        "share of the queries that are answered",
        tuple(
            Level(level, name, str(mean_over([_answered(at, make, plan, rules) for at in places])))
            for level, name, make, rules in ways
        ),
    )


def _oracle(place: Place) -> Optimal:
    return Optimal(place.scene.material, np.ones(len(place.scene.ready)))


def _answered(place: Place, make: Make, plan: Plan, rules: Rules) -> float:
    schedule, _ = place.drawn(plan, 0)
    played = play(make(place), Episode(place.scene, schedule, place.capacity(plan), rules))
    return float(np.nanmean(played.collected))


@dataclass(frozen=True)
class Together:
    """One policy on one union of contexts."""

    set: str
    claims: int
    capacity: str
    best: float
    disclosed: str
    policy: str
    share: float
    over_static: float
    over_singly: float


def synergy(place: Place, plan: Plan) -> Iterator[Together]:
    """Yield how supports of several claims are completed, against ranking claims one by one."""
    made = {name: LEARNERS[name] for name in ("static", "lfu")}
    made["singly"] = lambda at: Dirichlet(at.prior, belief=Singly)
    made |= {name: LEARNERS[name] for name in ("gamma-poisson", "dirichlet")}
    best = np.mean([place.drawn(plan, seed)[1].total for seed in range(plan.seeds)]) / plan.steps
    whole = place.scene.material
    for told, disclosure in DISCLOSED.items():
        rules = Rules(disclosure=disclosure)
        found = {name: place.shares(make, plan, rules)[0] for name, make in made.items()}
        for name, share in found.items():
            against = share / found["static"], share / found["singly"]
            at = f"{plan.share:.0%}"
            yield Together(whole.id, len(whole.claims), at, float(best), told, name, share, *against)


def union(path: Path) -> ms.Material:
    """Return the contexts of all questions whose supports need several claims, as one material."""
    several = [material for material in ms.load(path) if material.claims and _several(material)]
    return merge(several, path.stem)


def _several(material: ms.Material) -> bool:
    supports = [support for query in material.queries for support in material.supports_of(query)]
    return bool(supports) and all(len(support.claims) > 1 for support in supports)


def main() -> None:
    """Print all of it."""
    options = argparse.ArgumentParser()
    options.add_argument("--quick", action="store_true")
    options.add_argument("--json", action="store_true")
    options.add_argument("--only", choices=["outcome", "used", "supports", "levels", "synergy"])
    chosen = options.parse_args()
    folder = Path(os.environ["MEMSPAN_DATA"])
    talks = ms.load(folder / "locomo" / "locomo10_dev.json")[: 3 if chosen.quick else None]
    sheets = [sheet(talk) for talk in talks]
    places = [Place.of(m, c) for m, c in zip(talks, left_out(sheets), strict=True)]
    steps, seeds = (40, 1) if chosen.quick else (200, 2)
    plans = [Plan(order, steps, seeds=seeds, cut=chosen.quick) for order in ORDERS]

    def together() -> Section:
        rule, found = train_writer(talks, measured=False), []
        for name in SETS[: 1 if chosen.quick else None]:
            material = union(folder / "multihop" / f"{name}.json")
            place = Place.of(material, rule.chances(sheet(material).table))
            found += [row for share in (0.1, 0.2) for row in synergy(place, replace(plans[0], share=share))]
        return Section("synergy", "every support needs several claims; share of U*", tuple(found))

    parts: dict[str, Callable[[], Section]] = {
        "outcome": partial(by_words, places, plans),
        "used": partial(by_claims, "used", places, plans),
        "supports": partial(by_claims, "supports", places, plans),
        "levels": partial(levels, places, plans[0]),
        "synergy": together,
    }
    made = []
    for name in parts if chosen.only is None else [chosen.only]:
        section = parts[name]()
        made.append(section.record())
        if not chosen.json:
            print(section.text(), flush=True)
    if chosen.json:
        print(json.dumps(made))


if __name__ == "__main__":
    main()
