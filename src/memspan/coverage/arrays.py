"""A material compiled to arrays: which claims make which support, which support answers which query."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import Literal

import numpy as np
import numpy.typing as npt

from memspan.coverage.weights import Weights, exact_weights
from memspan.errors import ShapeError
from memspan.material import Dropped, Material, Query, Support

Memory = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]
Row = tuple[int, ...]
Ways = list[tuple[Row, Row]]
Over = Literal["answerable", "all"]


@dataclass(frozen=True)
class Coverage:
    """Compiled material: E claims, Q queries that have a support, and their supports.

    Attributes:
        claims: ids of the E claims.
        queries: ids of the Q queries.
        ptr, members: supports as rows of claim positions: support s holds
            ``members[ptr[s]:ptr[s + 1]]``.
        unless_ptr, unless: likewise the claims that defeat a support.
        owner: query position of each support.
        weights: exact integer weight of each query.
        total: what utilities are divided by, in the same unit.
        rounded: True where weights share no exact unit (see `Weights`).
        truth: float64 per claim, NaN where unknown.
        dropped: queries left out, with the reason.
        wrong: what answers queries wrongly (`Query.wrong`), compiled likewise for those queries
            that count and have some; None where there are none.

    Source: arXiv 2608.11654, Definitions 2.1 to 2.5.
    """

    claims: tuple[str, ...]
    queries: tuple[str, ...]
    ptr: Ints
    members: npt.NDArray[np.int32]
    unless_ptr: Ints
    unless: npt.NDArray[np.int32]
    owner: npt.NDArray[np.int32]
    weights: Ints
    total: int
    rounded: bool
    truth: npt.NDArray[np.float64]
    dropped: tuple[Dropped, ...] = ()
    wrong: Coverage | None = None

    @property
    def n_claims(self) -> int:
        """Number of claims E."""
        return len(self.truth)

    @property
    def n_supports(self) -> int:
        """Number of supports."""
        return len(self.owner)

    @property
    def monotone(self) -> bool:
        """No support can be defeated: more claims never span less."""
        return not len(self.unless)

    @cached_property
    def by_claim(self) -> tuple[Ints, npt.NDArray[np.int32]]:
        """The transpose: supports that each claim belongs to, as (ptr, supports)."""
        return transpose(self.ptr, self.members, self.n_claims)

    def mass(self, weight: int) -> float:
        """Turn an exact *weight* into a mass in [0, 1]."""
        return int(weight) / self.total if self.total else 0.0

    def memory(self, names: Iterable[str]) -> Memory:
        """Return the memory that holds the claims with these ids, as a boolean array of shape (E,).

        Raises:
            ShapeError: an id is not a claim of this material.
        """
        position = {name: i for i, name in enumerate(self.claims)}
        memory = np.zeros(self.n_claims, np.bool_)
        for name in names:
            if name not in position:
                raise ShapeError(f"memory holds {name!r}, which is no claim of this material; drop it")
            memory[position[name]] = True
        return memory


def transpose(
    ptr: Ints, members: npt.NDArray[np.integer], columns: int
) -> tuple[Ints, npt.NDArray[np.int32]]:
    """Return the compressed rows of the transposed incidence: for each column its rows, ascending."""
    rows = np.repeat(np.arange(len(ptr) - 1, dtype=np.int32), np.diff(ptr))
    counts = np.bincount(members, minlength=columns)
    return offsets(counts), rows[np.argsort(members, kind="stable")]


def offsets(lengths: Iterable[int] | npt.NDArray[np.integer]) -> Ints:
    """Return row offsets for rows of these *lengths*."""
    array = np.asarray(lengths if isinstance(lengths, np.ndarray) else list(lengths), dtype=np.int64)
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(array, dtype=np.int64)])


def compile_material(material: Material, *, over: Over = "answerable") -> Coverage:
    """Compile *material* to arrays.

    Queries without any support are left out and listed in `Coverage.dropped`; unanswerable ones
    are left out because a refusal covers nothing. Utilities are divided by the weight of the
    queries that have a support (``over="answerable"``) or of all queries (``over="all"``).

    Raises:
        WeightError: weights that are negative or not finite.
    """
    weights = exact_weights([query.weight for query in material.queries])
    rows = [supports_of(material, query) for query in material.queries]
    kept = [i for i, supports in enumerate(rows) if supports]
    total = int((weights.values[kept] if over == "answerable" else weights.values).sum())
    wrong = [_distinct(query.wrong, material.claim_position) for query in material.queries]
    misled = [i for i, ways in enumerate(wrong) if ways and (rows[i] or over == "all")]
    return replace(
        _compiled(material, rows, kept, weights, total),
        dropped=tuple(
            Dropped(f"query {query.id}", "supports", "has no support yet")
            for query, supports in zip(material.queries, rows, strict=True)
            if query.answerable and not supports
        ),
        wrong=_compiled(material, wrong, misled, weights, total) if misled else None,
    )


def _compiled(
    material: Material, rows: Sequence[Ways], kept: Sequence[int], weights: Weights, total: int
) -> Coverage:
    """Lay out the *rows* of the queries *kept*, positions in the material."""
    sets = [way for i in kept for way in rows[i]]
    truths = [np.nan if claim.truth is None else claim.truth for claim in material.claims]
    return Coverage(
        claims=tuple(claim.id for claim in material.claims),
        queries=tuple(material.queries[i].id for i in kept),
        ptr=offsets(len(needed) for needed, _ in sets),
        members=_flat([needed for needed, _ in sets]),
        unless_ptr=offsets(len(defeaters) for _, defeaters in sets),
        unless=_flat([defeaters for _, defeaters in sets]),
        owner=np.repeat(np.arange(len(kept), dtype=np.int32), [len(rows[i]) for i in kept]),
        weights=weights.values[kept],
        total=total,
        rounded=weights.rounded,
        truth=np.array(truths, np.float64),
    )


def supports_of(material: Material, query: Query) -> Ways:
    """Return the supports of *query* as claim positions (needed, defeaters), duplicates merged.

    A support that one of its own claims defeats can never hold and is left out.
    """
    return _distinct(material.supports_of(query), material.claim_position)


def _distinct(supports: Sequence[Support], position: Mapping[str, int]) -> Ways:
    found = dict.fromkeys(
        (_positions(support.claims, position), _positions(support.unless, position)) for support in supports
    )
    return [pair for pair in found if not pair[1] or set(pair[0]).isdisjoint(pair[1])]


def _positions(names: tuple[str, ...], position: Mapping[str, int]) -> Row:
    """Return the positions of *names*, ascending, each once."""
    if len(names) < 2:
        return tuple(position[name] for name in names)
    return tuple(sorted({position[name] for name in names}))


def _flat(rows: Sequence[Row]) -> npt.NDArray[np.int32]:
    return np.fromiter(chain.from_iterable(rows), np.int32)
