"""HaluMem's Mem0 run: do the memories in the context hold the points that answer the question?"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

import memspan as ms
from associating import DATA, Answer, row
from measuring import Section
from memspan.answering.lexical import Lexicon
from memspan.datasets.outcomes import Outcomes, read_outcomes
from memspan.language.words import stems
from memspan.material import Material

CHOSEN_ON, USERS = "3", ("0", "3")
CONFLICT = "Memory Conflict"


@dataclass(frozen=True)
class Level:
    """From where on a memory tells a point, and whether it must also hold each number of the point."""

    told: float
    numbers: bool = False


@dataclass(frozen=True)
class Run:
    """A user's points and questions, and what the run read and held."""

    user: str
    material: Material
    outcomes: Outcomes

    @classmethod
    def of(cls, user: str) -> Run:
        """Read the files of *user*."""
        folder = DATA / "halumem"
        material = ms.load(folder / f"user{user}.jsonl")[0]
        outcomes = read_outcomes(folder / f"mem0_eval_user{user}.json", [material], settler="mem0")
        return cls(user, material, outcomes)

    @cached_property
    def _lexicon(self) -> Lexicon:
        texts = (text for read in self.outcomes.reads for text in (*(read.read or ()), *(read.held or ())))
        return Lexicon.of(dict.fromkeys(texts))

    def telling(self, claim: str, texts: Sequence[str], *, numbers: bool = False) -> float:
        """Return the part of a point that one of *texts* tells: its stems, the rare ones counting more.

        With *numbers*, a text tells nothing that lacks a number of the point.
        """
        if numbers:
            needed = numbers_in(self.material.claim(claim).text)
            texts = [text for text in texts if needed <= numbers_in(text)]
        wanted = dict.fromkeys(stems(self.material.claim(claim).text))
        whole = sum(map(self._lexicon.rarity, wanted))
        told = (
            sum(self._lexicon.rarity(stem) for stem in wanted.keys() & set(self._stems(text)))
            for text in texts
        )
        return max(told, default=0) / whole

    def _stems(self, text: str) -> list[str]:
        if text not in self._known:
            self._known[text] = stems(text)
        return self._known[text]

    @cached_property
    def _known(self) -> dict[str, list[str]]:
        return {}

    def answers(self, level: Level, *, of: str = "read", conflicts: bool = True) -> Iterator[Answer]:
        """Yield the answers to answerable questions; a point counts as told from *level* on."""
        reads = {read.query: getattr(read, of) or () for read in self.outcomes.reads}
        for settled in self.outcomes.settlements[self.material.id]:
            query = self.material.query(settled.query)
            if not query.answerable or (query.category == CONFLICT and not conflicts):
                continue
            covered = any(
                all(
                    self.telling(claim, reads[query.id], numbers=level.numbers) >= level.told
                    for claim in support.claims
                )
                for support in query.supports
            )
            yield Answer(covered, settled.correct, f"{self.user}/{query.extra['session']}")


def numbers_in(text: str) -> set[str]:
    return set(re.findall(r"\d+", re.sub(r"(?<=\d),(?=\d{3})", "", text)))


@dataclass(frozen=True)
class Labels:
    """How well a level of telling agrees with a judge's labels of which points are held."""

    chosen_by: str
    level: float
    user: str
    points: int
    held: int
    found_of_held: float
    found_of_not_held: float
    f1: float


def labelled(run: Run, *, numbers: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """Return how far each labelled point is told by the memories of its session, and whether it is held."""
    holds = [hold for hold in run.outcomes.holds if hold.kind == "integrity"]
    told = [run.telling(hold.claim, hold.texts, numbers=numbers) for hold in holds]
    return np.array(told), np.array([hold.value == 1 for hold in holds])


def agreement(told: np.ndarray, held: np.ndarray) -> dict[str, float]:
    found = float(told[held].mean()), float(told[~held].mean())
    return {
        "found_of_held": found[0],
        "found_of_not_held": found[1],
        "f1": float(2 * (told & held).sum() / (told.sum() + held.sum())),
    }


def best_level(told: np.ndarray, held: np.ndarray, worth: Callable[[dict[str, float]], float]) -> float:
    """Return the level of telling that is worth most, half way to the next lower one."""
    levels = np.unique(told)
    best = int(np.argmax([worth(agreement(told >= level, held)) for level in levels]))
    return float((levels[best] + levels[max(best - 1, 0)]) / 2)


def halumem() -> Iterator[Section]:
    runs = {user: Run.of(user) for user in USERS}
    levels = _levels(runs[CHOSEN_ON])
    title = "does a memory tell a point? levels chosen on user 3"
    yield Section("halumem-labels", title, tuple(_labels(runs, levels)))
    for name, level in levels.items():
        title = f"HaluMem, Mem0: read coverage at the level chosen by {name}"
        yield Section("halumem", title, tuple(_rows(runs, level)))
    yield Section(
        "halumem-kinds", "HaluMem, Mem0: right answers by kind of question", _kinds(runs, levels["F1"])
    )


def _levels(run: Run) -> dict[str, Level]:
    def f1(found: dict[str, float]) -> float:
        return found["f1"]

    def apart(found: dict[str, float]) -> float:
        return found["found_of_held"] - found["found_of_not_held"]

    return {
        "F1": Level(best_level(*labelled(run), f1)),
        "hits less false alarms": Level(best_level(*labelled(run), apart)),
        "F1, numbers needed": Level(best_level(*labelled(run, numbers=True), f1), numbers=True),
    }


def _labels(runs: dict[str, Run], levels: dict[str, Level]) -> Iterator[Labels]:
    users = sorted(USERS, key=lambda user: user != CHOSEN_ON)
    for name, level in levels.items():
        for user in users:
            told, held = labelled(runs[user], numbers=level.numbers)
            found = agreement(told >= level.told, held)
            yield Labels(name, level.told, user, len(held), int(held.sum()), **found)


def _rows(runs: dict[str, Run], level: Level) -> Iterator[object]:
    for user, run in runs.items():
        yield row(f"user {user}", run.answers(level))
    everyone = list(runs.values())
    yield row("both", (each for run in everyone for each in run.answers(level)))
    without = (each for run in everyone for each in run.answers(level, conflicts=False))
    yield row("both, no conflicts", without)
    yield row("both, held not read", (each for run in everyone for each in run.answers(level, of="held")))


@dataclass(frozen=True)
class Kind:
    """Right answers to one kind of question, covered and not."""

    kind: str
    user: str
    right_of_covered: str
    right_of_not_covered: str


def _kinds(runs: dict[str, Run], level: Level) -> tuple[Kind, ...]:
    made = []
    for user, run in runs.items():
        answers = iter(run.answers(level))
        counts: Counter[tuple[str, str]] = Counter()
        for settled in run.outcomes.settlements[run.material.id]:
            query = run.material.query(settled.query)
            state = ("covered" if next(answers).covered else "not") if query.answerable else "not"
            counts[query.category or "", state] += 1
            counts[query.category or "", f"{state} right"] += int(settled.correct)
        for kind in sorted({kind for kind, _ in counts}):
            shares = (f"{counts[kind, f'{s} right']} of {counts[kind, s]}" for s in ("covered", "not"))
            made.append(Kind(kind, user, *shares))
    return tuple(made)
