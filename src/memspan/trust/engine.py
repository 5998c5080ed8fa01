"""How outcomes become messages: the ledger and the state kept in step, at once or over again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from types import ModuleType

import numpy as np
import numpy.typing as npt

from memspan.kernels.evidence import Rows
from memspan.kernels.plain import evidence as plain
from memspan.material import Settlement
from memspan.trust.caps import Caps
from memspan.trust.ledger import Ledger
from memspan.trust.reading import Candidate, Readings
from memspan.trust.state import State, canonical
from memspan.trust.terms import Terms

Floats = npt.NDArray[np.float64]
MANY = 10_000
"""Updates in one go from which the compiled kernels are worth loading."""
SWEEPS = 30
DAMPING = 0.3
SETTLED = 1e-5
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
        self._queue: list[tuple[int, float, float]] = []
        self._stale: set[int] = set()

    def settle(self, given: Iterable[Settlement]) -> None:
        """Write outcomes into the ledger and let them count."""
        late: set[int] = set()
        for settlement in given:
            late.update(factor for factor in self.enter(settlement) if self.ledger.is_late(factor))
        self.count()
        self.recount(late)

    def bind(self, name: str) -> None:
        """Take a settler as untrusted from now on, in what it has said too."""
        self.caps.bind(name)
        if name in self.state.settlers:
            for factor in self.state.factors_by(self.state.settlers[name]):
                self._stale |= self.caps.add(self.state, factor)
        self.count()

    def enter(self, settlement: Settlement) -> list[int]:
        """Write *settlement* into the ledger and queue what it says; return the factors it is about."""
        candidates = self.readings.of(settlement)
        name = settlement.settler
        settler = self.state.settler(name, noise=self.terms.noise_of(name))
        supports = [self.state.support(self.state.row(each.claims)) for each in candidates]
        factors = [self._factor(support, settler, name) for support in supports]
        if len(candidates) > 1:
            self.count()
        shares = self._shares(candidates, supports, name, settlement.correct)
        entry = self.ledger.append(
            settlement,
            settler,
            list(zip(factors, shares, strict=True)),
            keep=not self._tells(settlement, supports),
        )
        for part, factor in zip(self.ledger.parts_of(entry), factors, strict=True):
            self._queue.append((factor, *self.ledger.outcome(part)))
        return factors

    def _tells(self, settlement: Settlement, supports: Sequence[int]) -> bool:
        """Whether the ledger's columns tell all of *settlement*."""
        plainly = not settlement.extra and settlement.time is None and settlement.id is None
        if not plainly or len(supports) != 1:
            return False
        names = self.state.names
        return settlement.claims == tuple(names[place] for place in self.state.claims_of(supports[0]))

    def _factor(self, support: int, settler: int, name: str | None) -> int:
        before = self.state.n_factors
        factor = self.state.factor(support, settler, self.caps.cap)
        if factor == before and self.caps.is_bound(name):
            self._stale |= self.caps.add(self.state, factor)
        return factor

    def _shares(
        self, candidates: Sequence[Candidate], supports: Sequence[int], settler: str | None, correct: float
    ) -> list[float]:
        """Return how likely each candidate was the one read, now that the outcome is known."""
        if len(candidates) < 2:
            return [1.0] * len(candidates)
        beliefs = plain.beliefs(self.state.evidence, self.terms.numbers, np.array(supports, np.int32))
        return responsibilities([each.chance for each in candidates], beliefs, self.terms, settler, correct)

    def count(self) -> None:
        """Let everything queued count."""
        queued = [each for each in self._queue if each[1] + each[2] > 0]
        self._queue.clear()
        if queued:
            factors, right, wrong = (np.array(column) for column in zip(*queued, strict=True))
            kernel = kernel_for(len(queued))
            kernel.settle(
                self.state.evidence,
                self.terms.numbers,
                factors.astype(np.int32),
                right.astype(np.float64),
                wrong.astype(np.float64),
            )
        if self._stale:
            self.send(np.array(sorted(self._stale), np.int32))
            self._stale.clear()

    def send(self, factors: Rows, damping: float = 0.0) -> float:
        """Send the messages of *factors* again; return the greatest change of one."""
        kernel = kernel_for(len(factors))
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
        order = canonical(self.state)
        self.state.forget_messages()
        unsure = self.ledger.unsure()
        change = 0.0
        for sweep in range(1, sweeps + 1):
            if unsure:
                self._share_again(unsure, fresh=sweep == 1)
            change = self.send(rng.permutation(order), DAMPING)
            if change < SETTLED:
                return Refit(sweep, change)
        return Refit(sweeps, change)

    def _share_again(self, unsure: Sequence[int], *, fresh: bool) -> None:
        """Share each outcome of which it is not known what it is about anew; by chance alone if *fresh*."""
        touched: set[int] = set()
        for entry in unsure:
            settlement = self.ledger.kept[entry]
            candidates = self.readings.of(settlement)
            factors = self.ledger.factors_of(entry)
            correct = float(self.ledger.columns["correct"].data[entry])
            supports = self.state.columns["support"].data[factors].tolist()
            shares = (
                [each.chance for each in candidates]
                if fresh
                else self._shares(candidates, supports, settlement.settler, correct)
            )
            parts = self.ledger.parts_of(entry)
            self.ledger.columns["share"].data[parts.start : parts.stop] = shares
            touched |= set(factors)
        self._tally(touched)


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
    if count < MANY:
        return plain
    from memspan.kernels.fast import evidence

    return evidence
