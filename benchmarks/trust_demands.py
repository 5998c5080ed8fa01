"""The figures that were demanded of the trust model before it was built, beside those found."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass

import trust_methods as by
from trust_scores import Board

Find = Callable[[Board, str, str, int], float]
"""A board, the method, kind and count to the figure."""
Limit = tuple[str, int, float]


@dataclass(frozen=True)
class Demand:
    """What must hold: at most, or at least, so much at each of `limits`."""

    what: str
    find: Find
    limits: tuple[Limit, ...]
    least: bool = False


@dataclass(frozen=True)
class Verdict:
    """A demand at one kind and count: what was found online, and after a refit; `kept` is of the first."""

    what: str
    kind: str
    count: int
    demanded: str
    online: float
    refit: float
    kept: bool


def verdicts(board: Board) -> Iterator[Verdict]:
    """Yield what was demanded and what was found, where *board* has it."""
    for demand in DEMANDS:
        for kind, count, limit in demand.limits:
            if (kind, count) in board.columns:
                online, refit = (demand.find(board, method, kind, count) for method in (by.ONLINE, by.REFIT))
                kept = online >= limit if demand.least else online <= limit
                sign = "≥" if demand.least else "≤"
                yield Verdict(demand.what, kind, count, f"{sign} {limit:g}", online, refit, kept)


def rows(board: Board) -> Iterator[str]:
    """Yield the verdicts as a Markdown table."""
    yield "| what | world | settlements | demanded | online | after a refit | kept online |"
    yield "|---|---|---|---|---|---|---|"
    for each in verdicts(board):
        found = f"{each.online:.3f} | {each.refit:.3f} | {'yes' if each.kept else '**no**'}"
        yield f"| {each.what} | {each.kind} | {each.count:,} | {each.demanded} | {found} |"


def records(board: Board) -> list[dict[str, object]]:
    """Return the verdicts for ``--json``."""
    return [asdict(each) for each in verdicts(board)]


def _mean(measure: str) -> Find:
    return lambda board, *at: board.mean(measure, *at)


def _above(reference: str) -> Find:
    """Return how far the log loss lies above the reference's."""

    def find(board: Board, method: str, kind: str, count: int) -> float:
        ours, theirs = (board.mean("log_loss", each, kind, count) for each in (method, reference))
        return ours - theirs

    return find


def _part(reference: str) -> Find:
    """Return the log loss as a part of the reference's."""

    def find(board: Board, method: str, kind: str, count: int) -> float:
        ours, theirs = (board.mean("log_loss", each, kind, count) for each in (method, reference))
        return ours / theirs

    return find


def _gained(board: Board, method: str, kind: str, count: int) -> float:
    """Return the share gained over a memory that ignores trust, in the world where that is least."""
    ours, blind = (board.values("share", each, kind, count) for each in (method, by.IGNORE))
    return min(a - b for a, b in zip(ours, blind, strict=True))


def _everywhere(limit: float) -> tuple[Limit, ...]:
    return tuple((kind, count, limit) for kind in ("locomo", "multi") for count in (1000, 5000, 20_000))


def _early(first: float, then: float) -> tuple[Limit, ...]:
    return tuple((kind, n, x) for kind in ("locomo", "multi") for n, x in ((1000, first), (5000, then)))


CALIBRATED: tuple[Limit, ...] = (
    ("locomo", 1000, 0.05),
    ("locomo", 5000, 0.03),
    ("locomo", 20_000, 0.015),
    ("multi", 1000, 0.055),
    ("multi", 5000, 0.035),
)
HALFWAY: tuple[Limit, ...] = (("locomo", 5000, 0.6), ("multi", 5000, 0.6))
DEMANDS = (
    Demand("ECE of the claims read", _mean("ece"), CALIBRATED),
    Demand("log loss above Gibbs", _above(by.KNOWN), _everywhere(0.01)),
    Demand("log loss, part of Beta with equal blame", _part(by.COUNTED), HALFWAY),
    Demand("log loss, part of Beta, prior worth 4", _part(by.WIDE), HALFWAY),
    Demand("share of the oracle's precision", _mean("share"), _early(0.94, 0.985), least=True),
    Demand("water", _mean("water"), _early(0.05, 0.02)),
    Demand("least share gained over ignoring trust", _gained, _everywhere(0.0), least=True),
)
