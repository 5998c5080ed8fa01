"""What a trust model knows, as growing arrays: claims, supports, factors, settlers."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from memspan.errors import UnknownName
from memspan.growing import EMPTY, Column, Index, Names, Table
from memspan.kernels.evidence import ALLY, NONE, RIVAL, Evidence, Rows
from memspan.trust.noise import Noise
from memspan.trust.terms import Terms

Row = tuple[int, ...]
SPREAD = 1_000_003
"""Settlers of one support lie beside each other among the slots of the index, those of the next far away."""


class State:
    """Claims, supports and factors by position; the arrays that kernels work on are `evidence`."""

    def __init__(self, terms: Terms) -> None:
        """Start without claims."""
        self.terms = terms
        self.claims = Names()
        self.sources: dict[str, int] = {}
        self.settlers: dict[str | None, int] = {}
        self._marks = Table(mark=(np.int64, 0))
        self._sets = Index(lambda: self.marks)
        self._said = Index(self._pairs)
        self._claims = Table(
            weight=(np.float64, 0),
            hearsay=(np.float64, 0),
            source=(np.int32, NONE),
            touched=(np.int32, 0),
            lent=(np.float64, np.nan),
            pooled=(np.int8, 1),
            first_link=(np.int32, NONE),
        )
        self._links = Table(
            next_link=(np.int32, NONE),
            link_to=(np.int32, 0),
            link_kind=(np.int8, 0),
            link_leak=(np.float64, 0),
        )
        self._sources = Table(reliable=(np.float64, 0), speaking=(np.float64, 0))
        self._settlers = Table(rates=(np.float64, 0, 4), errors=(np.float64, 0, 4))
        self._bounds = Table(ptr=(np.int32, 0))
        self._bounds.extend(1)
        self._members = Table(members=(np.int32, 0))
        self._supports = Table(first_factor=(np.int32, NONE))
        self._factors = Table(
            support=(np.int32, 0),
            settler=(np.int32, 0),
            start=(np.int32, 0),
            next_factor=(np.int32, NONE),
            right=(np.float64, 0),
            wrong=(np.float64, 0),
            cap=(np.float64, 0),
            active=(np.int8, 0),
            bound=(np.int8, 0),
        )
        self._messages = Table(messages=(np.float64, 0))
        self._taught = Table(taught=(np.float64, 0, 4))
        self.pool = np.zeros(2)

    @property
    def tables(self) -> tuple[Table, ...]:
        """All tables."""
        return (
            self._claims,
            self._links,
            self._sources,
            self._settlers,
            self._bounds,
            self._members,
            self._supports,
            self._factors,
            self._messages,
            self._taught,
        )

    @cached_property
    def columns(self) -> dict[str, Column]:
        """All columns by name: those of `Evidence`."""
        return {name: column for table in self.tables for name, column in table.columns.items()}

    @property
    def evidence(self) -> Evidence:
        """The arrays, in the form that kernels take; they may be longer than what is used of them."""
        arrays: dict[str, Any] = {name: column.data for name, column in self.columns.items()}
        return Evidence(pool=self.pool, **arrays)

    @property
    def n_claims(self) -> int:
        """How many claims there are."""
        return len(self.claims)

    @property
    def n_supports(self) -> int:
        """How many supports were settled."""
        return self._supports.size

    @property
    def n_factors(self) -> int:
        """How many factors there are."""
        return self._factors.size

    @property
    def tangled(self) -> bool:
        """Whether messages can come back to where they started: settled sets of several claims, or links."""
        sizes = np.diff(self.columns["ptr"].used)[self.columns["support"].used]
        counts = self.columns["right"].used + self.columns["wrong"].used > 0
        return bool(self._links.size or (sizes[counts] > 1).any())

    def add_claim(self, name: str, source: str | None) -> int:
        """Add a claim that is not there yet; return its position."""
        position = self.claims.add(name)
        self._claims.extend(1)
        if source is not None:
            self.columns["source"].data[position] = self._source(source)
        return position

    def _source(self, name: str) -> int:
        if name not in self.sources:
            self.sources[name] = len(self.sources)
            self._sources.extend(1)
        return self.sources[name]

    def link(self, one: int, other: int, kind: int, leak: float, back: float | None = None) -> None:
        """Let two claims hear of each other: *one* by *leak*, *other* by *back*, else by the same."""
        for here, there, through in ((one, other, leak), (other, one, leak if back is None else back)):
            first = self.columns["first_link"].data
            first[here] = self._links.append(first[here], there, kind, through)
            if kind == RIVAL:
                self._leave_pool(here)

    def _leave_pool(self, claim: int) -> None:
        lent = self.columns["lent"].data[claim]
        if self.columns["pooled"].data[claim] and not np.isnan(lent):
            self.pool -= (lent, 1)
        self.columns["pooled"].data[claim] = 0

    def row(self, names: Sequence[str]) -> Row:
        """Return the positions of *names*, ascending, each once.

        Raises:
            UnknownName: a claim was never added.
        """
        try:
            if len(names) == 1:
                return (self.claims[names[0]],)
            return tuple(sorted({self.claims[name] for name in names}))
        except KeyError as error:
            raise UnknownName(f"no claim {error.args[0]!r} in this model; add it first") from None

    def add_settler(self, name: str | None, noise: Noise) -> int:
        """Add a settler whose outcomes err as *noise* says; return its position."""
        position = self.settlers[name] = len(self.settlers)
        wrong, right = noise.false_wrong, noise.false_right
        self._settlers.append((wrong.a, wrong.b, right.a, right.b), 0)
        return position

    def settler_at(self, name: str | None) -> int:
        """Return the position of a settler.

        Raises:
            UnknownName: it never settled anything.
        """
        if name not in self.settlers:
            raise UnknownName(
                f"no settler {name!r}; there are {', '.join(map(str, self.settlers)) or 'none'}"
            )
        return self.settlers[name]

    def factors_by(self, settler: int) -> list[int]:
        """Return the factors of a settler."""
        found: list[int] = np.flatnonzero(self.columns["settler"].used == settler).tolist()
        return found

    def support_at(self, row: Row) -> int:
        """Return the position of the support of these claims, or EMPTY where it was never settled."""
        ptr, members, whole = self.columns["ptr"].cells, self.columns["members"].cells, list(row)

        def same(support: int) -> bool:
            return bool(members[ptr[support] : ptr[support + 1]].tolist() == whole)

        return self._sets.find(hash(row), same)

    def support(self, row: Row) -> int:
        """Return the position of the support of these claims, added where it is not there."""
        found = self.support_at(row)
        if found != EMPTY:
            return found
        if len(row) == 1:
            self._members.append(row[0])
        else:
            self._members.extend(len(row), row)
        self._bounds.append(self._members.size)
        self._supports.append(NONE)
        self._marks.append(hash(row))
        return self._sets.add(hash(row))

    def factor(self, support: int, settler: int, cap: float) -> int:
        """Return the position of what *settler* says of *support*; a new factor has that *cap*."""
        found = self.factor_at(support, settler)
        if found != EMPTY:
            return found
        first = self._supports["first_factor"].cells
        size = self.size_of(support)
        start = self._messages.append(0.0) if size == 1 else self._messages.extend(size)
        self._said.add(_pair(support, settler))
        position = self._factors.append(support, settler, start, first[support], 0, 0, cap, 0, 0)
        if self.terms.learned:
            self._taught.extend(1)
        first[support] = position
        return position

    def factor_at(self, support: int, settler: int) -> int:
        """Return the position of what *settler* says of *support*, or EMPTY where it says nothing."""
        supports, settlers = self.columns["support"].cells, self.columns["settler"].cells

        def same(factor: int) -> bool:
            return bool(supports[factor] == support and settlers[factor] == settler)

        return self._said.find(_pair(support, settler), same)

    def index(self) -> None:
        """Find supports and factors again after all columns were filled anew."""
        for support in range(self._supports.size):
            self._marks.append(hash(self.claims_of(support)))
        self._sets.fill()
        self._said.fill()

    @property
    def marks(self) -> npt.NDArray[np.int64]:
        """The hash of each support."""
        marks: npt.NDArray[np.int64] = self._marks["mark"].used
        return marks

    def _pairs(self) -> npt.NDArray[np.int64]:
        """Return the hash of each factor."""
        support, settler = self.columns["support"].used, self.columns["settler"].used
        pairs: npt.NDArray[np.int64] = _pair(support.astype(np.int64), settler.astype(np.int64))
        return pairs

    def size_of(self, support: int) -> int:
        """Return how many claims a support has."""
        ptr = self.columns["ptr"].data
        return int(ptr[support + 1] - ptr[support])

    def claims_of(self, support: int) -> Row:
        """Return the claims of a support."""
        ptr = self.columns["ptr"].data
        return tuple(self.columns["members"].data[ptr[support] : ptr[support + 1]].tolist())

    def bind(self, factor: int) -> None:
        """Take a factor as one of an untrusted settler: what it says moves its claims and nothing else."""
        columns = self.columns
        if columns["bound"].data[factor]:
            return
        row = list(self.claims_of(int(columns["support"].data[factor])))
        start = int(columns["start"].data[factor])
        messages = columns["messages"].data[start : start + len(row)]
        columns["weight"].data[row] -= messages
        columns["hearsay"].data[row] += messages
        columns["touched"].data[row] -= int(columns["active"].data[factor])
        columns["bound"].data[factor] = 1

    def claims_near(self, factor: int) -> set[int]:
        """Return the claims of a factor, and those that are linked with them."""
        found = set(self.claims_of(int(self.columns["support"].data[factor])))
        for claim in tuple(found):
            link = int(self.columns["first_link"].data[claim])
            while link != NONE:
                found.add(int(self.columns["link_to"].data[link]))
                link = int(self.columns["next_link"].data[link])
        return found

    def forget_messages(self) -> None:
        """Take everything back that was inferred; what was counted stays."""
        for name in (
            "weight",
            "hearsay",
            "messages",
            "reliable",
            "speaking",
            "errors",
            "taught",
            "touched",
            "active",
        ):
            self.columns[name].used[:] = 0
        self.columns["lent"].used[:] = np.nan
        self.pool[:] = 0


def _pair(support: Any, settler: Any) -> Any:
    """Return the hash of a factor, or of arrays of them."""
    return support * SPREAD + settler


def canonical(state: State) -> Rows:
    """Return all factors that hold an outcome, in an order that does not depend on when they came."""
    names = {position: (name is not None, name or "") for name, position in state.settlers.items()}
    order = sorted(names, key=lambda position: names[position])
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    marks = state.marks[state.columns["support"].used]
    found = np.lexsort((rank[state.columns["settler"].used], marks))
    counts = state.columns["right"].used + state.columns["wrong"].used > 0
    kept: Rows = found[counts[found]].astype(np.int32)
    return kept


__all__ = ["ALLY", "RIVAL", "Row", "State", "canonical"]
