"""Writing where a fifth of the claims has a false look-alike: what trust is worth, and learning beside it.

LoCoMo's conversations with drawn look-alikes, half of them known to contradict their original. A memory
of 10 % of the claims answers queries; the reward is precision, told as a share of what no policy exceeds
(false claims answer nothing, queries by the law of each step). Outcomes are settled without errors, or
wrong 10 % of the time each way. The prior of each conversation is fitted on the others.

Level 1b: the whole conversation can be read again at each of 200 writes. Replay: sessions one by one, 10
queries after each, supports told on hits only, and what was let go is lost; held against LFU that is told
which claims are false, and neither holds nor counts them: the better of plain LFU and of LFU filled by
the prior, in each row.

Choices were made on the first three conversations, and the others are reported, with one exception: the
optimism of doubting was turned off after a first report on the others had shown a loss, with more draws
of the first three to bear it out. What is reported since is drawn anew, of the same conversations.
Intervals are over conversations, paired. Columns of what is disclosed are never mixed.

Run it as `python benchmarks/writing_doubted.py`, with `--quick`, or with `--json`. It reads the folder
that MEMSPAN_DATA names.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

import memspan as ms
from instances import public
from measuring import Section
from memspan.environments.bounds import optima
from memspan.environments.episode import Disclosure, Episode, Rules
from memspan.environments.noisy import LookAlikes, with_look_alikes
from memspan.environments.orders import OrderName, Schedule, draw
from memspan.environments.playing import play
from memspan.environments.scene import Scene, scene
from memspan.intervals import Interval, mean_over
from memspan.learning.writer import train_writer
from memspan.material import Claim, Material
from memspan.policies.believing import Certain
from memspan.policies.doubting import Doubting
from memspan.policies.gamma import GammaPoisson
from memspan.policies.plain import Plain, plain
from memspan.policies.unlearned import Unlearned
from memspan.policies.writer import WriterRule
from memspan.ports import Outcome, View, WritePolicy

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
Make = Callable[[WriterRule, Bools], WritePolicy]

LOCOMO = "locomo/locomo10_dev.json"
CHOSEN_ON = 3  # conversations that choices were made on
DRAWN = 10  # of the seeds: those below were looked at while choosing
SHARE, STEPS, FALSE = 0.1, 200, LookAlikes()
ERRORS = (0.0, 0.1)


class RightOnly:
    """Counts a need only where the answer was settled as right: trust without any model of it."""

    def __init__(self, belief: GammaPoisson) -> None:
        """Wrap *belief*."""
        self._belief, self.name = belief, "right answers only"

    def start(self, seed: int) -> None:
        """Forget everything."""
        self._belief.start(seed)

    def observe(self, claims: Sequence[Claim]) -> None:
        """Take the next claims."""
        self._belief.observe(claims)

    def score(self, view: View) -> Floats:
        """Return the belief's own."""
        return self._belief.score(view)

    def settle(self, outcome: Outcome) -> None:
        """Take wrong answers for misses."""
        wrong = bool(outcome.used) and outcome.correct < 0.5
        self._belief.settle(replace(outcome, used=(), supports=None) if wrong else outcome)


class Told:
    """LFU that knows which claims are false: it holds none of them, and counts no use of one."""

    def __init__(self, inner: Plain, true: Bools) -> None:
        """Wrap *inner*; whether each claim is *true*, by position."""
        self._inner, self._true, self.name = inner, true, f"{inner.name}, told the truth"

    def start(self, seed: int) -> None:
        """Forget everything."""
        self._inner.start(seed)

    def observe(self, claims: Sequence[Claim]) -> None:
        """Take the next claims."""
        self._inner.observe(claims)

    def score(self, view: View) -> Floats:
        """Return its rank of true claims."""
        scores = self._inner.score(view)
        return np.where(self._true[: len(scores)], scores, -np.inf)

    def settle(self, outcome: Outcome) -> None:
        """Count what was used, if it is true."""
        self._inner.settle(outcome if self._true[list(outcome.used or ())].all() else Outcome(0.0, ()))


DOUBT = "learning and trust"
IGNORE, UNLEARNED = "learning, no trust", "trust, no learning"
LFU, FILLED = "LFU told the truth", "LFU of the prior, told the truth"
ASKED: Mapping[str, Make] = {
    DOUBT: lambda rule, _: Doubting(GammaPoisson(rule.prior())),
    IGNORE: lambda rule, _: GammaPoisson(rule.prior()),
    "learning, right answers only": lambda rule, _: RightOnly(GammaPoisson(rule.prior())),
    UNLEARNED: lambda rule, _: Doubting(Unlearned(rule.prior())),
    "neither": lambda rule, _: plain("static", rule.prior()),
    "learning, told the truth": lambda rule, true: Doubting(GammaPoisson(rule.prior()), Certain(true)),
}
REPLAYED: Mapping[str, Make] = {
    **ASKED,
    "LFU": lambda *_: plain("lfu"),
    LFU: lambda _, true: Told(plain("lfu"), true),
    FILLED: lambda rule, true: Told(plain("lfu", rule.prior()), true),
}


