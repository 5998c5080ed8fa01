"""What tells, before any question, that a claim will be asked for."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import log, log1p, sqrt

import numpy as np
import numpy.typing as npt

from memspan.language.words import words
from memspan.material import Claim
from memspan.policies.cues import CUES, Reading, read

Floats = npt.NDArray[np.float64]

TRAITS: Mapping[str, str] = {
    **CUES,
    "length": "words against those of the claims so far, in standard deviations",
    "names": "log(1 + names mentioned, those of speakers aside)",
    "new names": "log(1 + names mentioned that no earlier claim mentions)",
    "mass": "log(1 + Σ of the rarity of its stems), rarity = log(claims so far / claims that hold the stem)",
    "heft": "mass against that of the claims so far, in standard deviations",
    "rarity": "mean rarity of its stems",
    "new words": "share of the mass in stems that no earlier claim holds",
    "takes up": "share of the mass in stems of the five claims before it, of the same source",
    "taken up": "share of the mass in stems of the five claims after it, of the same source and batch",
    "replies": "1 where the claim before it, by another speaker, ends with a question",
    "asked back": "1 where the claim after it, by another speaker and in its batch, ends with a question",
    "opens": "1 / (1 + place in its source)",
    "closes": "1 / (1 + claims that follow in its source and batch)",
    "assistant": "1 where an assistant speaks",
}
"""The traits of a claim, by name: what each means. A rule names them, so no name changes its meaning."""

_REACH = 5  # claims of the same source before and behind
_ASSISTANTS = frozenset(("assistant", "ai", "bot", "system", "model"))
_USUAL = {"length": (2.7, 0.7), "heft": (3.6, 0.6)}  # mean and deviation of log(1 + words) and of mass
_TRUSTED = 10.0  # claims that the usual ones count for


class Traits:
    """Traits of the claims of one material, in the order in which they appear.

    What a claim's row says depends on the claims of its own batch and of earlier batches, on nothing
    that comes later. Where a whole material is one batch, all of it counts; in a stream a session does.

    >>> traits = Traits()
    >>> table = traits.observe([Claim("a", "Ana moved to Porto."), Claim("b", "Good, thanks!")])
    >>> table.shape == (2, len(TRAITS))
    True
    """

    def __init__(self) -> None:
        """Start with a material of which nothing has appeared."""
        self._claims = 0
        self._holding: Counter[str] = Counter()
        self._names: set[str] = set()
        self._stems: set[str] = set()
        self._speakers: set[str] = set()
        self._sums = {name: _Sum(*usual) for name, usual in _USUAL.items()}
        self._sources: dict[str | None, _Source] = {}

    def observe(self, claims: Sequence[Claim]) -> Floats:
        """Return the traits of the next *claims*, shape (k, traits), columns as in `TRAITS`."""
        readings = [read(claim) for claim in claims]
        for claim, reading in zip(claims, readings, strict=True):
            self._claims += 1
            self._holding.update(reading.stems)
            self._speakers.update(words(claim.speaker or ""))
        rarity = {stem: self._rarity(stem) for reading in readings for stem in reading.stems}
        masses = [log1p(_mass(reading.stems, rarity)) for reading in readings]
        length = self._sums["length"].against([reading.cues[0] for reading in readings])
        heft = self._sums["heft"].against(masses)
        around = self._around(claims, readings, rarity)
        rows = [
            (
                *reading.cues,
                length[i],
                *self._named(reading.names),
                masses[i],
                heft[i],
                _mass(reading.stems, rarity) / max(len(reading.stems), 1),
                self._freshness(reading.stems, rarity),
                *around[i],
                float((claims[i].speaker or "").lower() in _ASSISTANTS),
            )
            for i, reading in enumerate(readings)
        ]
        return np.array(rows, np.float64).reshape(len(rows), len(TRAITS))

    def _named(self, names: Iterable[str]) -> tuple[float, float]:
        """Count the names of the next claim, and those that no earlier one mentions."""
        told = [name for name in names if not self._speakers.issuperset(name.split())]
        new = [name for name in told if name not in self._names]
        self._names.update(new)
        return log1p(len(told)), log1p(len(new))

    def _freshness(self, stems: Sequence[str], rarity: Mapping[str, float]) -> float:
        """Return how much of the mass of the next claim lies in stems that no earlier one holds."""
        fresh = _mass([stem for stem in stems if stem not in self._stems], rarity)
        self._stems.update(stems)
        return fresh / (_mass(stems, rarity) or 1.0)

    def _rarity(self, stem: str) -> float:
        return log((1 + self._claims) / self._holding[stem])

    def _around(
        self, claims: Sequence[Claim], readings: Sequence[Reading], rarity: Mapping[str, float]
    ) -> list[tuple[float, ...]]:
        """Return what the neighbours of each claim in its source tell of it."""
        lines: dict[str | None, list[int]] = {}
        for i, claim in enumerate(claims):
            lines.setdefault(claim.source, []).append(i)
        found: list[tuple[float, ...]] = [()] * len(claims)
        for source, places in lines.items():
            known = self._sources.setdefault(source, _Source())
            line = [*known.last, *((claims[i].speaker, readings[i]) for i in places)]
            first = len(known.last)
            for at, i in enumerate(places, first):
                stems, speaker = readings[i].stems, claims[i].speaker
                whole = _mass(stems, rarity) or 1.0
                before, after = line[max(0, at - _REACH) : at], line[at + 1 : at + 1 + _REACH]
                found[i] = (
                    _shared(stems, before, rarity) / whole,
                    _shared(stems, after, rarity) / whole,
                    float(bool(before) and before[-1][1].asks and before[-1][0] != speaker),
                    float(bool(after) and after[0][1].asks and after[0][0] != speaker),
                    1 / (1 + known.seen + at - first),
                    1 / (len(line) - at),
                )
            known.seen += len(places)
            known.last.extend(line[first:])
        return found


def _mass(stems: Iterable[str], rarity: Mapping[str, float]) -> float:
    return sum(rarity[stem] for stem in stems)


def _shared(
    stems: Iterable[str], others: Sequence[tuple[str | None, Reading]], rarity: Mapping[str, float]
) -> float:
    held = {stem for _, reading in others for stem in reading.stems}
    return _mass([stem for stem in stems if stem in held], rarity)


@dataclass
class _Source:
    """A source so far: how many claims, and the last of them."""

    seen: int = 0
    last: deque[tuple[str | None, Reading]] = field(default_factory=lambda: deque(maxlen=_REACH))


class _Sum:
    """Mean and deviation of the values so far, begun with usual ones so that the first claim has a place."""

    def __init__(self, mean: float, deviation: float) -> None:
        self._count, self._sum = _TRUSTED, _TRUSTED * mean
        self._squares = _TRUSTED * (mean**2 + deviation**2)

    def against(self, values: Sequence[float]) -> list[float]:
        """Count *values* and return each in deviations from the mean of all so far."""
        self._count += len(values)
        self._sum += sum(values)
        self._squares += sum(value**2 for value in values)
        mean = self._sum / self._count
        deviation = sqrt(max(self._squares / self._count - mean**2, 1e-6))
        return [(value - mean) / deviation for value in values]
