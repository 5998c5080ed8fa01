"""From text to supports: how well they are found, and what a memory chosen by them is worth.

Run it as `python benchmarks/text.py`; `--fast` leaves the fitted readers out, `--embedder onnx:FOLDER`
measures readers that are fitted with an embedder, and nothing else. Data sets are read from the folder
that MEMSPAN_DATA names.

The shipped rule comes from other data than LoCoMo, and a fitted one is measured on the conversation
that it was not fitted on. Features, penalties and the rule for sets were chosen with LoCoMo in sight.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

import memspan as ms
from memspan.answering.hybrid import Hybrid
from memspan.answering.meeting import answer_parts
from memspan.answering.reliability import Reliability, reliability
from memspan.answering.sets import likeliest, mask
from memspan.coverage import compile_material, u_cov
from memspan.extraction import extract
from memspan.learning.reader import train_reader
from memspan.material import Material, Query, Support
from memspan.models import Remembered, embedder_named
from memspan.ports import Embedder
from memspan.span import Expectation, estimate, find_supports

DATA = Path(os.environ.get("MEMSPAN_DATA", Path(__file__).parents[2] / "shared" / "data"))
FIXTURES = Path(__file__).parents[1] / "tests" / "fixtures"
SHARES = (0.05, 0.1, 0.2)
DRAWS = 20
SIDES = ("answered", "asked")


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--embedder")
    options.add_argument("--fast", action="store_true")
    chosen = options.parse_args()
    embedder = Remembered(embedder_named(chosen.embedder)) if chosen.embedder else None
    if embedder is None:
        own()
    conversations = [_annotated(m) for m in ms.load(DATA / "locomo" / "locomo10_dev.json")]
    if embedder is None:
        measured("LoCoMo, shipped", conversations, [Hybrid()] * len(conversations))
    if not chosen.fast:
        used = f" with {embedder.name}" if embedder is not None else ""
        readers = list(_fitted(conversations, embedder))
        measured(f"LoCoMo, fitted on the other six{used}", conversations, readers)


def _annotated(material: Material) -> Material:
    return replace(material, queries=tuple(q for q in material.queries if material.supports_of(q)))


def _fitted(conversations: Sequence[Material], embedder: Embedder | None) -> Iterator[Hybrid]:
    for held_out in conversations:
        others = [each for each in conversations if each is not held_out]
        yield Hybrid(train_reader(others, embedder, measured=False), embedder)


# --- tables -------------------------------------------------------------------------------------


def measured(title: str, materials: Sequence[Material], readers: Sequence[Hybrid]) -> None:
    print(f"\n{title}")
    for side in SIDES:
        _print_reliability(side, *_judged(materials, readers, side))
    for side in SIDES:
        _print_worth(side, materials, readers)


def _asked(material: Material, side: str) -> tuple[Query, ...]:
    """Return the questions without their supports; without their answers where those are not to be seen."""
    bare = (replace(query, supports=(), items=()) for query in material.queries)
    return tuple(bare if side == "answered" else (replace(query, answer=None) for query in bare))


def _judged(
    materials: Sequence[Material], readers: Sequence[Hybrid], side: str
) -> tuple[list[np.ndarray], list[np.ndarray], list[np.ndarray]]:
    chances, truths, found = [], [], []
    for material, reader in zip(materials, readers, strict=True):
        reading = reader.reading(material.claims)
        for query, bare in zip(material.queries, _asked(material, side), strict=True):
            chance = reading.chances(bare)
            places = [material.claim_position[name] for name in material.supports_of(query)[0].claims]
            chances.append(chance)
            truths.append(mask(np.array(places), len(chance)))
            found.append(mask(likeliest(chance, answer_parts(reading.passages, bare)), len(chance)))
    return chances, truths, found


def _print_reliability(side: str, chances: list, truths: list, found: list) -> None:
    figures: Reliability = reliability(chances, truths, found)
    several = [bool(np.array_equal(t, f)) for t, f in zip(truths, found, strict=True) if t.sum() > 1]
    print(
        f"  {side:9} {figures.questions:5} questions  recall @1 {figures.recall_1:.3f} "
        f"@5 {figures.recall_5:.3f} @10 {figures.recall_10:.3f}  ECE {figures.ece:.3f}  "
        f"sets F1 {figures.set_f1:.3f} exact {figures.set_exact:.3f}, "
        f"of several claims {np.mean(several or [0]):.3f}"
    )


def _print_worth(side: str, materials: Sequence[Material], readers: Sequence[Hybrid]) -> None:
    rows = [row for m, r in zip(materials, readers, strict=True) for row in _worth(m, r, side)]
    table = np.array(rows)
    for share in (*SHARES, None):
        of = table if share is None else table[table[:, 0] == share]
        at = "mean" if share is None else f"{share:.0%}"
        best, sampled, random, value, by_chance = of[:, 1:].mean(axis=0)
        print(
            f"  {side:9} memory of {at:>4}  U* {best:.3f}  off: drawn supports {sampled:.3f}, "
            f"random ones {random:.3f}  value: {value:.3f} of U*, random memory {by_chance:.3f}"
        )


def _worth(material: Material, reader: Hybrid, side: str) -> Iterator[tuple[float, ...]]:
    """Yield what a memory chosen by found supports is worth by the annotated ones, at each share."""
    rng = np.random.default_rng(0)
    best, coverage = ms.frontier(material), compile_material(material)
    found = find_supports(replace(material, queries=_asked(material, side)), reader)
    drawn, expected = estimate(found, rng, draws=DRAWS), Expectation.of(found)
    blind = ms.frontier(_random_supports(material, rng))
    for share in SHARES:
        size = round(share * len(material.claims))
        optimum = best.at(size).lower
        memory = coverage.memory(expected.memory(size))
        chance = np.zeros(coverage.n_claims, np.bool_)
        chance[rng.choice(coverage.n_claims, size, replace=False)] = True
        yield (
            share,
            optimum,
            abs(drawn.mean[size] - optimum),
            abs(blind.at(size).lower - optimum),
            u_cov(coverage, memory) / optimum,
            u_cov(coverage, chance) / optimum,
        )


def _random_supports(material: Material, rng: np.random.Generator) -> Material:
    names = np.array([claim.id for claim in material.claims])
    queries = tuple(
        replace(q, supports=(Support(tuple(rng.choice(names, len(q.supports[0].claims), replace=False))),))
        for q in material.queries
    )
    return replace(material, queries=queries)


# --- questions written by hand ------------------------------------------------------------------


def own() -> None:
    """Measure the shipped reader on questions that were written by hand about a book and a chat."""
    print("Questions written by hand, shipped reader (book X and the chat chose its level; book VI did not)")
    for name, material in (("book VI", _book("VI", "06")), ("book X", _book("X", "10")), ("chat", _chat())):
        print(f" {name}: {len(material.claims)} claims")
        for side in SIDES:
            _print_reliability(side, *_judged([material], [Hybrid()], side))


def _book(roman: str, number: str) -> Material:
    whole = (DATA / "odyssey" / "odyssey_butler_books01-17.txt").read_text(encoding="utf-8")
    text = f"BOOK {roman}\n" + whole.split(f"\nBOOK {roman}\n")[1].split("\nBOOK ")[0]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "book.txt"
        path.write_text(text, encoding="utf-8")
        material = extract(str(path))[0]
    said = json.loads((FIXTURES / f"odyssey_book{number}_questions.json").read_text(encoding="utf-8"))
    plain = [" ".join((claim.quote or claim.text).split()) for claim in material.claims]

    def home(anchor: str) -> str:
        return next(c.id for c, text in zip(material.claims, plain, strict=True) if anchor in text)

    return replace(material, queries=tuple(_by_hand(q, home) for q in said["questions"] if q["answerable"]))


def _chat() -> Material:
    material = extract(str(FIXTURES / "chat_export.json"))[0]
    said = json.loads((FIXTURES / "chat_export_questions.json").read_text(encoding="utf-8"))
    answerable = [q for q in said["questions"] if q.get("answerable", True)]
    return replace(material, queries=tuple(_by_hand(q, lambda n: f"m{n}") for q in answerable))


def _by_hand(raw: dict, home: Callable[[str], str]) -> Query:
    claims = tuple(dict.fromkeys(home(anchor) for anchor in raw["evidence"]))
    return Query(raw["id"], raw["question"], answer=raw["answer"], supports=(Support(claims),))


if __name__ == "__main__":
    main()
