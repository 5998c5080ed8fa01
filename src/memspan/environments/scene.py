"""A material as it is lived through: what appears when, and from when on a query can be answered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from typing import Literal

import numpy as np
import numpy.typing as npt

from memspan.coverage import Coverage, compile_material
from memspan.errors import ShapeError
from memspan.language.tokens import count_tokens
from memspan.material import Claim, Material

Cost = Literal["claims", "tokens"]
Arriving = Literal["sessions", "whole"]
Bools = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

_FEW = 24  # supports of a query that are looked at one by one; an array has its price, too
_SESSIONS = 20  # where a material has no sessions of its own, as many of equal length stand for them


@dataclass(frozen=True)
class Scene:
    """A material laid out in time.

    Attributes:
        material: its claims appear in their order.
        coverage: the same, compiled.
        seen: (B,) how many claims have appeared after each batch, e.g. a session; the last is all.
        ready: (Q,) the batch after which some support of each query has appeared whole.
        costs: (E,) what holding each claim costs.
        rows: the supports of each query, as claim positions.
    """

    material: Material
    coverage: Coverage
    seen: Ints
    ready: Ints
    costs: Floats
    rows: tuple[tuple[tuple[int, ...], ...], ...]

    def arrivals(self, batch: int) -> range:
        """Return the positions of the claims that appear with *batch*."""
        return range(int(self.seen[batch - 1]) if batch else 0, int(self.seen[batch]))

    @cached_property
    def shown(self) -> tuple[Claim, ...]:
        """The claims as a policy may see them: what was said, by whom and when, and nothing else.

        Ids and sources are numbers by order of appearance, since data sets write into them what a claim
        is good for; links lead to claims that have appeared, and truth and fields of a data set's own
        are left out.
        """
        sources: dict[str | None, str] = {None: ""}
        place = self.material.claim_position
        ends = np.repeat(self.seen, np.diff(self.seen, prepend=0)).tolist()
        shown = []
        for i, (claim, end) in enumerate(zip(self.material.claims, ends, strict=True)):
            source = sources.setdefault(claim.source, f"source {len(sources)}")
            supersedes, contradicts, corroborates = (
                tuple(str(place[name]) for name in names if place[name] < end)
                for names in (claim.supersedes, claim.contradicts, claim.corroborates)
            )
            bare = replace(
                claim,
                id=str(i),
                source=source or None,
                truth=None,
                extra={},
                supersedes=supersedes,
                contradicts=contradicts,
                corroborates=corroborates,
            )
            shown.append(bare)
        return tuple(shown)

    def held_support(self, query: int, held: Bools) -> tuple[int, ...] | None:
        """Return the first support of *query*, the shortest first, of which all claims are *held*."""
        ways = self.rows[query]
        if len(ways) > _FEW and ways[0]:
            members, starts = self._flat[query]
            whole = np.logical_and.reduceat(held[members], starts)
            first = int(whole.argmax())
            return ways[first] if whole[first] else None
        for support in ways:
            for claim in support:
                if not held[claim]:
                    break
            else:
                return support
        return None

    @cached_property
    def _flat(self) -> Mapping[int, tuple[Ints, Ints]]:
        """For queries with many supports: their claims one after the other, and where each support starts."""
        flat = {}
        for query, ways in enumerate(self.rows):
            if len(ways) > _FEW:
                ends = np.cumsum([len(support) for support in ways])
                members = np.array([claim for support in ways for claim in support], np.int64)
                flat[query] = members, np.concatenate([[0], ends[:-1]])
        return flat


def scene(material: Material, *, cost: Cost = "claims", arriving: Arriving = "sessions") -> Scene:
    """Lay *material* out in time.

    Claims appear in their order: all at once (``whole``), or by sessions, which are runs of claims with
    the same source. A material of one run, or of a run for each claim, is cut into 20 equal parts.

    Raises:
        ShapeError: there is no claim, no query with a support, or a support that can be defeated.

    >>> from memspan.datasets import bundled
    >>> scene(bundled("odyssey"), arriving="whole").seen.tolist()
    [6]
    """
    coverage = compile_material(material)
    if not material.claims or not len(coverage.weights) or not coverage.weights.any():
        raise ShapeError(
            f"{material.id!r} has {len(material.claims)} claims and {len(coverage.weights)} queries with a "
            "support that weigh anything; writing over time needs some of both"
        )
    if not coverage.monotone:
        raise ShapeError(
            f"{material.id!r} has supports with 'unless'; writing over time needs supports that stay"
        )
    seen = np.array([len(material.claims)]) if arriving == "whole" else _sessions(material)
    rows = _rows(coverage)
    batch_of = np.searchsorted(seen, np.arange(coverage.n_claims), side="right")
    ready = [min(max((int(batch_of[e]) for e in row), default=0) for row in ways) for ways in rows]
    return Scene(material, coverage, seen, np.array(ready), _costs(material, cost), rows)


def _sessions(material: Material) -> Ints:
    lengths = [sum(1 for _ in run) for _, run in groupby(claim.source for claim in material.claims)]
    if len(lengths) == 1 or max(lengths) == 1:
        parts = min(_SESSIONS, len(material.claims))
        return np.linspace(0, len(material.claims), parts + 1).round().astype(np.int64)[1:]
    return np.cumsum(lengths)


def _costs(material: Material, cost: Cost) -> Floats:
    if cost == "claims":
        return np.ones(len(material.claims))
    return np.array(
        [float(claim.costs.get("tokens", count_tokens(claim.text))) for claim in material.claims], np.float64
    )


def _rows(coverage: Coverage) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """Return for each query its supports as positions, the shortest first."""
    ways: list[list[tuple[int, ...]]] = [[] for _ in coverage.queries]
    bounds = coverage.ptr.tolist()
    for s, q in enumerate(coverage.owner.tolist()):
        ways[q].append(tuple(coverage.members[bounds[s] : bounds[s + 1]].tolist()))
    return tuple(tuple(sorted(each, key=len)) for each in ways)
