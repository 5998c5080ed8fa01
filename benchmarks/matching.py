"""How well stored memories are matched to the claims that they tell.

Run it as `python benchmarks/matching.py`; `--fit` fits the weights anew and prints them, `--json FILE`
keeps the figures. Data sets are read from the folder that MEMSPAN_DATA names.

Weights and thresholds come from LoCoMo conversations 1-3 and HaluMem user 3; figures are of LoCoMo
conversations 4-7 and HaluMem user 0.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import memspan as ms
from memspan.answering.linear import Linear, probability
from memspan.answering.reliability import calibration_error
from memspan.diagnosis.pairing import Pair, pairs
from memspan.diagnosis.telling import FEATURES, Compared, compare
from memspan.material import Claim, Material

DATA = Path(os.environ.get("MEMSPAN_DATA", Path(__file__).parents[2] / "shared" / "data"))
LOCOMO = DATA / "locomo" / "locomo10_dev.json"
CHOSEN_ON, REPORTED_ON = range(3), range(3, 7)
CUT = 0.4  # of the claims that are told, taken out: their memories rest on nothing that is left
STORES, STORED = 6, 12  # small stores, and how many memories they hold
STRANGERS = 3  # foreign stores of each kind to learn from: one for each two own
OTHERS = 12  # claims of a small material that no memory of a small store tells
BAGS = 20.0  # weight of a HaluMem label against a pair
PENALTY = 1.0
Floats = npt.NDArray[np.float64]
Truth = set[tuple[int, int]]


@dataclass(frozen=True)
class Store:
    """Memories, claims, and which tell which."""

    memories: Sequence[Claim]
    claims: Sequence[Claim]
    truth: Truth
    orphans: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Bag:
    """A claim that some memory of a store holds (1), holds in part (0.5) or does not hold (0)."""

    store: int
    claim: int
    held: float


# --- labelled stores -----------------------------------------------------------------------------


def told(kind: str, k: int) -> tuple[list[Claim], list[Claim], list[Sequence[str]]]:
    """Return memories, claims and the ids each memory rests on, of LoCoMo conversation *k*."""
    turns, observed = _locomo()[0][k], _locomo()[1][k]
    notes = [each for each in observed.claims if each.extra["turns"]]
    if kind == "observations":
        return _bare(notes), [*turns.claims], [each.extra["turns"] for each in notes]
    if kind == "turns":
        rests = [[c.id for c in notes if turn.id in c.extra["turns"]] for turn in turns.claims]
        return _bare(turns.claims), notes, rests
    rng = np.random.default_rng(100 + k)
    order, memories, rests = rng.permutation(len(notes)).tolist(), [], []
    while order:
        group = [notes[order.pop()] for _ in range(min(int(rng.integers(2, 4)), len(order)))]
        memories.append(Claim(f"m{len(memories)}", " ".join(each.text for each in group)))
        rests.append([turn for each in group for turn in each.extra["turns"]])
    return memories, [*turns.claims], rests


def _bare(claims: Sequence[Claim]) -> list[Claim]:
    """Return the texts alone: where they come from would tell."""
    return [Claim(each.id, each.text) for each in claims]


_LOADED: list[tuple[list[Material], list[Material]]] = []


def _locomo() -> tuple[list[Material], list[Material]]:
    if not _LOADED:
        _LOADED.append(([*ms.load(LOCOMO)], [*ms.load(LOCOMO, claims="observations")]))
    return _LOADED[0]


def store(kind: str, k: int, cut: float) -> Store:
    """Return a store of *kind*; *cut* of the claims that memories rest on are taken out."""
    memories, claims, rests = told(kind, k)
    used = [claim.id for claim in claims if any(claim.id in each for each in rests)]
    rng = np.random.default_rng(k)
    gone = {used[i] for i in rng.choice(len(used), round(cut * len(used)), replace=False).tolist()}
    left = [claim for claim in claims if claim.id not in gone]
    place = {claim.id: i for i, claim in enumerate(left)}
    truth = {(m, place[c]) for m, each in enumerate(rests) for c in each if c in place}
    orphans = frozenset(m for m, each in enumerate(rests) if each and not set(each) & place.keys())
    return Store(memories, left, truth, orphans)


def small(whole: Store, seed: int) -> Iterator[Store]:
    """Yield stores of a few memories each."""
    order = np.random.default_rng(seed).permutation(len(whole.memories))
    for i in range(STORES):
        chosen = order[i * STORED : (i + 1) * STORED].tolist()
        place = {m: n for n, m in enumerate(chosen)}
        truth = {(place[m], c) for m, c in whole.truth if m in place}
        orphans = frozenset(place[m] for m in whole.orphans if m in place)
        few = Store([whole.memories[m] for m in chosen], whole.claims, truth, orphans)
        yield few
        yield _few_claims(few, seed + i)


def _few_claims(few: Store, seed: int) -> Store:
    """Return the claims that are told, and some others, with the same memories."""
    others = np.random.default_rng(seed).choice(len(few.claims), OTHERS, replace=False).tolist()
    kept = sorted({*others, *(c for _, c in few.truth)})
    place = {c: n for n, c in enumerate(kept)}
    truth = {(m, place[c]) for m, c in few.truth}
    return Store(few.memories, [few.claims[c] for c in kept], truth, few.orphans)


def foreign(kind: str, here: int, there: int) -> Store:
    """Return the memories of one conversation and the claims of another: none tells any."""
    memories, _, _ = told("turns" if kind == "turns to turns" else kind, here)
    claims = told("observations" if kind == "turns to turns" else kind, there)[1]
    return Store(memories, claims, set(), frozenset(range(len(memories))))


def strangers(kind: str, ks: range) -> list[Store]:
    """Return all foreign stores of *kind* among conversations *ks*."""
    return [foreign(kind, here, there) for here in ks for there in ks if here != there]


def halumem(user: int) -> tuple[list[Store], list[Bag]]:
    """Return the store after each session, and which of that session's claims it holds.

    Sessions in which no claim at all is said to be held are left out: the records list memories that
    tell several of them word for word, so the run's judge cannot have seen them.
    """
    material = ms.load(DATA / "halumem" / f"user{user}.jsonl")[0]
    records = json.loads((DATA / "halumem" / f"mem0_eval_user{user}.json").read_text())
    stores: list[Store] = []
    bags: list[Bag] = []
    judged = [r for r in records["memory_integrity_records"] if r["memory_integrity_score"] != "judge_failed"]
    for session in sorted({r["ssession_id"] for r in judged}):
        labels = [r for r in judged if r["ssession_id"] == session]
        texts = [
            r["memory_content"] for r in records["memory_accuracy_records"] if r["ssession_id"] == session
        ]
        if not texts or not any(r["memory_integrity_score"] for r in labels):
            continue
        of = {c.text: i for i, c in enumerate(material.claims) if c.source == f"session {session + 1}"}
        memories = [Claim(f"m{i}", text) for i, text in enumerate(dict.fromkeys(texts))]
        bags += [
            Bag(len(stores), of[r["memory_content"]], r["memory_integrity_score"] / 2)
            for r in labels
            if r["memory_content"] in of
        ]
        stores.append(Store(memories, material.claims, set()))
    return stores, bags


# --- fitting -------------------------------------------------------------------------------------


def fit() -> Linear:
    """Fit the weights on LoCoMo 1-3 and HaluMem user 3."""
    stores: list[Store] = []
    for kind in ("observations", "turns", "merged"):
        for k in CHOSEN_ON:
            whole = [store(kind, k, cut) for cut in (0.0, CUT)]
            stores += [*whole, *small(whole[1], k)]
    for kind in ("observations", "merged", "turns", "turns to turns"):
        stores += strangers(kind, CHOSEN_ON)[:STRANGERS]
    tables = [(compare(s.memories, s.claims), s.truth) for s in stores]
    rows = np.concatenate([c.table for c, _ in tables])
    truths = np.concatenate([_labels(c, truth) for c, truth in tables])
    bagged, bags = halumem(3)
    held = [compare(s.memories, s.claims) for s in bagged]
    groups = [(held[b.store].table[held[b.store].claim == b.claim], b.held) for b in bags]
    return _fitted(rows, truths, [(table, label) for table, label in groups if len(table)])


def _labels(compared: Compared, truth: Truth) -> Floats:
    places = zip(compared.memory.tolist(), compared.claim.tolist(), strict=True)
    return np.array([place in truth for place in places], np.float64)


def _fitted(rows: Floats, truths: Floats, groups: Sequence[tuple[Floats, float]]) -> Linear:
    """Return the weights of least loss: logistic for pairs, by the chance that any is told for groups."""
    from scipy.optimize import minimize

    scale = rows.std(axis=0) + 1e-9
    x, bags = rows / scale, np.concatenate([table for table, _ in groups]) / scale
    sizes = [len(table) for table, _ in groups]
    starts, owner = np.cumsum([0, *sizes[:-1]]), np.repeat(np.arange(len(groups)), sizes)
    held = np.array([label for _, label in groups])

    def loss(at: Floats) -> tuple[float, Floats]:
        bias, weights = at[0], at[1:]
        logits = bias + x @ weights
        slope = probability(logits) - truths
        p = np.clip(probability(bias + bags @ weights), 1e-9, 1 - 1e-9)
        log_none = np.add.reduceat(np.log1p(-p), starts)
        some = np.clip(1 - np.exp(log_none), 1e-9, 1)
        none = 1 - some
        value = (np.logaddexp(0, logits) - truths * logits).sum() + weights @ weights / (2 * PENALTY)
        value -= BAGS * (held * np.log(some) + (1 - held) * log_none).sum()
        pull = -BAGS * ((held * none / some)[owner] * p - (1 - held)[owner] * p)
        down = np.concatenate([[slope.sum() + pull.sum()], x.T @ slope + bags.T @ pull + weights / PENALTY])
        return float(value), down

    found = minimize(loss, np.zeros(x.shape[1] + 1), jac=True, method="L-BFGS-B", options={"maxiter": 2000})
    weights = (found.x[1:] / scale).round(3).tolist()
    return Linear(round(float(found.x[0]), 3), dict(zip(FEATURES, weights, strict=True)))


# --- measuring -----------------------------------------------------------------------------------


def measured(stores: Sequence[Store], rule: Linear | None = None) -> dict[str, float]:
    """Return how well the pairs of *stores* are found."""
    chances: list[float] = []
    truths: list[bool] = []
    wrongly = orphans = count = 0
    for each in stores:
        found = [p for p in _pairs(each, rule) if p.against is None]
        chances += [p.chance for p in found]
        truths += [(p.memory, p.claim) in each.truth for p in found]
        count += len(each.truth)
        orphans += len(each.orphans)
        wrongly += len({p.memory for p in found if p.chance >= 0.5} & each.orphans)
    p, y = np.array(chances), np.array(truths)
    chosen = p >= 0.5
    return {
        "pairs": count,
        "precision": float(y[chosen].mean()) if chosen.any() else float("nan"),
        "recall": float(y[chosen].sum() / count) if count else float("nan"),
        "expected_over_true": float(p.sum() / count) if count else float("nan"),
        "expected_of_a_memory": float(p.sum() / sum(len(each.memories) for each in stores)),
        "calibration_error": calibration_error(p, y),
        "orphans": orphans,
        "orphans_matched": wrongly / orphans if orphans else 0.0,
    }


def _pairs(each: Store, rule: Linear | None) -> list[Pair]:
    return pairs(each.memories, each.claims) if rule is None else pairs(each.memories, each.claims, rule)


def judged(user: int, rule: Linear | None = None) -> dict[str, float]:
    """Return the chance that a claim is held, by what HaluMem's labels say."""
    stores, bags = halumem(user)
    found = [_pairs(each, rule) for each in stores]
    chances: dict[float, list[float]] = {0.0: [], 0.5: [], 1.0: []}
    for bag in bags:
        of = [1 - p.chance for p in found[bag.store] if p.claim == bag.claim and p.against is None]
        chances[bag.held].append(1 - float(np.prod(of)))
    names = {0.0: "not_held", 0.5: "in_part", 1.0: "held"}
    shown: dict[str, float] = {}
    for label, values in chances.items():
        shown[names[label]] = len(values)
        shown[f"{names[label]}_mean"] = float(np.mean(values))
        shown[f"{names[label]}_found"] = float(np.mean(np.array(values) >= 0.5))
    return shown


