"""How alike texts are, each pair computed once however many systems ask."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from memspan.models import HashedEmbedder
from memspan.ports import Embedder

Floats = npt.NDArray[np.float32]
Places = npt.NDArray[np.int64]

BLOCK = 64  # texts that are compared at once
MOST_KEPT = 50_000_000  # similarities that are remembered: 200 MB


class Likeness:
    """Cosine similarity between texts, remembered: systems on the same material share one.

    Args:
        embedder: texts to vectors; words and parts of words, hashed, where none is given.

    >>> likeness = Likeness()
    >>> places = likeness.places(["Ana was painting", "rain in Porto"])
    >>> near, far = likeness.to("Ana painted")[places]
    >>> bool(near > 0.5 > far)
    True
    """

    def __init__(self, embedder: Embedder | None = None) -> None:
        """Start with no texts."""
        self._embedder = HashedEmbedder() if embedder is None else embedder
        self._place: dict[str, int] = {}
        self._vectors: Floats = np.zeros((0, 0), np.float32)
        self._rows: dict[str, Floats] = {}
        self._kept = 0
        self._apart: dict[str, Likeness] = {}

    @property
    def name(self) -> str:
        """The embedder's own."""
        return self._embedder.name

    def apart(self, purpose: str) -> Likeness:
        """Return the likeness of other texts than claims and questions, e.g. of names; always the same one.

        So they do not slow down the comparison of claims, and systems still share them.
        """
        if purpose not in self._apart:
            self._apart[purpose] = Likeness(self._embedder)
        return self._apart[purpose]

    def places(self, texts: Sequence[str]) -> Places:
        """Return where each of *texts* stands in what `to` returns; new ones are embedded together."""
        self._learn([text for text in dict.fromkeys(texts) if text not in self._place])
        return np.array([self._place[text] for text in texts], np.int64)

    def to(self, text: str) -> Floats:
        """Return the similarity of *text* to every text known by now, shape (n,), in [-1, 1]."""
        self._learn([text] if text not in self._place else [])
        row = self._rows.pop(text, np.zeros(0, np.float32))
        count = len(self._place)
        if len(row) < count:
            self._kept += count - len(row)
            row = np.concatenate([row[: len(row) // BLOCK * BLOCK], self._products(text, len(row), count)])
        self._rows[text] = row  # at the end: what was asked for last goes last
        while self._kept > MOST_KEPT and len(self._rows) > 1:
            self._kept -= len(self._rows.pop(next(iter(self._rows))))
        return row

    def _products(self, text: str, start: int, end: int) -> Floats:
        """Return the similarities from the block of *start* to *end*.

        A product of matrices may differ in its last bit with the number of rows. In blocks that always
        stand in the same place, what was asked before makes no difference.
        """
        first, last = start // BLOCK, -(-end // BLOCK)
        rows = self._vectors[first * BLOCK : last * BLOCK].reshape(last - first, BLOCK, -1)
        products: Floats = (rows @ self._vectors[self._place[text]]).ravel()[: end - first * BLOCK]
        return products

    def vector(self, text: str) -> Floats:
        """Return the unit vector of *text*, shape (d,)."""
        row: Floats = self._vectors[int(self.places([text])[0])]
        return row

    def _learn(self, texts: list[str]) -> None:
        if not texts:
            return
        rows, count = self._embedder.embed(texts), len(self._place)
        if count + len(texts) > len(self._vectors):
            blocks = -(-max(2 * len(self._vectors), count + len(texts)) // BLOCK)
            grown = np.zeros((blocks * BLOCK, rows.shape[1]), np.float32)
            if count:
                grown[:count] = self._vectors[:count]
            self._vectors = grown
        self._vectors[count : count + len(texts)] = rows
        self._place |= {text: count + i for i, text in enumerate(texts)}
