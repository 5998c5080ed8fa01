"""Credit: what the claims in memory had to do with how settled queries ended.

One outcome, many earlier writes. Whatever is disclosed makes a rule possible: the outcome alone
credits everything that was held; the supports of a hit tell which claims it would have failed without;
the supports of a miss as well tell which claims would have saved it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from memspan.errors import ShapeError, UnknownName
from memspan.learning.settled import Parts, Settled, flip, leave_one_out, settled
from memspan.learning.shapley import shared
from memspan.ports import Outcome

Bools = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]
Method = Literal["return", "baseline", "leave-one-out", "shapley", "flip"]
METHODS: tuple[Method, ...] = get_args(Method)


@dataclass(frozen=True)
class Credit:
    """Credit of each claim, on average over settlements.

    Attributes:
        method: the rule.
        values: mean credit per settlement, shape (n,), in utility: 1 is a query answered.
        variance: of a single settlement's credit about that mean, shape (n,); nan for fewer than 2.
        errors: standard error of `values` from drawing orders (Shapley), 0 where all is exact.
        settlements: how many there were.
        unexplained: right answers of which no support held, so that no claim has credit for them;
            where only the outcome counts, 0.
    """

    method: Method
    values: Floats
    variance: Floats
    errors: Floats
    settlements: int
    unexplained: int = 0

    @property
    def spread(self) -> Floats:
        """Standard error of `values`, as an estimate for other queries like these: shape (n,)."""
        return np.sqrt(self.variance / self.settlements)


def credit(
    outcomes: Sequence[Outcome],
    memories: Bools,
    method: Method = "leave-one-out",
    *,
    rng: np.random.Generator | None = None,
    orders: int = 1000,
) -> Credit:
    """Return what each claim is credited with for how queries were settled.

    ``return`` gives each claim held the outcome, ``baseline`` the outcome minus the mean of the other
    settlements. ``leave-one-out`` gives the claims of M what would be lost without them,
    u(M) - u(M - i); ``shapley`` shares each success among the claims of the supports that held. Both
    need the supports of hits alone, or the claims used, which count as the one support.
    ``flip`` gives u(M + i) - u(M - i) to every claim, held or not, and needs the supports of misses, too.
    A right answer of which no support held was no doing of the memory, and credits nobody.

    Args:
        outcomes: T settled queries with what was disclosed; all supports of a hit, where it has several:
            with one of them told, leave-one-out takes it for the only one.
        memories: which claims were held, bool (T, n), or (n,) where it was the same for all.
        method: the rule.
        rng: draws orders where Shapley is not exact: beyond 12 supports and 12 claims; None is seed 0.
        orders: how many are drawn for each such settlement.

    Raises:
        ShapeError: memories that do not fit, or outcomes that disclose too little for the rule.
        UnknownName: no such rule.

    Source: leave-one-out as difference rewards, Wolpert and Tumer, *Optimal payoff functions for members of
    collectives*, 2001; Shapley, *A Value for n-Person Games*, 1953.

    >>> import numpy as np
    >>> two_ways = Outcome(1, supports=((0,), (1, 2)))
    >>> held = np.array([True, True, True, True])
    >>> credit([two_ways], held).values.tolist()
    [0.0, 0.0, 0.0, 0.0]
    >>> credit([two_ways], held, "shapley").values.round(3).tolist()
    [0.667, 0.167, 0.167, 0.0]
    >>> missed = Outcome(0, supports=two_ways.supports)
    >>> credit([missed], np.array([False, True, False, True]), "flip").values.tolist()
    [1.0, 0.0, 1.0, 0.0]
    """
    if method not in METHODS:
        raise UnknownName(f"no credit is called {method!r}; there are {', '.join(METHODS)}")
    told = settled(outcomes, _rows(memories, len(outcomes)))
    if method in ("return", "baseline"):
        return _of_held(told, method)
    _disclosed(told, method)
    parts, errors = parts_of(told, method, rng, orders)
    values, variance = moments(parts, told.count, told.n_claims)
    drawn = np.sqrt(np.bincount(parts.claim, errors**2, minlength=told.n_claims)) / max(told.count, 1)
    unexplained = int(((told.correct > 0) & (told.held == 0)).sum())
    return Credit(method, values, variance, drawn, told.count, unexplained)


def parts_of(
    told: Settled, method: Method, rng: np.random.Generator | None = None, orders: int = 1000
) -> tuple[Parts, Floats]:
    """Return the credit of single settlements by a rule that looks at supports, and its drawing errors."""
    if method == "shapley":
        return shared(told, rng, orders)
    parts = leave_one_out(told) if method == "leave-one-out" else flip(told)
    return parts, np.zeros(len(parts.value))


def moments(parts: Parts, count: int, claims: int) -> tuple[Floats, Floats]:
    """Return mean and variance over *count* settlements of the credit of each claim."""
    values = np.bincount(parts.claim, parts.value, minlength=claims) / max(count, 1)
    off = np.bincount(parts.claim, (parts.value - values[parts.claim]) ** 2, minlength=claims)
    idle = count - np.bincount(parts.claim, minlength=claims)
    return values, _per_freedom(off + idle * values**2, count)


def others(correct: Floats) -> Floats:
    """Return for each outcome the mean of all others: a baseline that knows nothing of its own draw.

    >>> others(np.array([1.0, 0.0, 1.0])).tolist()
    [0.5, 1.0, 0.5]
    """
    rest: Floats = (correct.sum() - correct) / max(len(correct) - 1, 1)
    return rest


def _of_held(told: Settled, method: Method) -> Credit:
    signal = told.correct - (others(told.correct) if method == "baseline" else 0.0)
    each = told.memories * signal[:, None]
    values = each.sum(axis=0) / max(told.count, 1)
    variance = _per_freedom(((each - values) ** 2).sum(axis=0), told.count)
    return Credit(method, values, variance, np.zeros(told.n_claims), told.count)


def _per_freedom(squares: Floats, count: int) -> Floats:
    return squares / (count - 1) if count > 1 else np.full(len(squares), np.nan)


def _rows(memories: Bools, count: int) -> Bools:
    if memories.dtype == np.bool_ and memories.ndim == 1:
        return np.broadcast_to(memories, (count, len(memories)))
    if memories.dtype != np.bool_ or memories.ndim != 2 or len(memories) != count:
        raise ShapeError(
            f"memories have shape {memories.shape} and type {memories.dtype} for {count} settled queries; "
            f"give a boolean array with a row for each query, or one row for all"
        )
    return memories


def _disclosed(told: Settled, method: Method) -> None:
    """Raise ShapeError where *method* needs more than was disclosed."""
    if method == "flip":
        unknown, needed = np.flatnonzero(~told.missed), "all supports, also of misses"
        cure = "leave-one-out needs those of hits alone"
    else:
        unknown, needed = (
            np.flatnonzero(~told.told & (told.correct > 0)),
            "the supports of hits, or claims used",
        )
        cure = "baseline needs the outcome alone"
    if len(unknown):
        raise ShapeError(
            f"{len(unknown)} of {told.count} settled queries, the first at position {unknown[0]}, tell too "
            f"little for {method!r}, which needs {needed}; {cure}"
        )
