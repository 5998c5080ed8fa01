"""What asking a model will take, before anything is asked."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from memspan.extraction.asking import INSTRUCTION
from memspan.extraction.document import Document
from memspan.extraction.journal import Journal
from memspan.extraction.windows import windows_of

BYTES_PER_TOKEN = 4  # of English in the usual vocabularies
ROUND = 200  # tokens of the form and the roles in each question
ANSWERED = 1.5  # tokens of claims and quotes for each token of source text


@dataclass(frozen=True)
class Estimate:
    """What a run will ask.

    Attributes:
        windows: how many the documents have.
        known: how many of them the journal holds already.
        tokens_in, tokens_out: estimates for the others.
    """

    windows: int
    known: int
    tokens_in: int
    tokens_out: int

    def money(self, price_in: float, price_out: float) -> float:
        """Return the price, in the currency of the two prices for a million tokens.

        >>> Estimate(1, 0, 500_000, 250_000).money(2, 8)
        3.0
        """
        return (self.tokens_in * price_in + self.tokens_out * price_out) / 1e6


def estimate(documents: Iterable[Document], model: str = "", journal: Journal | None = None) -> Estimate:
    """Return what asking *model* about *documents* will take, from lengths alone; nothing is asked."""
    windows = known = tokens_in = tokens_out = 0
    for document in documents:
        for window in windows_of(document):
            windows += 1
            if journal is not None and journal.get(window.key(model, INSTRUCTION)) is not None:
                known += 1
                continue
            tokens_in += ROUND + _tokens(INSTRUCTION) + _tokens(window.shown)
            tokens_out += math.ceil(ANSWERED * sum(_tokens(region.text) for region in window.regions))
    return Estimate(windows, known, tokens_in, tokens_out)


def _tokens(text: str) -> int:
    return math.ceil(len(text.encode(errors="replace")) / BYTES_PER_TOKEN)
