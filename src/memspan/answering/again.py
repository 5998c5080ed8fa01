"""A second look at the most likely items, now that it is known which those are.

The items that need one another lie near one another or speak of the same thing; an item that only
repeats a better one adds nothing. Neither can be seen one item at a time.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from memspan.answering.linear import probability
from memspan.answering.meeting import Meeting
from memspan.answering.passages import Passages

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
    "again_asked_new",
    "again_answer_new",
    "again_answer_above",
    "again_part",
    "again_part_new",
    "again_part_listed",
    "again_parts",
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


def look_again(meeting: Meeting, logits: Floats) -> Look:
    """Return the best items by *logits*, at least one, and the features `LOOKS` of each."""
    places = np.argsort(-logits, kind="stable")[:CANDIDATES]
    alike = meeting.passages.likeness(places)
    columns = [
        *_surroundings(meeting.passages, logits[places], places),
        np.tril(alike, -1).max(axis=1),
        *_news(meeting, places),
        *_leaders(meeting.passages, places, alike),
    ]
    return Look(places, np.stack(columns, axis=1))


def _surroundings(passages: Passages, logits: Floats, places: Places) -> list[Floats]:
    """Return how sure the candidates are, each alone and with those around it."""
    k = len(places)
    chance = probability(logits)
    second = logits[1] if k > 1 else logits[0]
    same = (passages.groups[places][:, None] == passages.groups[places]).astype(np.float64)
    apart = np.abs(places[:, None] - places)
    return [
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
    ]


def _news(meeting: Meeting, places: Places) -> list[Floats]:
    """Return what each candidate says of question and answer that no better one says."""
    lexicon = meeting.passages.lexicon
    asked = lexicon.shares(meeting.asked_terms)[places]
    answer = lexicon.shares(meeting.answer_terms)[places]
    parts = np.stack([lexicon.share(part) for part in meeting.parts] or [np.zeros(meeting.n)], axis=1)[places]
    fresh = (parts * (1 - _above(parts))).max(axis=1)
    return [
        np.maximum(asked - _above(asked), 0).sum(axis=1),
        np.maximum(answer - _above(answer), 0).sum(axis=1),
        _above(answer).sum(axis=1),
        parts.max(axis=1),
        fresh,
        fresh * (len(meeting.parts) > 1),
        np.full(len(places), len(meeting.parts) / 5),
    ]


def _above(table: Floats) -> Floats:
    """Return for each row the largest value in each column of the rows above it, 0 for the first."""
    highest = np.maximum.accumulate(table, axis=0)
    return np.concatenate([np.zeros((1, table.shape[1])), highest[:-1]])


def _leaders(passages: Passages, places: Places, alike: Floats) -> list[Floats]:
    """Return how the candidates stand to each of the best; *alike* is how alike they are."""
    same = (passages.groups[places][:, None] == passages.groups[places]).astype(np.float64)
    columns: list[Floats] = []
    for leader in range(_LEADERS):
        at = min(leader, len(places) - 1)
        columns += [alike[at], same[at], np.clip(places - places[at], -_FAR, _FAR).astype(np.float64)]
    return columns
