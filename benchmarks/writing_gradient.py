"""Write rules learned from settled queries alone: what each kind of disclosure is worth.

LoCoMo, leave one conversation out: a rule practises on the others (episodes of ten settled queries against
a memory that it drew) and writes the one left out. Shares of U*(S) at four capacities; intervals over
conversations, each with the mean of its seeds. Run it as `python benchmarks/writing_gradient.py`, or with
`--json`; `--seeds 2` is a quick look. It reads the folder that MEMSPAN_DATA names. How to practise are the
defaults of `memspan.learning.gradient.Practice`, the first values tried; nothing is chosen here.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

import memspan as ms
from instances import public
from measuring import Section, clock
from memspan.executor import cores, executor
from memspan.intervals import mean_over
from memspan.learning.gradient import DISCLOSED, Practice, learn
from memspan.learning.practice import Lesson, lesson
from memspan.learning.writer import left_out, sheet
from memspan.learning.writing import SHARES, Ground, compared

Floats = npt.NDArray[np.float64]

SEEDS = 10
EPISODES = (800, 6400)
PLAIN = ("return", "baseline")
Way = tuple[str, int]


@dataclass(frozen=True)
class Row:
    """Mean share of U*(S), with its interval over conversations; `seeds` is how far means of seeds spread."""

    disclosed: str
    credit: str
    episodes: int | None
    at_5_percent: str
    at_10_percent: str
    at_20_percent: str
    at_40_percent: str
    seeds: float | None


@dataclass(frozen=True)
class Job:
    """What one process does: a way of practising, with one seed, each conversation left out in turn."""

    way: Way
    seed: int


def practised(job: Job, lessons: tuple[Lesson, ...], grounds: tuple[Ground, ...]) -> Floats:
    """Return the shares of U*(S) by the rule of the others, shape (conversations, capacities)."""
    practice = Practice(credit=job.way[0], episodes=job.way[1])
    rows = []
    for i, ground in enumerate(grounds):
        learned = learn([*lessons[:i], *lessons[i + 1 :]], practice, seed=job.seed)
        rows.append(ground.shares(learned.scores(lessons[i].table)))
    return np.array(rows)


def shown(values: Floats) -> list[str]:
    """Show the mean over conversations at each capacity."""
    return [str(mean_over(column.tolist())) for column in values.T]


def learned_rows(found: Mapping[Way, Floats]) -> Iterator[Row]:
    """Yield a row for each way: *found* holds (seeds, conversations, capacities)."""
    for (credit, episodes), values in found.items():
        spread = float(values.mean(axis=(1, 2)).std(ddof=1)) if len(values) > 1 else None
        yield Row(DISCLOSED[credit], credit, episodes, *shown(values.mean(axis=0)), spread)


def paired_rows(found: Mapping[Way, Floats]) -> Iterator[Row]:
    """Yield what each credit gains over the plain ways at equal episodes, conversation by conversation."""
    for (credit, episodes), values in found.items():
        for plain in PLAIN if credit not in PLAIN else ():
            gain = (values - found[plain, episodes]).mean(axis=0)
            yield Row(DISCLOSED[credit], f"{credit} over {plain}", episodes, *shown(gain), None)


def reference_rows(materials: list[ms.Material], grounds: tuple[Ground, ...]) -> Iterator[Row]:
    """Yield what needs no practice, or is told which claims were needed."""
    sheets = [sheet(material) for material in materials]
    against = compared(grounds, [each.table for each in sheets], left_out(sheets))
    for way, values in against.shares.items():
        told = "which claims are needed" if way == "rule" else "nothing"
        yield Row(told, "logistic rule" if way == "rule" else way, None, *shown(values), None)


def sections(seeds: int) -> Iterator[Section]:
    materials = ms.load(public("locomo/locomo10_dev.json"))
    lessons = tuple(lesson(material) for material in materials)
    grounds = tuple(Ground.of(material) for material in materials)
    ways = [(credit, episodes) for episodes in EPISODES for credit in DISCLOSED]
    jobs = [Job(way, seed) for way in ways for seed in range(seeds)]
    work = partial(practised, lessons=lessons, grounds=grounds)
    seconds, done = clock(lambda: list(executor(cores()).map(work, jobs)))
    found = {
        way: np.array([values for job, values in zip(jobs, done, strict=True) if job.way == way])
        for way in ways
    }
    at = "/".join(f"{share:.0%}" for share in SHARES)
    told = f"{len(materials)} conversations left out in turn, {seeds} seeds, at {at}; {seconds:.0f} s"
    yield Section("practised", f"share of U*(S), {told}", tuple(learned_rows(found)))
    yield Section("gained", "the same, paired, at equal episodes", tuple(paired_rows(found)))
    yield Section("beside", "share of U*(S) of other ways", tuple(reference_rows(materials, grounds)))


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--json", action="store_true")
    options.add_argument("--seeds", type=int, default=SEEDS)
    chosen, made = options.parse_args(), []
    for section in sections(chosen.seeds):
        made.append(section.record())
        if not chosen.json:
            print(section.text(), flush=True)
    if chosen.json:
        print(json.dumps(made))


if __name__ == "__main__":
    main()
