"""Where the questions are lost, from all of them down to those answered rightly."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields

import numpy as np

from memspan.diagnosis.measuring import Measured
from memspan.diagnosis.worlds import spread
from memspan.intervals import Interval


@dataclass(frozen=True)
class Waterfall:
    """The parts of what is lost, as masses of all queries, answerable or not.

    Each part is counted by its own definition; that they sum to `lost` is a check (`residual`).

    Attributes:
        unanswerable: queries that nothing in the material answers; a refusal is right.
        generation: answerable queries that the full material does not span: extraction or Φ lost
            them, or claims in it defeat what would answer.
        compression: what the capacity costs even the best memory; where claims defeat others, less
            than the full material can be more than all of it, and this is negative.
        write: what the best memory of that capacity covers beyond this one.
        false: covered, but not by true claims alone.
        read: held truly, but not read.
        reasoner: read, and answered wrongly all the same.
        anyway: answered rightly though not read: refused rightly, guessed, or known from elsewhere;
            counts against the others.
        lost: one minus the mass answered rightly; where nobody answered, minus the mass read.
        answered: whether somebody answered; else the last two parts are 0 and `lost` ends at the read.
    """

    unanswerable: Interval
    generation: Interval
    compression: Interval
    write: Interval
    false: Interval
    read: Interval
    reasoner: Interval
    anyway: Interval
    lost: Interval
    answered: bool

    @property
    def parts(self) -> Iterator[tuple[str, Interval]]:
        """The parts by name, in order, `anyway` as it counts: negative."""
        for field in fields(self)[:8]:
            part: Interval = getattr(self, field.name)
            sign = -1 if field.name == "anyway" else 1
            yield (
                field.name,
                part if sign > 0 else Interval(0 - part.estimate, 0 - part.upper, 0 - part.lower),
            )

    @property
    def residual(self) -> float:
        """What the parts sum to, minus what is lost: 0 but for rounding."""
        return sum(part.estimate for _, part in self.parts) - self.lost.estimate


def waterfall(measured: Sequence[Measured], capacity: int | None) -> Waterfall:
    """Return where the queries are lost, over one or several worlds.

    Args:
        measured: the same system in each world.
        capacity: claims it may hold; its size where it has no bound.
    """

    def over(part: Callable[[Measured], float]) -> Interval:
        return spread([part(each) for each in measured])

    best = [_best(each, each.size if capacity is None else capacity) for each in measured]
    rows = list(zip(measured, best, strict=True))
    return Waterfall(
        unanswerable=over(lambda m: _mass(m, ~m.world.answerable)),
        generation=over(lambda m: _mass(m, m.world.answerable & ~m.world.spanned)),
        compression=_bounded([[_share(m, _baseline(m) - b) for b in bounds] for m, bounds in rows]),
        write=_bounded([[_share(m, b - m.weight(m.covered)) for b in bounds] for m, bounds in rows]),
        false=over(lambda m: _mass(m, m.covered & ~m.precise)),
        read=over(lambda m: _mass(m, m.precise & ~m.read)),
        reasoner=over(lambda m: 0.0 if m.right is None else _judged(m, m.read, 1 - m.right)),
        anyway=over(lambda m: 0.0 if m.right is None else _judged(m, ~m.read, m.right)),
        lost=over(_lost),
        answered=all(each.right is not None for each in measured),
    )


def _best(measured: Measured, capacity: int) -> tuple[int, int]:
    """Return the bounds of U*(S) as weights; a memory within the capacity raises the lower one."""
    curve = measured.world.frontier.solution.curve
    place = min(capacity, len(curve.lower) - 1)
    lower, upper = int(curve.lower[place]), int(curve.upper[place])
    known = measured.weight(measured.covered) if measured.size <= capacity else 0
    return max(lower, known), upper


def _baseline(measured: Measured) -> int:
    return measured.world.frontier.baseline_weight


def _share(measured: Measured, weight: int) -> float:
    return weight / max(measured.world.whole, 1)


def _mass(measured: Measured, flags: np.ndarray) -> float:
    return _share(measured, measured.weight(flags))


def _judged(measured: Measured, flags: np.ndarray, values: np.ndarray) -> float:
    weighted = measured.world.weights[flags] * values[flags]
    return float(weighted.sum()) / max(measured.world.whole, 1)


def _lost(measured: Measured) -> float:
    if measured.right is None:
        return _mass(measured, ~measured.read)
    every = np.ones_like(measured.read)
    return _judged(measured, every, 1 - measured.right)


def _bounded(bounds: Sequence[Sequence[float]]) -> Interval:
    """Return the interval of a part that rests on a bounded optimum; the estimate takes the lower bound."""
    estimates = [pair[0] for pair in bounds]
    return spread(estimates, [min(pair) for pair in bounds], [max(pair) for pair in bounds])
