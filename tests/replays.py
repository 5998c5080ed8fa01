"""Materials for replays: a few sessions, of whose claims a few are asked about; and what is told of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from memspan.material import Claim, Material, Query, Support

WORDS = ("tea", "rain", "Porto", "Ana", "boat", "March", "snow", "Ben", "bread", "Oslo")


def diary(name: str, sessions: int = 4, each: int = 6) -> Material:
    """Every third claim is asked about, and one question needs two of them."""
    claims = tuple(
        Claim(
            f"c{i}",
            f"{WORDS[i % 10]} and {WORDS[(i + len(name)) % 10]} on day {i} of {name}.",
            source=f"session {i // each}",
        )
        for i in range(sessions * each)
    )
    queries = [
        Query(f"q{i}", f"What of {WORDS[i % 10]} on day {i}?", supports=(Support((f"c{i}",)),))
        for i in range(0, len(claims), 3)
    ]
    both = Query("both", "What of the first and the last day?", supports=(Support(("c0", "c3")),))
    return Material(name, claims, queries=(*queries, both))


def written(place: Path, materials: list[Material]) -> Path:
    """Write *materials* as one native file."""
    from memspan.datasets import save

    save(materials, place)
    return place


def native(place: Path, **fields: Any) -> Path:
    """Write one native material with these *fields*."""
    place.write_text(json.dumps({"memspan": 0, "id": "m", "claims": [], "queries": [], **fields}), "utf-8")
    return place
