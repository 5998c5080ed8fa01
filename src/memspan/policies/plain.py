"""Plain write policies: what ranks lowest goes. Baselines that anything learned is held against."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from memspan.errors import UnknownName
from memspan.growing import Table
from memspan.language.dates import iso_time
from memspan.material import Claim
from memspan.ports import Outcome, Prior, View

Floats = npt.NDArray[np.float64]
_MOST = 1e9  # more than anything that happens: one use outranks every moment


class Counts:
    """What is known of each claim that has appeared: when it was written and used, how often, how likely."""

    def __init__(self, prior: Prior | None, seed: int) -> None:
        """Start with nothing seen."""
        self._prior, self._rng = prior, np.random.default_rng(seed)
        self._rows = Table(
            **dict.fromkeys(("written", "used", "uses", "chance", "drawn", "moment"), (np.float64, 0))
        )
        self._seen = 0
        if prior is not None:
            prior.start()

    def observe(self, claims: Sequence[Claim]) -> None:
        """Add *claims*."""
        k, first = len(claims), self._rows.extend(len(claims))
        new = slice(first, first + k)
        self.written[new] = np.arange(first, first + k)
        self.used[new] = np.arange(self._seen, self._seen + k)
        self.drawn[new] = self._rng.random(k)
        if self._prior is not None:
            self.chance[new] = self._prior.observe(claims)
        self.moment[new] = [_moment(claim.time) for claim in claims]
        self._seen += k

    def use(self, places: Sequence[int]) -> None:
        """Count *places* as used by one settled query."""
        self.uses[list(places)] += 1
        self.used[list(places)] = self._seen
        self._seen += 1

    @property
    def written(self) -> Floats:
        """How many claims had appeared before each."""
        return self._rows["written"].used

    @property
    def used(self) -> Floats:
        """How many claims and settled queries had been seen at its last use, or when it was written."""
        return self._rows["used"].used

    @property
    def uses(self) -> Floats:
        """How many settled queries rested on each."""
        return self._rows["uses"].used

    @property
    def chance(self) -> Floats:
        """How likely each is to be needed, by the prior; 0 without one."""
        return self._rows["chance"].used

    @property
    def moment(self) -> Floats:
        """When each was said, as a number that grows with time; -1 where that is not known."""
        return self._rows["moment"].used

    @property
    def drawn(self) -> Floats:
        """A number from 0 to 1 for each, by chance."""
        return self._rows["drawn"].used


Rank = Callable[[Counts], Floats]


class Plain:
    """Holds what ranks highest; a `WritePolicy`.

    Args:
        name: as outputs name it.
        rank: a number for each claim.
        prior: judges claims when they appear, where the rank asks for it.

    >>> policy = plain("fifo")
    >>> policy.start(0)
    >>> policy.observe([Claim("a"), Claim("b")])
    >>> now = np.zeros(2, bool)
    >>> policy.score(View(now, ~now, ~now, np.ones(2), 1)).tolist()
    [0.0, 1.0]
    """

    def __init__(self, name: str, rank: Rank, prior: Prior | None = None) -> None:
        """Start with nothing seen."""
        self._name, self._rank, self._prior = name, rank, prior
        self.start(0)

    @property
    def name(self) -> str:
        """As it was given."""
        return self._name

    def start(self, seed: int) -> None:
        """Forget everything."""
        self._counts = Counts(self._prior, seed)

    def observe(self, claims: Sequence[Claim]) -> None:
        """Take the next claims."""
        self._counts.observe(claims)

    def score(self, view: View) -> Floats:  # noqa: ARG002 - the rank is the same whatever is held
        """Return the rank of each claim."""
        return self._rank(self._counts).copy()

    def settle(self, outcome: Outcome) -> None:
        """Count what was used."""
        self._counts.use(told(outcome))


def told(outcome: Outcome) -> tuple[int, ...]:
    """Return the claims that *outcome* shows to be needed: those used, else those of the first support."""
    if outcome.used:
        return outcome.used
    return outcome.supports[0] if outcome.supports else ()


def _latest(counts: Counts) -> Floats:
    """Rank by time as it was told, then by when it was written."""
    ranks = np.empty(len(counts.written))
    ranks[np.lexsort((counts.written, counts.moment))] = np.arange(len(ranks))
    return ranks


@lru_cache(maxsize=1 << 16)
def _moment(time: str | None) -> float:
    """Return *time* as a number that grows with it, -1 where it is unknown."""
    digits = "".join(filter(str.isdigit, (iso_time(time) or "")[:19]))
    return float(digits.ljust(14, "0")) if digits else -1.0


def _drawn(counts: Counts) -> Floats:
    return counts.drawn


def _first(counts: Counts) -> Floats:
    return -counts.written


def _newest(counts: Counts) -> Floats:
    return counts.written


def _used_last(counts: Counts) -> Floats:
    return counts.used


def _used_most(counts: Counts) -> Floats:
    return counts.uses * _MOST + counts.used


def _likeliest(counts: Counts) -> Floats:
    return counts.chance


def _used_last_or_likeliest(counts: Counts) -> Floats:
    return np.where(counts.uses > 0, 1 + counts.used, counts.chance)


def _used_most_or_likeliest(counts: Counts) -> Floats:
    return counts.uses * _MOST + _used_last_or_likeliest(counts)


_RANKS: dict[str, Rank] = {
    "random": _drawn,
    "first": _first,
    "fifo": _newest,
    "lru": _used_last,
    "lfu": _used_most,
    "recency": _latest,
}
_JUDGED: dict[str, Rank] = {
    "static": _likeliest,
    "lru": _used_last_or_likeliest,
    "lfu": _used_most_or_likeliest,
}
NAMES = tuple(_RANKS)


def plain(name: str, prior: Prior | None = None, called: str | None = None) -> Plain:
    """Return a plain policy: random, first, fifo, lru, lfu or recency; with a *prior* static, lru or lfu.

    ``static`` holds what the prior thinks likeliest, whatever is asked. With a prior, claims that were
    never used rank by it in ``lru`` and ``lfu``. Outputs name it as it is *called*.

    Raises:
        UnknownName: no such policy.
    """
    ranks = _RANKS if prior is None else _JUDGED
    if name not in ranks:
        raise UnknownName(f"no plain policy {name!r} {'without' if prior is None else 'with'} a prior")
    return Plain(called or name, ranks[name], prior)
