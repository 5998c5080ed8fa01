"""How outcomes become messages: the ledger and the state kept in step, at once or over again."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from types import ModuleType

import numpy as np
import numpy.typing as npt

from memspan.kernels.evidence import Rows
from memspan.kernels.plain import evidence as plain
from memspan.material import Settlement
from memspan.trust.caps import Caps
from memspan.trust.ledger import Ledger
from memspan.trust.reading import Readings
from memspan.trust.state import Row, State, canonical
from memspan.trust.terms import Terms

Floats = npt.NDArray[np.float64]
FAST = "memspan.kernels.fast.evidence"
MANY, FEW = 20_000, 20
"""Updates in one go from which compiled kernels are worth loading, and worth calling once loaded."""
SWEEPS = 100
USUAL = 30
"""Sweeps that a refit takes as a rule."""
DAMPING = 0.5
SETTLED = 1e-3
"""Change of a message, in log-odds, below which a refit is done."""


@dataclass(frozen=True, slots=True)
class Refit:
    """How a refit went.

    Attributes:
        sweeps: how often all messages were sent.
        change: the greatest change of a message in the last sweep, in log-odds.
    """

    sweeps: int
    change: float

    @property
    def converged(self) -> bool:
        """Whether messages changed no more."""
        return self.change < SETTLED


class Engine:
    """State and ledger of one model.

    Attributes:
        terms: the model's numbers.
        state: claims, supports, factors and settlers.
        ledger: what was settled.
        readings: the supports of queries, where they are known.
        caps: what outcomes of one settler amount to at most.
    """

    def __init__(self, terms: Terms, readings: Readings, untrusted: frozenset[str]) -> None:
        """Start without claims."""
        self.terms = terms
        self.state = State(terms)
        self.ledger = Ledger()
        self.readings = readings
        self.caps = Caps(terms, untrusted)
        self._factors: list[int] = []
        self._right: list[float] = []
        self._wrong: list[float] = []
        self._stale: set[int] = set()

    def settle(self, given: Iterable[tuple[Settlement, Row]]) -> None:
        """Write outcomes, with the positions of the claims they name, into the ledger and let them count."""
        late: set[int] = set()
        for settlement, row in given:
            factors = self._enter(settlement, row)
            if settlement.time is not None:
                late.update(factor for factor in factors if self.ledger.is_late(factor))
        self.count()
        self.recount(late)

    def bind(self, name: str) -> None:
        """Take a settler as untrusted from now on, in what it has said too."""
        self.caps.bind(name)
        if name in self.state.settlers:
            factors = self.state.factors_by(self.state.settlers[name])
            for factor in factors:
                self.state.bind(factor)
                self._cap(self.caps.share(self.state, factor))
            touched = {claim for each in factors for claim in self.state.claims_near(each)}
            plain.lend(self.state.evidence, self.terms.numbers, np.array(sorted(touched), np.int32))
        self.count()

    def _enter(self, settlement: Settlement, row: Row) -> list[int]:
        """Write one outcome into the ledger and queue what it says; return the factors it is about."""
        name, rows, chances = settlement.settler, [row], [1.0]
        if not row or settlement.query in self.readings.supports:
            candidates = self.readings.of(settlement)
            rows = [self.state.row(each.claims) for each in candidates]
            chances = [each.chance for each in candidates]
        settler = self.state.settlers.get(name)
        if settler is None:
            settler = self.state.add_settler(name, self.terms.noise_of(name))
        supports = [self.state.support(row) for row in rows]
        factors = [self._factor(support, settler, name) for support in supports]
        shares = [1.0] * len(factors)
        if len(factors) > 1:
            self.count()
            shares = self._shares(chances, supports, name, settlement.correct)
        parts = list(zip(factors, shares, strict=True))
        self.ledger.append(settlement, settler, parts, keep=not self._tells(settlement, rows))
        for factor, share in parts:
            weight = settlement.weight * share
            if weight > 0:
                self._factors.append(factor)
                self._right.append(weight * settlement.correct)
                self._wrong.append(weight * (1 - settlement.correct))
        if self._stale:
            self.count()
        return factors

    def _tells(self, settlement: Settlement, rows: Sequence[Row]) -> bool:
        """Whether the ledger's columns tell all of *settlement*."""
        if len(rows) != 1 or not _is_plain(settlement):
            return False
        names = self.state.claims.names
        return settlement.claims == tuple([names[place] for place in rows[0]])

    def _factor(self, support: int, settler: int, name: str | None) -> int:
        factor = self.state.factor(support, settler, self.caps.cap)
        if self.caps.is_bound(name):
            self.state.bind(factor)
            smaller = self.caps.share(self.state, factor)
            if smaller.keys() - {factor}:
                self.count()  # what came before counts by the caps that were in force then
            self._cap(smaller)
        return factor

    def _cap(self, smaller: Mapping[int, float]) -> None:
        for factor, cap in smaller.items():
            self.state.columns["cap"].data[factor] = cap
            if self.state.columns["active"].data[factor]:
                self._stale.add(factor)

    def _shares(
        self, chances: Sequence[float], supports: Sequence[int], settler: str | None, correct: float
    ) -> list[float]:
        """Return how likely each support was the one read, now that the outcome is known."""
        beliefs = plain.beliefs(self.state.evidence, self.terms.numbers, np.array(supports, np.int32))
        return responsibilities(chances, beliefs, self.terms, settler, correct)

    def count(self) -> None:
        """Let everything queued count."""
        if self._factors:
            kernel_for(len(self._factors)).settle(
                self.state.evidence,
                self.terms.numbers,
                np.array(self._factors, np.int32),
                np.array(self._right, np.float64),
                np.array(self._wrong, np.float64),
            )
            self._factors, self._right, self._wrong = [], [], []
        if self._stale:
            self.send(np.array(sorted(self._stale), np.int32))
            self._stale.clear()

    def relate(self, links: int) -> None:
        """Count what follows at once for their sources where the newest *links* reach outcomes."""
        columns = self.state.columns
        every = columns["link_to"].used
        ends = every[len(every) - 2 * links :].reshape(-1, 2)
        reached = ends[(columns["touched"].data[ends] > 0).any(axis=1)]
        plain.lend(self.state.evidence, self.terms.numbers, np.unique(reached))

    def send(self, factors: Rows, damping: float = 0.0, *, times: int = 1) -> float:
        """Send the messages of *factors* again, *times* times in all; return the greatest change of one."""
        kernel = kernel_for(len(factors) * times)
        change: float = kernel.sweep(self.state.evidence, self.terms.numbers, factors, damping)
        return change

    def recount(self, factors: Iterable[int]) -> None:
        """Count the outcomes of *factors* again from the ledger, and pass on what follows."""
        each = sorted(set(factors))
        self._tally(each)
        self.send(np.array(each, np.int32))

    def _tally(self, factors: Iterable[int]) -> None:
        right, wrong = self.state.columns["right"].data, self.state.columns["wrong"].data
        for factor in factors:
            right[factor], wrong[factor] = self.ledger.counted(factor, self.terms.drift)

    def refit(self, sweeps: int, rng: np.random.Generator) -> Refit:
        """Infer everything again from the ledger; see `TrustModel.refit`."""
        self.caps.share_again(self.state)
        self.state.forget_messages()
        unsure = self.ledger.unsure()
        self._share_again(unsure, fresh=True)
        order = canonical(self.state)
        bound = self.state.columns["bound"].data[order] != 0
        refit = self._sweep(order[~bound], unsure, sweeps, rng)
        if bound.any():  # what the untrusted say comes last: nothing of the rest depends on it
            self._sweep(order[bound], [], sweeps, rng)
        return refit

    def _sweep(self, order: Rows, unsure: Sequence[int], sweeps: int, rng: np.random.Generator) -> Refit:
        """Send the messages of the factors of *order* until they change no more."""
        damping, change = DAMPING if self.state.tangled else 0.0, 0.0
        for sweep in range(1, sweeps + 1):
            if sweep > 1:
                self._share_again(unsure, fresh=False)
            change = self.send(rng.permutation(order), damping, times=min(sweeps, USUAL))
            if change < SETTLED:
                return Refit(sweep, change)
        return Refit(sweeps, change)

    def _share_again(self, unsure: Sequence[int], *, fresh: bool) -> None:
        """Share each outcome of which it is not known what it is about anew; by chance alone if *fresh*."""
        touched: set[int] = set()
        for entry in unsure:
            settlement = self.ledger.kept[entry]
            shares = chances = [each.chance for each in self.readings.of(settlement)]
            factors = self.ledger.factors_of(entry)
            if not fresh:
                correct = float(self.ledger.columns["correct"].data[entry])
                supports = self.state.columns["support"].data[factors].tolist()
                shares = self._shares(chances, supports, settlement.settler, correct)
            parts = self.ledger.parts_of(entry)
            self.ledger.columns["share"].data[parts.start : parts.stop] = shares
            touched |= set(factors)
        self._tally(touched)


def _is_plain(settlement: Settlement) -> bool:
    """Whether the ledger's columns tell all of *settlement* but what it is about."""
    return settlement.time is None and settlement.id is None and not settlement.extra


def responsibilities(
    chances: Sequence[float], beliefs: Floats, terms: Terms, settler: str | None, correct: float
) -> list[float]:
    """Return how likely each support was the one read, given its chance, its belief and the outcome."""
    noise = terms.noise_of(settler)
    if_true = correct * (1 - noise.false_wrong.mean) + (1 - correct) * noise.false_wrong.mean
    if_false = correct * noise.false_right.mean + (1 - correct) * (1 - noise.false_right.mean)
    likely = np.array(chances) * (beliefs * if_true + (1 - beliefs) * if_false)
    shares: list[float] = (likely / likely.sum()).tolist()
    return shares


def kernel_for(count: int) -> ModuleType:
    """Return the kernels for *count* updates in one go: few must not wait for a compiler."""
    if count < (MANY if FAST not in sys.modules else FEW):
        return plain
    return import_module(FAST)