@dataclass(frozen=True)
class Setting:
    """One column of a table: how an episode is played."""

    disclosure: Disclosure
    order: OrderName
    errors: float
    replayed: bool


@dataclass(frozen=True)
class Row:
    """One policy in one setting; *share* of the most that can be expected, *settled* of what was rewarded."""

    disclosed: str
    order: str
    errors: float
    policy: str
    share: Interval
    settled: float
    ahead_of_it: Interval | str
    ms_a_step: float


@dataclass(frozen=True)
class Game:
    """What one policy came to in one episode."""

    share: float
    settled: float
    ms: float


Games = dict[str, list[list[Game]]]
"""By policy, for each conversation, one for each seed."""


def games(
    materials: Sequence[tuple[Material, WriterRule]], setting: Setting, seeds: int, every: Mapping[str, Make]
) -> Games:
    """Let every policy play every conversation."""
    found: Games = {name: [[] for _ in materials] for name in every}
    for i, (material, rule) in enumerate(materials):
        for seed in range(seeds):
            rng = np.random.default_rng([DRAWN + seed, i])
            noisy = with_look_alikes(material, rng, FALSE)
            place = scene(noisy, arriving="sessions" if setting.replayed else "whole")
            schedule = draw(place, setting.order, rng, steps=STEPS)
            capacity = round(SHARE * len(noisy.claims))
            best = optima(place, schedule, capacity, lost=setting.replayed, true_only=True).total
            for name, make in every.items():
                policy = make(rule, ~(place.coverage.truth < 0.5))
                found[name][i].append(_game(policy, place, schedule, setting, best, seed))
    return found


def _game(
    policy: WritePolicy, place: Scene, schedule: Schedule, setting: Setting, best: float, seed: int
) -> Game:
    rules = Rules(
        "stream" if setting.replayed else "full",
        disclosure=setting.disclosure,
        reward="precision",
        false_wrong=setting.errors,
        false_right=setting.errors,
    )
    capacity = round(SHARE * len(place.material.claims))
    episode = Episode(place, schedule, capacity, rules, np.random.default_rng(seed))
    started = time.process_time()
    played = play(policy, episode)
    spent = (time.process_time() - started) / len(schedule) * 1e3
    return Game(float(np.nansum(played.expected)) / best, float(np.nansum(played.collected)) / best, spent)


def rows(setting: Setting, found: Games) -> Iterator[Row]:
    """Yield a row for each policy: its share, and how far `DOUBT` is ahead of it, paired by conversation."""
    ours = _means(found[DOUBT])
    for name, each in found.items():
        shares = _means(each)
        every = [game for one in each for game in one]
        yield Row(
            setting.disclosure,
            setting.order,
            setting.errors,
            name,
            mean_over(shares.tolist()),
            float(np.mean([game.settled for game in every])),
            "" if name == DOUBT else mean_over((ours - shares).tolist()),
            float(np.mean([game.ms for game in every])),
        )


def _means(each: Sequence[Sequence[Game]]) -> Floats:
    return np.array([np.mean([game.share for game in one]) for one in each])


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--json", action="store_true")
    options.add_argument("--quick", action="store_true", help="two conversations, one seed, errors only")
    options.add_argument("--seeds", type=int, default=2, help="drawn look-alikes of each conversation")
    asked = options.parse_args()
    talks = ms.load(public(LOCOMO))
    errors, seeds = (ERRORS[1:], 1) if asked.quick else (ERRORS, asked.seeds)
    reported = range(CHOSEN_ON, CHOSEN_ON + 2 if asked.quick else len(talks))
    materials = [(talks[i], train_writer([talk for j, talk in enumerate(talks) if j != i])) for i in reported]
    for title, settings, every in (
        ("level 1b, 10 %, 200 queries", _settings(("supports", "hits"), ("uniform", "zipf"), errors), ASKED),
        (
            "replay, 10 %, what is let go is lost",
            [
                replace(each, replayed=True)
                for each in _settings(("hits",), ("zipf", "uniform", "mix", "once"), errors)
            ],
            REPLAYED,
        ),
    ):
        told = [row for each in settings for row in rows(each, games(materials, each, seeds, every))]
        section = Section("doubted", title, tuple(told))
        print(json.dumps(section.record()) if asked.json else section.text(), flush=True)


def _settings(
    disclosures: Sequence[Disclosure], orders: Sequence[OrderName], errors: Sequence[float]
) -> list[Setting]:
    return [
        Setting(disclosure, order, each, replayed=False)
        for disclosure in disclosures
        for order in orders
        for each in errors
    ]


if __name__ == "__main__":
    main()
