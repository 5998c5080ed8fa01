"""Which memories an embedder finds close."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from memspan.audit.reading import Reading
from memspan.ports import Embedder

if TYPE_CHECKING:
    from memspan.ports import Vectors

CLOSE = 0.9  # cosine
_BATCH = 256  # texts embedded, and rows compared, at a time


def bridges_of(
    readings: Sequence[Reading], embedder: Embedder, seconds: float, close: float = CLOSE
) -> tuple[Mapping[int, Sequence[int]], list[str]]:
    """Return by position the positions of memories of the same scope that are close, and what was cut.

    Args:
        readings: memories to compare.
        embedder: texts to unit vectors.
        seconds: time it may take; at least one batch is done.
        close: least cosine.
    """
    started = time.monotonic()
    rows: list[Vectors] = []
    for start in range(0, len(readings), _BATCH):
        if rows and time.monotonic() - started > seconds / 2:
            break
        rows.append(embedder.embed([each.text for each in readings[start : start + _BATCH]]))
    done = readings[: sum(map(len, rows))]
    cut = _cut(len(readings) - len(done), len(readings), "embedded") if len(done) < len(readings) else []
    vectors = np.concatenate(rows) if rows else np.zeros((0, 1), np.float32)
    groups: defaultdict[str, list[int]] = defaultdict(list)
    for i, each in enumerate(done):
        groups[each.scope].append(i)
    found: defaultdict[int, list[int]] = defaultdict(list)
    late = 0
    for group in groups.values():
        members = np.array(group)
        for start in range(0, len(group), _BATCH):
            if time.monotonic() - started > seconds:
                late += len(group[start : start + _BATCH])
                continue
            some = members[start : start + _BATCH]
            ones, others = np.nonzero(vectors[some] @ vectors[members].T >= close)
            for one, other in zip(some[ones].tolist(), members[others].tolist(), strict=True):
                if one != other:
                    found[done[one].position].append(done[other].position)
    return found, cut + (_cut(late, len(done), "compared by the embedder") if late else [])


def _cut(left: int, of: int, what: str) -> list[str]:
    return [f"time ran out: {left:,} of {of:,} memories were not {what}"]
