"""Level 0: the query is known before the write, and the memory is what answers it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from memspan.material import Claim, Query
from memspan.policies.likeness import Likeness
from memspan.ports import Answerability, Outcome, Scorer, View

Floats = npt.NDArray[np.float64]


class Page:
    """Claims as they appear, read for one query after the other.

    Args:
        reader: which claims may answer a query.

    >>> page = Page(Alike())
    >>> page.add([Claim("a", "Ana moved to Porto."), Claim("b", "Rui cooks.")])
    >>> int(page.chances(Query("", "Who moved to Porto?")).argmax())
    0
    """

    def __init__(self, reader: Answerability) -> None:
        """Start with no claims."""
        self._reader = reader
        self._claims: list[Claim] = []
        self._scorer: Scorer | None = None

    def add(self, claims: Sequence[Claim]) -> None:
        """Take the next claims."""
        self._claims.extend(claims)
        self._scorer = None

    def chances(self, query: Query) -> Floats:
        """Return how likely each claim is to belong to what *query* rests on, shape (n,)."""
        if self._scorer is None:
            self._scorer = self._reader.scorer(self._claims)
        return self._scorer(query)


class Alike:
    """Similarity in place of a reader: an order, not probabilities; a `memspan.ports.Answerability`.

    Args:
        likeness: how alike texts are.
    """

    def __init__(self, likeness: Likeness | None = None) -> None:
        """Compare by words and parts of words where no *likeness* is given."""
        self._likeness = likeness or Likeness()

    @property
    def name(self) -> str:
        """Names the embedder."""
        return f"likeness by {self._likeness.name}"

    @property
    def described(self) -> Mapping[str, Any]:
        """What outputs say of it."""
        return {"rule": "cosine similarity, not calibrated", "fitted_on": None}

    def scorer(self, items: Sequence[Claim]) -> Scorer:
        """Return the similarity of each of *items* to a query, negative ones as 0."""
        places = self._likeness.places([item.text for item in items])
        return lambda query: self._likeness.to(query.text)[places].clip(0, 1).astype(np.float64)


class Retrieval:
    """Holds what answers the query that comes; a `WritePolicy` for level 0.

    Where no query is foretold all claims are alike to it.

    Args:
        reader: which claims may answer a query.
        name: as outputs name it.
    """

    def __init__(self, reader: Answerability, name: str | None = None) -> None:
        """Start with nothing seen."""
        self._reader, self._name = reader, name or f"retrieval by {reader.name}"
        self.start(0)

    @property
    def name(self) -> str:
        """As it was given."""
        return self._name

    def start(self, seed: int) -> None:  # noqa: ARG002 - nothing is left to chance
        """Forget everything."""
        self._page = Page(self._reader)

    def observe(self, claims: Sequence[Claim]) -> None:
        """Take the next claims."""
        self._page.add(claims)

    def score(self, view: View) -> Floats:
        """Return how likely each claim is to belong to what the coming query rests on."""
        return np.zeros(len(view.open)) if view.coming is None else self._page.chances(view.coming)

    def settle(self, outcome: Outcome) -> None:
        """Learn nothing: each query has a memory of its own."""
