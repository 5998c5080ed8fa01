"""What a trust model knows, as growing arrays: claims, supports, factors, settlers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from memspan.errors import UnknownName
from memspan.kernels.evidence import ALLY, NONE, RIVAL, Evidence, Rows
from memspan.trust.growing import EMPTY, Column, Index
from memspan.trust.noise import Noise
from memspan.trust.terms import Terms

Row = tuple[int, ...]
_OF_CLAIMS = {
    "weight": (np.float64, 0),
    "source": (np.int32, NONE),
    "touched": (np.int32, 0),
    "lent": (np.float64, np.nan),
    "pooled": (np.int8, 1),
    "first_link": (np.int32, NONE),
}
_OF_LINKS = {
    "next_link": (np.int32, NONE),
    "link_to": (np.int32, 0),
    "link_kind": (np.int8, 0),
    "link_leak": (np.float64, 0),
}
_OF_SOURCES = {"reliable": (np.float64, 0), "speaking": (np.float64, 0)}
_OF_FACTORS = {
    "support": (np.int32, 0),
    "settler": (np.int32, 0),
    "start": (np.int64, 0),
    "next_factor": (np.int32, NONE),
    "right": (np.float64, 0),
    "wrong": (np.float64, 0),
    "cap": (np.float64, 0),
    "active": (np.int8, 0),
}


class State:
    """Claims, supports and factors by position; the arrays that kernels work on are `evidence`."""

    def __init__(self, terms: Terms) -> None:
        """Start without claims."""
        self.terms = terms
        self.claims: dict[str, int] = {}
        self.names: list[str] = []
        self.sources: dict[str, int] = {}
        self.settlers: dict[str | None, int] = {}
        self.supports = Index()
        every = {**_OF_CLAIMS, **_OF_LINKS, **_OF_SOURCES, **_OF_FACTORS}
        self.columns = {name: Column(dtype, fill) for name, (dtype, fill) in every.items()}
        self.columns["ptr"] = Column(np.int64)
        self.columns["ptr"].append(0)
        self.columns["members"] = Column(np.int32)
        self.columns["first_factor"] = Column(np.int32, NONE)
        self.columns["messages"] = Column(np.float64)
        self.columns["taught"] = Column(np.float64, 0, 4)
        self.columns["rates"] = Column(np.float64, 0, 4)
        self.columns["errors"] = Column(np.float64, 0, 4)
        self.pool = np.zeros(2)

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
        return self.supports.hashes.size

    @property
    def n_factors(self) -> int:
        """How many factors there are."""
        return self.columns["support"].size

    def add_claim(self, name: str, source: str | None) -> int:
        """Add a claim that is not there yet; return its position."""
        position = self.claims[name] = len(self.claims)
        self.names.append(name)
        for column in _OF_CLAIMS:
            self.columns[column].extend(1)
        if source is not None:
            self.columns["source"].data[position] = self._source(source)
        return position

    def _source(self, name: str) -> int:
        if name not in self.sources:
            self.sources[name] = len(self.sources)
            for column in _OF_SOURCES:
                self.columns[column].extend(1)
        return self.sources[name]

    def link(self, one: int, other: int, kind: int, leak: float, back: float | None = None) -> None:
        """Let two claims hear of each other: *one* by *leak*, *other* by *back*, else by the same."""
        for here, there, through in ((one, other, leak), (other, one, leak if back is None else back)):
            position = self.columns["next_link"].append(self.columns["first_link"].data[here])
            self.columns["link_to"].append(there)
            self.columns["link_kind"].append(kind)
            self.columns["link_leak"].append(through)
            self.columns["first_link"].data[here] = position
            if kind == RIVAL:
                self.columns["pooled"].data[here] = 0

    def linked(self, one: int, other: int, kind: int) -> bool:
        """Whether *one* hears of *other* in that way already."""
        link = int(self.columns["first_link"].data[one])
        while link != NONE:
            if self.columns["link_to"].data[link] == other and self.columns["link_kind"].data[link] == kind:
                return True
            link = int(self.columns["next_link"].data[link])
        return False

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

    def settler(self, name: str | None, *, noise: Noise) -> int:
        """Return the position of a settler; a new one errs as *noise* says."""
        if name not in self.settlers:
            self.settlers[name] = len(self.settlers)
            wrong, right = noise.false_wrong, noise.false_right
            self.columns["rates"].append((wrong.a, wrong.b, right.a, right.b))
            self.columns["errors"].extend(1)
        return self.settlers[name]

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
        ptr, members = self.columns["ptr"].data, self.columns["members"].data

        def same(support: int) -> bool:
            return bool(members[ptr[support] : ptr[support + 1]].tolist() == list(row))

        return self.supports.find(hash(row), same)

    def support(self, row: Row) -> int:
        """Return the position of the support of these claims, added where it is not there."""
        found = self.support_at(row)
        if found != EMPTY:
            return found
        self.columns["members"].extend(len(row), row)
        self.columns["ptr"].append(self.columns["members"].size)
        self.columns["first_factor"].extend(1)
        return self.supports.add(hash(row))

    def factor(self, support: int, settler: int, cap: float) -> int:
        """Return the position of what *settler* says of *support*; a new factor has that *cap*."""
        settlers, following = self.columns["settler"].data, self.columns["next_factor"].data
        first = found = int(self.columns["first_factor"].data[support])
        while found != NONE:
            if settlers[found] == settler:
                return found
            found = int(following[found])
        size = self.size_of(support)
        values = {"support": support, "settler": settler, "next_factor": first, "cap": cap}
        values["start"] = self.columns["messages"].extend(size)
        position = self.n_factors
        for column in _OF_FACTORS:
            self.columns[column].append(values.get(column, 0))
        if self.terms.learned:
            self.columns["taught"].extend(1)
        self.columns["first_factor"].data[support] = position
        return position

    def size_of(self, support: int) -> int:
        """Return how many claims a support has."""
        ptr = self.columns["ptr"].data
        return int(ptr[support + 1] - ptr[support])

    def claims_of(self, support: int) -> Row:
        """Return the claims of a support."""
        ptr = self.columns["ptr"].data
        return tuple(self.columns["members"].data[ptr[support] : ptr[support + 1]].tolist())

    def forget_messages(self) -> None:
        """Take everything back that was inferred; what was counted stays."""
        for name in ("weight", "messages", "reliable", "speaking", "errors", "taught", "touched", "active"):
            self.columns[name].data[:] = 0
        self.columns["lent"].data[:] = np.nan
        self.pool[:] = 0


def canonical(state: State) -> Rows:
    """Return all factors in an order that does not depend on when they came."""
    names = {position: (name is not None, name or "") for name, position in state.settlers.items()}
    order = sorted(names, key=lambda position: names[position])
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    marks: npt.NDArray[np.int64] = state.supports.hashes.used[state.columns["support"].used]
    return np.lexsort((rank[state.columns["settler"].used], marks)).astype(np.int32)


__all__ = ["ALLY", "RIVAL", "Row", "State", "canonical"]
