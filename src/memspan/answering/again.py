"""A second look at the most likely items, now that it is known which those are.

The items that need one another lie near one another or speak of the same thing; an item that only
repeats a better one adds nothing. Neither can be seen one item at a time.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from memspan.answering.passages import Passages
from memspan.answering.rule import probability

Floats = npt.NDArray[np.float64]
Places = npt.NDArray[np.int64]

CANDIDATES = 40  # items that are looked at again
_LEADERS = 3  # how many of the best the others are held against
_NEAR = 3  # places
_FAR = 6  # places beyond which distance no longer counts

LOOKS = (
    "again_logit",
    "again_probability",
    "again_gap",
    "again_gap_second",
    "again_rank",
    "again_sum",
    "again_best",
    "again_lead",
    "again_near",
    "again_above",
    "again_group",
    "again_like_above",
    *(f"again_{what}_{i}" for i in range(1, _LEADERS + 1) for what in ("like", "same", "after")),
)
"""Features of the second look."""


@dataclass(frozen=True)
class Look:
    """The candidates of one question, best first, and what is seen of them together.

    Attributes:
        places: their positions, shape (k,).
        features: shape (k, len(LOOKS)).
    """

    places: Places
    features: Floats


def look_again(passages: Passages, logits: Floats) -> Look:
    """Return the best items by *logits*, at least one, and the features `LOOKS` of each."""
    places = np.argsort(-logits, kind="stable")[:CANDIDATES]
    return Look(places, np.stack(_columns(passages, logits[places], places), axis=1))


def _columns(passages: Passages, logits: Floats, places: Places) -> list[Floats]:
    k = len(places)
    chance = probability(logits)
    second = logits[1] if k > 1 else logits[0]
    same = (passages.groups[places][:, None] == passages.groups[places]).astype(np.float64)
    apart = np.abs(places[:, None] - places)
    alike = passages.likeness(places)
    columns = [
        logits,
        chance,
        logits - logits[0],
        logits - second,
        1 / np.log2(2 + np.arange(k)),
        np.full(k, chance.sum()),
        np.full(k, logits[0]),
        np.full(k, logits[0] - second),
        ((apart <= _NEAR) & (apart > 0)) @ chance,
        np.cumsum(chance) - chance,
        same @ chance,
        np.tril(alike, -1).max(axis=1),
    ]
    for leader in range(_LEADERS):
        at = min(leader, k - 1)
        after = np.minimum(np.maximum(places - places[at], -_FAR), _FAR)  # np.clip takes four times as long
        columns += [alike[at], same[at], after.astype(np.float64)]
    return columns
