"""A store of messages, and how they are found again: by words, or by words and likeness."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from memspan.material import Note
from memspan.policies import Holding, Likeness, best
from memspan.systems.said import said

Floats = npt.NDArray[np.float64]
FUSED = 60  # letta/helpers/tpuf_client.py: _reciprocal_rank_fusion, added to each rank


class Recall:
    """Notes in the order they came, with the words they hold.

    >>> recall = Recall(Likeness())
    >>> for name, text in (("a", "Rui cooks."), ("b", "Ana cooks rice."), ("c", "Ana sleeps.")):
    ...     recall.holding.add(Note(name, text))
    >>> [note.id for note in by_words(recall, ["ana", "cook"], "", 2)]
    ['b', 'a']
    """

    def __init__(self, likeness: Likeness) -> None:
        """Start with nothing stored."""
        self.holding = Holding(likeness)
        self._noted: tuple[Note, ...] | None = None
        self._places: dict[str, list[int]] = {}

    def hits(self, looked_for: Iterable[str]) -> Floats:
        """Return for each note how many of the words *looked_for*, as stems, it holds."""
        notes = self.holding.notes
        if notes != self._noted:
            self._noted, self._places = notes, {}
            for place, note in enumerate(notes):
                for word in said(note.text):
                    self._places.setdefault(word, []).append(place)
        found = [place for word in dict.fromkeys(looked_for) for place in self._places.get(word, ())]
        return np.bincount(np.array(found, int), minlength=len(notes)).astype(float)


def by_words(recall: Recall, looked_for: Sequence[str], text: str, k: int) -> tuple[Note, ...]:
    """Return the first page of a search for words: most of them first, of equal ones the oldest.

    Stands in for a model that picks the text to search for; a message fits where it has a word of the
    same stem, where the original looks for the text as it stands.
    """
    del text
    hits, notes = recall.hits(looked_for), recall.holding.notes
    return tuple(notes[i] for i in best(hits, k) if hits[i])


def by_words_and_likeness(recall: Recall, looked_for: Sequence[str], text: str, k: int) -> tuple[Note, ...]:
    """Return the first page of a search for words and one for likeness, their ranks fused by half each."""
    hits, notes = recall.hits(looked_for), recall.holding.notes
    if not notes:
        return ()
    score = _shares(recall.holding.similarity(text)) + np.where(hits > 0, _shares(hits), 0)
    return tuple(notes[i] for i in best(score, k))


def _shares(values: npt.NDArray[np.floating]) -> Floats:
    shares = np.empty(len(values))
    shares[np.argsort(-values, kind="stable")] = 0.5 / (FUSED + np.arange(1, len(values) + 1))
    return shares
