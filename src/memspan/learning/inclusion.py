"""Memories drawn by chance, and the slope of their expected utility in the scores they were drawn from.

A rule that always writes the best-scored claims has no slope to follow; drawn memories have one. Under
*Bernoulli* inclusion each claim is held independently, so that the size varies about its expectation.
Under *Plackett-Luce* claims are drawn without replacement in proportion to exp(score) until the
capacity is full: the best of score plus Gumbel noise.

Leave-one-out under either: given whatever else was drawn, claim i is held with some probability p. Let C
be the memory without i, and without the claim that took its place where i is not held. Then E[u] has
the slope p' · (u(C + i) - u(C + rival)) in the score of i. With m = 1 where i is held, else 0,

    m · p'/p · (u(M) - u(M - i)) - (1 - m) · p'/(1 - p) · (u(M) - u(M - last))

has that mean, for u(C) has the weight p · p'/p - (1 - p) · p'/(1 - p) = 0; and it is 0 where M misses.
Under Bernoulli inclusion nothing takes the place of i, and the second term is 0.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from memspan.answering.linear import probability

Bools = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

_FARTHEST = 700.0  # exp of more overflows


@dataclass(frozen=True)
class Drawn:
    """E memories drawn from scores, and what turns their outcomes into slopes in the scores.

    With u(M) the utility of memory e, each of these is an unbiased estimate of the slope of E[u]:

    - ``u(M) · score``, the plain return;
    - ``own · (u(M) - u(M - i)) - rival · (u(M) - u(M - last))``: leave-one-out, which is 0 on misses;
    - ``both · (u(C + i) - u(C)) - rival · (u(M) - u(M - last))``: the flip, with C = M - i for claims
      that are held and C = M - last for the others.

    Attributes:
        memories: bool (E, n).
        score: slope of the log-probability of the draw, (E, n).
        own: of a claim that is held: how much its own credit counts, else 0; (E, n).
        both: likewise for every claim; (E, n).
        rival: of a claim that is not held: how much the credit of the one in its place counts; (E, n).
        last: the claim that would make room, (E,); None where no claim has to.
    """

    memories: Bools
    score: Floats
    own: Floats
    both: Floats
    rival: Floats
    last: Ints | None = None

    def slope(self, credit: Floats) -> Floats:
        """Return the slope from the leave-one-out credit of each claim, (E, n)."""
        return self._without_rivals(self.own * credit, credit)

    def flipped(self, credit: Floats, leaving: Floats) -> Floats:
        """Return the slope from u(C + i) - u(C), and from the leave-one-out credit *leaving*, each (E, n)."""
        return self._without_rivals(self.both * credit, leaving)

    def rooms(self) -> Bools:
        """Return the memories after the last claim has made room, (E, n)."""
        rooms = self.memories.copy()
        if self.last is not None:
            rooms[np.arange(len(rooms)), self.last] = False
        return rooms

    def _without_rivals(self, slopes: Floats, credit: Floats) -> Floats:
        if self.last is None:
            return slopes
        lost: Floats = credit[np.arange(len(credit)), self.last][:, None]
        return slopes - self.rival * lost


def bernoulli(scores: Floats, count: int, rng: np.random.Generator) -> Drawn:
    """Draw *count* memories, each claim by itself with log-odds *scores*, shape (n,).

    >>> drawn = bernoulli(np.zeros(4), 3, np.random.default_rng(0))
    >>> drawn.memories.shape, drawn.both[0].tolist()
    ((3, 4), [0.25, 0.25, 0.25, 0.25])
    """
    chances = probability(scores)
    memories = rng.random((count, len(scores))) < chances
    nothing = np.zeros((count, len(scores)))
    return Drawn(
        memories,
        memories - chances,
        memories * (1 - chances),
        np.broadcast_to(chances * (1 - chances), memories.shape),
        nothing,
    )


def sized(scores: Floats, size: float) -> Floats:
    """Shift *scores* so that Bernoulli inclusion holds *size* claims on average, 0 < size < n.

    >>> float(probability(sized(np.array([0.0, 1.0, 2.0]), 1)).sum().round(9))
    1.0
    """
    low, high = -scores.max() - 50, -scores.min() + 50
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (low, middle) if probability(scores + middle).sum() > size else (middle, high)
    shifted: Floats = scores + middle
    return shifted


def plackett_luce(scores: Floats, capacity: Ints, rng: np.random.Generator, *, plain: bool = True) -> Drawn:
    """Draw a memory for each row of *scores*, shape (E, n), of exactly *capacity* claims, shape (E,).

    A claim is held exactly when its score plus noise passes the best of the others that are not. Given
    the others its chance is known, and so is the slope of that chance: that makes leave-one-out possible
    although another claim takes the place. Entries of -inf are never held.

    Args:
        scores: log-weights; each row has more finite ones than *capacity* of it.
        capacity: claims to hold, at least 1.
        rng: draws the noise.
        plain: whether `Drawn.score` is wanted, which needs all claims in order; zeros else.

    Source: Plackett, *The Analysis of Permutations*, 1975; Gumbel top-k: Kool et al., *Stochastic Beams and
    Where to Find Them*, 2019. The conditional slopes are derived above.

    >>> drawn = plackett_luce(np.zeros((5, 4)), np.full(5, 2), np.random.default_rng(0))
    >>> drawn.memories.sum(axis=1).tolist()
    [2, 2, 2, 2, 2]
    """
    # Score plus Gumbel noise is -log of a waiting time of rate exp(score): the first to come are held.
    above = scores - scores.max(axis=1, keepdims=True)
    rates = np.where(np.isneginf(scores), 0.0, np.exp(np.maximum(above, -_FARTHEST)))
    with np.errstate(divide="ignore"):
        times = rng.exponential(size=scores.shape) / rates
    ordered, rows = np.sort(times, axis=1), np.arange(len(times))
    latest, beyond = ordered[rows, capacity - 1][:, None], ordered[rows, capacity][:, None]
    memories = times <= latest
    # A member stays in while it comes before the first outside; the others, had they before the last inside.
    odds = (rates * np.where(memories, beyond, latest)).clip(1e-12, _FARTHEST)
    grown = np.expm1(odds)
    return Drawn(
        memories,
        _log_slope(rates, times, capacity) if plain else np.zeros_like(scores),
        np.where(memories, odds / grown, 0.0),
        odds / (grown + 1),
        np.where(memories, 0.0, odds),
        np.argmax(times == latest, axis=1),
    )


def _log_slope(rates: Floats, times: Floats, capacity: Ints) -> Floats:
    """Return the slope of the log-probability of drawing the members in the order of *times*."""
    order = np.argsort(times, axis=1)
    weights = np.take_along_axis(rates, order, axis=1)
    left = np.cumsum(weights[:, ::-1], axis=1)[:, ::-1]
    drawn = np.arange(times.shape[1]) < capacity[:, None]
    passed = np.cumsum(np.where(drawn, 1 / np.maximum(left, 1e-307), 0.0), axis=1)
    slopes = np.empty_like(times)
    np.put_along_axis(slopes, order, drawn - weights * passed, axis=1)
    return slopes
