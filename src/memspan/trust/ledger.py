"""Everything that was settled, in the order it came: entries are corrected or revoked, never taken out."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from functools import cached_property, lru_cache
from itertools import pairwise

import numpy as np

from memspan.errors import UnknownName
from memspan.growing import Column, Names, Table
from memspan.kernels.evidence import NONE
from memspan.language.dates import iso_time
from memspan.material import Settlement

Share = tuple[int, float]
"""A factor, and the share of the outcome that is about it."""


class Ledger:
    """Settlements as columns. An entry has one part for each factor that its outcome may be about.

    Parts of one factor are chained by `previous`, the last one first. Settlements that the columns do not
    tell in full are kept as they came.
    """

    def __init__(self) -> None:
        """Start empty."""
        self.queries = Names()
        self.named: dict[str, int] = {}
        self.kept: dict[int, Settlement] = {}
        self.times: dict[int, float] = {}
        self.latest: dict[int, float] = {}
        self._entries = Table(
            query=(np.int32, 0),
            settler=(np.int32, 0),
            correct=(np.float64, 0),
            weight=(np.float64, 0),
            revoked=(np.int8, 0),
            end=(np.int32, 0),
        )
        self._parts = Table(
            factor=(np.int32, 0), entry=(np.int32, 0), share=(np.float64, 0), previous=(np.int32, NONE)
        )
        self._factors = Table(last_part=(np.int32, NONE))

    @property
    def tables(self) -> tuple[Table, ...]:
        """All tables."""
        return (self._entries, self._parts, self._factors)

    @cached_property
    def columns(self) -> dict[str, Column]:
        """All columns by name."""
        return {name: column for table in self.tables for name, column in table.columns.items()}

    def __len__(self) -> int:
        """Return the number of entries, revoked ones too."""
        return self._entries.size

    def append(self, settlement: Settlement, settler: int, shares: Sequence[Share], *, keep: bool) -> int:
        """Add an outcome about the factors of *shares*; return its number.

        Args:
            settlement: what was settled.
            settler: position of its settler.
            shares: the factors that it may be about; none where it says nothing about any claim.
            keep: whether the settlement is needed to tell it again.
        """
        number = self._entries.size
        for factor, share in shares:
            self._add_part(factor, number, share)
        query = self.queries.put(settlement.query)
        self._entries.append(query, settler, settlement.correct, settlement.weight, 0, self._parts.size)
        if settlement.time is not None:
            self._date(number, settlement.time)
        if settlement.id is not None:
            self.named[settlement.id] = number
        if keep:
            self.kept[number] = settlement
        return number

    def _date(self, number: int, time: str) -> None:
        self.times[number] = seconds = moment(time)
        for factor in self.factors_of(number):
            self.latest[factor] = max(self.latest.get(factor, -math.inf), seconds)

    def recall(self) -> None:
        """Note the names and times of what is kept again, after all columns were filled anew."""
        for number, settlement in self.kept.items():
            if settlement.time is not None:
                self._date(number, settlement.time)
            if settlement.id is not None:
                self.named[settlement.id] = number

    def _add_part(self, factor: int, number: int, share: float) -> None:
        if factor >= self._factors.size:
            self._factors.extend(factor + 1 - self._factors.size)
        last = self._factors["last_part"].cells
        last[factor] = self._parts.append(factor, number, share, last[factor])

    def number_of(self, entry: int | str) -> int:
        """Return the number of an entry, which may be given by its id.

        Raises:
            UnknownName: there is none.
        """
        number = self.named.get(entry) if isinstance(entry, str) else entry
        if number is None or not 0 <= number < len(self):
            raise UnknownName(f"no settlement {entry!r}; there are {len(self)}, numbered from 0")
        return number

    def parts_of(self, entry: int) -> range:
        """Return the parts of *entry*."""
        ends = self.columns["end"].data
        return range(int(ends[entry - 1]) if entry else 0, int(ends[entry]))

    def factors_of(self, entry: int) -> list[int]:
        """Return the factors that *entry* may be about."""
        parts = self.parts_of(entry)
        found: list[int] = self.columns["factor"].data[parts.start : parts.stop].tolist()
        return found

    def of_settler(self, settler: int) -> list[int]:
        """Return the entries of a settler that are in force."""
        columns = self.columns
        found: list[int] = np.flatnonzero(
            (columns["settler"].used == settler) & (columns["revoked"].used == 0)
        ).tolist()
        return found

    def unsure(self) -> list[int]:
        """Return the entries in force that may be about several factors."""
        parts = np.diff(self.columns["end"].used, prepend=0)
        found: list[int] = np.flatnonzero((parts > 1) & (self.columns["revoked"].used == 0)).tolist()
        return found

    def history(self, factor: int) -> list[int]:
        """Return the parts about *factor* that are in force, in the order of their times.

        One without a time stands where it came.
        """
        column = self.columns
        part = int(column["last_part"].data[factor]) if factor < self._factors.size else NONE
        found = []
        while part != NONE:
            if not column["revoked"].data[column["entry"].data[part]]:
                found.append(part)
            part = int(column["previous"].data[part])
        found.reverse()
        if factor not in self.latest:
            return found
        times = [self.times.get(int(column["entry"].data[part]), math.nan) for part in found]
        return [found[i] for i in _in_time(times)]

    def counted(self, factor: int, drift: float) -> tuple[float, float]:
        """Return how often *factor* was right and wrong, each kept by *drift* for each that came later."""
        right = wrong = 0.0
        for part in self.history(factor):
            in_favour, against = self.outcome(part)
            if in_favour + against > 0:
                kept = drift ** min(1.0, in_favour + against)
                right, wrong = right * kept + in_favour, wrong * kept + against
        return right, wrong

    def outcome(self, part: int) -> tuple[float, float]:
        """Return how much *part* counts for right and for wrong."""
        entry = self.columns["entry"].data[part]
        weight = float(self.columns["weight"].data[entry] * self.columns["share"].data[part])
        correct = float(self.columns["correct"].data[entry])
        return weight * correct, weight * (1 - correct)

    def is_late(self, factor: int) -> bool:
        """Whether the last part of *factor* is earlier, by its time, than one that came before it."""
        if factor not in self.latest:
            return False
        entry = int(self.columns["entry"].data[self.columns["last_part"].data[factor]])
        return self.times.get(entry, math.inf) < self.latest[factor]


@lru_cache(maxsize=4096)
def moment(time: str) -> float:
    """Return a time as seconds since 1970; nan where it cannot be read."""
    told = iso_time(time)
    if told is None:
        return math.nan
    try:
        read = datetime.fromisoformat(told if len(told) > 7 else f"{told}-01")
    except ValueError:
        return math.nan
    return (read if read.tzinfo else read.replace(tzinfo=UTC)).timestamp()


def _in_time(times: Sequence[float]) -> Iterator[int]:
    """Return the order of *times*; an unknown one is taken as the latest of those that came before it."""
    known, latest = [], -math.inf
    for time in times:
        latest = latest if math.isnan(time) else max(latest, time)
        known.append(latest if math.isnan(time) else time)
    if all(a <= b for a, b in pairwise(known)):
        return iter(range(len(known)))
    return iter(sorted(range(len(known)), key=known.__getitem__))
