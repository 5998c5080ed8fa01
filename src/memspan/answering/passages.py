"""Items prepared for many questions: words, neighbours, speakers, dates."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from memspan.answering.lexical import Lexicon
from memspan.answering.moments import Calendar, Moment, day_of, meant
from memspan.language.words import STOPWORDS, folded, stems, words
from memspan.material import Claim

Floats = npt.NDArray[np.float64]

_COUNTS = "one two three four five six seven eight nine ten twelve twenty hundred once twice"
_NUMBER = re.compile(rf"\d|\b(?:{'|'.join(_COUNTS.split())})\b")
_TIMES = """
    yesterday today tonight tomorrow ago last next week weekend month year day morning evening night
    monday tuesday wednesday thursday friday saturday sunday january february march april may june july
    august september october november december recently since spring summer autumn fall winter
"""
_WHEN = re.compile(rf"\d{{4}}|\b(?:{'|'.join(_TIMES.split())})s?\b")
_PIECE = 4  # letters


@dataclass(frozen=True)
class Passages:
    """Items as the features see them.

    Attributes:
        claims: the items, in order.
        words: the stems of each item, without its speaker's name.
        groups: which session, page or document each belongs to, as a number from 0.
    """

    claims: tuple[Claim, ...]
    words: tuple[tuple[str, ...], ...]
    groups: npt.NDArray[np.int64]

    @classmethod
    def of(cls, claims: Sequence[Claim]) -> Passages:
        """Prepare *claims*."""
        names: dict[str | None, int] = {}
        groups = [names.setdefault(claim.source, len(names)) for claim in claims]
        said = tuple(tuple(stems(spoken(claim))) for claim in claims)
        return cls(tuple(claims), said, np.array(groups, np.int64))

    @cached_property
    def lexicon(self) -> Lexicon:
        """One document for each item."""
        return Lexicon.of_stems(self.words)

    @cached_property
    def together(self) -> Lexicon:
        """One document for each group: all words that stand in it."""
        documents: list[list[str]] = [[] for _ in range(int(self.groups.max(initial=-1)) + 1)]
        for said, group in zip(self.words, self.groups.tolist(), strict=True):
            documents[group] += said
        return Lexicon.of_stems(documents)

    def likeness(self, places: npt.NDArray[np.int64]) -> Floats:
        """Return the cosine of the items at *places* to one another by their rarest words, shape (k, k)."""
        rows = self._unit[places]
        alike: Floats = (rows @ rows.T).toarray()
        return alike

    @cached_property
    def _unit(self) -> Any:
        """The items as rows of unit length, each stem weighted by its rarity."""
        rows = self.lexicon.counts.copy()
        rows.data = np.repeat(self.lexicon.idf, np.diff(rows.indptr))
        lengths = np.sqrt(np.asarray(rows.multiply(rows).sum(axis=1))).ravel()
        rows.data = rows.data / lengths[rows.indices]
        return rows.tocsr()

    @cached_property
    def windows(self) -> Lexicon:
        """One document for each item: its words with those of its neighbours in the same group."""
        return Lexicon.of_stems([self._window(i) for i in range(len(self.words))])

    def _window(self, i: int) -> list[str]:
        near = range(max(i - 1, 0), min(i + 2, len(self.words)))
        return [term for j in near if self.groups[i] == self.groups[j] for term in self.words[j]]

    @cached_property
    def pieces(self) -> Lexicon:
        """One document for each item: pieces of its words."""
        return Lexicon.of_stems([pieces(spoken(claim)) for claim in self.claims])

    @cached_property
    def plain(self) -> tuple[str, ...]:
        """The words of each item in order, one blank between, one at each end."""
        return tuple(f" {' '.join(words(spoken(claim)))} " for claim in self.claims)

    @cached_property
    def speakers(self) -> tuple[str, ...]:
        """The speaker of each item, folded; empty where there is none."""
        return tuple(folded(claim.speaker or "") for claim in self.claims)

    @cached_property
    def names(self) -> frozenset[str]:
        """The words of all speakers' names."""
        return frozenset(part for name in set(self.speakers) for part in words(name))

    @cached_property
    def asks(self) -> Floats:
        """1 where the item asks something."""
        return np.array(["?" in claim.text for claim in self.claims], np.float64)

    @cached_property
    def counting(self) -> Floats:
        """1 where a number stands in the item."""
        return np.array([bool(_NUMBER.search(text)) for text in self.plain], np.float64)

    @cached_property
    def timed(self) -> Floats:
        """1 where words of time stand in the item."""
        return np.array([bool(_WHEN.search(text)) for text in self.plain], np.float64)

    @cached_property
    def meant(self) -> Calendar:
        """The dates that the items name or mean."""
        return Calendar.of([list(meant(claim)) for claim in self.claims])

    @cached_property
    def said(self) -> Calendar:
        """The day on which each item was said."""
        days = [day_of(claim.time) for claim in self.claims]
        return Calendar.of([[Moment(day, 1)] if day else [] for day in days])

    def before(self, values: Floats) -> Floats:
        """Return the value of the item before each, in the same group; 0 where there is none."""
        moved = np.zeros_like(values)
        moved[1:] = np.where(self.groups[1:] == self.groups[:-1], values[:-1], 0)
        return moved

    def after(self, values: Floats) -> Floats:
        """Return the value of the item after each, in the same group; 0 where there is none."""
        moved = np.zeros_like(values)
        moved[:-1] = np.where(self.groups[1:] == self.groups[:-1], values[1:], 0)
        return moved


def spoken(claim: Claim) -> str:
    """Return the text of *claim* without its speaker's name before it.

    >>> spoken(Claim("c", "Ana: I moved.", speaker="Ana"))
    'I moved.'
    """
    return claim.text.removeprefix(f"{claim.speaker}: ") if claim.speaker else claim.text


def pieces(text: str) -> list[str]:
    """Return the pieces of the words of *text* that mean something: they survive a slip or a compound.

    >>> pieces("the icecream")
    ['<ice', 'icec', 'cecr', 'ecre', 'crea', 'ream', 'eam>']
    """
    told = [f"<{word}>" for word in words(text) if word not in STOPWORDS]
    return [word[i : i + _PIECE] for word in told for i in range(max(len(word) - _PIECE + 1, 1))]
