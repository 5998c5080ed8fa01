"""Which annotated supports Bridge composes: ``python benchmarks/bridge.py [DATA] [--choose] [--json]``.

Each question's context is a material of its own, its sentences (MuSiQue: paragraphs) the claims. An
annotated support counts as found where an item of Bridge has exactly this support. Nothing reads the
question. ``--choose`` tries the cap on the training sample of 2WikiMultihopQA, where the default was
chosen; without it, the default is measured on the others. DATA is the folder that MEMSPAN_DATA names.
"""

from __future__ import annotations

import argparse
import json
import os
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from measuring import Section, clock
from memspan.datasets import load
from memspan.generation import Bridge
from memspan.material import Material

CHOSEN_ON = "2wiki_train_dev.json"
REPORTED_ON = ("2wiki_dev.json", "hotpotqa_dev.json", "musique_dev.json")
RARE = (2, 4, 6, 8, 12)


@dataclass(frozen=True)
class Found:
    """Annotated supports of one size and kind among the items of one setting."""

    file: str
    hops: int
    rare: int
    claims_needed: int
    kind: str
    supports: int
    found: int
    share: float


@dataclass(frozen=True)
class Size:
    """How much one setting composes."""

    file: str
    hops: int
    rare: int
    claims: int
    composed: int
    composed_per_claim: float
    limited_materials: int
    seconds: float


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Measure which annotated supports Bridge composes.")
    parser.add_argument("data", nargs="?", default=os.environ.get("MEMSPAN_DATA"), type=Path)
    parser.add_argument("--choose", action="store_true", help="try caps on the training sample")
    parser.add_argument("--json", action="store_true", help="JSON instead of tables")
    asked = parser.parse_args()
    if asked.data is None:
        parser.error("no folder; give DATA or set MEMSPAN_DATA")
    sections = list(_sections(asked.data / "multihop", choose=asked.choose))
    for section in sections:
        print(json.dumps(section.record()) if asked.json else section.text())


def _sections(folder: Path, *, choose: bool) -> Iterator[Section]:
    if choose:
        settings = [(CHOSEN_ON, Bridge(rare=rare)) for rare in RARE]
    else:
        settings = [(file, Bridge(hops=hops)) for file in REPORTED_ON for hops in (2, 3)]
    found: list[Found] = []
    sizes: list[Size] = []
    for file, bridge in settings:
        materials = [material for material in load(folder / file) if material.claims]
        size, supports = _measured(file, bridge, materials)
        sizes.append(size)
        found += supports
    yield Section("supports", "annotated supports among the composed items", tuple(found))
    yield Section("sizes", "composed items for each claim", tuple(sizes))


def _measured(file: str, bridge: Bridge, materials: list[Material]) -> tuple[Size, list[Found]]:
    needed: dict[tuple[int, str], list[bool]] = defaultdict(list)
    claims = composed = limited = 0
    seconds = 0.0
    for material in materials:
        took, generated = clock(lambda claims=material.claims: bridge.generate(claims))
        supports = {frozenset(s.claims) for item in generated.items for s in item.supports}
        seconds += took
        claims += len(material.claims)
        composed += len(generated.items) - len(material.claims)
        limited += bool(generated.limits)
        for query in material.queries:
            for support in query.supports:
                if 2 <= len(support.claims) <= 3:
                    for kind in (query.category or "-", "all"):
                        needed[len(support.claims), kind].append(frozenset(support.claims) in supports)
    size = Size(file, bridge.hops, bridge.rare, claims, composed, composed / claims, limited, seconds)
    return size, [
        Found(file, bridge.hops, bridge.rare, count, kind, len(hits), sum(hits), sum(hits) / len(hits))
        for (count, kind), hits in sorted(needed.items())
        if count <= bridge.hops
    ]


if __name__ == "__main__":
    main()
