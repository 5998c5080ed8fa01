"""Makes the write rule in the wheel: weights set by hand, their scale and level fitted to own questions.

Run it as `python benchmarks/shipping_writer.py OUT`. Traits are counted in standard deviations over the
pooled sets and weigh 1, or a third to a half where they repeat another. Which hand-set weights, and that
fitted ones did worse, was decided by leaving out one of six sets in turn: HotpotQA, 2WikiMultihopQA (train
sample), MuSiQue, two books of the Odyssey and a chat with questions of memspan's own. LoCoMo and
HaluMem may not be used for it, and were not.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

import numpy as np

import memspan as ms
from memspan.answering.linear import Linear
from memspan.learning.logistic import Examples, logistic
from memspan.learning.writing import needed, trait_table
from memspan.material import Material
from memspan.policies.traits import TRAITS
from memspan.policies.writer import WriterRule
from text import DATA, _book, _chat

FLOOR = 0.2  # so that a share, or a yes or no, moves the sum by a few deviations at most
WEIGHTS = {
    "numbers": 1.0,
    "capitals": 1.0,
    "times": 1.0,
    "dates": 1.0,
    "mass": 1.0,
    "new names": 1.0,
    "new words": 1.0,
    "replies": 1.0,
    "quoted": 0.5,
    "words": 0.3,
    "courtesy": -1.0,
    "questions": -1.0,
    "second person": -1.0,
}


def main() -> None:
    own = [_book("VI", "06"), _book("X", "10"), _chat()]
    spread = [
        ms.load(DATA / "multihop" / "hotpotqa_dev.json", union=True)[0],
        ms.load(DATA / "longmemeval" / "oracle_notes_dev.jsonl", union=True)[0],
    ]
    rule(own, [*own, *spread]).save(sys.argv[1])


def rule(own: Sequence[Material], spread: Sequence[Material]) -> WriterRule:
    """Return the rule: deviations over *spread*, scale and level over *own*, each of which counts as much."""
    tables = [trait_table(material) for material in own]
    deviations = np.maximum(np.concatenate([trait_table(m) for m in spread]).std(axis=0), FLOOR)
    weights = np.array([WEIGHTS.get(name, 0.0) for name in TRAITS]) / deviations
    sums = np.concatenate([table @ weights for table in tables])
    truth = np.concatenate([needed(material) for material in own])
    counts = np.concatenate([np.full(len(t), len(truth) / len(own) / len(t)) for t in tables])
    fitted = logistic(Examples(["sum"], sums[:, None], truth, counts), 1.0)
    linear = {
        name: round(fitted.weights["sum"] * weight, 4)
        for name, weight in zip(TRAITS, weights.tolist(), strict=True)
        if weight
    }
    return WriterRule(
        "shipped",
        Linear(round(fitted.bias, 4), linear),
        fitted_on="weights set by hand; scale and level: questions of memspan's own about books and a chat",
    )


if __name__ == "__main__":
    main()
