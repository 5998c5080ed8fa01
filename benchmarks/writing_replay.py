"""Materials replayed as an agent lives through them: sessions in order, queries after each, evicted is lost.

Every policy writes after each query; a query's claims are told as the column says. Shares are of the
exact bound, summed over steps; intervals are over materials. The prior of a LoCoMo conversation is the
write rule of the others. The terms of the belief were chosen on LoCoMo, LongMemEval notes and HotpotQA,
and HaluMem was looked at meanwhile; the other sets are played as they come, with the rule of all LoCoMo
conversations and with the one shipped.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import numpy.typing as npt

import memspan as ms
from measuring import Section
from memspan.datasets.merging import merge
from memspan.environments.bounds import Optima, optima
from memspan.environments.episode import Disclosure, Episode, Rules, Write
from memspan.environments.orders import OrderName, Schedule, draw
from memspan.environments.playing import play
from memspan.environments.scene import Scene, scene
from memspan.intervals import Interval, mean_over
from memspan.learning.writer import train_writer
from memspan.material import Claim, Material
from memspan.policies.gamma import GammaPoisson, Terms
from memspan.policies.plain import plain
from memspan.policies.writer import WriterRule, shipped
from memspan.ports import Prior, WritePolicy
from trusting import DATA

Floats = npt.NDArray[np.float64]
Make = Callable[[Prior], WritePolicy]
ORDERS: tuple[OrderName, ...] = ("zipf", "uniform", "mix", "once")
LFU = "lfu"
DRIFTING = 30  # queries after each session, where popularity moves
WINDOW = 100

POLICIES: Mapping[str, Make] = {
    LFU: lambda _: plain("lfu"),
    "fifo": lambda _: plain("fifo"),
    "lru": lambda _: plain("lru"),
    "random": lambda _: plain("random"),
    "static": lambda prior: plain("static", prior),
    "lfu of prior": lambda prior: plain("lfu", prior),
    "belief, flat prior": lambda _: GammaPoisson(Flat()),
    "belief, prior taken as it is": lambda prior: GammaPoisson(prior, Terms(learns=0)),
    "belief": GammaPoisson,
}


class Flat:
    """Every claim is as likely."""

    name = "flat"

    def start(self) -> None:
        """Nothing to forget."""

    def observe(self, claims: Sequence[Claim]) -> Floats:
        """Return the same for each."""
        return np.full(len(claims), 0.2)


@dataclass(frozen=True)
class Game:
    """A material at one capacity, under one order."""

    scene: Scene
    schedule: Schedule
    capacity: int
    bound: Optima

    def shares(self, policy: WritePolicy, disclosure: Disclosure, write: Write = "stream") -> Floats:
        """Return what *policy* expects at each step, and the bound, shape (2, T).

        A clairvoyant bound is about the very queries that were asked, so what was collected stands there.
        """
        rules = Rules(write, disclosure=disclosure)
        played = play(policy, Episode(self.scene, self.schedule, self.capacity, rules))
        reached = played.collected if self.bound.kind == "clairvoyant" else played.expected
        return np.array([reached, self.bound.upper])


@dataclass(frozen=True)
class Case:
    """A material and the rule that judges its claims."""

    material: Material
    rule: WriterRule


@cache
def _conversations() -> tuple[Material, ...]:
    return tuple(ms.load(DATA / "locomo/locomo10_dev.json"))


@cache
def rule_without(left_out: int | None) -> WriterRule:
    """Return the write rule of all LoCoMo conversations but one."""
    kept = [m for i, m in enumerate(_conversations()) if i != left_out]
    return train_writer(kept, batches="sessions", measured=False)


def locomo(quick: bool) -> list[Case]:
    """Return conversations, each with the rule of the others."""
    return [Case(m, rule_without(i)) for i, m in enumerate(_conversations()) if not quick or i < 2]


def joined(name: str, path: str, most: int, start: int = 0) -> Material:
    """Return the contexts of many questions as one material: a session each, in random order."""
    found = [m for m in ms.load(DATA / path) if m.claims and any(m.supports_of(q) for q in m.queries)]
    chosen = np.random.default_rng(7).permutation(len(found))[start : start + most]
    parts = []
    for k, i in enumerate(chosen.tolist()):
        claims = tuple(replace(claim, source=f"context {k}") for claim in found[i].claims)
        parts.append(replace(found[i], id=f"{k:03d}", claims=claims))
    return merge(parts, name)


def unseen(quick: bool) -> Iterator[tuple[str, list[Material]]]:
    """Yield sets on which no term was chosen; HotpotQA, on which one was, last."""
    users = [ms.load(DATA / f"halumem/user{user}.jsonl")[0] for user in "03"]
    yield "HaluMem", users
    most = 15 if quick else 40
    yield "MuSiQue", [joined("musique", "multihop/musique_dev.json", most)]
    if quick:
        return
    yield "2Wiki", [joined(name, f"multihop/{name}.json", most) for name in ("2wiki_dev", "2wiki_train_dev")]
    yield "StrategyQA", [joined("strategyqa", "multihop/strategyqa_dev.json", most)]
    tasks = ("1_single-supporting-fact", "2_two-supporting-facts", "3_three-supporting-facts", "7_counting")
    yield "bAbI", [joined(f"qa{task}", f"babi/qa{task}_dev.txt", 60) for task in tasks]
    yield "HotpotQA (looked at)", [joined("hotpot", "multihop/hotpotqa_dev.json", most)]


@dataclass
class Arena:
    """Games that were set up once, for all policies alike."""

    seeds: int

    def __post_init__(self) -> None:
        """Start with none."""
        self._games: dict[tuple[str, str, float, int, int, float | None], Game] = {}

    def game(
        self, material: Material, order: OrderName, share: float, seed: int, drifts_at: float | None = None
    ) -> Game:
        """Return a game; the same for the same."""
        each = 10 if drifts_at is None else DRIFTING
        key = material.id, order, share, seed, each, drifts_at
        if key not in self._games:
            laid = scene(material)
            rng = np.random.default_rng([seed, len(material.claims)])
            schedule = draw(laid, order, rng, per_batch=each, drifts_at=drifts_at)
            capacity = max(1, round(share * len(material.claims)))
            bound = optima(laid, schedule, capacity, lost=True, seconds=5)
            self._games[key] = Game(laid, schedule, capacity, bound)
        return self._games[key]

    def share(
        self, case: Case, make: Make, order: OrderName, share: float, disclosure: Disclosure = "hits"
    ) -> float:
        """Return the share of the bound that a policy collects, over seeds."""
        found = []
        for seed in range(self.seeds):
            reached, bound = self.game(case.material, order, share, seed).shares(
                make(case.rule.prior()), disclosure
            )
            found.append(np.nansum(reached) / np.nansum(bound))
        return float(np.mean(found))


@dataclass(frozen=True)
class Row:
    """One policy: share of the bound by order, and against LFU."""

    policy: str
    zipf: str
    uniform: str
    mix: str
    once: str


def table(
    arena: Arena, cases: Sequence[Case], share: float, disclosure: Disclosure, names: Sequence[str]
) -> list[Row]:
    """Return rows of shares, and of paired ratios to LFU for the last policy."""
    found = {
        name: [
            [arena.share(case, POLICIES[name], order, share, disclosure) for case in cases]
            for order in ORDERS
        ]
        for name in names
    }
    rows = [Row(name, *(shown(mean_over(values)) for values in found[name])) for name in names]
    if LFU in found:
        last = names[-1]
        pairs = zip(found[last], found[LFU], strict=True)
        ratios = (ratio(np.array(ours), np.array(theirs)) for ours, theirs in pairs)
        rows.append(Row(f"{last} / lfu", *map(shown, ratios)))
    return rows


def ratio(ours: Floats, theirs: Floats) -> Interval:
    """Return the ratio of means, with the bootstrap over materials."""
    whole = float(ours.mean() / theirs.mean())
    if len(ours) < 2:
        return Interval(whole)
    picks = np.random.default_rng(0).integers(len(ours), size=(2000, len(ours)))
    lower, upper = np.quantile(ours[picks].mean(axis=1) / theirs[picks].mean(axis=1), [0.025, 0.975])
    return Interval(whole, float(lower), float(upper))


def shown(value: Interval) -> str:
    """Show an interval, or the estimate alone where nothing is known of others."""
    return str(value) if value.known else f"{value.estimate:.3f}"


@dataclass(frozen=True)
class Moved:
    """Share of the bound around the moment at which popularity is drawn anew."""

    policy: str
    write: str
    before: float
    next_100: float
    from_100: float
    from_200: float


def drifting(arena: Arena, cases: Sequence[Case], order: OrderName) -> Iterator[Moved]:
    """Yield what becomes of policies when popularity moves at mid-stream."""
    makes: dict[str, Make] = {
        LFU: POLICIES[LFU],
        "belief": GammaPoisson,
        "belief that keeps 200": lambda prior: GammaPoisson(prior, Terms(keeps=200.0)),
    }
    settings: tuple[tuple[Write, Disclosure], ...] = (
        ("stream", "hits"),
        ("full", "hits"),
        ("full", "supports"),
    )
    for write, disclosure in settings:
        for name, make in makes.items():
            rows = [
                _around(arena.game(c.material, order, 0.1, 0, 0.5), make(c.rule.prior()), write, disclosure)
                for c in cases
            ]
            yield Moved(name, f"{write}, {disclosure}", *np.mean(rows, axis=0).round(3).tolist())


def _around(game: Game, policy: WritePolicy, write: Write, disclosure: Disclosure) -> list[float]:
    reached, bound = game.shares(policy, disclosure, write)
    half = int(np.ceil(len(reached) / 2))
    starts = [half + WINDOW * k for k in range(-1, 3)]
    return [float(np.nansum(reached[s : s + WINDOW]) / np.nansum(bound[s : s + WINDOW])) for s in starts]


def sections(quick: bool) -> Iterator[Section]:
    """Yield all tables."""
    arena = Arena(1 if quick else 2)
    cases = locomo(quick)
    for share in (0.1, 0.2):
        rows = table(arena, cases, share, "hits", list(POLICIES))
        yield Section(
            f"locomo-{share:.0%}", f"LoCoMo, capacity {share:.0%}, claims used are told on hits", tuple(rows)
        )
    columns: tuple[tuple[Disclosure, str], ...] = (
        ("outcome", "right or wrong"),
        ("supports", "all supports"),
    )
    for disclosure, told in columns:
        rows = table(arena, cases, 0.1, disclosure, [LFU, "belief"])
        yield Section(f"locomo-{disclosure}", f"LoCoMo, 10 %, told are {told}", tuple(rows))
    for name, materials in unseen(quick):
        for rule, title in ((rule_without(None), "LoCoMo's rule"), (shipped(), "the shipped rule")):
            rows = table(arena, [Case(m, rule) for m in materials], 0.1, "hits", [LFU, "static", "belief"])
            yield Section("unseen", f"{name}, 10 %, {title}", tuple(rows))
    for order in ("zipf",) if quick else ("zipf", "mix"):
        yield Section(
            "drift", f"popularity of {order} is drawn anew at half time", tuple(drifting(arena, cases, order))
        )


def main() -> None:
    """Print all tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="two conversations, one seed, two other sets")
    for section in sections(parser.parse_args().quick):
        print(section.text(), flush=True)


if __name__ == "__main__":
    main()
