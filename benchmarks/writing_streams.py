"""Streams: a conversation appears session by session, and what a memory lets go of is lost.

Conversations of LoCoMo, memories of 10 % of the claims. Two shares are told,
which are never mixed: what the final memory covers against U*(S) of the whole, and the mean over sessions
of what is covered against U*(S) of what could be asked by then (all queries whose evidence has appeared,
evenly). Learned policies go by a rule fitted on the other conversations, traits seen session by session;
oracles are told supports and weights. Intervals are over conversations.

Run it as `python benchmarks/writing_streams.py`, with `--quick` for two conversations, or with `--json`.
It reads the folder that MEMSPAN_DATA names.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import memspan as ms
from measuring import Section
from memspan.coverage import u_cov
from memspan.environments.bounds import Optima, optima
from memspan.environments.episode import Episode, Rules, Write
from memspan.environments.orders import Schedule, draw
from memspan.environments.playing import play
from memspan.environments.scene import Scene, capacities, scene
from memspan.intervals import Interval, mean_over
from memspan.learning.writer import train_writer
from memspan.material import Material
from memspan.policies.greedy import Greedy
from memspan.policies.plain import plain
from memspan.policies.preemption import Preemption
from memspan.policies.sieve import Sieve
from memspan.policies.threshold import Threshold
from memspan.policies.worth import Chances, Covering
from memspan.policies.writer import WriterRule
from memspan.ports import WritePolicy

SEEDS = range(5)  # of policies that are left to chance


@dataclass(frozen=True)
class Stream:
    """One conversation, how it is asked, its bounds, and what is known of it without having seen it.

    Attributes:
        best: U*(S) of the whole.
        rule: fitted on the others.
        usual: the chance that the same share of the others' claims exceeds as this memory holds.
    """

    laid: Scene
    schedule: Schedule
    capacity: int
    bound: Optima
    best: float
    rule: WriterRule
    usual: float


@dataclass(frozen=True)
class Row:
    """One policy over all conversations."""

    knows: str
    write: str
    policy: str
    final: Interval
    by_session: Interval
    workspace_in_capacities: float | None


Make = Callable[[Stream], WritePolicy]


def told(stream: Stream) -> Covering:
    """Return what an oracle knows."""
    return Covering(stream.laid.coverage)


def learned(stream: Stream) -> Chances:
    """Return what the others taught."""
    return Chances(stream.rule.prior())


POLICIES: Sequence[tuple[str, Write, Make]] = (
    ("nothing", "stream", lambda _: plain("random")),
    ("nothing", "stream", lambda _: plain("first")),
    ("nothing", "stream", lambda _: plain("fifo")),
    ("others", "stream", lambda s: plain("static", s.rule.prior())),
    ("others", "stream", lambda s: Preemption(learned(s))),
    ("others", "stream", lambda s: Sieve(learned(s))),
    ("others", "full", lambda s: Sieve(learned(s))),
    ("others", "stream", lambda s: Threshold(learned(s), s.usual)),
    ("all", "stream", lambda s: Preemption(told(s))),
    ("all", "stream", lambda s: Preemption(told(s), 0.0, "swap")),
    ("all", "stream", lambda s: Sieve(told(s))),
    ("all", "full", lambda s: Sieve(told(s))),
    ("all", "stream", lambda s: Greedy(told(s))),
    ("all", "stream", lambda s: Greedy(told(s), told(s).supports, "bundle greedy")),
    ("all", "full", lambda s: Greedy(told(s))),
    ("all", "full", lambda s: Greedy(told(s), told(s).supports, "bundle greedy")),
)


def streams(materials: Sequence[Material], count: int, share: float) -> Iterator[Stream]:
    """Yield the first *count* of *materials*, each with a rule of all others."""
    for material in materials[:count]:
        others = [other for other in materials if other is not material]
        rule = train_writer(others, batches="sessions", measured=False)
        laid, (capacity,) = scene(material), capacities(material.claims, [share])
        schedule = draw(laid, "uniform", np.random.default_rng(0), per_batch=1)
        best = ms.frontier(material).at(capacity).upper
        bound = optima(laid, schedule, capacity)
        yield Stream(laid, schedule, capacity, bound, best, rule, usual(rule, others, share))


def usual(rule: WriterRule, others: Sequence[Material], share: float) -> float:
    """Return the chance that *share* of the claims of *others* exceeds, on the mean of them."""
    found = []
    for laid in map(scene, others):
        prior, claims = rule.prior(), laid.material.claims
        batches = (laid.arrivals(b) for b in range(len(laid.seen)))
        chances = [prior.observe([claims[i] for i in batch]) for batch in batches]
        found.append(np.quantile(np.concatenate(chances), 1 - share))
    return float(np.mean(found))


def lived(stream: Stream, write: Write, policy: WritePolicy) -> tuple[float, float, float]:
    """Return the two shares, and how many claims the policy keeps beside its memory, in capacities."""
    runs, kept = [], 0.0
    for seed in SEEDS if policy.name == "random" else SEEDS[:1]:
        episode = Episode(stream.laid, stream.schedule, stream.capacity, Rules(write, disclosure="outcome"))
        played = play(policy, episode, seed)
        share = np.nanmean(played.expected / stream.bound.upper)
        runs.append((u_cov(stream.laid.coverage, played.memory) / stream.best, float(share)))
    if isinstance(policy, Sieve):
        kept = policy.kept / stream.capacity
    final, by_session = np.mean(runs, axis=0).tolist()
    return final, by_session, kept


def rows(every: Sequence[Stream]) -> Iterator[Row]:
    """Yield a row for each policy."""
    for knows, write, make in POLICIES:
        policies = [make(stream) for stream in every]
        found = [lived(stream, write, policy) for stream, policy in zip(every, policies, strict=True)]
        final, by_session, kept = zip(*found, strict=True)
        room = float(np.mean(kept)) if isinstance(policies[0], Sieve) else None
        yield Row(knows, write, policies[0].name, mean_over(final), mean_over(by_session), room)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--json", action="store_true")
    options.add_argument("--quick", action="store_true", help="two conversations")
    options.add_argument("--share", type=float, default=0.1, help="of the claims: the capacity")
    asked = options.parse_args()
    folder = Path(os.environ["MEMSPAN_DATA"])
    materials = ms.load(folder / "locomo" / "locomo10_dev.json")
    every = list(streams(materials, 2 if asked.quick else len(materials), asked.share))
    title = f"shares of U*(S), S = {asked.share:.0%} of the claims, {len(every)} conversations"
    section = Section("streams", title, tuple(rows(every)))
    print(json.dumps(section.record()) if asked.json else section.text())


if __name__ == "__main__":
    main()