def table(rule: Linear | None = None) -> Iterator[tuple[str, dict[str, float]]]:
    """Yield every figure of matching, chosen on and reported on."""
    for name, ks in (("1-3", CHOSEN_ON), ("4-7", REPORTED_ON)):
        for kind in ("observations", "turns", "merged"):
            for cut in (0.0, CUT):
                whole = [store(kind, k, cut) for k in ks]
                yield f"LoCoMo {name}, {kind}, {cut:.0%} cut", measured(whole, rule)
                if cut:
                    few = [part for k, each in zip(ks, whole, strict=True) for part in small(each, k)]
                    yield (
                        f"LoCoMo {name}, {kind}, {cut:.0%} cut, stores of {STORED}",
                        measured(few[::2], rule),
                    )
                    yield f"LoCoMo {name}, {kind}, few claims too", measured(few[1::2], rule)
        for kind in ("observations", "turns", "turns to turns"):
            others = strangers(kind, ks)
            yield f"LoCoMo {name}, foreign, {kind}", measured(others, rule)
            few = [part for number, each in enumerate(others) for part in small(each, number)]
            yield f"LoCoMo {name}, foreign, {kind}, stores of {STORED}", measured(few[::2], rule)
    for user in (3, 0):
        yield f"HaluMem user {user}", judged(user, rule)


def main() -> None:
    """Fit where asked, and measure."""
    options = argparse.ArgumentParser()
    options.add_argument("--fit", action="store_true")
    options.add_argument("--json", type=Path)
    chosen = options.parse_args()
    rule = fit() if chosen.fit else None
    if rule is not None:
        print(rule)
    figures: dict[str, Any] = {}
    for name, row in table(rule):
        figures[name] = row
        print(f"{name}: " + ", ".join(f"{key} {value:.3g}" for key, value in row.items()), flush=True)
    if chosen.json:
        chosen.json.write_text(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
